import { isBlank } from '../../../domain/blank.ts';
import { checkNif } from '../../../domain/nif.ts';
import { checkPostalCode } from '../../../domain/postal-code.ts';
import type { SignUpData } from './sign-up-data.ts';

export type CompanyField =
  | 'password'
  | 'fullName'
  | 'cifNif'
  | 'address'
  | 'postCode'
  | 'countryCode';

/** Length of a complete NIF: a shorter one is not an error while it is being typed. */
export const NIF_LENGTH = 9;

/** What prevents leaving the second step, by field. Empty if nothing does. */
export function companyErrors(
  data: SignUpData,
  { askPassword }: { readonly askPassword: boolean },
): Partial<Record<CompanyField, string>> {
  const nif = checkNif(data.cifNif);
  const postCode = checkPostalCode(data.postCode, data.countryCode);
  return {
    ...(askPassword && !data.password ? { password: 'Escribe tu contraseña.' } : {}),
    ...(isBlank(data.fullName) ? { fullName: 'Escribe el nombre de tu empresa.' } : {}),
    ...(nif.ok ? {} : { cifNif: nif.mensaje }),
    ...(isBlank(data.address) ? { address: 'Escribe la dirección de tu empresa.' } : {}),
    ...(postCode.ok ? {} : { postCode: postCodeError(data.postCode, postCode.mensaje) }),
    ...(data.countryCode ? {} : { countryCode: 'Elige un país.' }),
  };
}

const postCodeError = (postCode: string, mensaje: string) =>
  postCode.trim() === '' ? 'Escribe el código postal.' : mensaje;
