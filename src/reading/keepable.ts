/** U+FFFD, for a letter that no font explains or no encoding has, and half of a surrogate pair. */
const UNREAD = /[\ufffd\p{Cs}]/gu;

/**
 * The reading with a blank in place of every character that could not be read: no API call accepts those characters,
 * and nobody would type them.
 */
export function keepable<T>(value: T): T {
  return kept(value) as T;
}

function kept(value: unknown): unknown {
  if (typeof value === 'string') {
    const text = value.replace(UNREAD, ' ');
    return text === value ? value : text.replace(/ +/g, ' ').trim();
  }
  if (Array.isArray(value)) return value.map(kept);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, kept(inner)]));
}
