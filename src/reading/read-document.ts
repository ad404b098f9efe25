import sharp from 'sharp';
import type { Worker } from 'tesseract.js';
import { keepable } from '../domain/keepable.ts';
import { otherCurrency, READING_WARNINGS } from '../domain/reading-warnings.ts';
import { BadDocumentError } from './bad-document.ts';
import type { OnStep } from './budget.ts';
import { readEmbeddedXml } from './embedded-xml.ts';
import { kindOf } from './kind.ts';
import { type OcrPage, openOcr, PAGE_WIDTH, readPage } from './ocr.ts';
import { drawPages, readPdf } from './pdf.ts';
import { readWords, type WordsContext } from './read-words.ts';
import type {
  Campo,
  Campos,
  DocumentReading,
  PageSize,
  QrTributario,
  Reading,
  Word,
} from './shapes.ts';
import { findTaxQr, type GreyPage } from './tax-qr.ts';

export interface ReadingContext {
  /** NIF of the company that uploads. */
  readonly ownNif: string;
  readonly today: string;
}

/** With fewer words, a PDF is only a picture of an invoice. */
const FEWEST_WORDS = 20;
/** Share of letters that no font explains, above which the text is not what is printed. */
const MOST_UNMAPPED = 0.3;
const OCR_DPI = 300;
const QR_DPI = 200;
const MAX_IMAGE_PIXELS = 40_000_000;
/** Longest side of the pictures that are kept: an A4 at 300 dpi is 3508 long. */
const LONGEST = 3_700;

/**
 * Everything a file says about its invoice, each thing from the source that says it best.
 *
 * @throws {BadDocumentError}
 */
export async function readDocument(
  file: Uint8Array,
  context: ReadingContext,
  onStep: OnStep = () => {},
): Promise<DocumentReading> {
  const isPdf = kindOf(file) === 'pdf';
  return keepable(await (isPdf ? readPdfDocument : readPicture)(file, context, onStep));
}

async function readPdfDocument(
  file: Uint8Array,
  context: ReadingContext,
  onStep: OnStep,
): Promise<DocumentReading> {
  const { words, pages, attachments } = await readPdf(file, onStep);
  const xml = attachments
    .filter(({ name }) => /\.(xml|xsig)$/i.test(name))
    .map(({ content }) => readEmbeddedXml(content))
    .find((reading) => reading !== null);
  const hasText = words.length >= FEWEST_WORDS && unmapped(words) < MOST_UNMAPPED;
  let qr: QrTributario | null = null;
  if (hasText || xml) {
    for await (const page of drawPages(file, QR_DPI, onStep)) {
      qr = await findTaxQr(page);
      // The QR is at the beginning of an invoice (Orden HAC/1177/2024, art. 20).
      break;
    }
    onStep('look');
    const text = readWords({ origen: 'texto', words, pages }, known(qr, context));
    return settled([xml ?? null, text], qr, pages.length);
  }
  const read: Word[] = [];
  let looked: Reading | null = null;
  await withOcr(async (ocr) => {
    let number = 0;
    for await (const page of drawPages(file, OCR_DPI, onStep)) {
      number += 1;
      if (number === 1) qr = await findTaxQr(page);
      if (isOwn(qr, context)) break;
      onStep('letters');
      const found = await readPage(ocr, page, number);
      read.push(...found.words);
      if (pages.length === 1) looked = await lookedTwice(found, pages, known(qr, context));
    }
  });
  if (isOwn(qr, context)) return settled([NOTHING], qr, pages.length);
  const reading = looked ?? readWords({ origen: 'ocr', words: read, pages }, known(qr, context));
  return settled([reading], qr, pages.length);
}

async function readPicture(
  file: Uint8Array,
  context: ReadingContext,
  onStep: OnStep,
): Promise<DocumentReading> {
  return withOcr(async (ocr) => {
    const page = await openPicture(file);
    const qr = await findTaxQr(page);
    if (isOwn(qr, context)) return settled([NOTHING], qr, 1);
    onStep('letters');
    const found = await readPage(ocr, page, 1);
    const pages: PageSize[] = [
      { width: PAGE_WIDTH, height: (page.height * PAGE_WIDTH) / page.width },
    ];
    return settled([await lookedTwice(found, pages, known(qr, context))], qr, 1);
  });
}

/** The reading of a page or, if something is missing in it, that of a second look, provided that helps. */
async function lookedTwice(
  { words, again }: OcrPage,
  pages: readonly PageSize[],
  context: WordsContext,
): Promise<Reading> {
  const once = readWords({ origen: 'ocr', words, pages }, context);
  const { nifEmisor, nifCliente, total, fecha, numero } = once.campos;
  const hasFields = nifEmisor && nifCliente && total && fecha && numero;
  if (once.cuadra && makesBase(once) && hasFields) return once;
  const twice = readWords({ origen: 'ocr', words: await again(), pages }, context);
  const worth = (one: Reading) =>
    Object.keys(one.campos).length + (one.cuadra ? 3 : 0) + (makesBase(one) ? 2 : 0);
  return worth(twice) > worth(once) ? twice : once;
}

