import type { CamposLeidos, LecturaAnswer, Procedencia } from '../../../../contract/reading.ts';
import { parseDecimal } from '../../../../domain/money.ts';
import { euros, eurosOfCents, fecha } from '../../../lib/format.ts';
import type { DraftTotals } from '../form/draft-totals.ts';
import { type DraftLine, writtenLines } from '../form/lines.ts';

/** What is said of a value that a file was read for. */
export type Level = 'leido' | 'revisar' | 'no-encontrado';

/** From here on a value had a name beside it in clear text, or was checked against something else. */
const SURE = 0.8;

export function levelOf(source: Procedencia | undefined): Level {
  if (!source) return 'no-encontrado';
  return source.confianza >= SURE ? 'leido' : 'revisar';
}

/** Where a value came from, in words. */
export const ORIGIN: Record<Procedencia['origen'], string> = {
  xml: 'datos incrustados en el PDF',
  qr: 'código QR',
  texto: 'texto del PDF',
  ocr: 'imagen',
};

export type FieldName = Exclude<keyof CamposLeidos, 'lineas'>;

/** A value of the file as the list shows it. */
export interface ReadField {
  readonly key: string;
  readonly label: string;
  /** As it is shown; empty when it was not found. */
  readonly text: string;
  readonly source: Procedencia | undefined;
  /** Place of the form that it fills. */
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

/** All that is looked for in a file. A retention is only missed where there is one. */
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

/** What stands in the file for a place of the form: its boxes are what is shown while it has the focus. */
export function sourcesOf(
  { campos }: Pick<LecturaAnswer, 'campos'>,
  place: string,
  lines: readonly DraftLine[],
): Procedencia[] {
  const named = FIELDS.filter(([, , at]) => at === place).flatMap(([name]) => campos[name] ?? []);
  if (named.length > 0) return named;
  const line = lineSources(campos, lines).get(place.split('.')[0] ?? '');
  return line ? [line] : [];
}

/** The line of the file that each line of the form came from, as long as it is told the same. */
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

/** What the form comes to and the file does not say, a sentence each. */
export function mismatches(
  { campos }: Pick<LecturaAnswer, 'campos'>,
  totals: DraftTotals,
): string[] {
  const { total, baseImponible, cuotaIVA, retencion } = campos;
  const sums: readonly (readonly [string, { valor: number } | undefined, readonly bigint[]])[] = [
    ['La base imponible', baseImponible, [totals.baseCents]],
    ['La suma de impuestos', cuotaIVA, [totals.vatCents, totals.vatCents + totals.recargoCents]],
    ['La retención', retencion, [totals.retencionCents]],
    // «Total» is on some invoices what is to be paid.
    ['El total', total, [totals.totalCents, totals.payableCents]],
  ];
  return sums.flatMap(([name, read, here]) => {
    if (!read) return [];
    const cents = absolute(parseDecimal(read.valor, 2) ?? 0n);
    const [first = 0n] = here;
    if (here.some((value) => absolute(value) === cents)) return [];
    return [
      `${name} del original es ${eurosOfCents(cents)} y aquí sale ${eurosOfCents(absolute(first))}.`,
    ];
  });
}

function absolute(cents: bigint): bigint {
  return cents < 0n ? -cents : cents;
}
