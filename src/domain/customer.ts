import { isBlank } from './blank.ts';
import { paisOf } from './catalogs/catalogs.ts';
import { lengthOf } from './cut.ts';
import { DIR3_ROLES, type Dir3, isDir3, normaliseDir3 } from './dir3.ts';
import { checkEmail } from './email.ts';
import type { TipoIdentificacion } from './invoice.ts';
import { checkNif, nifKind, normaliseNif } from './nif.ts';
import { checkNifIva, isUnionForVat } from './nif-iva.ts';
import { checkPostalCode, territoryOf } from './postal-code.ts';
import { type Address, MAX_TOWN, townAfter } from './town.ts';

/** A customer as it is saved, under the names of the contract. */
export interface Customer {
  readonly No: string;
  readonly Name: string;
  readonly VATRegistrationNo: string;
  readonly Address: string;
  readonly postCode: string;
  readonly countryCode: string;
  readonly Email: string;
  readonly PaymentMethod: string;
  readonly PaymentTerms: string;
  readonly CustomerPostingGroup: string;
  /** How it is identified (list L7); absent or empty to derive it from country and number. */
  readonly tipoIdentificacion?: TipoIdentificacion | '' | undefined;
  readonly municipio?: string | undefined;
  readonly oficinaContable?: string | undefined;
  readonly organoGestor?: string | undefined;
  readonly unidadTramitadora?: string | undefined;
  readonly organoProponente?: string | undefined;
}

/** A problem with a field that was typed or imported. */
export interface FieldProblem<Field extends string> {
  readonly campo: Field;
  readonly mensaje: string;
}

/** Codes that the company's selects offer. */
export interface CustomerChoices {
  readonly terminosPago: ReadonlySet<string>;
  readonly formasPago: ReadonlySet<string>;
  readonly gruposContables: ReadonlySet<string>;
}

/** The limit of `NombreRazon` at the AEAT, and the longest identification that it accepts (IDOtro). */
export const MAX_CUSTOMER_NAME = 120;
export const MAX_ID = 20;

/**
 * Checks a customer typed in a form or read from a file, and returns its fields as they are saved. Only the name is
 * required; whatever else is given has to be valid.
 */
export function checkCustomer(
  typed: Customer,
  choices: CustomerChoices,
): { readonly customer: Customer; readonly problems: FieldProblem<keyof Customer>[] } {
  const id = checkId(typed);
  const email =
    typed.Email === '' ? ({ ok: true, email: '' } as const) : checkEmail(typed.Email.trim());
  const postCode =
    typed.postCode === ''
      ? ({ ok: true, postCode: '' } as const)
      : checkPostalCode(typed.postCode, typed.countryCode);
  const problems: FieldProblem<keyof Customer>[] = [];
  const refuse = (campo: keyof Customer, mensaje: string) => problems.push({ campo, mensaje });
  if (isBlank(typed.Name)) refuse('Name', 'Escribe el nombre del cliente.');
  if (lengthOf(typed.Name) > MAX_CUSTOMER_NAME) {
    refuse('Name', `El nombre del cliente no puede pasar de ${MAX_CUSTOMER_NAME} caracteres.`);
  }
  if (!id.ok) refuse('VATRegistrationNo', id.mensaje);
  const tipo = identificationProblem(typed);
  if (tipo) refuse('tipoIdentificacion', tipo);
  if (!postCode.ok) refuse('postCode', postCode.mensaje);
  if (lengthOf(typed.municipio ?? '') > MAX_TOWN) {
    refuse('municipio', `La población del cliente no puede pasar de ${MAX_TOWN} caracteres.`);
  }
  for (const { field, label } of DIR3_ROLES) {
    const wrong = dir3Problem(typed, field);
    if (wrong) refuse(field, `${label}: ${wrong}`);
  }
  if (!paisOf(typed.countryCode)) refuse('countryCode', 'Elige el país de la lista.');
  if (!email.ok) refuse('Email', email.mensaje);
  if (!choices.terminosPago.has(typed.PaymentTerms)) {
    refuse('PaymentTerms', 'Elige el término de pago de la lista.');
  }
  if (!choices.formasPago.has(typed.PaymentMethod)) {
    refuse('PaymentMethod', 'Elige la forma de pago de la lista.');
  }
  if (!choices.gruposContables.has(typed.CustomerPostingGroup)) {
    refuse('CustomerPostingGroup', 'Elige el grupo contable de la lista.');
  }
  return {
    customer: {
      ...typed,
      VATRegistrationNo: id.ok ? id.value : typed.VATRegistrationNo,
      Email: email.ok ? email.email : typed.Email,
      postCode: postCode.ok ? postCode.postCode : typed.postCode,
      ...Object.fromEntries(
        DIR3_ROLES.flatMap(({ field }) =>
          typed[field] === undefined ? [] : [[field, normaliseDir3(typed[field])]],
        ),
      ),
    },
    problems,
  };
}

