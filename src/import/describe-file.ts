import type {
  CampoImportar,
  ColumnasLeidas,
  DestinoImportar,
  HojaLeida,
} from '../contract/imports.ts';
import { cut } from '../domain/cut.ts';
import { BadFileError } from './bad-file.ts';
import type { OnShare } from './container.ts';
import { NO_TABLE } from './csv.ts';
import type { FoundSheet } from './found.ts';
import { BOUNDS, openFile } from './open-file.ts';
import { personColumns } from './private-persons.ts';
import { cellText, type DecimalSign, rowTexts } from './read-values.ts';
import {
  bareTitle,
  CLIENTES,
  folded,
  isKnownTitle,
  type Lists,
  namesOf,
  plain,
  SHEETS,
  type SheetSpec,
  shown,
} from './sheets.ts';

/** Titles are within these rows: above them programs write their name and a date. */
const TITLE_ROWS = 20;
const SAMPLES = 3;
const MAX_SAMPLE = 60;
const MAX_TITLE = 80;

/**
 * The content of another program's file, and a guess at its columns.
 *
 * @param onShare receives the progress
 * @throws {BadFileError} when it contains nothing to import
 */
export async function describeFile(
  file: Uint8Array,
  lists: Lists,
  onShare: OnShare,
): Promise<ColumnasLeidas> {
  const { sheets, isText } = await openFile(file, onShare);
  const hojas: HojaLeida[] = [];
  const taken = new Set<DestinoImportar>();
  for (const sheet of sheets) {
    const described = describeSheet(sheet, taken);
    if (!described) continue;
    hojas.push(described);
    if (described.destino) taken.add(described.destino);
  }
  if (hojas.length === 0) {
    const isNoTable = isText && !sheets.some(hasKnownTitle);
    throw new BadFileError(
      isNoTable ? NO_TABLE : 'El archivo no tiene filas debajo de los títulos.',
    );
  }
  const campos = SHEETS.map((spec) => [
    spec.name,
    spec.columns.flatMap((column) => [campoOf(column, lists), ...camposBehind(column)]),
  ]);
  return {
    hojas,
    decimal: decimalSignOf(sheets, hojas),
    campos: Object.fromEntries(campos) as ColumnasLeidas['campos'],
  };
}

function campoOf(column: SheetSpec['columns'][number], lists: Lists): CampoImportar {
  const { key, header, isRequired = false, orElse, help, fixed, list } = column;
  const choices = list ? lists[list] : [];
  const isOffered = !list || choices.some(({ value }) => value === fixed);
  const usual = choices.find(({ isUsual }) => isUsual)?.value;
  return {
    clave: key,
    titulo: header,
    obligatorio: isRequired,
    ...(orElse && { oBien: orElse }),
    ayuda: help,
    ...(fixed !== undefined && {
      fijo: {
        inicial: usual ?? (isOffered ? fixed : ''),
        valores: list ? choices.map((choice) => [choice.value, shown(list, choice)]) : [],
      },
    }),
  };
}

/** Each is offered once the one before has a column. */
function camposBehind({ key, more }: Field): CampoImportar[] {
  if (!more) return [];
  return more.fields.map((field, index) => ({
    clave: field.key,
    titulo: field.header,
    obligatorio: false,
    sigueA: more.fields[index - 1]?.key ?? key,
    ayuda: more.help,
  }));
}

