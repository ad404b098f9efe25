/**
 * How long a text is, in characters as the AEAT, PostgreSQL and JSON Schema count them. `length` counts an emoji, which
 * takes two units of UTF-16, as two.
 */
export function lengthOf(text: string): number {
  let pairs = 0;
  for (let at = 0; at < text.length - 1; at++) if (isPair(text, at)) pairs += 1;
  return text.length - pairs;
}

/** The beginning of a text, of at most `max` characters. */
export function cut(text: string, max: number): string {
  return text.length <= max ? text : text.slice(0, after(text, max));
}

/** The end of a text, of at most `max` characters. */
export function cutToEnd(text: string, max: number): string {
  return text.length <= max ? text : text.slice(after(text, Math.max(lengthOf(text) - max, 0)));
}

/** Where so many characters from the beginning end. */
function after(text: string, characters: number): number {
  let at = 0;
  for (let count = 0; count < characters && at < text.length; count++)
    at += isPair(text, at) ? 2 : 1;
  return at;
}

function isPair(text: string, at: number): boolean {
  return (text.codePointAt(at) ?? 0) > 0xffff;
}
