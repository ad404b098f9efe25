const UNITS = ['kB', 'MB', 'GB'] as const;
const figures = new Intl.NumberFormat('es-ES', { maximumFractionDigits: 1 });

/** A size in readable form: `340 kB`, `2,3 MB`. Decimal units, as phones and systems show them. */
export function fileSize(bytes: number): string {
  const power = bytes < 999_950 ? 0 : bytes < 999_950_000 ? 1 : 2;
  const value = bytes / 1000 ** (power + 1);
  return `${power === 0 ? Math.max(1, Math.round(value)) : figures.format(value)}\u00a0${UNITS[power]}`;
}