function describeSheet(sheet: FoundSheet, taken: ReadonlySet<DestinoImportar>): HojaLeida | null {
  const fila = titleRow(sheet);
  if (fila === null || fila + 1 >= sheet.rowCount) return null;
  const columnas = Array.from({ length: BOUNDS.columns }, (_, indice) => ({
    indice,
    titulo: cut(cellText(sheet.at(fila, indice)), MAX_TITLE),
    ejemplos: samplesOf(sheet, fila, indice),
  })).filter(({ titulo, ejemplos }) => titulo !== '' || ejemplos.length > 0);
  const titles = new Map(columnas.map(({ titulo, indice }) => [indice, titulo]));
  const propuestas = Object.fromEntries(
    SHEETS.map((spec) => [spec.name, recognise(spec, titles)]),
  ) as HojaLeida['propuestas'];
  const [best] = SHEETS.filter(({ name }) => !taken.has(name))
    .map((spec) => ({ name: spec.name, score: scoreOf(spec, sheet.name, propuestas[spec.name]) }))
    .sort((a, b) => b.score - a.score);
  const personas = personColumns(rowTexts(sheet, fila), CLIENTES, propuestas.Clientes);
  return {
    hoja: sheet.name,
    fila: fila + 1,
    filas: sheet.rowCount - fila - 1,
    columnas,
    destino: best && best.score > 0 ? best.name : null,
    propuestas,
    ...(personas.length > 0 && { personas: [...personas] }),
  };
}

function textsOf(sheet: FoundSheet, row: number): string[] {
  return rowTexts(sheet, row).filter(Boolean);
}

function hasKnownTitle(sheet: FoundSheet): boolean {
  const row = titleRow(sheet);
  return row !== null && textsOf(sheet, row).some(isKnownTitle);
}

/** The row, from 0, with most known titles; without any, the first with two or more cells. */
function titleRow(sheet: FoundSheet): number | null {
  let best: { row: number; score: number } | null = null;
  for (let row = 0; row < Math.min(TITLE_ROWS, sheet.rowCount); row += 1) {
    const texts = textsOf(sheet, row);
    if (texts.length === 0) continue;
    const score = texts.filter(isKnownTitle).length;
    const isBetter = best === null ? texts.length > 1 || score > 0 : score > best.score;
    if (isBetter) best = { row, score };
  }
  return best?.row ?? null;
}

function samplesOf(sheet: FoundSheet, titles: number, column: number): string[] {
  const samples: string[] = [];
  for (let row = titles + 1; row < sheet.rowCount && samples.length < SAMPLES; row += 1) {
    const text = cellText(sheet.at(row, column));
    if (text !== '') samples.push(cut(text, MAX_SAMPLE));
    if (row > titles + 200) break;
  }
  return samples;
}

/** Each column of the file is at most one field: the one whose names match best, or the first of two. */
function recognise(
  { columns }: SheetSpec,
  titles: ReadonlyMap<number, string>,
): Record<string, number> {
  const wholes = matched(columns, titles);
  const behind = columns.flatMap((column) => foundBehind(column, wholes[column.key], titles));
  // «Número» behind the street is its number, and no longer a code.
  const isTaken = new Set(behind.map(([, index]) => index));
  const others = new Map([...titles].filter(([index]) => !isTaken.has(index)));
  return { ...matched(columns, others), ...Object.fromEntries(behind) };
}

/** The columns of the file that go on where one ends, in their order. */
function foundBehind(
  { more }: Field,
  start: number | undefined,
  titles: ReadonlyMap<number, string>,
): (readonly [string, number])[] {
  const title = plain(titles.get(start ?? -1) ?? '');
  if (!more || start === undefined || more.after?.includes(title) === false) return [];
  const found: (readonly [string, number])[] = [];
  let last = start;
  for (const index of [...titles.keys()].sort((a, b) => a - b)) {
    const own = plain(titles.get(index) ?? '');
    const isBehind = index === last + 1 && more.aliasesBehind.includes(own);
    const field = more.fields[found.length];
    if (!field || index === start || !(more.aliases.includes(own) || isBehind)) continue;
    found.push([field.key, index]);
    last = index;
  }
  return found;
}

function matched(
  columns: SheetSpec['columns'],
  titles: ReadonlyMap<number, string>,
): Record<string, number> {
  const found: { key: string; index: number; rank: number }[] = [];
  for (const column of columns) {
    const names = namesOf(column);
    for (const [index, title] of titles) {
      const whole = names.indexOf(plain(title));
      const rank = whole < 0 ? names.indexOf(bareTitle(title)) : whole;
      if (rank >= 0) found.push({ key: column.key, index, rank });
    }
  }
  found.sort((a, b) => a.rank - b.rank || a.index - b.index);
  const chosen: Record<string, number> = {};
  const used = new Set<number>();
  for (const { key, index } of found) {
    if (key in chosen || used.has(index)) continue;
    chosen[key] = index;
    used.add(index);
  }
  return chosen;
}

