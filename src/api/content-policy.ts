import { createHash } from 'node:crypto';

/** Sources of styles that a page may use, besides our own files. */
export interface StyleSources {
  /** For `<style>`: `'nonce-…'` or hashes. */
  readonly elements?: readonly string[];
  /** For `style="…"` attributes in the HTML: hashes. Styles set by scripts are not affected. */
  readonly attributes?: readonly string[];
}

/**
 * The content security policy of an answer: scripts and styles only from our own files, no framing, connections only
 * to us.
 *
 * @param formTargets other places where a form may be posted: the card gateway
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

/** The hashes of all styles written in a page: no others are allowed. */
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
