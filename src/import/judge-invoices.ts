import { createHash } from 'node:crypto';
import type { AccionImportar, FacturaImportada } from '../contract/imports.ts';
import type { Customer } from '../domain/customer.ts';
import { fechaEs } from '../domain/dates.ts';
import { signOf, type TipoFactura, tipoFacturaOf } from '../domain/invoice.ts';
import { absCents, centsToEs, parsePlainDecimal, withComma } from '../domain/money.ts';
import { shortPrice } from '../domain/product.ts';
import { CLAVES_ANTICIPADAS } from '../domain/situaciones.ts';
import {
  computeTotals,
  DISCOUNT_DECIMALS,
  PRICE_DECIMALS,
  QUANTITY_DECIMALS,
} from '../domain/totals.ts';
import { findVatGroup } from '../domain/vat.ts';
import type { ProductJudge } from './judge-products.ts';
import type { CustomerIndex, Imported, ImportedInvoice, Known } from './known.ts';
import { type CellProblem, cellProblem, type FileRow } from './read-file.ts';
import { FACTURAS, folded } from './sheets.ts';

/** Fields of the invoice, not of the line: each row repeats them. */
const HEAD = [
  'invoiceDate',
  'tipo',
  'cliente',
  'claveRegimen',
  'invoiceToRectify',
  'fechaOperacion',
  'total',
] as const;
/** Other programs call the total of each line so. */
const OF_LINES = ' Tiene que ser el total de la factura, no el de la línea.';
const MAX_LINES = 1_000;
/** Cents by which a hand-written total may differ, because of rounding line by line. */
const TOLERANCE = 2n;

export interface JudgedInvoice {
  readonly factura: FacturaImportada;
  readonly accion: Exclude<AccionImportar, 'erroneo'>;
  readonly customer: Customer | undefined;
  readonly totalCents: bigint;
  /** What became of it, if an earlier file imported it. */
  readonly nota?: string;
  /** Why it looks like another invoice with a reference that is already used. */
  readonly aviso?: string;
}

/** The rows of each invoice, in the order of first appearance. */
export function invoicesOf(rows: readonly FileRow[]): FileRow[][] {
  const byReference = new Map<string, FileRow[]>();
  for (const row of rows) {
    const key = folded(row.values.referencia ?? '') || `fila ${row.fila}`;
    const invoice = byReference.get(key);
    if (invoice) invoice.push(row);
    else byReference.set(key, [row]);
  }
  return [...byReference.values()];
}

/** The draft that the rows of an invoice describe; what could not be read is empty in it. */
export function invoiceFromRows(rows: readonly FileRow[]): FacturaImportada {
  const head = headOf(rows);
  const tipo = (head.tipo || 'F1') as TipoFactura;
  const isAbono = tipo.startsWith('R');
  const position = Number(tipo.slice(1)) - 1;
  return {
    referencia: rows[0]?.values.referencia ?? '',
    cliente: head.cliente,
    fila: rows[0]?.fila,
    type: isAbono ? 'abono' : 'factura',
    invoiceNumber: '',
    invoiceDate: head.invoiceDate,
    invoiceType: isAbono ? 0 : position,
    crmemoType: isAbono ? position : 0,
    invoiceClient: '',
    typeClient: 'NAC',
    isSimplificada: tipo === 'F2' || tipo === 'R5',
    claveRegimen: head.claveRegimen || '01',
    invoiceToRectify: head.invoiceToRectify,
    tipoRectificativa: 'I',
    ...(head.fechaOperacion ? { fechaOperacion: head.fechaOperacion } : {}),
    invoiceItems: rows.map(({ values }) => ({
      description: values.description ?? '',
      quantity: withComma(isAbono ? unsigned(values.quantity) : values.quantity),
      price: withComma(isAbono ? unsigned(values.price) : values.price),
      ...(values.discount ? { discount: withComma(values.discount) } : {}),
      tax: values.tax ?? '',
      linetype: values.productNo ? 1 : 0,
      ...(values.productNo ? { productNo: values.productNo } : {}),
    })),
  };
}

/** A credit may be written with or without its sign: por diferencias, the draft is positive. */
function unsigned(number: string | undefined): string | undefined {
  return number?.replace(/^-/, '');
}

type Head = Readonly<Record<(typeof HEAD)[number], string>>;

function headOf(rows: readonly FileRow[]): Head {
  const first = (key: string) => rows.find(({ values }) => values[key])?.values[key] ?? '';
  return {
    invoiceDate: first('invoiceDate'),
    tipo: first('tipo'),
    cliente: first('cliente'),
    claveRegimen: first('claveRegimen'),
    invoiceToRectify: first('invoiceToRectify'),
    fechaOperacion: first('fechaOperacion'),
    total: first('total'),
  };
}

