import { isBlank } from '../../../domain/blank.ts';
import { checkNif } from '../../../domain/nif.ts';
import { notPrinted } from '../../../domain/paper/text.ts';
import { checkPostalCode, territoryOf } from '../../../domain/postal-code.ts';
import type { CompanyFields } from './api.ts';

export type CompanyErrors = Partial<Record<keyof CompanyFields, string>>;

const MISSING: Readonly<Record<'Name' | 'Address', string>> = {
  Name: 'Escribe el nombre de la empresa.',
  Address: 'Escribe la dirección de la empresa.',
};

/** Errors in the company data that invoices show. */
export function companyErrors(draft: CompanyFields): CompanyErrors {
  const nif = checkNif(draft.VATRegistrationNo);
  const postCode = checkPostalCode(draft.postCode, draft.countryCode);
  return {
    ...(isBlank(draft.Name) && { Name: MISSING.Name }),
    ...(!nif.ok && { VATRegistrationNo: nif.mensaje }),
    ...(isBlank(draft.Address) && { Address: MISSING.Address }),
    ...(!postCode.ok && { postCode: postCode.mensaje }),
  };
}

/** What is unusual about a NIF that may be valid all the same. */
export function nifNotice({ VATRegistrationNo }: CompanyFields): string | undefined {
  const nif = checkNif(VATRegistrationNo);
  return nif.ok ? nif.aviso : undefined;
}

const PRINTED = {
  Name: 'El nombre de la empresa',
  Address: 'La dirección de la empresa',
  Municipio: 'El municipio de la empresa',
};

/** What of a text is not printed as it is written. */
export function printNotice(draft: CompanyFields, field: keyof typeof PRINTED): string | null {
  return notPrinted(PRINTED[field], draft[field]);
}

/** As stored and sent: trimmed, the NIF in its nine characters and the postal code without spaces. */
export function normalizedCompany(draft: CompanyFields): CompanyFields {
  const nif = checkNif(draft.VATRegistrationNo);
  const postCode = checkPostalCode(draft.postCode, draft.countryCode);
  return {
    Name: draft.Name.trim(),
    VATRegistrationNo: nif.ok ? nif.nif : draft.VATRegistrationNo.trim(),
    Address: draft.Address.trim(),
    countryCode: draft.countryCode,
    postCode: postCode.ok ? postCode.postCode : draft.postCode.trim(),
    Municipio: draft.Municipio.trim(),
  };
}

/** Consequences of the company's location, if it is a special one. */
export function territoryNotice({ countryCode, postCode }: CompanyFields): string | undefined {
  if (countryCode !== 'ES') return undefined;
  switch (territoryOf(postCode.trim())) {
    case 'foral':
      return 'En el País Vasco y Navarra rige otro sistema (TicketBAI, Batuz, NaTicket): VERI*FACTU no te sirve si tu domicilio fiscal es ese.';
    case 'canarias':
      return 'En Canarias facturas con IGIC: tus tipos de impuesto serán los suyos.';
    case 'ceuta-melilla':
      return 'En Ceuta y Melilla facturas con IPSI: tus tipos de impuesto serán los suyos.';
    case 'peninsula':
      return undefined;
  }
}
