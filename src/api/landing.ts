import { createHash } from 'node:crypto';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Config } from '../config.ts';

import { type StyleSources, stylesIn } from './content-policy.ts';

type Provider = Pick<Config, 'empresa' | 'enlaces' | 'publicUrl'>;

/** The landing page as one installation serves it, compressed once. */
export interface LandingPage {
  readonly html: Buffer;
  readonly br: Buffer;
  readonly gzip: Buffer;
  readonly etag: string;
  readonly styles: StyleSources;
}

/**
 * Puts the provider's data and the year in place of the placeholders left by the build.
 *
 * @param template written by `scripts/prerender.mjs`
 */
export function fillLanding(template: string, provider: Provider, year: number): string {
  const { empresa, enlaces, publicUrl } = provider;
  const values: Readonly<Record<string, string>> = {
    ...prefixed('empresa', empresa),
    ...prefixed('enlaces', enlaces),
    publicUrl,
  };
  const isMissing = (name: string) => values[name]?.startsWith('[') === true;
  return (
    template
      .replace(/© \d{4}/g, `© ${year}`)
      // The number in the link must not have blanks, which the page could not remove from a placeholder.
      .replaceAll('href="tel:"', `href="tel:${empresa.telefono.replace(/[^+\d]/g, '')}"`)
      // Links that are not configured lead nowhere and would look like gaps.
      .replace(
        /<a href="(?:mailto|tel):[^"]*">__([\w.]+)__<\/a>|<span>__([\w.]+)__<\/span>/g,
        (whole, link, text) => {
          const name: string = link ?? text;
          return isMissing(name) ? `<span class="hu-placeholder">__${name}__</span>` : whole;
        },
      )
      .replace(/__([\w.]+)__/g, (mark, name: string) => escapeHtml(values[name] ?? mark))
  );
}

/** Filled on first use, and again when the year has changed. */
export function landingPages(template: string, provider: Provider, clock: () => Date) {
  let kept: { readonly year: number; readonly page: LandingPage } | null = null;
  return (): LandingPage => {
    const year = clock().getFullYear();
    if (kept?.year !== year) kept = { year, page: pageOf(fillLanding(template, provider, year)) };
    return kept.page;
  };
}

function pageOf(text: string): LandingPage {
  const html = Buffer.from(text);
  const etag = `"${createHash('sha256').update(html).digest('base64url').slice(0, 24)}"`;
  return {
    html,
    br: brotliCompressSync(html),
    gzip: gzipSync(html, { level: 9 }),
    etag,
    styles: stylesIn(text),
  };
}

const prefixed = (group: string, values: object): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`${group}.${name}`, value]));

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (c) => ENTITIES[c] ?? c);