/** A line completed with the data of its product. */
export function withProduct(
  row: FileRow,
  products: Pick<ProductJudge, 'named'>,
): { readonly row: FileRow; readonly aviso: string | null } {
  const { productNo = '', description = '', price = '' } = row.values;
  const product = products.named(productNo || description);
  if (product) {
    const isItsCode = folded(description) === folded(product.no);
    const values = {
      ...row.values,
      productNo: product.no,
      description: description === '' || isItsCode ? product.name : description,
      price: price === '' ? shortPrice(product.unitPrice) : price,
    };
    // An unreadable price stays wrong.
    return { row: { ...row, values }, aviso: null };
  }
  const unknown = `El producto «${productNo}» no está en la hoja Productos ni entre los tuyos`;
  const missing = FACTURAS.columns.filter(
    ({ key, isOfProduct }) => isOfProduct && row.values[key] === '' && !isWrong([row], key),
  );
  const problems = [
    ...row.problems,
    ...missing.map(({ key, header }) =>
      productNo === ''
        ? cellProblem(FACTURAS, row, key, `Falta: ${header}.`)
        : cellProblem(FACTURAS, row, 'productNo', `${unknown}, y falta: ${header}.`),
    ),
  ];
  return {
    row: { ...row, problems, values: { ...row.values, productNo: '' } },
    aviso: productNo === '' ? null : `${unknown}: la línea entra con su texto y su precio.`,
  };
}

/** Errors in the cells of one invoice beyond those of each value alone. Nothing is said of cells that are wrong. */
export function rowProblems(rows: readonly FileRow[], known: Known): CellProblem[] {
  const [first] = rows;
  if (!first) return [];
  const head = headOf(rows);
  const refused: Refused[] = [
    ...rows.flatMap((row) => lineProblems(row, head)),
    ...(isWrong(rows, 'tipo', 'quantity', 'price') ? [] : signProblems(rows, head.tipo)),
    ...headProblems(rows, head, known).map((problem) => ({ row: first, ...problem })),
  ];
  return refused
    .filter(({ row, key }) => !isWrong([row], key))
    .map(({ row, key, mensaje }) => cellProblem(FACTURAS, row, key, mensaje));
}

interface Refused {
  readonly row: FileRow;
  readonly key: string;
  readonly mensaje: string;
}

function lineProblems(row: FileRow, head: Head): Refused[] {
  const { values } = row;
  const refused: Refused[] = HEAD.filter(
    (key) => values[key] && folded(values[key]) !== folded(head[key]),
  ).map((key) => ({
    row,
    key,
    mensaje: `Es distinto en otra fila de la factura ${values.referencia}.${key === 'total' ? OF_LINES : ''}`,
  }));
  if (values.quantity && parsePlainDecimal(values.quantity, QUANTITY_DECIMALS) === 0n) {
    refused.push({ row, key: 'quantity', mensaje: 'La cantidad no puede ser 0.' });
  }
  const discount = parsePlainDecimal(values.discount || '0', DISCOUNT_DECIMALS) ?? 0n;
  if (discount < 0n || discount > 10_000n) {
    refused.push({ row, key: 'discount', mensaje: 'El descuento va de 0 a 100.' });
  }
  return refused;
}

/** What is wrong with an invoice as a whole, or with the data that all of its rows share. */
function headProblems(rows: readonly FileRow[], head: Head, known: Known): Omit<Refused, 'row'>[] {
  const { invoiceDate, fechaOperacion, invoiceToRectify, tipo, claveRegimen } = head;
  const refused: Omit<Refused, 'row'>[] = [];
  if (rows.length > MAX_LINES) {
    const mensaje = `Una factura no puede pasar de ${MAX_LINES} líneas.`;
    refused.push({ key: 'referencia', mensaje });
  }
  if (invoiceDate > known.today) {
    refused.push({ key: 'invoiceDate', mensaje: `La fecha ${fechaEs(invoiceDate)} es futura.` });
  }
  if (fechaOperacion > known.today && !mayPrecede(claveRegimen, rows, known)) {
    const mensaje = `La fecha ${fechaEs(fechaOperacion)} es futura.`;
    refused.push({ key: 'fechaOperacion', mensaje });
  }
  if (tipo.startsWith('R') && !invoiceToRectify && !isWrong(rows, 'invoiceToRectify')) {
    const mensaje = 'Escribe el número de la factura que rectifica.';
    refused.push({ key: 'invoiceToRectify', mensaje });
  }
  return refused;
}

function isWrong(rows: readonly FileRow[], ...keys: string[]): boolean {
  return rows.some(({ problems }) => problems.some(({ key }) => keys.includes(key)));
}

