/** What is said of a file whose amounts could not be trusted whole, until the person has mended it. */
export const READING_WARNINGS = {
  sums: 'Los importes leídos no cuadran entre sí. Revísalos.',
  byRate:
    'Las líneas leídas no suman las bases: hay una línea por cada tipo. Cámbialas si quieres el detalle.',
  zeroRate:
    'El original lleva un 0 %: puede ser una operación exenta o no sujeta, una inversión del sujeto pasivo o un tipo del 0 %. Elige el impuesto de esas líneas.',
  noLines: 'No hemos podido leer las líneas. Escríbelas.',
} as const;

/** A line that stands for all those of one rate. */
export const AS_ATTACHED = 'Según factura adjunta';
