import { type Browser, chromium } from '@playwright/test';
import { findBrowser } from '../support/browser.ts';
import type { Sample } from './invoice-sample.ts';

/** An invoice as a page of the web, which a browser prints: tables and lines break as they will. */
export type HtmlLayout = (sample: Sample) => string;

export interface Press {
  readonly print: (html: string) => Promise<Buffer>;
  readonly close: () => Promise<void>;
}

/** A browser that prints pages as PDF. */
export async function openPress(): Promise<Press> {
  const { executablePath, args, env } = await findBrowser();
  const browser: Browser = await chromium.launch({
    executablePath,
    args,
    env: { ...process.env, ...env } as Record<string, string>,
  });
  const page = await browser.newPage();
  return {
    async print(html) {
      await page.setContent(html);
      return page.pdf({ format: 'A4', preferCSSPageSize: true, printBackground: true });
    },
    close: () => browser.close(),
  };
}

/** A whole document of what stands in its body. */
export function sheetOf(css: string, body: string): string {
  return `<!doctype html><html lang="es"><meta charset="utf-8"><style>
    @page { size: A4; margin: 14mm; }
    * { box-sizing: border-box; }
    body { margin: 0; font: 10pt/1.35 'Liberation Sans', Arial, sans-serif; color: #111; }
    table { border-collapse: collapse; width: 100%; }
    td, th { padding: 3px 5px; text-align: left; vertical-align: top; }
    .n { text-align: right; white-space: nowrap; }
    ${css}
  </style><body>${body}</body></html>`;
}

/** Rows of cells; those whose heading ends in `>` are figures. */
export function tableOf(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  className = '',
): string {
  const isFigure = headings.map((heading) => heading.endsWith('>'));
  const cells = (tag: string, texts: readonly string[]) =>
    texts.map((text, i) => `<${tag}${isFigure[i] ? ' class="n"' : ''}>${text}</${tag}>`).join('');
  return `<table class="${className}"><thead><tr>${cells(
    'th',
    headings.map((heading) => heading.replace(/>$/, '')),
  )}</tr></thead><tbody>${rows.map((row) => `<tr>${cells('td', row)}</tr>`).join('')}</tbody></table>`;
}
