/**
 * Neutralises what a spreadsheet would take for a formula when it opens a CSV, or when the text is typed
 * or pasted again (ASVS 1.2.10): signs of normal and of full width.
 */
export function spreadsheetText(text: string): string {
  return /^[=+\-@\t\r＝＋－＠]/.test(text) ? `'${text}` : text;
}
