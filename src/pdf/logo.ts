import { createHash } from 'node:crypto';
import type { Sharp } from 'sharp';
import { type Branch, type Doc, drawTagged, pt } from './canvas.ts';

export interface Logo {
  readonly png: Uint8Array;
  /** Pixels; only their ratio matters. */
  readonly width: number;
  readonly height: number;
}

/** 46 × 18 mm at 450 dots per inch: more does not show in print. */
const MAX = { width: 815, height: 319 } as const;

/** A company's logo is in all its invoices. */
const KEPT = 64;
const prepared = new Map<string, Promise<Logo | null>>();

/**
 * The logo ready to embed: on the white of the paper and no larger than it prints, so that pdfkit copies
 * it as it is in place of decoding it each time. Null when it is no picture: the invoice goes out
 * without it, with the name in its place.
 */
export function prepareLogo(png: Uint8Array): Promise<Logo | null> {
  const key = createHash('sha256').update(png).digest('base64');
  const known = prepared.get(key);
  if (known) return known;
  // Its library is heavy, and many companies have no logo.
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

/** Largest size in a box of `width` × `height` that keeps the ratio. */
export function fitBox(
  logo: Logo,
  width: number,
  height: number,
): { width: number; height: number } {
  const scale = Math.min(width / logo.width, height / logo.height);
  return { width: logo.width * scale, height: logo.height * scale };
}

/** Puts it on the page as a figure, its left top corner at (x, y), as wide as `fitBox` says. */
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
