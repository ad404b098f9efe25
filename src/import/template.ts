import { spreadsheetText } from '../domain/spreadsheet-text.ts';
import {
  type Column,
  columnLetter,
  EXAMPLE,
  HEAD_ROWS,
  headerText,
  type ListName,
  type Lists,
  MAX_BLANK,
  SHEETS,
  type SheetSpec,
  shown,
  TEMPLATE_ID,
  TEMPLATE_VERSION,
  withPoints,
} from './sheets.ts';
import { type CellStyle, type SheetToWrite, writeWorkbook } from './workbook.ts';

export const LISTS_SHEET = 'Listas';

const REQUIRED: CellStyle = {
  font: { bold: true },
  fill: { type: 'pattern', pattern: 'solid', fgColor: { rgb: 'FFE699' } },
};
const OPTIONAL: CellStyle = {
  font: { bold: true },
  fill: { type: 'pattern', pattern: 'solid', fgColor: { rgb: 'E7E6E6' } },
};
const HELP: CellStyle = {
  font: { italic: true, color: { rgb: '595959' } },
  alignment: { wrapText: true, vertical: 'top' },
};
const GREY: CellStyle = { font: { color: { rgb: '7F7F7F' } }, numFmt: '@' };
const WRONG: CellStyle = {
  fill: { type: 'pattern', pattern: 'solid', fgColor: { rgb: 'F8CBAD' } },
  numFmt: '@',
};
const TITLE: CellStyle = { font: { bold: true, size: 16 } };
const WRAPPED: CellStyle = { alignment: { wrapText: true, vertical: 'top' } };
/** Text format, so that codes, NIFs and postal codes keep their zeros. */
const TEXT: CellStyle = { numFmt: '@' };

/** Blank rows for typing, with codes formatted as text. */
const BLANK_ROWS = 2_000;

/** The content of a user's sheet, to be returned with its errors. */
export interface FilledSheet {
  readonly rows: readonly (readonly string[])[];
  /** Sentences by row and column of `rows`, `row,column` from 0. */
  readonly comments: ReadonlyMap<string, string>;
}

/**
 * The official template, with the lists of one company; or, with `filled`, an uploaded file with each wrong cell
 * marked and commented.
 *
 * @param blankRows after those that are filled
 */
export async function makeTemplate(
  lists: Lists,
  filled: ReadonlyMap<string, FilledSheet> = new Map(),
  blankRows = BLANK_ROWS,
): Promise<Uint8Array> {
  return writeWorkbook(
    [
      instructions(lists),
      ...SHEETS.map((spec) => dataSheet(spec, filled.get(spec.name), blankRows)),
      listsSheet(lists),
    ],
    {
      ranges: listRanges(lists),
      title: 'Plantilla de importación de Huella',
      custom: { plantilla: TEMPLATE_ID, plantilla_version: TEMPLATE_VERSION },
    },
  );
}

function dataSheet(
  spec: SheetSpec,
  filled: FilledSheet | undefined,
  blankRows: number,
): SheetToWrite {
  const styles = new Map<string, CellStyle>();
  spec.columns.forEach((column, index) => {
    styles.set(`0,${index}`, column.isRequired ? REQUIRED : OPTIONAL);
    styles.set(`1,${index}`, HELP);
    styles.set(`2,${index}`, GREY);
  });
  const comments = new Map<string, string>();
  for (const [key, sentence] of filled?.comments ?? []) {
    const [row = 0, column = 0] = key.split(',').map(Number);
    comments.set(`${row + HEAD_ROWS},${column}`, sentence);
    styles.set(`${row + HEAD_ROWS},${column}`, WRONG);
  }
  return {
    name: spec.name,
    rows: [
      spec.columns.map(headerText),
      spec.columns.map(({ help }) => help),
      spec.columns.map(({ example }) => example),
      ...(filled?.rows ?? []).map((row) => row.map(spreadsheetText)), // The reader removes the apostrophe.
    ],
    widths: spec.columns.map(({ width }) => width),
    columnStyles: spec.columns.map(({ kind }) =>
      kind === 'decimal' || kind === 'date' ? undefined : TEXT,
    ),
    styledRows: { from: HEAD_ROWS, to: HEAD_ROWS + (filled?.rows.length ?? 0) + blankRows },
    styles,
    comments,
    validations: spec.columns.flatMap((column, index) => {
      const source = column.list && rangeName(column.list);
      const letter = columnLetter(index);
      const range = `${letter}${HEAD_ROWS + 1}:${letter}${HEAD_ROWS + spec.maxRows}`;
      const message = 'Elige un valor de la lista.';
      return source ? [{ range, source, message }] : [];
    }),
    frozenRows: 1,
  };
}

