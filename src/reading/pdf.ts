import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PDFiumLibrary, type PDFiumPage } from '@hyzyla/pdfium';
import {
  getDocument,
  OPS,
  PasswordResponses,
  type PDFPageProxy,
  VerbosityLevel,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import sharp from 'sharp';
import { BadDocumentError } from './bad-document.ts';
import { areInPieces, withOwnBlanks } from './blanks.ts';
import type { OnStep } from './budget.ts';
import type { PageSize, Word } from './shapes.ts';
import type { GreyPage } from './tax-qr.ts';

const MAX_PAGES = 10;
/** Maximum size of a page drawn for OCR. An A4 at 300 dpi has 8.7 million. */
const MAX_PIXELS = 20_000_000;

const PROTECTED = 'El PDF está protegido con contraseña. Guárdalo sin ella y súbelo de nuevo.';
const BROKEN = 'El PDF está dañado y no se puede leer. Guárdalo de nuevo o haz una foto.';

export interface PdfContent {
  readonly words: readonly Word[];
  readonly pages: readonly PageSize[];
  readonly attachments: readonly { readonly name: string; readonly content: Uint8Array }[];
}

/**
 * Words with their places, and embedded files.
 *
 * @throws {BadDocumentError}
 */
export async function readPdf(file: Uint8Array, onStep: OnStep = () => {}): Promise<PdfContent> {
  const root = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
  const task = getDocument({
    data: new Uint8Array(file),
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    enableXfa: false,
    stopAtErrors: false,
    standardFontDataUrl: join(root, 'standard_fonts', '/'),
    cMapUrl: join(root, 'cmaps', '/'),
    verbosity: VerbosityLevel.ERRORS,
  });
  // Nobody is there to type the password.
  task.onPassword = () => {
    void task.destroy();
  };
  const document = await opened(task, file);
  if (document.numPages > MAX_PAGES) {
    throw new BadDocumentError(
      `El PDF tiene ${document.numPages} páginas. Sube una factura de ${MAX_PAGES} páginas como mucho.`,
    );
  }
  const pages: PageSize[] = [];
  const words: Word[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    onStep('look');
    const page = await document.getPage(number);
    const { width, height, transform } = page.getViewport({ scale: 1 });
    pages.push({ width, height });
    for (const item of await runsOf(page))
      words.push(...wordsOf(item, { number, transform, width, height }));
  }
  const attached = (await document.getAttachments()) as Record<
    string,
    { filename: string; content: Uint8Array }
  > | null;
  const attachments = Object.values(attached ?? {}).map(({ filename, content }) => ({
    name: filename,
    content,
  }));
  await task.destroy();
  return { words, pages, attachments };
}

async function opened(task: ReturnType<typeof getDocument>, file: Uint8Array) {
  try {
    return await task.promise;
  } catch (error) {
    const isProtected =
      (error as Error).name === 'PasswordException' ||
      (error as { code?: number }).code === PasswordResponses.NEED_PASSWORD ||
      Buffer.from(file).includes('/Encrypt');
    throw new BadDocumentError(isProtected ? PROTECTED : BROKEN, { cause: error });
  }
}

/** The runs of text of a page that are not empty, with the blanks that the page draws. */
async function runsOf(page: PDFPageProxy): Promise<TextItem[]> {
  const { items } = await page.getTextContent();
  const runs = joined(
    items.flatMap((item) => ('str' in item && item.str.trim() !== '' ? [item] : [])),
  );
  const texts = runs.map(({ str }) => str);
  if (!areInPieces(texts)) return runs;
  const own = withOwnBlanks(texts, await glyphsOf(page));
  return runs.map((run, i) => ({ ...run, str: own[i] ?? run.str }));
}

/** Letters that fonts draw as one glyph. */
const LIGATURE = /^(ff?[ilt]?|[st]t)$/;

/** Joins runs that continue within a word: a ligature, such as the «fi» of «oficial», comes as a separate run. */
function joined(runs: readonly TextItem[]): TextItem[] {
  const out: TextItem[] = [];
  for (const [i, run] of runs.entries()) {
    const last = out.at(-1);
    const isDrawnAsOne = LIGATURE.test(run.str) || LIGATURE.test(runs[i - 1]?.str ?? '');
    if (last && isDrawnAsOne && touches(last, run))
      out[out.length - 1] = { ...last, str: last.str + run.str, width: last.width + run.width };
    else out.push(run);
  }
  return out;
}

/** Whether a letter of one begins where one of the other ends, on the same line and in the same size. */
function touches(one: TextItem, next: TextItem): boolean {
  const [a = 1, b = 0, c = 0, d = 0, e = 0, f = 0] = one.transform;
  const [na = 1, nb = 0, nc = 0, nd = 0, ne = 0, nf = 0] = next.transform;
  const size = Math.hypot(c, d);
  const along = Math.hypot(a, b) || 1;
  const off = Math.hypot(ne - e - (a / along) * one.width, nf - f - (b / along) * one.width);
  return (
    /\p{L}$/u.test(one.str) &&
    /^\p{L}/u.test(next.str) &&
    off < 0.04 * size &&
    Math.hypot(na - a, nb - b, nc - c, nd - d) < 0.01 * size
  );
}

/** The text of a page's glyphs, in the order in which it draws them. */
async function glyphsOf(page: PDFPageProxy): Promise<string> {
  const { fnArray, argsArray } = await page.getOperatorList();
  return fnArray
    .flatMap((drawn, i) => (drawn === OPS.showText ? (argsArray[i]?.[0] ?? []) : []))
    .map((glyph: number | { unicode?: string } | null) =>
      typeof glyph === 'object' ? (glyph?.unicode ?? '') : '',
    )
    .join('');
}

interface TextItem {
  readonly str: string;
  readonly width: number;
  readonly height: number;
  readonly transform: readonly number[];
}

interface Sheet extends PageSize {
  readonly number: number;
  readonly transform: readonly number[];
}

/** Splits a run of text into words, its width shared out by letter. */
function wordsOf({ str, width, transform: own }: TextItem, sheet: Sheet): Word[] {
  const [a = 1, b = 0, c = 0, d = 0, e = 0, f = 0] = own;
  const [ma = 1, mb = 0, mc = 0, md = -1, me = 0, mf = 0] = sheet.transform;
  const left = ma * e + mc * f + me;
  const baseline = mb * e + md * f + mf;
  const size = Math.hypot(c, d) || 8;
  const advance = width / Math.max(1, weightOf(str));
  const [across, down] = [ma * a + mc * b, mb * a + md * b];
  const isSideways = Math.abs(down) > 3 * Math.abs(across);
  return [...str.matchAll(/\S+/g)].map((match) => {
    const word = {
      text: match[0],
      page: sheet.number,
      x: advance * weightOf(str.slice(0, match.index)),
      y: -size * 0.78,
      w: advance * weightOf(match[0]),
      h: size,
    };
    return isSideways
      ? belowSheet(word, { left, baseline, isUpwards: down < 0 }, sheet)
      : { ...word, x: left + word.x, y: baseline + word.y };
  });
}

/**
 * Words that run up or down the sheet, as legal data in a margin do, are read in a line below the last one, and shown
 * where they are.
 */
function belowSheet(
  word: Word,
  { left, baseline, isUpwards }: { left: number; baseline: number; isUpwards: boolean },
  { width, height }: PageSize,
): Word {
  const { x, y, w, h } = word;
  const top = isUpwards ? baseline - x - w : baseline + x;
  const side = isUpwards ? left + y : left - y - h;
  return {
    ...word,
    x: (isUpwards ? height - baseline : baseline) + x,
    y: height + (isUpwards ? left : width - left) + y,
    paper: { x: side / width, y: top / height, w: h / width, h: w / height },
  };
}

/** Approximate width of a text: blanks, marks and thin letters count half. */
function weightOf(text: string): number {
  let weight = 0;
  for (const letter of text) weight += /[\s.,:;'|iljtfI()[\]/-]/.test(letter) ? 0.5 : 1;
  return weight;
}

/** Draws the pages in grey, one after another. Sheets that would not fit are drawn with fewer `dpi`. */
export async function* drawPages(
  file: Uint8Array,
  dpi: number,
  onStep: OnStep = () => {},
): AsyncGenerator<GreyPage & { scale: number }> {
  for await (const page of pagesToDraw(file)) {
    onStep('look');
    const { originalWidth, originalHeight } = page.getOriginalSize();
    const room = Math.sqrt(MAX_PIXELS / Math.max(1, originalWidth * originalHeight));
    const scale = Math.min(dpi / 72, room);
    const image = await page.render({
      scale,
      render: async ({ data, width, height }) =>
        sharp(data, { raw: { width, height, channels: 4 } })
          .flatten({ background: '#fff' })
          .toColourspace('b-w')
          .raw()
          .toBuffer(),
    });
    yield { data: image.data, width: image.width, height: image.height, scale };
  }
}

/**
 * The pages as PDFium counts them. In a file that is damaged, or made to keep us busy, there may be many where pdf.js
 * counted one or fewer, and one that is counted may not be there.
 *
 * @throws {BadDocumentError}
 */
export async function* pagesToDraw(file: Uint8Array): AsyncGenerator<PDFiumPage> {
  const library = await PDFiumLibrary.init();
  const document = await library.loadDocument(Buffer.from(file)).catch((cause: unknown) => {
    throw new BadDocumentError(BROKEN, { cause });
  });
  try {
    if (document.getPageCount() > MAX_PAGES) throw new BadDocumentError(BROKEN);
    for (const page of document.pages()) {
      const { originalWidth, originalHeight } = page.getOriginalSize();
      if (originalWidth * originalHeight === 0) throw new BadDocumentError(BROKEN);
      yield page;
    }
  } finally {
    document.destroy();
    library.destroy();
  }
}