/**
 * Whether the operation may come after the invoice: a public work that is certified before it is paid for, or a
 * contract that falls due later. Registering looks at all the lines; here, one is enough.
 */
function mayPrecede(
  claveRegimen: string,
  rows: readonly FileRow[],
  { vatGroups }: Pick<Known, 'vatGroups'>,
): boolean {
  if (CLAVES_ANTICIPADAS.includes(claveRegimen)) return true;
  return vatGroups.some(
    ({ VATProdPostingGroup, verifactu }) =>
      CLAVES_ANTICIPADAS.includes(verifactu.ClaveRegimen) &&
      rows.some(({ values }) => values.tax === VATProdPostingGroup),
  );
}

interface SignProblem extends Refused {
  readonly key: 'quantity' | 'price';
}

const OTHER_WAY =
  'Si es un descuento, usa la columna «Descuento %»; si es una devolución, haz una rectificativa (R1 a R5).';

/** Signs that no draft may have. */
function signProblems(rows: readonly FileRow[], tipo: string): SignProblem[] {
  const isOf = (key: SignProblem['key']) => (row: FileRow) => isNegative(row, key);
  if (!tipo.startsWith('R')) {
    const mensaje = `El precio no puede ser negativo. ${OTHER_WAY}`;
    return rows.filter(isOf('price')).map((row) => ({ row, key: 'price', mensaje }));
  }
  const isBack = (row: FileRow) => isNegative(row, 'quantity') !== isNegative(row, 'price');
  if (rows.every(isBack)) return [];
  const mensaje =
    'En una rectificativa las líneas van todas con el mismo signo: escribe en cada una solo lo que se devuelve.';
  return (['quantity', 'price'] as const).flatMap((key) =>
    rows.filter(isOf(key)).map((row) => ({ row, key, mensaje })),
  );
}

/** A problem in a line that a draft may have but registering refuses; null when there is none. */
export function signWarning(row: FileRow, { type }: FacturaImportada): string | null {
  if (type === 'abono' || !isNegative(row, 'quantity')) return null;
  return `Con una cantidad negativa la factura entra como borrador, pero no se podrá registrar. ${OTHER_WAY}`;
}

function isNegative({ values }: FileRow, key: SignProblem['key']): boolean {
  const decimals = key === 'quantity' ? QUANTITY_DECIMALS : PRICE_DECIMALS;
  return (parsePlainDecimal(values[key] ?? '', decimals) ?? 0n) < 0n;
}

interface InvoiceProblem {
  /** The line that is wrong, or -1 for the whole invoice. */
  readonly line: number;
  readonly campo: string;
  readonly mensaje: string;
}

export type InvoiceJudgement =
  | ({ readonly ok: true } & JudgedInvoice)
  | { readonly ok: false; readonly problems: readonly InvoiceProblem[] };

/** Whether a problem of an invoice with wrong cells is one of its own, and does not follow from them. */
export function isOfItsOwn({ line, campo }: InvoiceProblem, rows: readonly FileRow[]): boolean {
  const cell = rows[line];
  switch (campo) {
    case 'cliente':
      return !isWrong(rows, 'cliente', 'tipo');
    case 'tax':
      return !isWrong(rows, 'cliente') && !(cell && isWrong([cell], 'tax'));
    case 'claveRegimen':
      return !isWrong(rows, 'claveRegimen');
    default:
      // Its total, and whether it is the one that was imported before.
      return false;
  }
}

