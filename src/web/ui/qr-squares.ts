import encodeQR from 'qr';

/** The border drawn by the encoder, which is removed: each QR has its own quiet zone. */
const BORDER = 1;

/** The dark squares of a QR of level M as an SVG path, and its size in squares. */
export function squaresOf(text: string): { size: number; path: string } {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: BORDER })
    .slice(BORDER, -BORDER)
    .map((row) => row.slice(BORDER, -BORDER));
  const path = rows
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return { size: rows.length, path };
}
