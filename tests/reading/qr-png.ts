import encodeQR from 'qr';
import sharp from 'sharp';

/** A QR of level M as PNG, eight pixels a module and its quiet border. */
export function qrPng(text: string): Promise<Buffer> {
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border: 4 });
  const side = modules.length;
  const grey = Buffer.from(modules.flat().map((isDark) => (isDark ? 0 : 255)));
  return sharp(grey, { raw: { width: side, height: side, channels: 1 } })
    .resize(side * 8, side * 8, { kernel: 'nearest' })
    .png()
    .toBuffer();
}
