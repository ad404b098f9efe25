import { BadFileError } from './bad-file.ts';
import { counted, isZip, type OnShare, openContainer } from './container.ts';
import { NO_TABLE, readCsv } from './csv.ts';
import type { FoundWorkbook } from './found.ts';
import { SHEETS } from './sheets.ts';
import { type Bounds, readWorkbook } from './xlsx.ts';

/** How far any sheet is read. Other programs have more columns than ours. */
export const BOUNDS: Bounds = {
  rows: Math.max(...SHEETS.map(({ maxRows }) => maxRows)) + 100,
  columns: 100,
};

/**
 * The cells of an uploaded file, recognised by its content, whatever its name.
 *
 * @throws {BadFileError} with a sentence for the user
 */
export async function openFile(
  file: Uint8Array,
  onShare: OnShare = () => {},
): Promise<FoundWorkbook> {
  if (isZip(file)) return readWorkbook(counted(openContainer(file), onShare), BOUNDS);
  if (isOldExcel(file)) {
    throw new BadFileError(
      'El archivo es un Excel antiguo (.xls) o está protegido con contraseña. Guárdalo como .xlsx sin contraseña.',
    );
  }
  if (NO_TABLES.some((magic) => magic.every((byte, i) => file[i] === byte))) {
    throw new BadFileError(NO_TABLE);
  }
  return { sheets: [readCsv(file, BOUNDS)], is1904: false, isText: true };
}

/** Signatures of PDF, PNG, JPEG, GIF and gzip. */
const NO_TABLES: readonly (readonly number[])[] = [
  [0x25, 0x50, 0x44, 0x46, 0x2d],
  [0x89, 0x50, 0x4e, 0x47],
  [0xff, 0xd8, 0xff],
  [0x47, 0x49, 0x46, 0x38],
  [0x1f, 0x8b],
];

/** The container of old Excel files and of encrypted ones. */
function isOldExcel(file: Uint8Array): boolean {
  return [0xd0, 0xcf, 0x11, 0xe0].every((byte, index) => file[index] === byte);
}
