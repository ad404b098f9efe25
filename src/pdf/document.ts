import { escapeXml } from '../domain/verifactu/text.ts';
import { type Branch, type Doc, drawWith } from './canvas.ts';
import { EmbeddedFonts } from './embedded-fonts.ts';
import { PackedDocument } from './packed-document.ts';

export interface OpenDocument {
  readonly doc: PackedDocument;
  /** Root of the structure tree. */
  readonly root: Branch;
  readonly fonts: EmbeddedFonts;
}

interface DocumentInfo {
  readonly title: string;
  readonly author: string;
  /**
   * `YYYY-MM-DD`. The file carries this date, not the time when it was drawn: the same invoice gives the same bytes.
   */
  readonly day: string;
}

/** A tagged document in Spanish with its fonts, and no page yet. */
export function openDocument({ title, author, day }: DocumentInfo): OpenDocument {
  const doc = new PackedDocument({
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
  escapeMetadata(doc);
  doc.on('pageAdded', () => gatherContent(doc));
  const fonts = new EmbeddedFonts(doc);
  drawWith(doc, fonts);
  const root = doc.struct('Document');
  doc.addStructure(root);
  return { doc, root, fonts };
}

/**
 * pdfkit copies title and author unescaped into its XML metadata, where a «&» in a name would break it. When it
 * writes that XML, the plain texts are already in the file.
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

/** Collects what is drawn on a page as text: pdfkit would keep each operator as a separate array of bytes. */
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

export function closeDocument({ doc, root, fonts }: OpenDocument): Uint8Array {
  root.end();
  fonts.end();
  doc.end();
  return doc.bytes();
}
