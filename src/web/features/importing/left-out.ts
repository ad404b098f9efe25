import type {
  FilaImportar,
  ImportExcelAnswer,
  RecuentoImportar,
} from '../../../contract/imports.ts';

/** Whether importing the row would save anything, so that it may be left out. */
export const changes = ({ accion }: FilaImportar) => accion === 'nuevo' || accion === 'actualizado';

/** The rows that would change clients or products that are saved already. */
export function updatesIn({ clientes, items, filas }: ImportExcelAnswer): readonly FilaImportar[] {
  return savable(filas)
    .slice(0, clientes.length + items.length)
    .filter(({ accion }) => accion === 'actualizado');
}

/** The rows that are left out: those that the user left, and the invoices of clients among them. */
export function allLeft(
  filas: readonly FilaImportar[],
  left: ReadonlySet<FilaImportar>,
): ReadonlySet<FilaImportar> {
  return new Set(
    filas.filter((row) => {
      const client = clientOf(filas, row);
      return left.has(row) || (client !== undefined && left.has(client));
    }),
  );
}

/** The rows that the user leaves, after taking some in again. An invoice brings its client. */
export function takenIn(
  filas: readonly FilaImportar[],
  left: ReadonlySet<FilaImportar>,
  rows: readonly FilaImportar[],
): ReadonlySet<FilaImportar> {
  const taken = new Set(rows.flatMap((row) => [row, clientOf(filas, row)]));
  return new Set([...left].filter((row) => !taken.has(row)));
}

/** The preview without some of its rows. The three lists have the rows without errors, in their order. */
export function withoutRows(
  preview: ImportExcelAnswer,
  left: ReadonlySet<FilaImportar>,
): ImportExcelAnswer {
  const { clientes, items, facturas, filas } = preview;
  const rows = savable(filas);
  const stays = (before: number) => (_: unknown, index: number) => {
    const row = rows[before + index];
    return row === undefined || !left.has(row);
  };
  return {
    ...preview,
    clientes: clientes.filter(stays(0)),
    items: items.filter(stays(clientes.length)),
    facturas: facturas.filter(stays(clientes.length + items.length)),
  };
}

/** How many rows importing the preview would save. */
export function changesIn({ clientes, items, facturas }: ImportExcelAnswer): number {
  return [...clientes, ...items, ...facturas].filter(
    ({ accion }) => accion === 'nuevo' || accion === 'actualizado',
  ).length;
}

/** What becomes of the rows of a kind. */
export interface Outcomes extends RecuentoImportar {
  readonly fuera: number;
}

/** What becomes of all rows of a kind, when only some of them are saved. */
export function outcomesOf(
  all: RecuentoImportar,
  saved: readonly { readonly accion?: string | undefined }[],
): Outcomes {
  const nuevo = saved.filter(({ accion }) => accion === 'nuevo').length;
  const actualizado = saved.filter(({ accion }) => accion === 'actualizado').length;
  const fuera = all.nuevo + all.actualizado - nuevo - actualizado;
  return { ...all, nuevo, actualizado, fuera };
}

const savable = (filas: readonly FilaImportar[]) =>
  filas.filter(({ accion }) => accion !== 'erroneo');

/** The client of an invoice, if it is not saved yet. */
export const clientOf = (filas: readonly FilaImportar[], { cliente }: FilaImportar) =>
  cliente === undefined ? undefined : filas[cliente];