/** A changed customer, with the town that its address has now; `given` as in {@link townAfter}. */
export function withTown<T extends Customer>(
  customer: T,
  before: Customer,
  given: string | undefined,
): T {
  const municipio = townAfter(addressOf(before), addressOf(customer), given);
  return municipio === (customer.municipio ?? '') ? customer : { ...customer, municipio };
}

function addressOf({ Address: address, postCode, municipio }: Customer): Address {
  return { address, postCode, municipio };
}

/**
 * A Spanish customer is identified by NIF, a business of the Union by NIF-IVA, anybody else by any document of
 * theirs. None is fine too: registering asks for it when the invoice needs it.
 */
function checkId({
  VATRegistrationNo: text,
  countryCode,
  CustomerPostingGroup: group,
  tipoIdentificacion: tipo = '',
}: Customer):
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly mensaje: string } {
  if (text === '') return { ok: true, value: '' };
  if (countryCode === 'ES' && tipo !== '03') {
    const nif = checkNif(text);
    return nif.ok ? { ok: true, value: nif.nif } : nif;
  }
  if (tipo === '02' || (tipo === '' && group === 'UE')) {
    const nifIva = checkNifIva(countryCode, text);
    return nifIva.ok ? { ok: true, value: nifIva.nifIva } : nifIva;
  }
  return lengthOf(text) <= MAX_ID
    ? { ok: true, value: text }
    : {
        ok: false,
        mensaje: `La identificación del cliente no puede pasar de ${MAX_ID} caracteres.`,
      };
}

/**
 * The problem with one of the codes of an administration: its form or, since three of them go together, that it is
 * missing.
 */
export function dir3Problem(customer: Partial<Dir3Fields>, field: keyof Dir3): string | null {
  const code = normaliseDir3(customer[field] ?? '');
  if (code) return isDir3(code) ? null : DIR3_FORM;
  const isNeeded = field !== 'organoProponente';
  return isNeeded && DIR3_ROLES.some((one) => normaliseDir3(customer[one.field] ?? ''))
    ? 'FACe pide los tres códigos, y falta este.'
    : null;
}

type Dir3Fields = Pick<Customer, keyof Dir3>;

const DIR3_FORM =
  'Un código DIR3 tiene nueve caracteres, una a tres letras y el resto cifras, como L01280796.';

/** Why a kind of identification cannot be that of a customer (codes 1126, 1131). */
export function identificationProblem({
  tipoIdentificacion: tipo = '',
  countryCode,
  VATRegistrationNo,
}: Pick<Customer, 'tipoIdentificacion' | 'countryCode' | 'VATRegistrationNo'>): string | null {
  if (tipo === '' || VATRegistrationNo === '') return null;
  if (tipo === '07') {
    if (countryCode === 'ES') {
      return checkNif(VATRegistrationNo).ok &&
        nifKind(normaliseNif(VATRegistrationNo)) === 'entidad'
        ? 'Solo una persona física puede ir como no censada, y ese NIF es de una entidad. Elige otra identificación.'
        : null;
    }
    return '«No censado» es solo para quien tiene un NIF español. Cambia el país o elige otra identificación.';
  }
  return countryCode === 'ES' && tipo !== '03'
    ? 'Un cliente de España se identifica por su NIF, por su pasaporte o como no censado. Elige una de ellas.'
    : null;
}

type Place = Pick<Customer, 'countryCode' | 'postCode'>;

/** The posting groups that a place admits, most likely first. */
export function groupsOfPlace({
  countryCode,
  postCode,
}: Place): readonly [likeliest: string, ...others: string[]] {
  if (countryCode === 'ES') {
    const territory = territoryOf(postCode);
    const isOutsideVat = territory === 'canarias' || territory === 'ceuta-melilla';
    return isOutsideVat ? ['CAN'] : ['NAC', 'NACRE'];
  }
  return isUnionForVat(countryCode) ? ['UE', 'UEPART'] : ['EXT'];
}

/** The group of a customer of that place until somebody chooses another. */
export function groupOfPlace({
  VATRegistrationNo,
  ...place
}: Place & Pick<Customer, 'VATRegistrationNo'>): string {
  const [likeliest] = groupsOfPlace(place);
  return likeliest === 'UE' && !VATRegistrationNo ? 'UEPART' : likeliest;
}

/** List L7 of the AEAT, as options of a select. */
export const IDENTIFICACIONES: readonly {
  readonly value: TipoIdentificacion;
  readonly label: string;
}[] = [
  { value: '02', label: '02 - NIF-IVA de la Unión Europea' },
  { value: '03', label: '03 - Pasaporte' },
  { value: '04', label: '04 - Documento oficial de su país' },
  { value: '05', label: '05 - Certificado de residencia' },
  { value: '06', label: '06 - Otro documento' },
  { value: '07', label: '07 - No censado: persona con NIF que la AEAT no reconoce' },
];
