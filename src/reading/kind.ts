import { BadDocumentError } from './bad-document.ts';

export type DocumentKind = 'pdf' | 'png' | 'jpeg';

export const MEDIA_TYPE: Readonly<Record<DocumentKind, string>> = {
  pdf: 'application/pdf',
  png: 'image/png',
  jpeg: 'image/jpeg',
};

/**
 * What kind of file it is, by its first bytes, whatever its name says.
 *
 * @throws {BadDocumentError}
 */
export function kindOf(file: Uint8Array): DocumentKind {
  const head = Buffer.from(file.subarray(0, 1024)).toString('latin1');
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg';
  // Some programs write a few bytes before the mark.
  if (head.includes('%PDF-')) return 'pdf';
  throw new BadDocumentError(
    /^....ftyp(hei|hev|mif|msf)/s.test(head)
      ? 'Las fotos HEIC no se pueden leer. Convierte la foto a JPG.'
      : 'Ese archivo no es una factura en PDF, JPG o PNG.',
  );
}