/** Names of sheets by what they contain. */
const SHEET_NAMES: Readonly<Record<DestinoImportar, RegExp>> = {
  Clientes: /client|contact|customer/,
  Productos: /product|articul|servici|item|tarifa/,
  Facturas: /factur|venta|invoice|linea/,
};

/** How well a sheet matches: 0 if a mandatory field is missing. */
function scoreOf(
  { name, columns }: SheetSpec,
  sheetName: string,
  found: Readonly<Record<string, number>>,
): number {
  const needed = columns.filter(({ isRequired, fixed }) => isRequired && fixed === undefined);
  const missing = needed.filter(({ key }) => !(key in found)).length;
  if (missing > 0) return 0;
  const told = columns.filter(({ key }) => key in found).length;
  return told + (SHEET_NAMES[name].test(folded(sheetName)) ? 3 : 0);
}

const MAX_TELLING = 2_000;
/** Longer texts are no numbers. */
const MAX_NUMBER = 40;

/**
 * The decimal sign in most of the unambiguous texts. Spanish programs write a comma. Columns recognised as amounts tell
 * it, or those that nothing is known of: codes such as `01.0012` or `430.00012` have signs too.
 */
function decimalSignOf(sheets: readonly FoundSheet[], hojas: readonly HojaLeida[]): DecimalSign {
  for (const isTelling of [isAmount, isUnknown]) {
    const texts = sheets.flatMap((sheet) => {
      const fields = fieldsIn(sheet, hojas);
      const columns = ALL_COLUMNS.filter((column) => isTelling(fields.get(column)));
      return [...firstTexts(sheet, columns)];
    });
    const commas = texts.filter(hasDecimalComma).length;
    const points = texts.filter(hasDecimalPoint).length;
    if (commas !== points) return points > commas ? '.' : ',';
  }
  return ',';
}

const ALL_COLUMNS = Array.from({ length: BOUNDS.columns }, (_, column) => column);

type Field = SheetSpec['columns'][number];
const isAmount = (field?: Field) => field?.kind === 'decimal' || field?.isPercent === true;
const isUnknown = (field?: Field) => field === undefined;

const hasDecimalComma = (text: string) =>
  /^-?[\d.]*\d,\d+$/.test(text) && !/^-?[1-9]\d{0,2}(,\d{3})+$/.test(text);
const hasDecimalPoint = (text: string) =>
  /^-?[\d,]*\d\.\d+$/.test(text) && !/^-?[1-9]\d{0,2}(\.\d{3})+$/.test(text);

/** What the columns of a sheet are guessed to be. */
function fieldsIn({ name }: FoundSheet, hojas: readonly HojaLeida[]): ReadonlyMap<number, Field> {
  const hoja = hojas.find((one) => one.hoja === name);
  const spec = SHEETS.find((one) => one.name === hoja?.destino);
  if (!hoja || !spec) return new Map();
  const columnas: Readonly<Record<string, number>> = hoja.propuestas[spec.name];
  return new Map(
    spec.columns.flatMap((field) => {
      const column = columnas[field.key];
      return column === undefined ? [] : [[column, field] as const];
    }),
  );
}

/** What the first rows below the headings say as text, without its currency or per cent sign. */
function* firstTexts(sheet: FoundSheet, columns: readonly number[]): Generator<string> {
  for (let row = 1; row < Math.min(sheet.rowCount, MAX_TELLING); row += 1) {
    for (const column of columns) {
      const cell = sheet.at(row, column);
      if (cell.kind !== 'value' || typeof cell.value !== 'string') continue;
      if (cell.value.length > MAX_NUMBER) continue;
      yield cellText(cell).replace(/\s*(€|EUR|%)$/i, '');
    }
  }
}
