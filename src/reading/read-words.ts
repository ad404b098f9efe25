import { fold } from '../domain/fold.ts';
import { centsToText, parsePlainDecimal } from '../domain/money.ts';
import { findCurrency } from './currency.ts';
import { findIssueDate, findNumber } from './heading.ts';
import { type FoundLine, findLines } from './line-items.ts';
import { findTables } from './line-table.ts';
import { mendedDescription, mendedOrdinals, withoutStrokes } from './misread.ts';
import { findParties, type Party } from './parties.ts';
import { withWholeLabels } from './party-labels.ts';
import type { Campo, Campos, Reading, Word, Words } from './shapes.ts';
import { figuresOff, findSums, type Sums } from './sums.ts';
import { amountOf } from './values.ts';
import { type Cell, placeOf, type Row, rowsOf } from './words.ts';

/** Confidence by the evidence for a value: arithmetic or a control character, its label, or hardly any. */
const SURE = { texto: 0.95, ocr: 0.9 } as const;
/** Printed with its own label, in a shape that hardly anything else has. */
const LABELLED = { texto: 0.9, ocr: 0.7 } as const;
/** A name or an address, recognised by its place. */
const PLACED = { texto: 0.75, ocr: 0.6 } as const;
/**
 * A NIF without any sign of whose it is, or one that OCR spoiled and that was repaired to have a valid control
 * character: somebody should look at it.
 */
const MENDED = 0.7;
const WEAK = 0.4;

export interface WordsContext {
  /** That of the issuer, if it is printed on the document. */
  readonly issuerNif: string;
  /** The tax QR says so. Otherwise it is that of the company that uploads, which may be the client. */
  readonly isIssuerCertain?: boolean;
  readonly today: string;
}

/** Reads what the words of a document say, wherever they came from. */
export function readWords(
  { origen, words, pages }: Words,
  { issuerNif, isIssuerCertain, today }: WordsContext,
): Reading {
  const rows = rowsOf(origen === 'ocr' ? withoutStrokes(words) : words, { origen });
  const campo = <T>(valor: T, confianza: number, at: readonly Word[]): Campo<T> => ({
    valor,
    confianza,
    origen,
    ...(at.length > 0 && placeOf(at, pages)),
  });
  const said = (text: string) => (origen === 'ocr' ? mendedOrdinals(text) : text);
  const cellCampo = (cell: Cell, confianza: number) =>
    campo(said(cell.text), confianza, cell.words);

  const named = withWholeLabels(rows);
  const { emisor, cliente } = findParties(named, issuerNif, { isCertain: isIssuerCertain });
  const number = findNumber(named);
  const date = findIssueDate(named, today);
  const { lineas, sums } = findLinesAndSums(rows, { isScan: origen === 'ocr' });
  const moneda = findCurrency(rows);
  const sure = sums.addsUp && !moneda ? SURE[origen] : WEAK;
  const sureOf = ({ valor, isMended, isGuess }: NonNullable<Party['nif']>) =>
    isGuess || (isMended && valor !== issuerNif) ? MENDED : SURE[origen];
  const direccion = cliente.direccion?.flatMap((cell) => cell.words);
  const campos: Campos = {
    ...(number && {
      numero: campo(number.valor, number.isNamed ? LABELLED[origen] : WEAK, number.words),
    }),
    ...(date && { fecha: campo(date.valor, date.isNamed ? LABELLED[origen] : WEAK, date.words) }),
    ...(emisor.nif && { nifEmisor: campo(emisor.nif.valor, sureOf(emisor.nif), emisor.nif.words) }),
    ...(emisor.nombre && { nombreEmisor: cellCampo(emisor.nombre, PLACED[origen]) }),
    ...(cliente.nif && {
      nifCliente: campo(cliente.nif.valor, sureOf(cliente.nif), cliente.nif.words),
    }),
    ...(cliente.nombre && { nombreCliente: cellCampo(cliente.nombre, PLACED[origen]) }),
    ...(direccion && {
      direccionCliente: campo(
        said((cliente.direccion ?? []).map(({ text }) => text).join(', ')),
        PLACED[origen],
        direccion,
      ),
    }),
    ...(sums.base && { baseImponible: campo(sums.base.cents, sure, sums.base.words) }),
    ...(sums.quota && { cuotaIVA: campo(sums.quota.cents, sure, sums.quota.words) }),
    ...(sums.retencion && { retencion: campo(sums.retencion.cents, sure, sums.retencion.words) }),
    ...(sums.total && { total: campo(sums.total.cents, sure, sums.total.words) }),
  };
  const text = fold(rows.map((row) => row.text).join('\n'));
  return {
    campos,
    lineas: lineas.map(({ words: at, isSolved, ...line }) => ({
      ...line,
      description: origen === 'ocr' ? mendedDescription(line.description) : line.description,
      confianza: !line.addsUp || moneda ? WEAK : isSolved ? MENDED : SURE[origen],
      origen,
      ...placeOf(at, pages),
    })),
    tramos: sums.tramos,
    retencionBps: sums.retencion?.rateBps ?? 0n,
    ...(sums.suplidosCents && { suplidosCents: sums.suplidosCents }),
    esRectificativa: /factura rectificativa|factura de abono|nota de credito|rectifica a/.test(
      text,
    ),
    impuesto: sums.impuesto,
    cuadra: sums.addsUp,
    ...(moneda && { moneda }),
  };
}

