import type {
  AvisoImportar,
  Correspondencia,
  ErrorImportar,
  FilaImportar,
  ImportExcelAnswer,
  RecuentoImportar,
} from '../contract/imports.ts';
import type { Customer } from '../domain/customer.ts';
import { centsToEs, centsToNumber } from '../domain/money.ts';
import { withLostZero } from '../domain/postal-code.ts';
import { contactPersons } from './contact-persons.ts';
import type { OnShare } from './container.ts';
import {
  bareCode,
  CustomerJudge,
  emailsIn,
  type FieldProblem,
  type JudgedCustomer,
} from './judge-customers.ts';
import {
  invoiceFromRows,
  invoicesOf,
  isOfItsOwn,
  judgeInvoice,
  rowProblems,
  signWarning,
  withProduct,
} from './judge-invoices.ts';
import { ProductJudge } from './judge-products.ts';
import { byReference, type Imported, type ImportedInvoice, type Known } from './known.ts';
import {
  type CellProblem,
  cellName,
  cellProblem,
  type FileRow,
  type FileSheet,
  type ReadFile,
  readFile,
} from './read-file.ts';
import { quoted } from './read-values.ts';
import { folded, type Lists, MAX_BLANK, type SheetSpec, withPoints } from './sheets.ts';
import { type FilledSheet, makeTemplate } from './template.ts';

/** What is needed to validate a file. */
export interface Judging {
  readonly lists: Lists;
  readonly known: Known;
  /** The meaning of the columns in another program's file; null for the template. */
  readonly correspondencia: Correspondencia | null;
}

/** Asks which of some folded references earlier files imported: only those that this file contains. */
export type FindImported = (references: readonly string[]) => Promise<readonly ImportedInvoice[]>;

/** The share of reading a file in the whole work; the rest is validating its rows. */
const READING = 0.7;
/** Nobody reads more: the counts and the marked workbook cover all of them. */
const MAX_ERRORS = 10_000;

/**
 * What importing a file would do; `importId` and what depends on it is added by a caller who knows earlier imports.
 */
export type Preview = Omit<ImportExcelAnswer, 'importId' | 'importadoEl'>;

/**
 * What importing a file would do, row by row. Nothing is saved.
 *
 * @param onShare receives the progress
 * @throws {BadFileError} for a file that cannot be imported at all
 */
export async function previewFile(
  file: Uint8Array,
  { lists, known, correspondencia }: Judging,
  findImported: FindImported,
  onShare: OnShare,
): Promise<Preview> {
  const read = await readFile(file, lists, correspondencia, (share) => onShare(READING * share));
  const imported = await importedOf(read, findImported);
  const judged = judgeFile(read, { known, imported }, (share) =>
    onShare(READING + (1 - READING) * share),
  );
  return {
    clientes: judged.clientes,
    items: judged.items,
    facturas: judged.facturas,
    errores: judged.problems
      .slice(0, MAX_ERRORS)
      .map((problem) => errorOf(sheetOf(read, problem.spec), problem)),
    avisos: judged.avisos,
    filas: [judged.filas.Clientes, judged.filas.Productos, judged.filas.Facturas].flat(),
    resumen: {
      clientes: countOf(judged.filas.Clientes),
      items: countOf(judged.filas.Productos),
      facturas: countOf(judged.filas.Facturas),
    },
  };
}

/**
 * The official template filled with the content of the file, with wrong cells marked and commented, to be corrected
 * and uploaded again.
 *
 * @param onlyWrong leaves out the correct rows; all lines of a wrong invoice stay
 * @throws {BadFileError}
 */
export async function commentFile(
  file: Uint8Array,
  { lists, known, correspondencia }: Judging,
  findImported: FindImported,
  { onlyWrong }: { readonly onlyWrong: boolean },
): Promise<Uint8Array> {
  const read = await readFile(file, lists, correspondencia);
  const { problems, wrongRows } = judgeFile(read, {
    known,
    imported: await importedOf(read, findImported),
  });
  const filled = [read.clientes, read.items, read.facturas].map((sheet): [string, FilledSheet] => {
    const rows = onlyWrong ? sheet.rows.filter((row) => wrongRows.has(row)) : sheet.rows;
    const own = problems.filter(({ spec }) => spec === sheet.spec);
    return [
      sheet.spec.name,
      { rows: rows.map(({ shown }) => shown), comments: commentsOf(sheet.spec, rows, own) },
    ];
  });
  return makeTemplate(lists, new Map(filled));
}