const listNames = (lists: Lists) => Object.keys(lists) as (keyof Lists)[];

/** `lista_paises`. */
const rangeName = (list: ListName) => `lista_${list}`;

/** Where the values of each drop-down are: two columns per list, the written value and its name. */
function listRanges(lists: Lists): { name: string; range: string }[] {
  return listNames(lists).map((name, index) => {
    const letter = columnLetter(index * 2);
    const range = `${LISTS_SHEET}!$${letter}$3:$${letter}$${lists[name].length + 2}`;
    return { name: rangeName(name), range };
  });
}

/** Its first cell identifies the version of the template; the lists start in the third row. */
function listsSheet(lists: Lists): SheetToWrite {
  const names = listNames(lists);
  const longest = Math.max(...names.map((name) => lists[name].length));
  return {
    name: LISTS_SHEET,
    rows: [
      [TEMPLATE_ID, String(TEMPLATE_VERSION)],
      names.flatMap((name) => [name, '']),
      ...Array.from({ length: longest }, (_, row) =>
        names.flatMap((name) => {
          const choice = lists[name][row];
          if (!choice) return ['', ''];
          const text = shown(name, choice);
          return [text, text === choice.value ? choice.label : choice.value];
        }),
      ),
    ],
    widths: names.flatMap(() => [26, 30]),
    isHidden: true,
    isProtected: true,
  };
}

function instructions(lists: Lists): SheetToWrite {
  const intro = [
    'Cómo importar tus datos en Huella',
    'Rellena las hojas Clientes, Productos y Facturas desde la fila 4. Puedes dejar vacías las que no necesites.',
    `La fila 3 es un ejemplo («${EXAMPLE}») y no se importa. No cambies los títulos de la fila 1.`,
    'Las columnas en amarillo, con asterisco, son obligatorias. En las que tienen lista puedes escribir el nombre o el código.',
    'Nada se guarda hasta que lo confirmas: antes verás qué se crea, qué se actualiza y qué está mal.',
    'Subir el mismo archivo dos veces no duplica nada: los clientes se reconocen por su NIF o su código, los productos por su código o su nombre y las facturas por su Nº de referencia.',
    'Las facturas entran como borradores, sin número. Si ya las emitiste con otro programa, no las registres aquí.',
    `Como mucho ${SHEETS.map(({ name, maxRows }) => `${withPoints(maxRows)} filas en ${name}`).join(', ')}. Las vacías se saltan; detrás de ${MAX_BLANK} seguidas no se lee nada más.`,
  ];
  const rows: string[][] = intro.map((line) => [line]);
  const styles = new Map<string, CellStyle>([['0,0', TITLE]]);
  rows.slice(1).forEach((_, index) => {
    styles.set(`${index + 1},0`, WRAPPED);
  });
  for (const spec of SHEETS) {
    rows.push([], [`Hoja ${spec.name}`]);
    styles.set(`${rows.length - 1},0`, { font: { bold: true, size: 13 } });
    for (const column of spec.columns) {
      styles.set(`${rows.length},0`, WRAPPED);
      rows.push([`${headerText(column)}: ${describe(column, lists)}`]);
    }
  }
  return { name: 'Instrucciones', rows, widths: [110], styles };
}

function describe(column: Column, lists: Lists): string {
  const choices = column.list ? lists[column.list] : [];
  const isShort = choices.length > 0 && choices.length <= 12;
  const values = choices.map((choice) => shown(column.list as ListName, choice)).join(', ');
  return `${isShort ? `de la lista: ${values}` : kindOf(column)}. ${column.help}`;
}

function kindOf({ kind, max }: Column): string {
  if (kind === 'decimal') return `número de hasta ${max} decimales`;
  if (kind === 'date') return 'fecha';
  return kind === 'text' ? `texto de hasta ${max} caracteres` : 'de la lista';
}

/** The columns of each sheet as in the manual, whose chapter contains this text literally. */
export function manualColumns(): string {
  return SHEETS.map(({ name, maxRows, columns }) => {
    const rows = columns.map((column) => {
      const required = column.isRequired ? ', obligatoria' : '';
      return `- **${column.header}** (${kindOf(column)}${required}). ${column.help}`;
    });
    return `### Hoja ${name}, hasta ${withPoints(maxRows)} filas\n\n${rows.join('\n')}\n`;
  }).join('\n');
}
