import encodeQR from 'qr';

/** What the encoder draws around, and is cut off: each QR has its own quiet zone. */
const BORDER = 1;

/** The dark squares of a QR of level M, as the path of an SVG, and how many make its side. */
export function squaresOf(text: string): { size: number; path: string } {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: BORDER })
    .slice(BORDER, -BORDER)
    .map((row) => row.slice(BORDER, -BORDER));
  const path = rows
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return { size: rows.length, path };
}
