import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Certificate, DatosEmpresa, DatosEmpresaCambiada } from '../../../contract/company.ts';
import { ApiError, errorMessages, http, UNEXPECTED_IN_PROFILE } from '../../lib/http.ts';
import {
  certificateQuery,
  clavesRegimenQuery,
  companyPictureQuery,
  conexionQuery,
  datosEmpresaQuery,
  grupoIvaQuery,
  proximosNumerosQuery,
  templateExcelQuery,
} from '../../lib/queries.ts';
import { replacingToken } from '../../lib/session.ts';
import { confirmingPassword } from '../../ui/confirming-password.tsx';
import { useErrorDialog } from '../../ui/error-dialog.tsx';

const post = <T>(
  call: string,
  body: { form?: Record<string, string | Blob>; json?: unknown; replacesToken?: boolean },
) => http<T>(`/api/PostData/${call}`, { method: 'POST', ...body });

/** Shows a refusal of the profile's calls, with their own fallback message. */
export function useShowError(): (error: unknown) => void {
  const errorDialog = useErrorDialog();
  return (error) => errorDialog.show(errorMessages(error, UNEXPECTED_IN_PROFILE));
}

/** The same for a form that shows refusals itself: cancelling the dialog counts as one. */
async function confirmed<T>(call: (password: string) => Promise<T>): Promise<T> {
  const answer = await confirmingPassword(call);
  if (answer === null) throw new ApiError(0, ['No se ha cambiado nada: falta tu contraseña.']);
  return answer;
}

export interface AccountChange {
  readonly email: string;
  /** Empty to keep the current one. */
  readonly password: string;
}

/**
 * Keeps the new token when the e-mail changed.
 *
 * @returns the answer; null when the user cancelled
 */
export function saveAccount({ email, password }: AccountChange) {
  return confirmingPassword((PasswordActual) =>
    replacingToken(() =>
      post<{ tokenJWT?: string }>('SetDatosEmpresa1', {
        form: { Email: email, Password: password, ...(PasswordActual && { PasswordActual }) },
        replacesToken: true,
      }),
    ),
  );
}

/** @throws {ApiError} with one sentence per rule that the password breaks */
export function checkPassword(email: string, password: string): Promise<unknown> {
  return http('/api/Auth/ValidacionPassword', { json: { Email: email, Password: password } });
}

/** @param base64 the image, or empty to remove it */
export function useSavePicture() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (base64: string) => post('SetCompanyPicture', { json: base64 }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: companyPictureQuery.queryKey }),
  });
}

export type CompanyFields = Pick<
  DatosEmpresa,
  'Name' | 'VATRegistrationNo' | 'Address' | 'countryCode' | 'postCode'
> & { readonly Municipio: string };

/** The company data on invoices. The NIF determines certificate and numbers; the place, taxes and template. */
export function useSaveCompany() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (form: CompanyFields) =>
      post<DatosEmpresaCambiada>('SetDatosEmpresa2', { form: { ...form } }),
    onSuccess: ({ message: _message, ...saved }) => {
      queryClient.setQueryData(datosEmpresaQuery.queryKey, saved);
      const ruled = [
        certificateQuery,
        grupoIvaQuery,
        clavesRegimenQuery,
        templateExcelQuery,
        proximosNumerosQuery,
      ];
      return Promise.all(ruled.map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })));
    },
  });
}

export type DefaultFields = Pick<
  DatosEmpresa,
  'PaymentTerms' | 'PaymentMethod' | 'CustomerPostingGroup' | 'Customer'
> &
  Readonly<
    Record<
      'IBAN' | 'Telefono' | 'RetencionPorDefecto' | 'ImpuestoPorDefecto' | 'DatosRegistrales',
      string
    >
  >;

export function useSaveDefaults() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (form: Partial<DefaultFields>) =>
      post<DatosEmpresa>('SetDatosEmpresa3', { form: { ...form } }),
    onSuccess: (saved) => queryClient.setQueryData(datosEmpresaQuery.queryKey, saved),
  });
}

export function useRestartCounter() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (NoSerie: string) =>
      confirmed((PasswordActual) =>
        post<DatosEmpresa>('reiniciarContador', {
          form: { NoSerie, ...(PasswordActual && { PasswordActual }) },
        }),
      ),
    onSuccess: (saved) => {
      queryClient.setQueryData(datosEmpresaQuery.queryKey, saved);
      return queryClient.invalidateQueries({ queryKey: proximosNumerosQuery.queryKey });
    },
  });
}

export interface CertificateFile {
  readonly file: File;
  readonly password: string;
}

export function useSaveCertificate() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ file, password }: CertificateFile) =>
      confirmed((PasswordActual) =>
        post<Certificate>('UpdateCertificate', {
          form: {
            Certificate: file,
            Password: password,
            ...(PasswordActual && { PasswordActual }),
          },
        }),
      ),
    onSuccess: (saved) => {
      queryClient.setQueryData(certificateQuery.queryKey, saved);
      return queryClient.invalidateQueries({ queryKey: conexionQuery.queryKey });
    },
  });
}

/** @returns null when the user cancelled */
export function deleteAccount() {
  return confirmingPassword((PasswordActual) =>
    post('DeleteAccount', PasswordActual ? { json: { PasswordActual } } : {}),
  );
}
