import { useMemo } from 'react';
import { squaresOf } from '../../../ui/qr-squares.ts';

/**
 * The QR of a registered invoice: black squares on white, level M as the AEAT requires (Orden HAC/1177/2024 art. 21).
 * The paper around it is its quiet zone.
 */
export function QrCode({ url }: { readonly url: string }) {
  const { size, path } = useMemo(() => squaresOf(url), [url]);
  return (
    <svg viewBox={`0 0 ${size} ${size}`} role="img" shapeRendering="crispEdges">
      <title>{`Código QR tributario. Se comprueba en ${url}`}</title>
      <path d={path} fill="#000" />
    </svg>
  );
}
