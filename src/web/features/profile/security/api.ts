import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type {
  CodigosRecuperacion,
  EventosSeguridad,
  SegundoFactor,
  SegundoFactorPreparado,
  Sesion,
} from '../../../../contract/security.ts';
import { http } from '../../../lib/http.ts';
import { confirmingPassword } from '../../../ui/confirming-password.tsx';

export const sesionesQuery = queryOptions({
  queryKey: ['GetSesiones'],
  queryFn: ({ signal }) => http<Sesion[]>('/api/GetData/GetSesiones', { signal }),
});

export const segundoFactorQuery = queryOptions({
  queryKey: ['GetSegundoFactor'],
  queryFn: ({ signal }) => http<SegundoFactor>('/api/GetData/GetSegundoFactor', { signal }),
});

export type ParteActividad = 'todo' | 'cuenta' | 'facturas';

export const eventosQuery = (page: number, parte: ParteActividad) =>
  queryOptions({
    queryKey: ['GetEventosSeguridad', parte, page],
    queryFn: ({ signal }) =>
      http<EventosSeguridad>(`/api/GetData/GetEventosSeguridad?page=${page}&parte=${parte}`, {
        signal,
      }),
  });

const post = <T>(call: string, json: object = {}) => http<T>(`/api/PostData/${call}`, { json });
const withPassword = <T>(call: string) =>
  confirmingPassword((PasswordActual) => post<T>(call, PasswordActual ? { PasswordActual } : {}));

/** @returns null when the user cancelled */
export const prepareSecondFactor = () =>
  withPassword<SegundoFactorPreparado>('PrepararSegundoFactor');

/** The other parts of the section show what these calls change. */
function useSecurityCall<Answer, Given = void>(mutationFn: (given: Given) => Promise<Answer>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: () =>
      Promise.all(
        [segundoFactorQuery.queryKey, sesionesQuery.queryKey, ['GetEventosSeguridad']].map(
          (queryKey) => queryClient.invalidateQueries({ queryKey }),
        ),
      ),
  });
}

export const useActivate = () =>
  useSecurityCall((Codigo: string) =>
    post<CodigosRecuperacion>('ActivarSegundoFactor', { Codigo }),
  );
export const useDeactivate = () =>
  useSecurityCall(() => withPassword<object>('DesactivarSegundoFactor'));
export const useRenewCodes = () =>
  useSecurityCall(() => withPassword<CodigosRecuperacion>('RenovarCodigos'));
export const useCloseOthers = () =>
  useSecurityCall(() => post<{ cerradas: number }>('CerrarSesiones'));
