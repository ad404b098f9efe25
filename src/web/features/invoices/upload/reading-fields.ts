import type { CamposLeidos, LecturaAnswer, Procedencia } from '../../../../contract/reading.ts';
import { absCents, parseDecimal } from '../../../../domain/money.ts';
import { AS_ATTACHED, READING_WARNINGS, SURE } from '../../../../domain/reading-warnings.ts';
import { euros, eurosOfCents, fecha } from '../../../lib/format.ts';
import type { DraftTotals } from '../form/draft-totals.ts';
import { type DraftLine, writtenLines } from '../form/lines.ts';

/** How certain a value read from a file is. */
export type Level = 'leido' | 'revisar' | 'no-encontrado';

export function levelOf(source: Procedencia | undefined): Level {
  if (!source) return 'no-encontrado';
  return source.confianza >= SURE ? 'leido' : 'revisar';
}

/** The source of a value, in words. */
export const ORIGIN: Record<Procedencia['origen'], string> = {
  xml: 'datos incrustados en el PDF',
  qr: 'código QR',
  texto: 'texto del PDF',
  ocr: 'imagen',
};

export type FieldName = Exclude<keyof CamposLeidos, 'lineas'>;

/** A value of the file, as the list shows it. */
export interface ReadField {
  readonly key: string;
  readonly label: string;
  /** As displayed; empty when it was not found. */
  readonly text: string;
  readonly source: Procedencia | undefined;
  /** The field of the form that it fills. */
  readonly place: string | null;
}

const FIELDS: readonly (readonly [FieldName, string, string | null])[] = [
  ['numero', 'Número', null],
  ['fecha', 'Fecha', 'invoiceDate'],
  ['nombreEmisor', 'Emisor', null],
  ['nifEmisor', 'NIF del emisor', null],
  ['nombreCliente', 'Cliente', 'invoiceClient'],
  ['nifCliente', 'NIF del cliente', 'invoiceClient'],
  ['direccionCliente', 'Dirección del cliente', 'invoiceClient'],
  ['baseImponible', 'Base imponible', null],
  ['cuotaIVA', 'Impuestos', null],
  ['retencion', 'Retención IRPF', 'retencionIRPF'],
  ['total', 'Total', null],
];

/** Everything that is looked for in a file. A missing retention is only shown if there is one. */
export function readFields(campos: CamposLeidos): ReadField[] {
  const fields = FIELDS.filter(([name]) => name !== 'retencion' || campos.retencion).map(
    ([name, label, place]): ReadField => {
      const campo = campos[name];
      return {
        key: name,
        label,
        place,
        source: campo,
        text: campo ? textOf(campo.valor, name) : '',
      };
    },
  );
  return [
    ...fields,
    ...campos.lineas.map(
      (line, index): ReadField => ({
        key: `linea-${index}`,
        label: `Línea ${index + 1}`,
        place: null,
        source: line,
        text: `${line.description} · ${euros(line.total)}`,
      }),
    ),
  ];
}

function textOf(value: string | number, name: FieldName): string {
  if (typeof value === 'number') return euros(value);
  return name === 'fecha' ? fecha(value) : value;
}

/** Where the value of a form field is in the file: these boxes are highlighted while the field has the focus. */
export function sourcesOf(
  { campos }: Pick<LecturaAnswer, 'campos'>,
  place: string,
  lines: readonly DraftLine[],
): Procedencia[] {
  const named = FIELDS.filter(([, , at]) => at === place).flatMap(([name]) => campos[name] ?? []);
  if (named.length > 0) return named;
  const id = place.split('.')[0] ?? '';
  const line = lineSources(campos, lines).get(id);
  if (line) return [line];
  const isWhole = lines.some((one) => one.id === id && one.description === AS_ATTACHED);
  return isWhole && campos.baseImponible ? [campos.baseImponible] : [];
}

/** The line of the file from which each line of the form came, as long as its description is unchanged. */
export function lineSources(
  { lineas }: Pick<CamposLeidos, 'lineas'>,
  lines: readonly DraftLine[],
): ReadonlyMap<string, CamposLeidos['lineas'][number]> {
  const left = [...lineas];
  const found = new Map<string, CamposLeidos['lineas'][number]>();
  for (const { id, description } of writtenLines(lines)) {
    const index = left.findIndex((line) => line.description.trim() === description.trim());
    const [line] = index === -1 ? [] : left.splice(index, 1);
    if (line) found.set(id, line);
  }
  return found;
}