/** Whether the lines add up to the base. */
function makesBase({ lineas, campos }: Reading): boolean {
  const charged = lineas.reduce((sum, { totalCents }) => sum + totalCents, 0n);
  return lineas.length > 0 && charged === campos.baseImponible?.valor;
}

/** Runs something with OCR, which starts in a thread of its own while its first page is prepared. */
async function withOcr<T>(work: (ocr: Promise<Worker>) => Promise<T>): Promise<T> {
  const opening = openOcr();
  // The failure reaches whoever awaits it.
  opening.catch(() => undefined);
  try {
    return await work(opening);
  } finally {
    await opening.then(
      (ocr) => ocr.terminate(),
      () => undefined,
    );
  }
}

const NOTHING: Reading = {
  campos: {},
  lineas: [],
  tramos: [],
  retencionBps: 0n,
  esRectificativa: false,
  impuesto: 'IVA',
  cuadra: true,
};

/** The issuer given by the QR takes precedence over the company that uploads, which may be the client. */
function known(qr: QrTributario | null, { ownNif, today }: ReadingContext): WordsContext {
  return { issuerNif: qr?.nif ?? ownNif, isIssuerCertain: qr !== null, today };
}

/** Already registered by the company that uploads it: it will be rejected, so the rest need not be read. */
function isOwn(qr: QrTributario | null, { ownNif }: ReadingContext): boolean {
  return qr?.esVerifactu === true && qr.nif === ownNif;
}

/** Rotated as its camera recorded, in grey. */
async function openPicture(file: Uint8Array): Promise<GreyPage> {
  try {
    const { data, info } = await sharp(file, {
      limitInputPixels: MAX_IMAGE_PIXELS,
      failOn: 'error',
    })
      .rotate()
      .flatten({ background: '#fff' })
      .resize({ width: LONGEST, height: LONGEST, fit: 'inside', withoutEnlargement: true })
      .toColourspace('b-w')
      .raw()
      .toBuffer({ resolveWithObject: true });
    return { data, width: info.width, height: info.height };
  } catch (error) {
    const isHuge = /pixel limit/i.test((error as Error).message);
    throw new BadDocumentError(
      isHuge
        ? 'La imagen es demasiado grande. Súbela con 40 megapíxeles como mucho.'
        : 'La imagen está dañada y no se puede leer. Haz otra foto o súbela como PDF.',
      { cause: error },
    );
  }
}

function unmapped(words: readonly Word[]): number {
  const letters = words.map(({ text }) => text).join('');
  const odd = letters.match(/[\uFFFD\uE000-\uF8FF]/g)?.length ?? 0;
  return odd / Math.max(1, letters.length);
}

/** Each field from its most trusted source. Where two sources disagree, the user is told. */
function settled(
  readings: readonly (Reading | null)[],
  qr: QrTributario | null,
  paginas: number,
): DocumentReading {
  const [first, ...others] = readings.filter((reading) => reading !== null);
  if (!first) throw new BadDocumentError('No hemos encontrado nada que leer en el archivo.');
  const avisos: string[] = [];
  // A place on the paper is worth showing even when the value came from elsewhere.
  const text = others[0]?.campos ?? first.campos;
  const campos: Record<string, Campo<unknown> | undefined> = { ...text, ...first.campos };
  for (const [name, value] of Object.entries(campos)) {
    const at = text[name as keyof Campos];
    if (value && !value.caja && at?.caja && at.valor === value.valor) {
      campos[name] = { ...value, ...(at.pagina && { pagina: at.pagina }), caja: at.caja };
    }
  }
  if (qr) {
    const exact: Record<string, unknown> = {
      numero: qr.numSerie,
      fecha: qr.fecha,
      nifEmisor: qr.nif,
      total: qr.importeCents,
    };
    for (const [name, valor] of Object.entries(exact)) {
      const read = campos[name];
      if (read?.origen === 'xml' && read.valor === valor) continue;
      const isSame = read?.valor === valor;
      campos[name] = {
        ...(isSame ? read : {}),
        valor,
        confianza: 0.99,
        origen: 'qr',
      } as Campo<unknown>;
      if (read && !isSame && read.confianza >= 0.9) avisos.push(DISAGREES[name] ?? '');
    }
  }
  if (first.moneda) avisos.push(otherCurrency(first.moneda));
  if (!first.cuadra) avisos.push(READING_WARNINGS.sums);
  return {
    ...first,
    campos: campos as Campos,
    lineas: first.lineas.length > 0 ? first.lineas : (others[0]?.lineas ?? []),
    qr,
    paginas,
    avisos: avisos.filter(Boolean),
  };
}

const DISAGREES: Readonly<Record<string, string>> = {
  numero: 'El número impreso no es el del código QR.',
  fecha: 'La fecha impresa no es la del código QR.',
  nifEmisor: 'El NIF del emisor impreso no es el del código QR.',
  total: 'El total impreso no es el del código QR.',
};