/**
 * The first reading of the lines that adds up to the bases. Without one, the lines according to their headings, or
 * those that multiply if that holds for more rows.
 */
function findLinesAndSums(
  rows: readonly Row[],
  { isScan }: { readonly isScan: boolean },
): { lineas: readonly FoundLine[]; sums: Sums } {
  const headed = findLines(rows);
  const { readings, asPrinted } = findTables(rows);
  const tried: (readonly FoundLine[])[] = [];
  function* all() {
    yield* readings;
    yield headed;
    for (const lineas of [...tried]) {
      const own = ownLines(rows, lineas);
      if (own.length < lineas.length) yield own;
    }
  }
  let doubtful: { lineas: readonly FoundLine[]; sums: Sums } | null = null;
  for (const lineas of all()) {
    if (lineas.length === 0) continue;
    tried.push(lineas);
    const sums = findSums(rows, lineas);
    if (!makeBase(lineas, sums)) continue;
    if (sums.addsUp) return { lineas, sums };
    doubtful ??= { lineas, sums };
  }
  if (doubtful) return doubtful;
  const alone = findSums(rows);
  const mended = isScan && alone.addsUp ? mendedByBase(tried, alone) : null;
  if (mended) return { lineas: mended, sums: alone };
  const holding = (lineas: readonly FoundLine[]) =>
    lineas.reduce((sum, { addsUp, isSolved }) => sum + (isSolved ? 0.5 : addsUp ? 1 : 0), 0);
  const lineas = asPrinted.reduce<readonly FoundLine[]>(
    (best, one) => (holding(one) > holding(best) ? one : best),
    headed,
  );
  const sums = findSums(rows, lineas);
  if (lineas.length < 2 || !isOfLine(sums, lineas)) return { lineas, sums };
  const isLine = new Set(lineas.flatMap(({ words }) => words));
  return {
    lineas,
    sums: findSums(
      rows.filter(({ words }) => !words.some((word) => isLine.has(word))),
      lineas,
    ),
  };
}

/** Without what was laid out for the client, and without the sum of the others as the last one. */
function ownLines(rows: readonly Row[], lineas: readonly FoundLine[]): readonly FoundLine[] {
  const heading = rows.find(
    ({ plain, words }) =>
      LAID_OUT.test(plain) && !words.some(({ text }) => amountOf(text) !== null),
  );
  const isBelow = ([word]: readonly Word[]) =>
    heading !== undefined &&
    word !== undefined &&
    (word.page > heading.page || (word.page === heading.page && word.y > heading.y));
  const own = lineas.filter(
    ({ words, description }) => !isBelow(words) && !LAID_OUT.test(fold(description)),
  );
  const rest = own.slice(0, -1);
  const sum = rest.reduce((cents, { totalCents }) => cents + totalCents, 0n);
  return rest.length > 1 && sum === own.at(-1)?.totalCents ? rest : own;
}

/** At the start of a line, or of the heading of several. */
const LAID_OUT = /^\W*(otros )?suplidos?\b/;

/** Whether what was taken for the base is the amount of one of the lines. */
function isOfLine({ base }: Sums, lineas: readonly FoundLine[]): boolean {
  return (
    base?.words[0] !== undefined &&
    lineas.some(({ words }) => words.includes(base.words[0] as Word))
  );
}

/**
 * The first reading with only amounts that adds up to the base if one digit of one of them changes: somebody should
 * look at it.
 */
function mendedByBase(
  readings: readonly (readonly FoundLine[])[],
  { base }: Sums,
): readonly FoundLine[] | null {
  for (const lineas of readings) {
    const off = (base?.cents ?? 0n) - lineas.reduce((sum, { totalCents }) => sum + totalCents, 0n);
    const isMisread = ({ quantity, price, discount, totalCents }: FoundLine) =>
      quantity === '1' &&
      discount === undefined &&
      parsePlainDecimal(price, 2) === totalCents &&
      figuresOff(totalCents, totalCents + off) === 1;
    const [misread, ...others] = lineas.filter(isMisread);
    if (!misread || others.length > 0) continue;
    const totalCents = misread.totalCents + off;
    const mended = {
      ...misread,
      totalCents,
      price: centsToText(totalCents),
      isSolved: true,
    } as const;
    return lineas.map((line) => (line === misread ? mended : line));
  }
  return null;
}

function makeBase(lineas: readonly FoundLine[], { base }: Sums): boolean {
  const charged = lineas.reduce((sum, { totalCents }) => sum + totalCents, 0n);
  return base !== null && lineas.length > 0 && charged === base.cents;
}
