/** Warnings about a file whose amounts cannot be fully trusted, shown until the user has corrected them. */
export const READING_WARNINGS = {
  sums: 'Los importes leídos no cuadran entre sí. Revísalos.',
  byRate:
    'Las líneas leídas no suman las bases: hay una línea por cada tipo. Cámbialas si quieres el detalle.',
  zeroRate:
    'El original lleva un 0 %: puede ser una operación exenta o no sujeta, una inversión del sujeto pasivo o un tipo del 0 %. Elige el impuesto de esas líneas.',
  noLines: 'No hemos podido leer las líneas. Escríbelas.',
} as const;

/** Description of a line that stands for all lines of one rate. */
export const AS_ATTACHED = 'Según factura adjunta';

/** For a file whose amounts are in another currency: `'USD'`. */
export const otherCurrency = (currency: string) =>
  `Los importes del original están en otra moneda (${currency}), y una factura se registra en euros: cámbialos por su contravalor.`;

/**
 * From this confidence on, the screen says that a value was read and not that it has to be checked: it had a clear label
 * beside it, or was checked against something else.
 */
export const SURE = 0.8;