async function importedOf({ facturas }: ReadFile, find: FindImported): Promise<Imported> {
  const references = new Set(facturas.rows.map(({ values }) => folded(values.referencia ?? '')));
  return byReference(await find([...references]));
}

function commentsOf(
  { columns }: SheetSpec,
  rows: readonly FileRow[],
  problems: readonly CellProblem[],
): Map<string, string> {
  const places = new Map(rows.map(({ fila }, index) => [fila, index]));
  const comments = new Map<string, string>();
  for (const { fila, key, mensaje } of problems) {
    const row = places.get(fila);
    if (row === undefined) continue;
    const cell = `${row},${Math.max(
      0,
      columns.findIndex((column) => column.key === key),
    )}`;
    comments.set(cell, [comments.get(cell), mensaje].filter(Boolean).join(' '));
  }
  return comments;
}

function sheetOf({ clientes, items, facturas }: ReadFile, spec: SheetSpec): FileSheet {
  return [clientes, items, facturas].find((sheet) => sheet.spec === spec) as FileSheet;
}

function errorOf(sheet: FileSheet, problem: CellProblem): ErrorImportar {
  const { key, fila, mensaje } = problem;
  const index = columnOf(problem);
  return {
    hoja: sheet.hoja,
    fila,
    columna: headerOf(problem),
    celda: cellName(sheet, key, fila),
    valor: quoted(sheet.rowAt(fila)?.shown[index] ?? ''),
    mensaje,
  };
}

function columnOf({ spec, key }: CellProblem): number {
  return Math.max(
    0,
    spec.columns.findIndex((column) => column.key === key),
  );
}

function headerOf(problem: CellProblem): string {
  return problem.spec.columns[columnOf(problem)]?.header ?? '';
}

/** Of a wrong row: its first problem, with its column if the sentence does not name it, and how many others. */
function noteOf([first, ...others]: readonly CellProblem[]): string {
  if (!first) return '';
  const { mensaje } = first;
  const header = headerOf(first);
  const named = mensaje.includes(header) ? mensaje : `${header} · ${mensaje}`;
  if (others.length === 0) return named;
  return `${named} Y ${others.length === 1 ? 'otro error' : `otros ${withPoints(others.length)} errores`}.`;
}

/** The findings while a file is validated. */
class Findings {
  readonly problems: CellProblem[] = [];
  readonly filas = { Clientes: [], Productos: [], Facturas: [] } as Record<
    SheetSpec['name'],
    FilaImportar[]
  >;
  readonly wrongRows = new Set<FileRow>();
  /** The places of the customers among `filas`. */
  readonly places = new Map<Customer, number>();
  readonly #avisos = new Map<string, AvisoImportar>();

