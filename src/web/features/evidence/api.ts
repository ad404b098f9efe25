import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type {
  ConciliarRegistrosAnswer,
  ConciliarRegistrosPaso,
  NuevaInstalacionAnswer,
  VerificarCadenaAnswer,
  VerificarCadenaPaso,
} from '../../../contract/evidence.ts';
import { saveFile } from '../../lib/download.ts';
import { ApiError, http, httpFile, httpLines } from '../../lib/http.ts';
import { zipNames } from '../../lib/zip-names.ts';
import { confirmingPassword } from '../../ui/confirming-password.tsx';
import { exportedCounter } from './exported.ts';
import { useLongCall } from './use-long-call.ts';

/** Runs only on request, because it reads everything that was ever registered. */
export function useVerifyCadena() {
  const [paso, setPaso] = useState<VerificarCadenaPaso | null>(null);
  const underWay = useRef<AbortController | null>(null);
  const cancel = useCallback(() => underWay.current?.abort(), []);
  useEffect(() => cancel, [cancel]); // Stopped when the user leaves the page.
  const verify = useMutation({
    mutationFn: async (): Promise<VerificarCadenaAnswer | null> => {
      const controller = new AbortController();
      underWay.current = controller;
      setPaso(null);
      let last: VerificarCadenaPaso | null = null;
      try {
        await httpLines<VerificarCadenaPaso>(
          '/api/GetData/VerificarCadena',
          (line) => {
            last = line;
            setPaso(line);
          },
          { signal: controller.signal },
        );
      } catch (error) {
        if (controller.signal.aborted) return null;
        throw error;
      }
      return resultOf<VerificarCadenaAnswer>(last);
    },
  });
  return { ...verify, paso, cancel };
}

/** @throws {ApiError} when the answer ended before its last line, or that one says why there is no result */
function resultOf<Answer>(
  last: { readonly resultado?: Answer; readonly message?: string } | null,
): Answer {
  if (last?.message !== undefined) throw new ApiError(503, [last.message]);
  if (!last?.resultado) throw new ApiError(0, []);
  return last.resultado;
}

/** The AEAT may have more invoices than we do. */
const mostOf = ({ facturas, total }: ConciliarRegistrosPaso) => Math.max(facturas, total);

/** Says in `data` the name under which the ZIP was saved. */
export function useExportRegistros() {
  return useLongCall(
    'ExportarRegistros',
    async (days: { readonly desde: string; readonly hasta: string }, { onCount, signal }) => {
      const query = new URLSearchParams(Object.entries(days).filter(([, day]) => day !== ''));
      let [total, isEmpty] = [0, false];
      const readNames = zipNames(exportedCounter((done) => total > 0 && onCount({ done, total })));
      const { file, name } = await httpFile(`/api/GetData/ExportarRegistros?${query}`, {
        signal,
        onPiece: (piece, { headers }) => {
          total = Number(headers.get('X-Registros')) || 0;
          isEmpty = headers.get('X-Registros') === '0';
          readNames(piece);
        },
      });
      if (isEmpty) throw new ApiError(404, ['No hay ningún registro entre esas fechas.']);
      const fileName = name ?? 'registros.zip';
      saveFile(file, fileName);
      return fileName;
    },
  );
}

/** @param mes `2026-11` */
export function useConciliar() {
  const queryClient = useQueryClient();
  return useLongCall('ConciliarRegistros', async (mes: string, { onCount, signal }) => {
    let last: ConciliarRegistrosPaso | null = null;
    await httpLines<ConciliarRegistrosPaso>(
      '/api/PostData/ConciliarRegistros',
      (line) => {
        last = line;
        if (line.facturas > 0) onCount({ done: line.facturas, total: mostOf(line) });
      },
      { json: { Ejercicio: mes.slice(0, 4), Periodo: mes.slice(5) }, signal },
    );
    // It may have stopped or resumed registering, which the panel shows.
    void queryClient.invalidateQueries({ queryKey: ['invoices'] });
    return resultOf<ConciliarRegistrosAnswer>(last);
  });
}

/** @returns null when the user cancelled the password dialog */
export function useNewInstallation() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () =>
      confirmingPassword((PasswordActual) =>
        http<NuevaInstalacionAnswer>('/api/PostData/NuevaInstalacion', {
          json: { ...(PasswordActual && { PasswordActual }) },
        }),
      ),
    onSuccess: () => queryClient.invalidateQueries(),
  });
}
