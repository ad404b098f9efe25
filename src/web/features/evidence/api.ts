import { useMutation, useQueryClient } from '@tanstack/react-query';
import type {
  ConciliarRegistrosAnswer,
  VerificarCadenaAnswer,
} from '../../../contract/evidence.ts';
import { saveFile } from '../../lib/download.ts';
import { http, httpFile } from '../../lib/http.ts';

/** Runs only when it is asked for: it reads everything that was ever registered. */
export function useVerifyCadena() {
  return useMutation({
    mutationFn: () => http<VerificarCadenaAnswer>('/api/GetData/VerificarCadena'),
  });
}

/** @returns the name under which the ZIP was saved */
export function useExportRegistros() {
  return useMutation({
    mutationFn: async (days: { readonly desde: string; readonly hasta: string }) => {
      const query = new URLSearchParams(Object.entries(days).filter(([, day]) => day !== ''));
      const { file, name } = await httpFile(`/api/GetData/ExportarRegistros?${query}`);
      const fileName = name ?? 'registros.zip';
      saveFile(file, fileName);
      return fileName;
    },
  });
}

/** @param mes `2026-11` */
export function useConciliar() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (mes: string) =>
      http<ConciliarRegistrosAnswer>('/api/PostData/ConciliarRegistros', {
        json: { Ejercicio: mes.slice(0, 4), Periodo: mes.slice(5) },
      }),
    // It may have stopped the registering, or let it go on: the panel says which.
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['invoices'] }),
  });
}
