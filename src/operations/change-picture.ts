import type { Deps } from '../deps.ts';
import { DomainError } from '../domain/errors.ts';
import { deleteCompanyPicture, saveCompanyPicture } from '../store/company-pictures.ts';
import { inCompanyLine } from './company-line.ts';
import { keepOpen } from './company-of.ts';

const MAX_BYTES = 2 * 1024 * 1024;
const MAX_SIDE = 4000;
/** Enough for the logo on paper: 46 mm at 300 dots per inch is 543. */
const KEPT_SIDE = 700;

/**
 * Keeps the company's logo as a PNG that we encode ourselves, so that nothing hidden in the uploaded file survives.
 * One after another: a few kilobytes may be sixteen million pixels, and encoding takes threads that passwords need too.
 *
 * @param base64 PNG or JPEG of at most 2 MB, with or without a `data:` prefix; empty removes the logo
 * @throws {DomainError} PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA; UNAUTHORIZED when the account was closed meanwhile
 */
export async function changePicture(
  { sql }: Pick<Deps, 'sql'>,
  companyId: number,
  base64: string,
): Promise<void> {
  const data = Buffer.from(base64.trim().replace(/^data:[^,]*,/, ''), 'base64');
  if (data.length > MAX_BYTES) {
    throw new DomainError('PAYLOAD_TOO_LARGE', 'El logotipo no puede pasar de 2 MB.');
  }
  await inCompanyLine(companyId, async () => {
    if (base64.trim() === '') return deleteCompanyPicture(sql, companyId);
    const png = await reencode(data);
    await sql.begin(async (tx) => {
      await keepOpen(tx, companyId);
      await saveCompanyPicture(tx, companyId, png);
    });
  });
}

async function reencode(data: Buffer): Promise<Buffer> {
  if (!isPng(data) && !isJpeg(data)) {
    throw new DomainError('UNSUPPORTED_MEDIA', 'El logotipo debe ser una imagen PNG o JPG.');
  }
  const { default: sharp } = await import('sharp'); // Too heavy for every start.
  try {
    return await sharp(data, { limitInputPixels: MAX_SIDE * MAX_SIDE, failOn: 'error' })
      .rotate() // Turned as its EXIF says; re-encoding drops that tag.
      .resize(KEPT_SIDE, KEPT_SIDE, { fit: 'inside', withoutEnlargement: true })
      .png()
      .toBuffer();
  } catch (cause) {
    throw new DomainError(
      'UNSUPPORTED_MEDIA',
      'La imagen está dañada o es demasiado grande. Prueba con otra de hasta 4000 × 4000 píxeles.',
      { cause },
    );
  }
}

function isPng(data: Buffer): boolean {
  return data.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex'));
}

function isJpeg(data: Buffer): boolean {
  return data.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex'));
}
