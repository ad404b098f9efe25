import type { Logo } from './message.ts';

/** Our logo (design tokens), shown 22 pixels high, in four times that resolution for sharp screens. */
const MARK = `<svg xmlns="http://www.w3.org/2000/svg" width="88" height="88" viewBox="0 0 32 32" fill="none" stroke="#0F7B5F" stroke-width="2.7" stroke-linecap="round"><path d="M4.6 21.4C4 19.6 3.7 17.6 3.9 15.2A12.1 12.1 0 0 1 28.1 15.2C28.1 17.4 27.9 19.4 27.5 21.2"/><path d="M9.6 26C8.5 22.9 8 19.6 8.1 15.6A7.9 7.9 0 0 1 23.9 15.6C23.9 19.4 23.5 22.6 22.7 25.6"/><path d="M14.6 28.6C13 25 12.2 20.6 12.3 15.9A3.7 3.7 0 0 1 19.7 15.9C19.7 20.2 19.3 24 18.4 27.6"/></svg>`;

/** Largest size of a company's logo in a message. */
const LOGO_BOX = { width: 180, height: 40 };

let mark: Promise<Buffer> | undefined;

/** The logo as PNG, drawn once: many mail programs show no SVG. */
export function huellaMark(): Promise<Buffer> {
  mark ??= drawMark();
  return mark;
}

async function drawMark(): Promise<Buffer> {
  const { default: sharp } = await import('sharp'); // Too heavy for every start.
  return sharp(Buffer.from(MARK)).png().toBuffer();
}

/** A company's logo in the size of the top of a message. */
export async function companyLogo(png: Buffer, companyName: string): Promise<Logo> {
  const { default: sharp } = await import('sharp');
  const { data, info } = await sharp(png)
    .resize(LOGO_BOX.width * 2, LOGO_BOX.height * 2, { fit: 'inside', withoutEnlargement: true })
    .png()
    .toBuffer({ resolveWithObject: true });
  return {
    png: data,
    width: Math.ceil(info.width / 2),
    height: Math.ceil(info.height / 2),
    alt: companyName,
  };
}
