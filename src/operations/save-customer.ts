import type { z } from 'zod';
import type { Cliente, ClienteBody, ClienteCambiado } from '../contract/parties.ts';
import type { Deps } from '../deps.ts';
import { checkCustomer, withTown } from '../domain/customer.ts';
import { DomainError } from '../domain/errors.ts';
import { withChange } from '../domain/with-change.ts';
import { customerChoices } from '../store/catalogs.ts';
import {
  insertCustomer,
  lockCustomer,
  nextCustomerNo,
  updateCustomer,
} from '../store/customers.ts';
import type { Tx } from '../store/sql.ts';
import { companyOf } from './company-of.ts';
import { type Keep, keepNothing } from './keep-answer.ts';

type Body = z.infer<typeof ClienteBody>;

/**
 * Creates a customer. Only the name is required; whatever else is given has to be valid. Payment and posting group
 * default to the company's own.
 *
 * @throws {DomainError} BAD_REQUEST with each wrong field; CONFLICT when the code is taken
 */
export async function createCustomer(
  deps: Pick<Deps, 'sql'>,
  companyId: number,
  body: Body,
  keep: Keep<Cliente> = keepNothing,
): Promise<Cliente> {
  const customer = await readCustomer(deps, companyId, body);
  return deps.sql.begin(async (tx) => {
    const No = customer.No || (await nextCustomerNo(tx, companyId));
    if (!(await insertCustomer(tx, companyId, { ...customer, No }))) {
      throw new DomainError('CONFLICT', `Ya existe un cliente con el código ${No}.`);
    }
    const made = { ...customer, No };
    await keep(tx, made);
    return made;
  });
}

/**
 * Changes the given fields of a customer. Of two changes at once, the later one is applied to the result of the
 * first.
 *
 * @throws {DomainError} BAD_REQUEST with each wrong field; NOT_FOUND
 */
export async function changeCustomer(
  deps: Pick<Deps, 'sql'>,
  companyId: number,
  change: z.infer<typeof ClienteCambiado>,
): Promise<Cliente> {
  return deps.sql.begin(async (tx) => {
    const saved = await lockCustomer(tx, companyId, change.No.trim());
    if (!saved) throw new DomainError('NOT_FOUND', 'El cliente no existe.');
    const changed = await readCustomer({ sql: tx }, companyId, withChange(saved, change));
    const customer = withTown(changed, saved, change.municipio);
    await updateCustomer(tx, companyId, customer);
    return customer;
  });
}

async function readCustomer(
  deps: { readonly sql: Tx },
  companyId: number,
  body: Body,
): Promise<Cliente> {
  const [company, choices] = await Promise.all([
    companyOf(deps, companyId),
    customerChoices(deps.sql, companyId),
  ]);
  const { customer, problems } = checkCustomer(
    {
      No: body.No.trim(),
      Name: body.Name.trim(),
      VATRegistrationNo: body.VATRegistrationNo.trim(),
      Address: body.Address.trim(),
      postCode: body.postCode.trim(),
      countryCode: body.countryCode || 'ES',
      Email: body.Email.trim(),
      PaymentMethod: body.PaymentMethod || company.paymentMethod,
      PaymentTerms: body.PaymentTerms || company.paymentTerms,
      CustomerPostingGroup: body.CustomerPostingGroup || company.customerPostingGroup,
      ...(body.tipoIdentificacion && { tipoIdentificacion: body.tipoIdentificacion }),
      ...given({
        municipio: body.municipio,
        oficinaContable: body.oficinaContable,
        organoGestor: body.organoGestor,
        unidadTramitadora: body.unidadTramitadora,
        organoProponente: body.organoProponente,
      }),
    },
    choices,
  );
  if (problems.length > 0) {
    throw new DomainError(
      'BAD_REQUEST',
      problems.map(({ mensaje }) => mensaje),
    );
  }
  return customer;
}

/** The fields that are not empty, trimmed. */
function given<Field extends string>(
  texts: Readonly<Record<Field, string | undefined>>,
): Partial<Record<Field, string>> {
  const kept = Object.entries<string | undefined>(texts).flatMap(([field, text = '']) =>
    text.trim() ? [[field, text.trim()]] : [],
  );
  return Object.fromEntries(kept);
}