  get avisos(): AvisoImportar[] {
    return [...this.#avisos.values()];
  }

  refuse(
    sheet: FileSheet,
    rows: readonly FileRow[],
    problems: readonly CellProblem[],
    title: Pick<FilaImportar, 'clave' | 'nombre'>,
  ): void {
    for (const row of rows) this.wrongRows.add(row);
    this.problems.push(...problems);
    this.note(sheet, rows[0], { ...title, accion: 'erroneo', nota: noteOf(problems) });
  }

  note(
    { hoja, spec }: FileSheet,
    row: FileRow | undefined,
    what: Omit<FilaImportar, 'hoja' | 'fila'>,
  ): void {
    this.filas[spec.name].push({ hoja, fila: row?.fila ?? 0, ...what });
  }

  /** A warning that blocks nothing: given once, with the number of rows concerned. */
  warn(
    { hoja, spec }: FileSheet,
    { fila }: Pick<FileRow, 'fila'>,
    key: string,
    mensaje: string,
  ): void {
    const known = this.#avisos.get(`${spec.name} ${mensaje}`);
    if (known) {
      known.filas += 1;
      return;
    }
    const columna = spec.columns.find((column) => column.key === key)?.header ?? '';
    this.#avisos.set(`${spec.name} ${mensaje}`, { hoja, columna, fila, filas: 1, mensaje });
  }
}

interface Judged {
  readonly clientes: ImportExcelAnswer['clientes'];
  readonly items: ImportExcelAnswer['items'];
  readonly facturas: ImportExcelAnswer['facturas'];
  readonly problems: readonly CellProblem[];
  readonly filas: Record<SheetSpec['name'], FilaImportar[]>;
  readonly wrongRows: ReadonlySet<FileRow>;
  readonly avisos: AvisoImportar[];
}

/** The company's data, and what it has under the references of the file. */
interface Against {
  readonly known: Known;
  readonly imported: Imported;
}

function judgeFile(read: ReadFile, against: Against, onShare: OnShare = () => {}): Judged {
  const { known } = against;
  const found = new Findings();
  const customers = new CustomerJudge(known);
  const products = new ProductJudge(known);
  const all = [read.clientes, read.items, read.facturas].map(({ rows }) => rows.length);
  const [some = 0, more = 0, rest = 0] = all;
  const done = (rows: number) => onShare(rows / Math.max(1, some + more + rest));
  const clientes = judgeCustomers(read.clientes, customers, found);
  done(some);
  const items = judgeItems(read.items, products, found);
  done(some + more);
  const facturas = judgeInvoices(read.facturas, against, { customers, products }, found);
  done(some + more + rest);
  for (const sheet of [read.clientes, read.items, read.facturas]) {
    const { titles, added } = sheet;
    if (titles) found.warn(sheet, titles, '', titles.isData ? TITLES_LEFT_OUT : NO_TITLES);
    if (added.length > 0) found.warn(sheet, { fila: 1 }, '', addedColumns(added));
    for (const fila of sheet.suppliers) found.warn(sheet, { fila }, '', SUPPLIER);
    for (const fila of sheet.persons) found.warn(sheet, { fila }, 'Name', PERSON);
    if (sheet.sumsAt !== null) {
      found.warn(sheet, { fila: sheet.sumsAt }, '', 'La última fila es de totales: no se importa.');
    }
    if (sheet.leftAt === null) continue;
    const mensaje = `Hay filas detrás de ${MAX_BLANK} vacías: desde ahí no se importa nada. Quita las filas vacías si son datos.`;
    found.warn(sheet, { fila: sheet.leftAt }, '', mensaje);
  }
  const { problems, filas, wrongRows, avisos } = found;
  return { clientes, items, facturas, problems, filas, wrongRows, avisos };
}

const TITLES_LEFT_OUT =
  'La fila de los títulos parece tener datos: no se importa. Si lo son, escribe encima una fila con los títulos.';

const NO_TITLES =
  'No se reconoce ningún título en la fila de los títulos, que no se importa. Si son datos, escribe encima una fila con los títulos.';

const SUPPLIER =
  'El archivo dice que es un proveedor: se importa como cliente. Si no es cliente tuyo, déjalo fuera.';

const CONTACT =
  'Parece una persona de otra empresa de la lista («Empresa, Persona»): se importa como cliente. Si no es cliente tuyo, déjala fuera.';

const PERSON = 'Está vacío: se toman el nombre y los apellidos de las otras columnas.';

/** More than anybody reads in one sentence. */
const NAMED_COLUMNS = 8;

function addedColumns(titles: readonly string[]): string {
  const more = titles.length - NAMED_COLUMNS;
  const shown = titles.slice(0, NAMED_COLUMNS).map((title) => `«${quoted(title)}»`);
  const named = shown.join(', ') + (more > 0 ? ` y ${more} más` : '');
  return titles.length === 1
    ? `La columna ${named} no es de la plantilla: no se importa.`
    : `Estas columnas no son de la plantilla y no se importan: ${named}.`;
}

/** What happens with a cell whose text is none of the options. */
const LEFT_OUT = 'No se tiene en cuenta: se queda con lo que ya tiene o con lo de tu perfil.';
const UNIT_LEFT_OUT = 'No se tiene en cuenta: se queda con la que ya tiene o con «Unidad».';

function judgeCustomers(
  sheet: FileSheet,
  judge: CustomerJudge,
  found: Findings,
): ImportExcelAnswer['clientes'] {
  const { spec, rows } = sheet;
  const suppliers = new Set(sheet.suppliers);
  const contacts = new Set(contactPersons(rows));
  return rows.flatMap((row) => {
    const isContact = contacts.has(row) && !suppliers.has(row.fila);
    // The NIF that a person has of the company stays with the company.
    const values = isContact ? { ...row.values, VATRegistrationNo: '' } : row.values;
    const title = {
      clave: values.VATRegistrationNo || values.No || '',
      nombre: values.Name ?? '',
    };
    const judged = judgedRow({ ...row, values }, judge);
    if (!judged.ok) {
      found.refuse(sheet, [row], refusalOf(sheet, row, judged.problems), title);
      return [];
    }
    const { customer, accion, cambios } = judged;
    found.places.set(customer, found.filas.Clientes.length);
    found.note(sheet, row, {
      ...title,
      accion,
      ...changesOf(spec, cambios),
      ...(suppliers.has(row.fila) && { parece: 'proveedor' }),
      ...(isContact && { parece: 'contacto' }),
    });
    const warn = (key: string, mensaje: string) => found.warn(sheet, row, key, mensaje);
    if (isContact) warn('Name', CONTACT);
    for (const { key, mensaje } of row.leftOut) warn(key, `${mensaje} ${LEFT_OUT}`);
    for (const [key, mensaje] of doubtsAbout(judged, values)) warn(key, mensaje);
    return [{ ...customer, fila: row.fila, accion }];
  });
}

/** What to look at in a client that is imported: the key of a column, and a sentence. */
function doubtsAbout(
  { customer, accion }: JudgedCustomer,
  values: FileRow['values'],
): (readonly [string, string])[] {
  const { postCode, countryCode } = customer;
  const isNew = accion === 'nuevo';
  const doubts: [boolean, string, string][] = [
    [
      !customer.VATRegistrationNo,
      'VATRegistrationNo',
      'Sin NIF no se le puede registrar una factura completa.',
    ],
    [
      !customer.VATRegistrationNo && !isNew,
      'Name',
      'Sin NIF, se le reconoce por tener el mismo nombre y código postal.',
    ],
    [!customer.Address, 'Address', 'Sin dirección no se le puede registrar una factura completa.'],
    [
      postCode === withLostZero(bareCode(values.postCode ?? '', countryCode), countryCode),
      'postCode',
      'Le falta el cero de delante: se le pone.',
    ],
    [!values.countryCode && isNew, 'countryCode', 'No dice el país: se toma España.'],
    [emailsIn(values.Email ?? '').length > 1, 'Email', 'Tiene varios correos: se usa el primero.'],
  ];
  return doubts.flatMap(([isSo, key, mensaje]) => (isSo ? [[key, mensaje] as const] : []));
}

interface RowJudge<Judgement> {
  readonly judge: (values: FileRow['values'], fila: number) => Judgement;
  readonly problemsOf: (values: FileRow['values']) => readonly FieldProblem[];
}

/** A row with a cell that could not be read is not imported, but the others are validated too. */
function judgedRow<Judgement>(
  { fila, values, problems }: FileRow,
  judge: RowJudge<Judgement>,
): Judgement | { readonly ok: false; readonly problems: readonly FieldProblem[] } {
  if (problems.length === 0) return judge.judge(values, fila);
  return { ok: false, problems: judge.problemsOf(values) };
}

/** What some fields are validated by. */
const DEPENDS_ON: Readonly<Record<string, readonly string[]>> = {
  VATRegistrationNo: ['countryCode', 'CustomerPostingGroup'],
  postCode: ['countryCode'],
  UnitPrice: ['priceWithTax'],
};

/**
 * Why a row cannot be imported: its reading errors, and the validation errors of what could be read, in the order of
 * the columns.
 */
function refusalOf(
  { spec }: FileSheet,
  row: FileRow,
  judged: readonly FieldProblem[],
): readonly CellProblem[] {
  const unread = new Set(row.problems.map(({ key }) => key));
  const valid = judged.filter(
    ({ campo }) => ![campo, ...(DEPENDS_ON[campo] ?? [])].some((key) => unread.has(key)),
  );
  return inOrder([
    ...row.problems,
    ...valid.map(({ campo, mensaje }) => cellProblem(spec, row, campo, mensaje)),
  ]);
}

function inOrder(problems: readonly CellProblem[]): CellProblem[] {
  const columnOf = ({ spec, key }: CellProblem) =>
    spec.columns.findIndex((column) => column.key === key);
  return [...problems].sort((a, b) => a.fila - b.fila || columnOf(a) - columnOf(b));
}

function judgeItems(
  sheet: FileSheet,
  judge: ProductJudge,
  found: Findings,
): ImportExcelAnswer['items'] {
  const { spec, rows } = sheet;
  return rows.flatMap((row) => {
    const title = { clave: row.values.No ?? '', nombre: row.values.Name ?? '' };
    const judged = judgedRow(row, judge);
    if (!judged.ok) {
      found.refuse(sheet, [row], refusalOf(sheet, row, judged.problems), title);
      return [];
    }
    const { product, accion, cambios } = judged;
    found.note(sheet, row, { ...title, accion, ...changesOf(spec, cambios) });
    for (const { key, mensaje } of row.leftOut) {
      found.warn(sheet, row, key, `${mensaje} ${UNIT_LEFT_OUT}`);
    }
    return [
      {
        No: product.no,
        Name: product.name,
        UnitOfMeasure: product.unitOfMeasure,
        UnitPrice: Number(product.unitPrice),
        ...(product.tax && { VATProdPostingGroup: product.tax }),
        fila: row.fila,
        accion,
      },
    ];
  });
}

/** Which columns of the saved data would change. */
function changesOf({ columns }: SheetSpec, cambios: readonly string[]): { nota?: string } {
  const names = columns.filter(({ key }) => cambios.includes(key)).map(({ header }) => header);
  return names.length > 0 ? { nota: `Cambia: ${names.join(', ')}.` } : {};
}

function judgeInvoices(
  sheet: FileSheet,
  { known, imported }: Against,
  { customers, products }: { readonly customers: CustomerJudge; readonly products: ProductJudge },
  found: Findings,
): ImportExcelAnswer['facturas'] {
  const { spec } = sheet;
  return invoicesOf(sheet.rows).flatMap((rows) => {
    const first = rows[0] as FileRow;
    const lines = rows.map((row) => {
      const completed = withProduct(row, products);
      if (completed.aviso && completed.row.problems.length === 0)
        found.warn(sheet, row, 'productNo', completed.aviso);
      return completed.row;
    });
    const { referencia = '', cliente = '' } = first.values;
    const customer = customers.all.named(cliente);
    const title = { clave: referencia, nombre: customer?.Name ?? cliente };
    const wrong = [...lines.flatMap(({ problems }) => problems), ...rowProblems(lines, known)];
    const control = lines.find(({ values }) => values.total)?.values.total ?? '';
    const draft = invoiceFromRows(lines);
    const judged = judgeInvoice(draft, { known, customers: customers.all, imported, control });
    if (wrong.length > 0 || !judged.ok) {
      const told = (judged.ok ? [] : judged.problems)
        .filter((problem) => wrong.length === 0 || isOfItsOwn(problem, lines))
        .map(({ line, campo, mensaje }) => cellProblem(spec, lines[line] ?? first, campo, mensaje));
      found.refuse(sheet, rows, inOrder([...wrong, ...told]), title);
      return [];
    }
    const { factura, accion, totalCents, nota, aviso } = judged;
    if (aviso) found.warn(sheet, first, 'referencia', aviso);
    for (const line of lines) {
      const negative = signWarning(line, draft);
      if (negative) found.warn(sheet, line, 'quantity', negative);
    }
    const described = nota ?? `${lineCount(lines.length)}, ${centsToEs(totalCents)} €`;
    found.note(sheet, first, {
      ...title,
      accion,
      nota: described,
      ...(customer &&
        customers.isOfFile(factura.cliente) && { cliente: found.places.get(customer) }),
    });
    return [{ ...factura, total: centsToNumber(totalCents), accion }];
  });
}

function lineCount(count: number): string {
  return count === 1 ? '1 línea' : `${count} líneas`;
}

function countOf(filas: readonly FilaImportar[]): RecuentoImportar {
  const count: RecuentoImportar = { nuevo: 0, actualizado: 0, igual: 0, erroneo: 0 };
  for (const { accion } of filas) count[accion] += 1;
  return count;
}
