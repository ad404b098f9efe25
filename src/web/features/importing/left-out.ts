import type { FilaImportar, ImportExcelAnswer } from '../../../contract/imports.ts';

/** Whether importing the row would save anything, so that it may be left out. */
export const changes = ({ accion }: FilaImportar) => accion === 'nuevo' || accion === 'actualizado';

/** The preview without some of its rows. The three lists have the rows without errors, in their order. */
export function withoutRows(
  preview: ImportExcelAnswer,
  left: ReadonlySet<FilaImportar>,
): ImportExcelAnswer {
  const { clientes, items, facturas, filas } = preview;
  const rows = filas.filter(({ accion }) => accion !== 'erroneo');
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

/** Leaves out changes to saved data. An invoice still finds its customer. */
export function withoutUpdates(preview: ImportExcelAnswer): ImportExcelAnswer {
  const stays = ({ accion }: { readonly accion?: string | undefined }) => accion !== 'actualizado';
  return {
    ...preview,
    clientes: preview.clientes.filter(stays),
    items: preview.items.filter(stays),
  };
}

/** How many rows importing the preview would save. */
export function changesIn({ clientes, items, facturas }: ImportExcelAnswer): number {
  return [...clientes, ...items, ...facturas].filter(
    ({ accion }) => accion === 'nuevo' || accion === 'actualizado',
  ).length;
}
