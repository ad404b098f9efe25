import sharp from 'sharp';
import type { OnStep } from './budget.ts';
import { kindOf } from './kind.ts';
import { pagesToDraw } from './pdf.ts';

/** A page as shown on the screen. */
export interface PagePicture {
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** WebP. */
  readonly content: Uint8Array;
}

/** Enough to read an A4 at twice the width of the pane that shows it. */
const WIDTH = 1_200;
const MAX_HEIGHT = 3_600;
const QUALITY = 72;

/** Draws every page of a document that has been read, in colour and upright. */
export async function drawPagePictures(
  file: Uint8Array,
  onStep: OnStep = () => {},
): Promise<PagePicture[]> {
  onStep('look');
  return kindOf(file) === 'pdf' ? pdfPictures(file, onStep) : [await photoPicture(file)];
}

async function pdfPictures(file: Uint8Array, onStep: OnStep): Promise<PagePicture[]> {
  const pictures: PagePicture[] = [];
  for await (const page of pagesToDraw(file)) {
    onStep('look');
    const { originalWidth, originalHeight } = page.getOriginalSize();
    const image = await page.render({
      scale: Math.min(WIDTH / originalWidth, MAX_HEIGHT / originalHeight),
      render: ({ data, width, height }) =>
        sharp(data, { raw: { width, height, channels: 4 } })
          .flatten({ background: '#fff' })
          .webp({ quality: QUALITY, effort: 2 })
          .toBuffer(),
    });
    pictures.push({ width: image.width, height: image.height, content: image.data });
  }
  return pictures;
}

async function photoPicture(file: Uint8Array): Promise<PagePicture> {
  const { data, info } = await sharp(file)
    .rotate()
    .flatten({ background: '#fff' })
    .resize({ width: WIDTH, height: MAX_HEIGHT, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: QUALITY, effort: 2 })
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, content: data };
}
