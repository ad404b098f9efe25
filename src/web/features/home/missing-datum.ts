import type { DatosEmpresa } from '../../../contract/company.ts';
import { checkNif } from '../../../domain/nif.ts';
import { checkPostalCode } from '../../../domain/postal-code.ts';

export interface MissingDatum {
  /** Its field in the profile. */
  readonly field: keyof DatosEmpresa;
  readonly note: string;
}

/**
 * The first of the company's data that its invoices need and that is missing; null when they are complete. A complete
 * invoice states the issuer's name, NIF and address (RD 1619/2012 art. 6.1.c to e); Facturae needs the town in a
 * separate field.
 */
export function missingDatum(company: DatosEmpresa): MissingDatum | null {
  return MISSING.find(({ field, isWell }) => !isWell(company[field] ?? '', company)) ?? null;
}

type Check = (text: string, company: DatosEmpresa) => boolean;

const isWritten: Check = (text) => text.trim() !== '';

const MISSING: readonly (MissingDatum & { readonly isWell: Check })[] = [
  { field: 'Name', note: 'Falta el nombre', isWell: isWritten },
  { field: 'VATRegistrationNo', note: 'Falta el NIF', isWell: (text) => checkNif(text).ok },
  { field: 'Address', note: 'Falta la dirección', isWell: isWritten },
  {
    field: 'postCode',
    note: 'Falta el código postal',
    isWell: (text, { countryCode }) => checkPostalCode(text, countryCode).ok,
  },
  { field: 'Municipio', note: 'Falta el municipio', isWell: isWritten },
];
