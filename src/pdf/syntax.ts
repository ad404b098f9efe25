/** PDF syntax, as Latin-1. */

/**
 * An object: as in pdfkit, a string is a PDF name, and a `String` is text. pdfkit's own classes, and ours, convert
 * themselves.
 */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return `/${value}`;
  if (typeof value === 'number') return String(Math.round(value * 1e6) / 1e6);
  if (value === null || value === undefined) return 'null';
  switch (value.constructor) {
    case Object:
      return `<<${entriesOf(value)}>>`;
    case Array:
      return `[${(value as unknown[]).map(textOf).join(' ')}]`;
    case String:
      return `(${escaped(String(value))})`;
    case Date:
      return `(D:${(value as Date).toISOString().slice(0, 19).replace(/\D/g, '')}Z)`;
    case Uint8Array:
      return `<${Buffer.from(value as Uint8Array).toString('hex')}>`;
    default:
      return String(value);
  }
}

/** What is between the brackets of a dictionary. */
export function entriesOf(entries: object): string {
  let text = '';
  for (const key in entries) {
    const value = (entries as Record<string, unknown>)[key];
    if (value !== undefined) text += `/${key} ${textOf(value)}`;
  }
  return text;
}

/** Text in PDF's own encoding if possible, otherwise in UTF-16 (ISO 32000-1, 7.9.2.2). */
function escaped(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: those that are the same in both.
  const isPlain = /^[\x00-\x7f]*$/.test(text);
  const bytes = isPlain
    ? text
    : Buffer.from(`\ufeff${text}`, 'utf16le').swap16().toString('latin1');
  return bytes.replace(/[\n\r\\()]/g, (sign) => ESCAPES[sign] ?? '');
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\r': '\\r',
  '\\': '\\\\',
  '(': '\\(',
  ')': '\\)',
};
