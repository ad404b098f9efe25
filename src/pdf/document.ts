import type { Branch } from './canvas.ts';
import { PackedDocument } from './packed-document.ts';

export interface OpenDocument {
  readonly doc: PackedDocument;
  /** Root of the structure tree. */
  readonly root: Branch;
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
  return { doc, root: doc.openStructure('Document') };
}

export function closeDocument({ doc, root }: OpenDocument): Uint8Array {
  root.end();
  doc.fonts.end();
  doc.end();
  return doc.bytes();
}
