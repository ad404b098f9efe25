import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type {
  FacturaImportada,
  Importacion,
  SaveDataAnswer,
  SaveDataBody,
} from '../contract/imports.ts';
import type { Cliente } from '../contract/parties.ts';
import type { Deps } from '../deps.ts';
import { isBlank } from '../domain/blank.ts';
import { DomainError } from '../domain/errors.ts';
import { CustomerJudge, type FieldProblem } from '../import/judge-customers.ts';
import { contentHash, judgeInvoice } from '../import/judge-invoices.ts';
import { ProductJudge } from '../import/judge-products.ts';
import { byReference, type CustomerIndex, type Imported, type Known } from '../import/known.ts';
import { folded } from '../import/sheets.ts';
import { takeNumbers } from '../store/counters.ts';
import {
  endImportRun,
  findImported,
  findImportReading,
  findImportRun,
  freeCodes,
  type ImportRun,
  noteImportRun,
  openImportRun,
  refreshPlans,
  saveImported,
  saveImportedFile,
  takeImportTurn,
  writeCustomers,
  writeProducts,
} from '../store/imports.ts';
import { lockInvoices, saveInvoices, takeInvoiceIds } from '../store/invoices.ts';
import type { Product } from '../store/products.ts';
import type { Tx } from '../store/sql.ts';
import { companyOf } from './company-of.ts';
import { readKnown } from './import-known.ts';
import { readIssueContext } from './issue-context.ts';
import { type Keep, keepNothing } from './keep-answer.ts';
import { draftToSave } from './save-draft.ts';

/** Rows per statement, and invoices computed before other requests get their turn. */
const CHUNK = 500;
/** Most sentences in a refusal: nobody reads more. */
const MAX_SENTENCES = 50;

/**
 * Saves the content of a file, all of it or nothing: customers, products, and invoices as drafts.
 *
 * The preview is not trusted: everything is validated again against what the company has now. What already exists is
 * left as it is, so importing a file twice gives the same data. Imports of one company queue for each other, but hold
 * up nobody else: codes and draft numbers are taken beforehand, so that somebody who creates something need not wait
 * for the whole file. Progress is kept in a row of its own, for those who watch it or come back later.
 *
 * @throws {DomainError} BAD_REQUEST with a sentence per wrong row, UNAUTHORIZED when the account was closed meanwhile:
 *   nothing is saved
 */
export async function saveImport(
  deps: Deps,
  companyId: number,
  body: SaveDataBody,
  keep: Keep<SaveDataAnswer> = keepNothing,
): Promise<SaveDataAnswer> {
  const token = randomUUID();
  const total = body.Clientes.length + body.Items.length + body.Facturas.length;
  await openImportRun(deps.sql, companyId, { token, total, now: deps.clock() });
  const onProgress: OnProgress = (done) => {
    // Not awaited: reporting progress must not hold up the saving.
    noteImportRun(deps.sql, companyId, { token, done }).catch((error: unknown) => {
      deps.log.warn({ err: error, companyId }, 'how far an import came could not be noted');
    });
  };
  try {
    const numbers = await takeAhead(deps, companyId, body);
    const saved = await deps.sql.begin(async (tx) => {
      const result = await saveAll(tx, deps, companyId, { body, numbers, onProgress });
      await endImportRun(tx, companyId, token, { result });
      await keep(tx, result);
      return result;
    });
    deps.news.tell(companyId);
    return saved;
  } catch (error) {
    const message = error instanceof DomainError ? error.message : FAILED;
    await endImportRun(deps.sql, companyId, token, { message });
    throw error;
  }
}

const FAILED = 'No se guardó nada. Vuelve a intentarlo.';

/** How much of the company's file has been read, and the progress or result of its last import. */
export async function findImport(
  { sql }: Pick<Deps, 'sql'>,
  companyId: number,
): Promise<Importacion> {
  const [percent, run] = await Promise.all([
    findImportReading(sql, companyId),
    findImportRun(sql, companyId),
  ]);
  return { ...savingOf(run), ...(percent !== null && { leyendo: percent }) };
}

function savingOf(run: ImportRun | null): Importacion {
  if (!run) return { estado: 'ninguna', hechas: 0, total: 0 };
  const { done: hechas, total } = run;
  const empezada = run.startedAt.toISOString();
  if (run.isLost) {
    const mensaje = 'Se interrumpió antes de acabar y no se guardó nada. Sube el archivo de nuevo.';
    return { estado: 'fallida', hechas, total, mensaje, empezada };
  }
  return {
    estado: run.status,
    hechas,
    total,
    empezada,
    ...(run.result && { resultado: run.result }),
    ...(run.message && { mensaje: run.message }),
  };
}

/** Told how many rows have been written. */
type OnProgress = (done: number) => void;

/** Codes and draft numbers for the rows of a file. */
interface Numbers {
  readonly customers: readonly string[];
  readonly products: readonly string[];
  readonly drafts: readonly bigint[];
}

