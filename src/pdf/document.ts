import { once } from 'node:events';
import PDFDocument from 'pdfkit';
import type { Branch, Doc } from './canvas.ts';
import { registerFonts } from './fonts.ts';

export interface OpenDocument {
  readonly doc: Doc;
  /** Root of the structure tree. */
  readonly root: Branch;
}

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
  escapeMetadata(doc);
  registerFonts(doc);
  const root = doc.struct('Document');
  doc.addStructure(root);
  return { doc, root };
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

export async function closeDocument({ doc, root }: OpenDocument): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  doc.on('data', (chunk: Uint8Array) => chunks.push(chunk));
  const ended = once(doc, 'end');
  root.end();
  doc.end();
  await ended;
  return Buffer.concat(chunks);
}
