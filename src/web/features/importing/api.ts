import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type {
  ColumnasLeidas,
  Correspondencia,
  Importacion,
  ImportExcelAnswer,
  SaveDataAnswer,
} from '../../../contract/imports.ts';
import { fileFromBase64, saveFile } from '../../lib/download.ts';
import { http } from '../../lib/http.ts';
import { clientesQuery, productosQuery, templateExcelQuery } from '../../lib/queries.ts';

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const TEMPLATE_NAME = 'plantilla-importacion.xlsx';

/** A file and, if it belongs to another program, the meaning of its columns. */
export interface ChosenFile {
  readonly file: File;
  readonly columnas?: Correspondencia;
}

const formOf = ({ file, columnas }: ChosenFile) => ({
  File: file,
  Columnas: columnas && JSON.stringify(columnas),
});

/** Progress of the last import, requested again while it runs, so that returning users see it. */
export const importacionQuery = queryOptions({
  queryKey: ['importacion'],
  queryFn: ({ signal }) => http<Importacion>('/api/GetData/GetImportacion', { signal }),
  refetchInterval: ({ state }) => (state.data?.estado === 'guardando' ? 500 : false),
  staleTime: 0,
});

/** How much of the file has been read, requested while somebody waits for it. */
export const lecturaQuery = queryOptions({
  queryKey: ['importacion', 'lectura'],
  queryFn: ({ signal }) => http<Importacion>('/api/GetData/GetImportacion', { signal }),
  refetchInterval: 500,
  staleTime: 0,
  gcTime: 0,
});

/** Downloads the template, generated with the company's lists. */
export function useDownloadTemplate() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => client.fetchQuery(templateExcelQuery),
    onSuccess: (base64) => download(base64, TEMPLATE_NAME),
  });
}

/** Asks what importing a file would do. */
export function usePreview() {
  return useMutation({
    mutationFn: (chosen: ChosenFile) =>
      http<ImportExcelAnswer>('/api/PostData/ImportExcel', { form: formOf(chosen) }),
  });
}

/** Asks for a guess at the columns of another program's file. */
export function useColumns() {
  return useMutation({
    mutationFn: (file: File) =>
      http<ColumnasLeidas>('/api/PostData/LeerColumnas', { form: { File: file } }),
  });
}

/** Downloads the file's content in the template with its wrong cells commented: everything, or only wrong rows. */
export function useDownloadErrors() {
  return useMutation({
    mutationFn: ({ onlyWrong, ...chosen }: ChosenFile & { readonly onlyWrong: boolean }) =>
      http<string>('/api/PostData/ImportExcelErrores', {
        form: { ...formOf(chosen), SoloErrores: String(onlyWrong) },
      }),
    onSuccess: (base64, { file }) =>
      download(base64, file.name.replace(/(\.(xlsx|csv|txt))?$/i, '-errores.xlsx')),
  });
}

/** Saves the content of the file. Repeating it changes nothing, because the server knows what it has. */
export function useSaveData() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ clientes, items, facturas, importId }: ImportExcelAnswer) =>
      http<SaveDataAnswer>('/api/PostData/SaveData', {
        json: { Clientes: clientes, Items: items, Facturas: facturas, importId },
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
