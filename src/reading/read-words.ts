import { fold } from '../domain/fold.ts';
import { findIssueDate, findNumber } from './heading.ts';
import { type FoundLine, findLines } from './line-items.ts';
import { findTables } from './line-table.ts';
import { mendedOrdinals } from './misread.ts';
import { findParties } from './parties.ts';
import type { Campo, Campos, Reading, Word, Words } from './shapes.ts';
import { findSums, type Sums } from './sums.ts';
import { type Cell, placeOf, type Row, rowsOf } from './words.ts';

/** Confidence by how a value was held: against arithmetic or a control digit, by its name, or barely. */
const SURE = { texto: 0.95, ocr: 0.9 } as const;
/** Printed by its own name, in a shape that hardly anything else has. */
const LABELLED = { texto: 0.9, ocr: 0.7 } as const;
/** A name or an address, told by where it stands. */
const PLACED = { texto: 0.75, ocr: 0.6 } as const;
/** Spoiled by OCR, and mended so that it passes its control: somebody should look. */
const MENDED = 0.7;
const WEAK = 0.4;

/** What the words of a document say, whatever they came from. */
export function readWords(
  { origen, words, pages }: Words,
  { ownNif, today }: { readonly ownNif: string; readonly today: string },
): Reading {
  const rows = rowsOf(words, { origen });
  const campo = <T>(valor: T, confianza: number, at: readonly Word[]): Campo<T> => ({
    valor,
    confianza,
    origen,
    ...(at.length > 0 && placeOf(at, pages)),
  });
  const said = (text: string) => (origen === 'ocr' ? mendedOrdinals(text) : text);
  const cellCampo = (cell: Cell, confianza: number) =>
    campo(said(cell.text), confianza, cell.words);

  const { emisor, cliente } = findParties(rows, ownNif);
  const number = findNumber(rows);
  const date = findIssueDate(rows, today);
  const { lineas, sums } = findLinesAndSums(rows);
  const sure = sums.addsUp ? SURE[origen] : WEAK;
  const sureOf = ({ valor, isMended }: { valor: string; isMended: boolean }) =>
    isMended && valor !== ownNif ? MENDED : SURE[origen];
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
      confianza: !line.addsUp ? WEAK : isSolved ? MENDED : SURE[origen],
      origen,
      ...placeOf(at, pages),
    })),
    tramos: sums.tramos,
    retencionBps: sums.retencion?.rateBps ?? 0n,
    esRectificativa: /factura rectificativa|factura de abono|nota de credito|rectifica a/.test(
      text,
    ),
    impuesto: sums.impuesto,
    cuadra: sums.addsUp,
  };
}

/**
 * The first reading of the lines that makes the bases; without one, what their headings say, or what
 * multiplies where that holds for more rows.
 */
function findLinesAndSums(rows: readonly Row[]): { lineas: readonly FoundLine[]; sums: Sums } {
  const headed = findLines(rows);
  const { readings, asPrinted } = findTables(rows);
  function* all() {
    yield* readings;
    yield headed;
  }
  let doubtful: { lineas: readonly FoundLine[]; sums: Sums } | null = null;
  for (const lineas of all()) {
    if (lineas.length === 0) continue;
    const sums = findSums(rows, lineas);
    if (!makeBase(lineas, sums)) continue;
    if (sums.addsUp) return { lineas, sums };
    doubtful ??= { lineas, sums };
  }
  if (doubtful) return doubtful;
  const holding = (lineas: readonly FoundLine[]) =>
    lineas.filter(({ addsUp, isSolved }) => addsUp && !isSolved).length;
  const lineas = asPrinted.reduce<readonly FoundLine[]>(
    (best, one) => (holding(one) > holding(best) ? one : best),
    headed,
  );
  return { lineas, sums: findSums(rows, lineas) };
}

function makeBase(lineas: readonly FoundLine[], { base }: Sums): boolean {
  const charged = lineas.reduce((sum, { totalCents }) => sum + totalCents, 0n);
  return base !== null && lineas.length > 0 && charged === base.cents;
}
