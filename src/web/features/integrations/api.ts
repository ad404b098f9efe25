import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type {
  BusinessCentral,
  BusinessCentralIva,
  BusinessCentralProblemas,
  ProbarBusinessCentral,
  SetBusinessCentralInput,
  SetBusinessCentralIvaBody,
} from '../../../contract/business-central.ts';
import type { Option } from '../../../contract/common.ts';
import { saveFile } from '../../lib/download.ts';
import { http, httpFile } from '../../lib/http.ts';
import { clientesQuery, productosQuery } from '../../lib/queries.ts';

const KEY = 'business-central';

const read = <T>(call: string) =>
  queryOptions({
    queryKey: [KEY, call],
    queryFn: ({ signal }) => http<T>(`/api/GetData/${call}`, { signal }),
    staleTime: 5_000,
  });

/** Polls while a synchronisation runs, and occasionally while the connection is on. */
export const businessCentralQuery = queryOptions({
  ...read<BusinessCentral>('GetBusinessCentral'),
  refetchInterval: ({ state: { data } }) =>
    data?.enMarcha ? 1_000 : data?.estado === 'activa' ? 15_000 : false,
});
export const ivaQuery = read<BusinessCentralIva>('GetBusinessCentralIVA');
export const problemasQuery = read<BusinessCentralProblemas>('GetBusinessCentralProblemas');

const post = <T>(call: string, json: unknown = {}) =>
  http<T>(`/api/PostData/${call}`, { method: 'POST', json });

/** State of the connection; when a run ends, all screens show what it imported. */
export function useBusinessCentral() {
  const client = useQueryClient();
  const query = useQuery(businessCentralQuery);
  const { data } = query;
  const now = data ? `${data.enMarcha?.id ?? ''} ${data.historial[0]?.acabada ?? ''}` : '';
  const before = useRef('');
  useEffect(() => {
    const isNews = before.current !== '' && now !== '' && before.current !== now;
    before.current = now;
    if (!isNews) return;
    for (const queryKey of [
      ivaQuery.queryKey,
      problemasQuery.queryKey,
      clientesQuery.queryKey,
      productosQuery.queryKey,
      ['invoices'],
    ]) {
      void client.invalidateQueries({ queryKey });
    }
  }, [client, now]);
  return query;
}

export type Access = Pick<
  SetBusinessCentralInput,
  'tenant' | 'entorno' | 'clientId' | 'clientSecret'
>;

export function useFindCompanies() {
  return useMutation({
    mutationFn: (access: Access) => post<Option[]>('BusinessCentralEmpresas', access),
  });
}

/** Calls that answer with the new state of the connection. */
function useChange<Body>(call: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Body) => post<BusinessCentral>(call, body),
    onSuccess: (state) => {
      client.setQueryData(businessCentralQuery.queryKey, state);
      return client.invalidateQueries({ queryKey: ivaQuery.queryKey });
    },
  });
}

export const useSaveConnection = () => useChange<SetBusinessCentralInput>('SetBusinessCentral');
export const useSwitchOn = () => useChange<{ verifactuApagado: boolean }>('ActivarBusinessCentral');
export const usePause = () => useChange<void>('PausarBusinessCentral');
export const useDisconnect = () => useChange<void>('DesconectarBusinessCentral');
export const useSync = () => useChange<{ reintentar: boolean }>('SincronizarBusinessCentral');

export function useTryConnection() {
  return useMutation({ mutationFn: () => post<ProbarBusinessCentral>('ProbarBusinessCentral') });
}

export function useSaveTaxes() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: SetBusinessCentralIvaBody) =>
      post<BusinessCentralIva>('SetBusinessCentralIVA', body),
    onSuccess: (codes) => {
      client.setQueryData(ivaQuery.queryKey, codes);
      return client.invalidateQueries({ queryKey: businessCentralQuery.queryKey });
    },
  });
}

export function useDownloadCsv() {
  return useMutation({
    mutationFn: async () => {
      const { file, name } = await httpFile('/api/GetData/BusinessCentralCSV');
      saveFile(file, name ?? 'business-central.csv');
    },
  });
}

interface TestAccess {
  readonly tenant: string;
  readonly clientId: string;
  readonly secreto: string;
}

/** Only with simulators: credentials to try it with. */
export function useTestAccess() {
  return useMutation({
    mutationFn: () => http<TestAccess>('/desarrollo/business-central/acceso'),
  });
}
