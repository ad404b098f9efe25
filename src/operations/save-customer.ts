import type { z } from 'zod';
import type { Cliente, ClienteBody } from '../contract/parties.ts';
import type { Deps } from '../deps.ts';
import { paisOf } from '../domain/catalogs/catalogs.ts';
import { checkEmail } from '../domain/email.ts';
import { DomainError } from '../domain/errors.ts';
import { checkNif } from '../domain/nif.ts';
import { checkNifIva } from '../domain/nif-iva.ts';
import { checkPostalCode } from '../domain/postal-code.ts';
import { findCatalog } from '../store/catalogs.ts';
import { insertCustomer, nextCustomerNo, updateCustomer } from '../store/customers.ts';
import type { Tx } from '../store/sql.ts';
import { companyOf } from './change-account.ts';

type Body = z.infer<typeof ClienteBody>;

/** `NombreRazon` of the AEAT, and the longest identification it takes (IDOtro). */
const MAX_NAME = 120;
const MAX_ID = 20;

/**
 * Creates a customer. Only the name is asked for; what is given has to be right. Payment and posting
 * group start as the company's own.
 *
 * @throws {DomainError} BAD_REQUEST with each wrong field; CONFLICT when the code is taken
 */
export async function createCustomer(
  deps: Pick<Deps, 'sql'>,
  companyId: number,
  body: Body,
): Promise<Cliente> {
  const customer = await readCustomer(deps, companyId, body);
  return deps.sql.begin(async (tx) => {
    const No = customer.No || (await nextCustomerNo(tx, companyId));
    if (!(await insertCustomer(tx, companyId, { ...customer, No }))) {
      throw new DomainError('CONFLICT', `Ya existe un cliente con el código ${No}.`);
    }
    return { ...customer, No };
  });
}

/** @throws {DomainError} BAD_REQUEST with each wrong field; NOT_FOUND */
export async function changeCustomer(
  deps: Pick<Deps, 'sql'>,
  companyId: number,
  body: Body,
): Promise<Cliente> {
  const customer = await readCustomer(deps, companyId, body);
  if (!(await updateCustomer(deps.sql, companyId, customer))) {
    throw new DomainError('NOT_FOUND', 'El cliente no existe.');
  }
  return customer;
}

async function readCustomer(
  deps: Pick<Deps, 'sql'>,
  companyId: number,
  body: Body,
): Promise<Cliente> {
  const company = await companyOf(deps, companyId);
  const typed = {
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
  };
  const id = checkId(typed);
  const email = typed.Email === '' ? { ok: true as const, email: '' } : checkEmail(body.Email);
  const postCode = checkPostCode(typed);
  const sentences = [
    ...(typed.Name ? [] : ['Escribe el nombre del cliente.']),
    ...(typed.Name.length > MAX_NAME
      ? [`El nombre del cliente no puede pasar de ${MAX_NAME} caracteres.`]
      : []),
    ...(id.ok ? [] : [id.mensaje]),
    ...(postCode.ok ? [] : [postCode.mensaje]),
    ...(paisOf(typed.countryCode) ? [] : ['Elige el país de la lista.']),
    ...(email.ok ? [] : [email.mensaje]),
    ...(await choiceProblems(deps.sql, companyId, typed)),
  ];
  if (!id.ok || !email.ok || !postCode.ok || sentences.length > 0) {
    throw new DomainError('BAD_REQUEST', sentences);
  }
  return {
    ...typed,
    VATRegistrationNo: id.value,
    Email: email.email,
    postCode: postCode.postCode,
  };
}

/**
 * A Spanish customer is identified by NIF, a company of the Union by NIF-IVA, anybody else by any
 * document of theirs. None at all is fine: registering asks for it when the invoice needs it.
 */
function checkId({
  VATRegistrationNo: text,
  countryCode,
  CustomerPostingGroup: group,
}: Pick<Cliente, 'VATRegistrationNo' | 'countryCode' | 'CustomerPostingGroup'>):
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly mensaje: string } {
  if (text === '') return { ok: true, value: '' };
  if (countryCode === 'ES') {
    const nif = checkNif(text);
    return nif.ok ? { ok: true, value: nif.nif } : nif;
  }
  if (group === 'UE') {
    const nifIva = checkNifIva(countryCode, text);
    return nifIva.ok ? { ok: true, value: nifIva.nifIva } : nifIva;
  }
  return text.length <= MAX_ID
    ? { ok: true, value: text }
    : {
        ok: false,
        mensaje: `La identificación del cliente no puede pasar de ${MAX_ID} caracteres.`,
      };
}

function checkPostCode({ postCode, countryCode }: Pick<Cliente, 'postCode' | 'countryCode'>) {
  return postCode === ''
    ? ({ ok: true, postCode: '' } as const)
    : checkPostalCode(postCode, countryCode);
}

async function choiceProblems(
  tx: Tx,
  companyId: number,
  typed: Pick<Cliente, 'PaymentMethod' | 'PaymentTerms' | 'CustomerPostingGroup'>,
): Promise<string[]> {
  const [terminos, formas, grupos] = await Promise.all([
    findCatalog(tx, companyId, 'terminosPago'),
    findCatalog(tx, companyId, 'formasPago'),
    findCatalog(tx, companyId, 'gruposContables'),
  ]);
  return [
    ...(terminos.some(({ Code }) => Code === typed.PaymentTerms)
      ? []
      : ['Elige el término de pago de la lista.']),
    ...(formas.some(({ Code }) => Code === typed.PaymentMethod)
      ? []
      : ['Elige la forma de pago de la lista.']),
    ...(grupos.some(({ value }) => value === typed.CustomerPostingGroup)
      ? []
      : ['Elige el grupo contable de la lista.']),
  ];
}
