import type { Option } from '../../../../contract/common.ts';
import type { Cliente } from '../../../../contract/parties.ts';
import type { CamposLeidos } from '../../../../contract/reading.ts';
import { checkNif } from '../../../../domain/nif.ts';
import { foreignNifIva } from '../../../../domain/nif-iva.ts';
import { proposedGroup } from '../../../ui/forms/customer-draft.ts';
import { addressRead, countryAtEnd } from './read-address.ts';

/**
 * A new client with what was read of it. Its country is that of its NIF-IVA or, without any NIF, the one that its
 * address ends with.
 *
 * @param blank a new client of the company
 * @param groups those of the company
 */
export function readCustomer(
  campos: CamposLeidos,
  blank: Cliente,
  groups: readonly Option[],
): Cliente {
  const address = campos.direccionCliente?.valor ?? '';
  const nif = campos.nifCliente?.valor ?? '';
  const abroad = foreignNifIva(nif)?.country ?? (checkNif(nif).ok ? null : countryAtEnd(address));
  const countryCode = abroad ?? blank.countryCode;
  const customer = {
    ...blank,
    Name: campos.nombreCliente?.valor ?? '',
    VATRegistrationNo: nif,
    ...addressRead(address, countryCode),
    countryCode,
  };
  return { ...customer, CustomerPostingGroup: proposedGroup(customer, groups) };
}
