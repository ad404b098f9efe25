import { createHash } from 'node:crypto';

/** What a page may take its styles from, besides our own files. */
export interface StyleSources {
  /** For `<style>`: `'nonce-…'` or hashes. */
  readonly elements?: readonly string[];
  /** For `style="…"` written in the HTML: hashes. What a script sets is not asked about. */
  readonly attributes?: readonly string[];
}

/**
 * The policy of an answer: scripts and styles from our own files alone, nobody's frame, no connection
 * but to us.
 *
 * @param formTargets where a form may be posted to besides us: the card gateway
 */
export function contentPolicy(
  formTargets: readonly string[],
  { elements = [], attributes = [] }: StyleSources = {},
): string {
  const directives: readonly (readonly string[])[] = [
    ['default-src', "'none'"],
    ['script-src', "'self'"],
    ['style-src', "'self'", ...elements],
    ...(attributes.length > 0 ? [['style-src-attr', "'unsafe-hashes'", ...attributes]] : []),
    ['img-src', "'self'", 'data:', 'blob:'],
    ['font-src', "'self'"],
    ['connect-src', "'self'"],
    ['manifest-src', "'self'"],
    ['frame-src', 'blob:'],
    ['form-action', "'self'", ...formTargets],
    ['frame-ancestors', "'none'"],
    ['base-uri', "'none'"],
    ['object-src', "'none'"],
  ];
  return directives.map((directive) => directive.join(' ')).join('; ');
}

/** The styles that are written in a page, each by its hash: no others are taken. */
export function stylesIn(html: string): Required<StyleSources> {
  const hashes = (pattern: RegExp) => [
    ...new Set([...html.matchAll(pattern)].map(([, css = '']) => hashOf(css))),
  ];
  return {
    elements: hashes(/<style[^>]*>([\s\S]*?)<\/style>/g),
    attributes: hashes(/\sstyle="([^"]*)"/g),
  };
}

function hashOf(css: string): string {
  return `'sha256-${createHash('sha256').update(css).digest('base64')}'`;
}
