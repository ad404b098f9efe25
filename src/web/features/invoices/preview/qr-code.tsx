import encodeQR from 'qr';
import { useMemo } from 'react';

/**
 * The QR of a registered invoice: black squares on white, level M as the AEAT asks (Orden
 * HAC/1177/2024 art. 21). Its quiet zone is the paper around it.
 */
export function QrCode({ url }: { readonly url: string }) {
  const { size, path } = useMemo(() => squares(url), [url]);
  return (
    <svg viewBox={`0 0 ${size} ${size}`} role="img" shapeRendering="crispEdges">
      <title>{`Código QR tributario. Se comprueba en ${url}`}</title>
      <path d={path} fill="#000" />
    </svg>
  );
}

const BORDER = 1;

function squares(url: string): { size: number; path: string } {
  // The encoder always draws a border of its own: the paper has a larger one.
  const rows = encodeQR(url, 'raw', { ecc: 'medium', border: BORDER })
    .slice(BORDER, -BORDER)
    .map((row) => row.slice(BORDER, -BORDER));
  const path = rows
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return { size: rows.length, path };
}
