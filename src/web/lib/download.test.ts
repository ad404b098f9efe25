import { expect, it } from 'vitest';
import { fileFromBase64, pdfFileName } from './download.ts';

it.each([
  ['00001/LO', '00001-LO.pdf'],
  ['F26-00001', 'F26-00001.pdf'],
  ['B-9', 'B-9.pdf'],
  ['../../etc/passwd', 'etc-passwd.pdf'],
  ['A\\B:C*?"<>|D', 'A-B-C-D.pdf'],
  ['00012/26 R.', '00012-26 R.pdf'],
  ['///', 'factura.pdf'],
])('saves %s as %s', (docNo, name) => expect(pdfFileName(docNo)).toBe(name));

it('returns the bytes of the file, whatever they are', async () => {
  const bytes = [0x25, 0x50, 0x44, 0x46, 0x00, 0xff, 0xe2];
  const file = fileFromBase64(btoa(String.fromCharCode(...bytes)), 'application/pdf');
  expect([...new Uint8Array(await (file as Blob).arrayBuffer())]).toEqual(bytes);
  expect(file?.type).toBe('application/pdf');
});

it('finds no file in an empty answer', () => {
  expect(fileFromBase64('', 'application/pdf')).toBeNull();
});
