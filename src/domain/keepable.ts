/**
 * U+FFFD, for a letter that no font explains or no encoding has, half of a surrogate pair, and what is no letter at
 * all: many fonts say U+0000 of a sign that they cannot name, and PostgreSQL keeps no such text.
 */
const UNREAD = /[\ufffd\ufffe\uffff\p{Cs}]|(?![\t\n\r])\p{Cc}/gu;

/**
 * What another program or a reading says, with a blank in place of every character that could not be read: no API call
 * accepts those characters, and nobody would type them.
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