/**
 * Validates a file and takes codes and numbers for its new rows, each counter in a statement of its own. Some may
 * stay unused if data changes before the file is saved.
 *
 * @throws {DomainError} BAD_REQUEST with a sentence per wrong row: nothing is taken
 */
async function takeAhead(deps: Deps, companyId: number, body: SaveDataBody): Promise<Numbers> {
  const { sql } = deps;
  const { clientes, products, facturas } = await judgeAll(sql, deps, companyId, body);
  const fresh = facturas.filter(({ docNo }) => docNo === null).length;
  return {
    customers: await codesFor(sql, companyId, { table: 'customers', rows: clientes }),
    products: await codesFor(sql, companyId, { table: 'products', rows: products }),
    drafts: await draftNumbers(sql, companyId, fresh),
  };
}

async function draftNumbers(tx: Tx, companyId: number, count: number): Promise<bigint[]> {
  if (count === 0) return [];
  const first = await takeNumbers(tx, companyId, 'draft', count);
  return Array.from({ length: count }, (_, index) => first + BigInt(index));
}

interface ImportToSave {
  readonly body: SaveDataBody;
  readonly numbers: Numbers;
  readonly onProgress: OnProgress;
}

async function saveAll(
  tx: Tx,
  deps: Deps,
  companyId: number,
  { body, numbers, onProgress }: ImportToSave,
): Promise<SaveDataAnswer> {
  await takeImportTurn(tx, companyId);
  await companyOf({ sql: tx }, companyId); // It may have been closed meanwhile.
  const { clientes, products, facturas } = await judgeAll(tx, deps, companyId, body, numbers);
  await writeCustomers(tx, companyId, clientes);
  onProgress(body.Clientes.length);
  await giveCodes(tx, companyId, { table: 'products', rows: products, taken: numbers.products });
  await writeProducts(
    tx,
    companyId,
    products.map((product): Product => ({ ...product, no: product.No })),
  );
  const written = body.Clientes.length + body.Items.length;
  onProgress(written);
  await saveDrafts(tx, deps, companyId, facturas, {
    numbers: numbers.drafts,
    onProgress: (done) => onProgress(written + done),
  });
  if (body.importId) await saveImportedFile(tx, companyId, body.importId, deps.clock());
  return { clientes: clientes.length, items: products.length, facturas: facturas.length };
}

/**
 * What has to be written, given what the company has now.
 *
 * @param numbers codes for the new customers, so that their invoices can name them; without it they have none
 * @throws {DomainError} BAD_REQUEST with a sentence per wrong row
 */
async function judgeAll(
  tx: Tx,
  deps: Deps,
  companyId: number,
  body: SaveDataBody,
  numbers?: Numbers,
) {
  const { known } = await readKnown(tx, deps, companyId);
  const references = body.Facturas.map(({ referencia }) => folded(referencia));
  const imported = byReference(await findImported(tx, companyId, references));
  const wrong: string[] = [];

  const judge = new CustomerJudge(known);
  const clientes = await judgeCustomers(body, judge, wrong);
  const items = judgeProducts(body, new ProductJudge(known), wrong);
  if (numbers) {
    const taken = numbers.customers;
    await giveCodes(tx, companyId, { table: 'customers', rows: clientes, taken });
  }
  for (const customer of clientes) judge.all.add(customer);
  const facturas = await judgeInvoices(body, { known, imported }, judge.all, wrong);
  if (wrong.length > 0) throw new DomainError('BAD_REQUEST', wrong.slice(0, MAX_SENTENCES));
  return { clientes, products: items.map((item) => ({ ...item, No: item.no })), facturas };
}

/** The fields of a customer that a file can set; the others stay as they are. */
function valuesOf({
  fila: _fila,
  accion: _accion,
  tipoIdentificacion: _tipo,
  municipio = '',
  oficinaContable: _oficina,
  organoGestor: _organo,
  unidadTramitadora: _unidad,
  organoProponente: _proponente,
  ...values
}: SaveDataBody['Clientes'][number]) {
  return { ...values, municipio };
}

async function judgeCustomers(
  { Clientes }: SaveDataBody,
  judge: CustomerJudge,
  wrong: string[],
): Promise<Cliente[]> {
  const changed: Cliente[] = [];
  for (const [index, row] of Clientes.entries()) {
    if (index % CHUNK === 0) await setImmediate();
    const judged = judge.judge(valuesOf(row), row.fila);
    if (!judged.ok) wrong.push(...sentencesOf(row.Name, judged.problems));
    else if (judged.accion !== 'igual') changed.push({ ...judged.customer });
  }
  return changed;
}

function judgeProducts({ Items }: SaveDataBody, judge: ProductJudge, wrong: string[]): Product[] {
  return Items.flatMap((row) => {
    const { No, Name, UnitOfMeasure, UnitPrice, VATProdPostingGroup = '' } = row;
    const values = { No, Name, UnitOfMeasure, UnitPrice: String(UnitPrice), VATProdPostingGroup };
    const judged = judge.judge(values, row.fila);
    if (!judged.ok) wrong.push(...sentencesOf(row.Name, judged.problems));
    return judged.ok && judged.accion !== 'igual' ? [judged.product] : [];
  });
}