/** A line of the form compared with what was read. */
export interface LineMark {
  readonly level: Level;
  /** The value in the file, `90,18 €`, if the form has another one. */
  readonly original?: string;
}

/** How certain each line is that came from the file; those typed by hand have no mark. */
export function lineMarks(
  { campos }: Pick<LecturaAnswer, 'campos'>,
  lines: readonly DraftLine[],
  { byLine }: Pick<DraftTotals, 'byLine'>,
): ReadonlyMap<string, LineMark> {
  const sources = lineSources(campos, lines);
  const marks = new Map<string, LineMark>();
  for (const { id, description, tax } of lines) {
    const source = sources.get(id);
    if (source && tax === '') marks.set(id, { level: 'revisar' });
    else if (source) {
      const isSame = absCents(byLine.get(id)?.baseCents ?? 0n) === centsOf(source.total);
      const original = euros(source.total);
      marks.set(id, isSame ? { level: levelOf(source) } : { level: 'revisar', original });
    } else if (description === AS_ATTACHED) marks.set(id, { level: 'revisar' });
  }
  return marks;
}

export type SumName = 'baseImponible' | 'cuotaIVA' | 'retencion' | 'total';
export type SumLevels = Readonly<Partial<Record<SumName, Level>>>;

const SUMS: readonly (readonly [SumName, string, (totals: DraftTotals) => readonly bigint[]])[] = [
  ['baseImponible', 'La base imponible', (totals) => [totals.baseCents]],
  [
    'cuotaIVA',
    'La suma de impuestos',
    ({ vatCents, recargoCents }) => [vatCents, vatCents + recargoCents],
  ],
  ['retencion', 'La retención', (totals) => [totals.retencionCents]],
  // On some invoices, «Total» is the amount to be paid.
  ['total', 'El total', (totals) => [totals.totalCents, totals.payableCents]],
];

/** How certain the totals are: one that differs in the form has to be checked. */
export function sumLevels(
  { campos }: Pick<LecturaAnswer, 'campos'>,
  totals: DraftTotals,
): SumLevels {
  return Object.fromEntries(
    SUMS.map(([name, , here]) => {
      const read = campos[name];
      const isOther = read !== undefined && !says(read.valor, here(totals));
      return [name, isOther ? 'revisar' : levelOf(read)];
    }),
  );
}

/** Amounts of the form that differ from the file, a sentence each. */
export function mismatches(
  { campos }: Pick<LecturaAnswer, 'campos'>,
  totals: DraftTotals,
): string[] {
  return SUMS.flatMap(([name, words, sumsOf]) => {
    const read = campos[name];
    const here = sumsOf(totals);
    if (!read || says(read.valor, here)) return [];
    const [first = 0n] = here;
    return [
      `${words} del original es ${eurosOfCents(centsOf(read.valor))} y aquí sale ${eurosOfCents(absCents(first))}.`,
    ];
  });
}

/** Warnings of the reader that the user has not resolved yet. */
export function openWarnings(
  { avisos, campos }: Pick<LecturaAnswer, 'avisos' | 'campos'>,
  totals: DraftTotals,
  lines: readonly DraftLine[],
): string[] {
  const { total } = campos;
  const here = [totals.totalCents, totals.payableCents];
  const isMended: Readonly<Record<string, boolean>> = {
    // Even without a total, the other sums can be compared.
    [READING_WARNINGS.sums]: total
      ? says(total.valor, here)
      : totals.totalCents !== 0n && mismatches({ campos }, totals).length === 0,
    [READING_WARNINGS.byRate]: lines.every(({ description }) => description !== AS_ATTACHED),
    [READING_WARNINGS.zeroRate]: lines.every(({ tax }) => tax !== ''),
    [READING_WARNINGS.noLines]: totals.totalCents !== 0n,
  };
  return avisos.filter((aviso) => !isMended[aviso]);
}

/** Whether two names of a client share no word: a trade name or a misreading usually keeps one. */
export function areOtherNames(one: string, other: string): boolean {
  const words = new Set(wordsOf(one));
  const others = wordsOf(other);
  return words.size > 0 && others.length > 0 && !others.some((word) => words.has(word));
}

/** Without accents, «S.L.» and short connecting words. */
function wordsOf(name: string): string[] {
  const plain = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.split(/[^\p{L}\p{N}.]+/u).filter((word) => word.replace(/\./g, '').length > 3);
}

function says(euros: number, here: readonly bigint[]): boolean {
  return here.some((cents) => absCents(cents) === centsOf(euros));
}

function centsOf(euros: number): bigint {
  return absCents(parseDecimal(euros, 2) ?? 0n);
}
