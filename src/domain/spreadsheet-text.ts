/**
 * Neutralises what a spreadsheet would take for a formula when it opens a CSV, or when the text is typed or pasted
 * again (ASVS 1.2.10), in normal and full-width characters.
 */
export function spreadsheetText(text: string): string {
  return /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
}

/** A line of a CSV for a Spanish spreadsheet, in which no cell can be taken for a formula. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(';')}\r\n`;
}

/** What a cell of `csvLine` contains. An amount, `-1234,50`, stays a number: it cannot be a formula. */
export function csvText(text: string): string {
  return /^-?\d+(,\d+)?$/.test(text) ? text : spreadsheetText(text);
}

function csvCell(text: string): string {
  const safe = csvText(text);
  return /[";\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Makes spreadsheets read a CSV as UTF-8. */
export const CSV_MARK = '\ufeff';