/** Each with the name of its row, unless it has none. */
function sentencesOf(name: string, problems: readonly FieldProblem[]): string[] {
  const named = isBlank(name) ? '' : `${name}: `;
  return problems.map(({ mensaje }) => named + mensaje);
}

interface InvoiceToImport {
  readonly factura: FacturaImportada;
  /** The draft of an earlier file that this row changes. */
  readonly docNo: string | null;
}

async function judgeInvoices(
  { Facturas }: SaveDataBody,
  { known, imported }: { readonly known: Known; readonly imported: Imported },
  customers: CustomerIndex,
  wrong: string[],
): Promise<InvoiceToImport[]> {
  const seen = new Set<string>();
  const changed: InvoiceToImport[] = [];
  for (const [index, row] of Facturas.entries()) {
    if (index % CHUNK === 0) await setImmediate();
    const { fila: _fila, accion: _accion, total: _total, ...draft } = row;
    const refuse = (mensaje: string) => wrong.push(`Factura ${row.referencia}: ${mensaje}`);
    const key = folded(row.referencia);
    if (seen.has(key)) refuse('la referencia está repetida.');
    seen.add(key);
    if (draft.invoiceDate > known.today) refuse('la fecha es futura.');
    const judged = judgeInvoice(draft, { known, customers, imported, control: '' });
    if (!judged.ok) {
      for (const { mensaje } of judged.problems) refuse(mensaje);
    } else if (judged.accion !== 'igual') {
      changed.push({ factura: judged.factura, docNo: imported.get(key)?.docNo ?? null });
    }
  }
  return changed;
}

interface RowsToName {
  readonly table: 'customers' | 'products';
  readonly rows: readonly { No: string }[];
  /** Codes that were taken for these rows beforehand. */
  readonly taken?: readonly string[];
}

/** Gives the next free codes to the rows that have none: `C00001`, `P00001`. */
async function giveCodes(tx: Tx, companyId: number, given: RowsToName): Promise<void> {
  const codes = await codesFor(tx, companyId, given);
  const without = given.rows.filter(({ No }) => No === '');
  for (const [index, row] of without.entries()) row.No = codes[index] ?? '';
}

/** A free code for each row that has none. */
function codesFor(tx: Tx, companyId: number, { table, rows, taken = [] }: RowsToName) {
  const except = new Set(rows.map(({ No }) => No));
  const count = rows.filter(({ No }) => No === '').length;
  return freeCodes(tx, companyId, { table, count, except, taken });
}

async function saveDrafts(
  tx: Tx,
  deps: Deps,
  companyId: number,
  invoices: readonly InvoiceToImport[],
  { numbers, onProgress }: { readonly numbers: readonly bigint[]; readonly onProgress: OnProgress },
): Promise<void> {
  if (invoices.length === 0) return;
  const context = await readIssueContext(
    tx,
    deps,
    companyId,
    invoices.map(({ factura }) => factura),
  );
  const fresh = invoices.filter(({ docNo }) => docNo === null).length;
  const ids = await takeInvoiceIds(tx, fresh);
  const lacking = Math.max(0, fresh - numbers.length);
  const free = [...numbers, ...(await draftNumbers(tx, companyId, lacking))];
  for (let from = 0; from < invoices.length; from += CHUNK) {
    await setImmediate();
    const chunk = invoices.slice(from, from + CHUNK);
    const saved = await lockInvoices(
      tx,
      companyId,
      chunk.flatMap(({ docNo }) => (docNo ? [docNo] : [])),
    );
    const rows = chunk.map(({ factura, docNo }) => {
      const before = docNo ? saved.get(docNo) : undefined;
      if (docNo && before?.status !== 'Borrador') {
        throw new DomainError(
          'CONFLICT',
          `El borrador ${docNo} acaba de cambiar. Sube el archivo de nuevo.`,
        );
      }
      const place = before ?? { id: ids.shift() as bigint, docNo: `B-${free.shift()}` };
      const { referencia, cliente: _cliente, total: _total, ...draft } = factura;
      const version = (before?.version ?? 0) + 1;
      return { referencia, factura, version, invoice: draftToSave(context, draft, place) };
    });
    await saveInvoices(
      tx,
      rows.map(({ invoice }) => invoice),
    );
    await saveImported(
      tx,
      companyId,
      rows.map(({ referencia, factura, invoice, version }) => ({
        referencia: folded(referencia),
        invoiceId: invoice.id,
        contentHash: contentHash(factura),
        version,
      })),
    );
    if (from === 0 && invoices.length > CHUNK) await refreshPlans(tx);
    onProgress(Math.min(from + CHUNK, invoices.length));
  }
}
