import { queryOptions } from '@tanstack/react-query';
import type { SetFacturasAnswer } from '../../../../contract/invoices.ts';
import type {
  ExtraerFacturaAnswer,
  LecturaAnswer,
  SubidasAnswer,
} from '../../../../contract/reading.ts';
import { saveFile } from '../../../lib/download.ts';
import { http, httpFile } from '../../../lib/http.ts';

/** What the server reads from a file. It takes from one second to a minute. */
export function extraerFactura(file: File): Promise<ExtraerFacturaAnswer> {
  return http<ExtraerFacturaAnswer>('/api/PostData/ExtraerFactura', { form: { File: file } });
}

/**
 * Saves what was read as a draft, with its original.
 *
 * @returns the name of the draft
 */
export async function saveReading(
  { borrador, archivo }: ExtraerFacturaAnswer,
  idempotencyKey: string,
): Promise<string> {
  const { Status: _status, version: _version, ErrorMessage: _message, ...draft } = borrador;
  const answer = await http<SetFacturasAnswer>('/api/PostData/SetFacturas', {
    json: { ...draft, accionFactura: 0, archivo },
    idempotencyKey,
  });
  return answer.DocNo;
}

/** What was read from an original, for reopening its draft. */
export function getLectura(archivo: string): Promise<LecturaAnswer> {
  return http<LecturaAnswer>(`/api/GetData/GetLectura?archivo=${archivo}`);
}

/** Drafts made from a file that wait for the user, whichever browser uploaded them. */
export const subidasQuery = queryOptions({
  // Whatever changes the lists of invoices changes this one too.
  queryKey: ['invoices', 'subidas'],
  queryFn: ({ signal }) => http<SubidasAnswer>('/api/GetData/GetSubidas', { signal }),
});

/** A page of an original as a picture. @param pagina from 1 */
export function paginaQuery(archivo: string, pagina: number) {
  return queryOptions({
    queryKey: ['GetPaginaLeida', archivo, pagina],
    queryFn: async ({ signal }) => {
      const path = `/api/GetData/GetPaginaLeida?archivo=${archivo}&pagina=${pagina}`;
      return (await httpFile(path, { signal, accept: 'image/webp' })).file;
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
}

/**
 * Downloads the file from which an invoice was read, as it was uploaded.
 *
 * @throws {ApiError}
 */
export async function downloadOriginal(No: string, name: string): Promise<void> {
  const { file } = await httpFile('/api/PostData/GetOriginal', {
    json: { No },
    accept: 'application/octet-stream',
  });
  saveFile(file, name);
}
