import PDFDocument from 'pdfkit';
import { type Branch, type Doc, drawWith } from './canvas.ts';
import { EmbeddedFonts } from './embedded-fonts.ts';

export interface OpenDocument {
  readonly doc: Doc;
  /** Root of the structure tree. */
  readonly root: Branch;
  readonly written: Written;
  readonly fonts: EmbeddedFonts;
}

/** What a document is made of, in its order. */
type Written = Uint8Array[];

interface DocumentInfo {
  readonly title: string;
  readonly author: string;
  /** `YYYY-MM-DD`. The file carries this day, not the hour it was drawn: same invoice, same bytes. */
  readonly day: string;
}

/** A tagged document in Spanish with the fonts at hand and no page yet. */
export function openDocument({ title, author, day }: DocumentInfo): OpenDocument {
  const doc = new PDFDocument({
    size: 'A4',
    margin: 0,
    font: '',
    autoFirstPage: false,
    bufferPages: true,
    pdfVersion: '1.7',
    tagged: true,
    lang: 'es-ES',
    displayTitle: true,
    info: { Title: title, Author: author, CreationDate: new Date(`${day}T00:00:00Z`) },
  });
  const written = gatherBytes(doc);
  escapeMetadata(doc);
  doc.on('pageAdded', () => gatherContent(doc));
  const fonts = new EmbeddedFonts(doc);
  drawWith(doc, fonts);
  const root = doc.struct('Document');
  doc.addStructure(root);
  return { doc, root, written, fonts };
}

/**
 * pdfkit copies title and author into its XML metadata as they are, and a «&» in a name would break them.
 * By the time it writes that XML the plain ones are already in the file.
 */
function escapeMetadata(doc: Doc): void {
  const internals = doc as unknown as { endMetadata(): void };
  const endMetadata = internals.endMetadata;
  internals.endMetadata = () => {
    doc.info.Title = escapeXml(doc.info.Title ?? '');
    doc.info.Author = escapeXml(doc.info.Author ?? '');
    endMetadata.call(doc);
  };
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/**
 * pdfkit writes thousands of little texts, each turned into bytes and sent through a stream by itself. They
 * are put together here, up to where bytes come between.
 *
 * @returns where they are, all of them once the document ended
 */
function gatherBytes(doc: Doc): Written {
  const written: Written = [doc.read() as Buffer]; // It begins when it is made.
  let text = '';
  const takeText = () => {
    if (text !== '') written.push(Buffer.from(text, 'latin1'));
    text = '';
  };
  const internals = doc as unknown as {
    _offset: number;
    _write(data: string | Uint8Array): void;
    push(end: null): boolean;
  };
  internals._write = (data) => {
    if (typeof data === 'string') {
      text += `${data}\n`;
      internals._offset += data.length + 1;
      return;
    }
    takeText();
    written.push(data);
    internals._offset += data.length;
  };
  internals.push = () => {
    takeText(); // The last thing it does is to end the stream that nobody reads.
    return true;
  };
  return written;
}

/** The same for what is drawn on a page: pdfkit would keep each operator as an array of bytes of its own. */
function gatherContent({ page }: Doc): void {
  const { content } = page as unknown as {
    content: { write(chunk: string | Uint8Array): void; end(): void };
  };
  const { write, end } = content;
  let text = '';
  content.write = (chunk) => {
    text += typeof chunk === 'string' ? `${chunk}\n` : Buffer.from(chunk).toString('latin1');
  };
  content.end = () => {
    write.call(content, Buffer.from(text, 'latin1'));
    end.call(content);
  };
}

export function closeDocument({ doc, root, written, fonts }: OpenDocument): Uint8Array {
  root.end();
  fonts.end();
  doc.end();
  return Buffer.concat(written);
}
