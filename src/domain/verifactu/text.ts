/** Prepares text for XML: what XML 1.0 cannot contain, and what must be escaped. */

import { cut } from '../cut.ts';

/** Printable text of one line, already trimmed: nearly all of it, and it needs no change. */
const PLAIN = /^[!-~\u00a1-\ud7ff](?:[ -~\u00a1-\ud7ff]*[!-~\u00a1-\ud7ff])?$/;

/** Control characters, lone surrogates and the two code points that are no characters. */
const UNFIT = /[\p{Cc}\p{Cs}\ufffe\uffff]/gu;

/**
 * One line of at most `max` characters, without blanks at the ends (the AEAT strips them) or anything that XML 1.0
 * cannot contain. Characters are counted as in the schema, not as in UTF-16.
 */
export function xmlText(value: string, max: number): string {
  if (value.length <= max && PLAIN.test(value)) return value;
  const clean = value.replace(/\s/g, ' ').replace(UNFIT, '').trim();
  return cut(clean, max).trim();
}

const NEEDS_ESCAPE = /[&<>]/;

export function escapeXml(value: string): string {
  if (!needsEscape(value)) return value;
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Most values are a few characters, which are checked faster than a regular expression starts. */
function needsEscape(value: string): boolean {
  if (value.length > 32) return NEEDS_ESCAPE.test(value);
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i);
    if (code === 38 || code === 60 || code === 62) return true;
  }
  return false;
}