/** Validates a draft of the file against the company: its customer, its taxes, its earlier version. */
export function judgeInvoice(
  draft: FacturaImportada,
  {
    known,
    customers,
    imported,
    control,
  }: {
    readonly known: Known;
    readonly customers: CustomerIndex;
    readonly imported: Imported;
    /** Total according to the file, empty without one. */
    readonly control: string;
  },
): InvoiceJudgement {
  const problems: InvoiceProblem[] = [];
  const customer = draft.cliente ? customers.named(draft.cliente) : undefined;
  if (draft.cliente && !customer) {
    const mensaje = customers.isNameOfSeveral(draft.cliente)
      ? `Hay varios clientes que se llaman «${draft.cliente}». Escribe el NIF o el código del que sea.`
      : `El cliente «${draft.cliente}» no está en la hoja Clientes ni entre los tuyos.`;
    problems.push({ line: -1, campo: 'cliente', mensaje });
  }
  if (!draft.cliente && !draft.isSimplificada) {
    problems.push({ line: -1, campo: 'cliente', mensaje: 'Falta: NIF o código de cliente.' });
  }
  const typeClient = customer?.CustomerPostingGroup || 'NAC';
  const factura: FacturaImportada = {
    ...draft,
    // What is saved after the preview does not say which code the file had for a saved customer.
    ...(customer &&
      customers.isCodeOfFile(draft.cliente) && { cliente: customer.VATRegistrationNo }),
    invoiceClient: customer?.No ?? '',
    typeClient,
  };
  draft.invoiceItems.forEach(({ tax }, line) => {
    const isUnknown = draft.cliente !== '' && !customer;
    if (isUnknown || findVatGroup(known.vatGroups, tax, typeClient)) return;
    const mensaje = `${tax} no se aplica a un cliente del grupo ${typeClient}.`;
    problems.push({ line, campo: 'tax', mensaje });
  });
  if (!known.claves.has(draft.claveRegimen)) {
    problems.push({ line: -1, campo: 'claveRegimen', mensaje: 'Elige la clave de la lista.' });
  }
  const { totalCents } = computeTotals({
    items: factura.invoiceItems,
    groups: known.vatGroups,
    typeClient,
    claveRegimen: factura.claveRegimen,
    sign: signOf(factura),
  });
  const expected = control ? parsePlainDecimal(control, 2) : null;
  if (problems.length === 0 && expected !== null && !isNear(expected, totalCents)) {
    const mensaje = `No cuadra: las líneas suman ${centsToEs(totalCents)} € y aquí pone ${centsToEs(expected)} €.`;
    problems.push({ line: -1, campo: 'total', mensaje });
  }
  if (problems.length > 0) return { ok: false, problems };
  const before = imported.get(folded(draft.referencia));
  if (!before) return { ok: true, factura, customer, totalCents, accion: 'nuevo' };
  const isSame = before.contentHash === contentHash(factura);
  if (!isSame && !before.isDraft) {
    const mensaje = `La referencia ${draft.referencia} ya es de la ${before.docNo}, que está registrada y no es igual. Si es otra factura, usa otra referencia; si es la misma, quita sus filas.`;
    return { ok: false, problems: [{ line: -1, campo: 'referencia', mensaje }] };
  }
  const fate = isSame ? sameAs(before) : changeOf(before, factura);
  return { ok: true, factura, customer, totalCents, ...fate };
}

/** A credit may be written with or without its sign. */
function isNear(expected: bigint, total: bigint): boolean {
  const difference = absCents(expected) - absCents(total);
  return difference <= TOLERANCE && difference >= -TOLERANCE;
}

type Fate = Pick<JudgedInvoice, 'accion' | 'nota' | 'aviso'>;

function sameAs({ isDraft, docNo }: ImportedInvoice): Fate {
  const what = isDraft ? `es el borrador ${docNo}` : `está registrada: es la ${docNo}`;
  return { accion: 'igual', nota: `Ya la importaste${isDraft ? ':' : ' y'} ${what}.` };
}

/** A draft that a user has changed is left alone. In any case, another date or customer may mean another invoice. */
function changeOf(
  { docNo, isTouched, postingDate, customerNo }: ImportedInvoice,
  { invoiceDate, invoiceClient }: FacturaImportada,
): Fate {
  const others = [
    ...(postingDate === invoiceDate ? [] : [['otra fecha', fechaEs(postingDate)] as const]),
    ...(customerNo === invoiceClient ? [] : [['otro cliente', customerNo] as const]),
  ];
  const had = others.map(([what, was]) => (was ? `${what} (${was})` : what)).join(' y ');
  const fate = isTouched ? 'se queda como lo dejaste, sin lo que trae el archivo' : 'se cambia';
  const aviso = `Con su referencia ya hay un borrador con ${others.map(([what]) => what).join(' y ')}, que ${fate}. Si es otra factura, usa otra referencia.`;
  return {
    accion: isTouched ? 'igual' : 'actualizado',
    nota: isTouched
      ? `Ya la importaste y después cambiaste el borrador ${docNo}: se queda como lo dejaste.`
      : `Se cambia el borrador ${docNo}${had ? `: tenía ${had}` : ''}.`,
    ...(others.length > 0 && { aviso }),
  };
}

/** Hash of an invoice of a file, without the codes assigned when it is saved. */
export function contentHash(factura: FacturaImportada): string {
  const { invoiceDate, claveRegimen, invoiceToRectify, fechaOperacion, invoiceItems } = factura;
  const content = [
    tipoFacturaOf(factura),
    folded(factura.cliente),
    invoiceDate,
    claveRegimen,
    invoiceToRectify,
    fechaOperacion ?? '',
    ...invoiceItems.map((item) => [
      item.description,
      String(item.quantity),
      String(item.price),
      String(item.discount ?? ''),
      item.tax,
      item.productNo ?? '',
    ]),
  ];
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url');
}
