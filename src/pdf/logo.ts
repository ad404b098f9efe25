import { createHash } from 'node:crypto';
import type { Sharp } from 'sharp';
import { type Branch, type Doc, drawTagged, pt } from './canvas.ts';

export interface Logo {
  readonly png: Uint8Array;
  /** Pixels; only their ratio matters. */
  readonly width: number;
  readonly height: number;
}

/** 46 × 18 mm at 450 dots per inch: more is invisible in print. */
const MAX = { width: 815, height: 319 } as const;

/** A company's logo is on all its invoices. */
const KEPT = 64;
const prepared = new Map<string, Promise<Logo | null>>();

/**
 * The logo ready to be embedded: on white, and no larger than printed, so that pdfkit copies it instead of decoding
 * it each time. Null when it is not a valid picture: then the invoice shows the name instead.
 */
export function prepareLogo(png: Uint8Array): Promise<Logo | null> {
  const key = createHash('sha256').update(png).digest('base64');
  const known = prepared.get(key);
  if (known) return known;
  // The library is heavy, and many companies have no logo.
  const logo = import('sharp').then(({ default: sharp }) => flatten(sharp(png)).catch(() => null));
  prepared.set(key, logo);
  if (prepared.size > KEPT) prepared.delete(prepared.keys().next().value ?? '');
  return logo;
}

async function flatten(picture: Sharp): Promise<Logo> {
  const { data, info } = await picture
    .resize({ ...MAX, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .removeAlpha()
    .png({ compressionLevel: 9 })
    .toBuffer({ resolveWithObject: true });
  return { png: data, width: info.width, height: info.height };
}

/** Largest size within `width` × `height` that keeps the ratio. */
export function fitBox(
  logo: Logo,
  width: number,
  height: number,
): { width: number; height: number } {
  const scale = Math.min(width / logo.width, height / logo.height);
  return { width: logo.width * scale, height: logo.height * scale };
}

/** Draws it as a figure with its top left corner at (x, y), in the size from `fitBox`. */
export function drawLogo(
  doc: Doc,
  parent: Branch,
  { png }: Logo,
  {
    x,
    y,
    width,
    height,
    owner,
  }: {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
    readonly owner: string;
  },
): void {
  const draw = () => doc.image(Buffer.from(png), pt(x), pt(y), { width: pt(width) });
  drawTagged(doc, parent, 'Figure', draw, {
    alt: `Logotipo de ${owner}`,
    box: [x, y, x + width, y + height],
  });
}
