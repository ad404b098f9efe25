const NOTHING = 'Nada.';
const WIDEST = 60;

/** Rows in columns as wide as their content. Text typed by users cannot move the terminal's cursor. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return NOTHING;
  const lines = [heads, ...rows].map((line) => line.map(plain));
  const widths = heads.map((_, column) =>
    lines.reduce((widest, line) => Math.max(widest, line[column]?.length ?? 0), 0),
  );
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** `2026-11-20 10:32`, in peninsular time. */
export function moment(date: Date): string {
  return date.toLocaleString('sv-SE', { timeZone: 'Europe/Madrid' }).slice(0, 16);
}

function plain(text: string): string {
  const line = text.replace(/\p{Cc}+/gu, ' ');
  return line.length > WIDEST ? `${line.slice(0, WIDEST - 1)}…` : line;
}
