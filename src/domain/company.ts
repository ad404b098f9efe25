import { isBlank } from './blank.ts';
import { paisOf } from './catalogs/catalogs.ts';
import { lengthOf } from './cut.ts';
import { checkNif } from './nif.ts';
import { checkPostalCode } from './postal-code.ts';

/** The company data that invoices carry. */
export interface CompanyData {
  readonly name: string;
  readonly nif: string;
  readonly address: string;
  readonly postCode: string;
  readonly countryCode: string;
}

/** Maximum length of `NombreRazon` in a registro, in characters as the schema counts them: an emoji is one. */
const MAX_NAME = 120;

/** The entry in the Registro Mercantil: two lines at the foot of invoices. */
export const MAX_REGISTRY_DATA = 150;

/** Checks company data as typed by its owner, and returns it as it is saved. */
export function checkCompanyData(typed: CompanyData): {
  readonly company: CompanyData;
  readonly sentences: readonly string[];
} {
  const nif = checkNif(typed.nif);
  const postCode = checkPostalCode(typed.postCode, typed.countryCode);
  const name = typed.name.trim();
  const address = typed.address.trim();
  return {
    company: {
      name,
      nif: nif.ok ? nif.nif : typed.nif,
      address,
      postCode: postCode.ok ? postCode.postCode : typed.postCode,
      countryCode: typed.countryCode,
    },
    sentences: [
      ...(isBlank(name) ? ['Escribe el nombre de la empresa.'] : []),
      ...(lengthOf(name) > MAX_NAME
        ? [`El nombre de la empresa no puede pasar de ${MAX_NAME} caracteres.`]
        : []),
      ...(nif.ok ? [] : [nif.mensaje]),
      ...(isBlank(address) ? ['Escribe la dirección de la empresa.'] : []),
      ...(paisOf(typed.countryCode) ? [] : ['Elige el país de la lista.']),
      ...(postCode.ok ? [] : [postCode.mensaje]),
    ],
  };
}
