/** The beginning of a text, at most `max` long in UTF-16, and never with half of a surrogate pair at its end. */
export function cut(text: string, max: number): string {
  return text.slice(0, max).replace(/[\ud800-\udbff]$/, '');
}
