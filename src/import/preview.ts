import type {
  ErrorImportar,
  FilaImportar,
  ImportExcelAnswer,
  RecuentoImportar,
} from '../contract/imports.ts';
import { centsToEs, centsToNumber } from '../domain/money.ts';
import { CustomerJudge } from './judge-customers.ts';
import { invoiceFromRows, invoicesOf, judgeInvoice, rowProblems } from './judge-invoices.ts';
import { ProductJudge } from './judge-products.ts';
import type { Known } from './known.ts';
import {
  type CellProblem,
  cellProblem,
  type FileRow,
  type ReadFile,
  readFile,
} from './read-file.ts';
import { CLIENTES, FACTURAS, folded, type Lists, PRODUCTOS } from './sheets.ts';
import { type FilledSheet, makeTemplate } from './template.ts';

/**
 * What importing a file would do, row by row. Nothing is saved.
 *
 * @throws {BadFileError} for a file that cannot be imported at all
 */
export async function previewFile(
  file: Uint8Array,
  lists: Lists,
  known: Known,
): Promise<ImportExcelAnswer> {
  return judgeFile(await readFile(file, lists), known);
}

/**
 * The same file with its wrong cells marked and commented, to be mended and uploaded again.
 *
 * @throws {BadFileError}
 */
export async function commentFile(
  file: Uint8Array,
  lists: Lists,
  known: Known,
): Promise<Uint8Array> {
  const read = await readFile(file, lists);
  const { errores } = judgeFile(read, known);
  const sheets: [string, readonly FileRow[]][] = [
    [CLIENTES.name, read.clientes],
    [PRODUCTOS.name, read.items],
    [FACTURAS.name, read.facturas],
  ];
  const filled = sheets.map(([name, rows]): [string, FilledSheet] => [
    name,
    { rows: rows.map(({ shown }) => shown), comments: commentsOf(name, rows, errores) },
  ]);
  return makeTemplate(lists, new Map(filled));
}

function commentsOf(
  name: string,
  rows: readonly FileRow[],
  errores: readonly ErrorImportar[],
): Map<string, string> {
  const places = new Map(rows.map(({ fila }, index) => [fila, index]));
  const comments = new Map<string, string>();
  for (const { hoja, fila, celda, mensaje } of errores) {
    const row = places.get(fila);
    if (hoja !== name || row === undefined) continue;
    const key = `${row},${celda.charCodeAt(0) - 65}`;
    comments.set(key, [comments.get(key), mensaje].filter(Boolean).join(' '));
  }
  return comments;
}

function judgeFile(read: ReadFile, known: Known): ImportExcelAnswer {
  const errores: ErrorImportar[] = [];
  const filas: FilaImportar[] = [];
  const customers = new CustomerJudge(known);
  const clientes = judgeCustomers(read.clientes, customers, { errores, filas });
  const items = judgeItems(read.items, new ProductJudge(known), { errores, filas });
  const facturas = judgeInvoices(read.facturas, known, customers, { errores, filas });
  return {
    clientes,
    items,
    facturas,
    errores,
    filas,
    resumen: {
      clientes: countOf(filas, CLIENTES.name),
      items: countOf(filas, PRODUCTOS.name),
      facturas: countOf(filas, FACTURAS.name),
    },
  };
}

interface Found {
  readonly errores: ErrorImportar[];
  readonly filas: FilaImportar[];
}

function judgeCustomers(
  rows: readonly FileRow[],
  judge: CustomerJudge,
  { errores, filas }: Found,
): ImportExcelAnswer['clientes'] {
  return rows.flatMap((row) => {
    const place = { hoja: CLIENTES.name, fila: row.fila };
    const title = {
      clave: row.values.VATRegistrationNo || row.values.No || '',
      nombre: row.values.Name ?? '',
    };
    const judged = row.problems.length > 0 ? null : judge.judge(row.values);
    if (judged?.ok) {
      const { customer, accion } = judged;
      filas.push({ ...place, ...title, accion });
      return [{ ...customer, fila: row.fila, accion }];
    }
    const problems = judged
      ? judged.problems.map(({ campo, mensaje }) => cellProblem(CLIENTES, row, campo, mensaje))
      : row.problems;
    refuse(problems, { ...place, ...title }, { errores, filas });
    return [];
  });
}

function judgeItems(
  rows: readonly FileRow[],
  judge: ProductJudge,
  { errores, filas }: Found,
): ImportExcelAnswer['items'] {
  return rows.flatMap((row) => {
    const place = { hoja: PRODUCTOS.name, fila: row.fila };
    const title = { clave: row.values.No ?? '', nombre: row.values.Name ?? '' };
    const judged = row.problems.length > 0 ? null : judge.judge(row.values);
    if (judged?.ok) {
      const { product, accion } = judged;
      filas.push({ ...place, ...title, accion });
      return [
        {
          No: product.no,
          Name: product.name,
          UnitOfMeasure: product.unitOfMeasure,
          UnitPrice: Number(product.unitPrice),
          fila: row.fila,
          accion,
        },
      ];
    }
    const problems = judged
      ? judged.problems.map(({ campo, mensaje }) => cellProblem(PRODUCTOS, row, campo, mensaje))
      : row.problems;
    refuse(problems, { ...place, ...title }, { errores, filas });
    return [];
  });
}

function judgeInvoices(
  rows: readonly FileRow[],
  known: Known,
  customers: CustomerJudge,
  { errores, filas }: Found,
): ImportExcelAnswer['facturas'] {
  const imported = new Map(known.imported.map((one) => [folded(one.referencia), one]));
  return invoicesOf(rows).flatMap((lines) => {
    const first = lines[0] as FileRow;
    const { referencia = '', cliente = '' } = first.values;
    const title = {
      hoja: FACTURAS.name,
      fila: first.fila,
      clave: referencia,
      nombre: customers.all.named(cliente)?.Name ?? cliente,
    };
    const wrong = [
      ...lines.flatMap(({ problems }) => problems),
      ...(lines.every(({ problems }) => problems.length === 0) ? rowProblems(lines, known) : []),
    ];
    if (wrong.length > 0) {
      refuse(wrong, title, { errores, filas });
      return [];
    }
    const control = lines.find(({ values }) => values.total)?.values.total ?? '';
    const draft = invoiceFromRows(lines);
    const judged = judgeInvoice(draft, { known, customers: customers.all, imported, control });
    if (!judged.ok) {
      const problems = judged.problems.map(({ line, campo, mensaje }) =>
        cellProblem(FACTURAS, lines[line] ?? first, campo, mensaje),
      );
      refuse(problems, title, { errores, filas });
      return [];
    }
    const { factura, accion, totalCents, nota } = judged;
    const described = nota ?? `${lineCount(lines.length)}, ${centsToEs(totalCents)} €`;
    filas.push({ ...title, accion, nota: described });
    return [{ ...factura, total: centsToNumber(totalCents), accion }];
  });
}

function lineCount(count: number): string {
  return count === 1 ? '1 línea' : `${count} líneas`;
}

function refuse(
  problems: readonly CellProblem[],
  title: Omit<FilaImportar, 'accion' | 'nota'>,
  { errores, filas }: Found,
): void {
  errores.push(...problems);
  filas.push({ ...title, accion: 'erroneo', nota: problems[0]?.mensaje ?? '' });
}

function countOf(filas: readonly FilaImportar[], hoja: string): RecuentoImportar {
  const count: RecuentoImportar = { nuevo: 0, actualizado: 0, igual: 0, erroneo: 0 };
  for (const fila of filas) if (fila.hoja === hoja) count[fila.accion] += 1;
  return count;
}
