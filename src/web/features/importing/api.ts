import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ImportExcelAnswer, SaveDataAnswer } from '../../../contract/imports.ts';
import { fileFromBase64, saveFile } from '../../lib/download.ts';
import { http } from '../../lib/http.ts';
import { clientesQuery, productosQuery, templateExcelQuery } from '../../lib/queries.ts';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
export const TEMPLATE_NAME = 'plantilla-importacion.xlsx';

/** Saves the template, as the server makes it with the company's lists. */
export function useDownloadTemplate() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => client.fetchQuery(templateExcelQuery),
    onSuccess: (base64) => download(base64, TEMPLATE_NAME),
  });
}

/** Asks what a file would do. */
export function usePreview() {
  return useMutation({
    mutationFn: (file: File) =>
      http<ImportExcelAnswer>('/api/PostData/ImportExcel', { form: { File: file } }),
  });
}

/** Saves the same file with its wrong cells commented. */
export function useDownloadErrors() {
  return useMutation({
    mutationFn: (file: File) =>
      http<string>('/api/PostData/ImportExcelErrores', { form: { File: file } }),
    onSuccess: (base64, file) =>
      download(base64, file.name.replace(/(\.xlsx)?$/i, '-errores.xlsx')),
  });
}

/** Saves what the file brought. Repeated, it is the same data: the server knows what it has. */
export function useSaveData() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ clientes, items, facturas }: ImportExcelAnswer) =>
      http<SaveDataAnswer>('/api/PostData/SaveData', {
        json: { Clientes: clientes, Items: items, Facturas: facturas },
      }),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: clientesQuery.queryKey }),
        client.invalidateQueries({ queryKey: productosQuery.queryKey }),
        client.invalidateQueries({ queryKey: ['invoices'] }),
      ]),
  });
}

function download(base64: string, name: string): void {
  const file = fileFromBase64(base64, XLSX);
  if (file) saveFile(file, name);
}
