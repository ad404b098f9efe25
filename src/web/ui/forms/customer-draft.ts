import type { Option } from '../../../contract/common.ts';
import type { DatosEmpresa } from '../../../contract/company.ts';
import type { Cliente } from '../../../contract/parties.ts';
import { isBlank } from '../../../domain/blank.ts';
import { dir3Problem, groupsOfPlace, identificationProblem } from '../../../domain/customer.ts';
import { DIR3_ROLES, type Dir3 } from '../../../domain/dir3.ts';
import { checkEmail } from '../../../domain/email.ts';
import { checkNif } from '../../../domain/nif.ts';
import { checkNifIva } from '../../../domain/nif-iva.ts';
import { checkPostalCode, withLostZero } from '../../../domain/postal-code.ts';
import { fold } from '../table/search.ts';

/** A customer without a code yet, with the company's defaults. */
export function newCustomer(company: DatosEmpresa | undefined): Cliente {
  return {
    No: '',
    Name: '',
    VATRegistrationNo: '',
    Address: '',
    postCode: '',
    countryCode: 'ES',
    Email: '',
    PaymentMethod: company?.PaymentMethod ?? '',
    PaymentTerms: company?.PaymentTerms ?? '',
    CustomerPostingGroup: company?.CustomerPostingGroup || 'NAC',
  };
}

/** A message beside a field. Only an `error` prevents saving. */
export interface CustomerNote {
  readonly kind: 'error' | 'aviso' | 'dato';
  readonly text: string;
  /** A change that fixes it, and the text of its button. */
  readonly fix?: { readonly label: string; readonly change: Partial<Cliente> };
  /** The company's existing customer that it may be. */
  readonly same?: Cliente;
}

type Field = keyof Cliente;

/** The company's customers by the data that would make two of them the same. */
export interface KnownCustomers {
  readonly byName: ReadonlyMap<string, readonly Cliente[]>;
  readonly byNif: ReadonlyMap<string, readonly Cliente[]>;
}

/** Computed once for all keystrokes of a form: there may be ten thousand of them. */
export function knownCustomers(customers: readonly Cliente[]): KnownCustomers {
  return {
    byName: groupBy(customers, ({ Name }) => comparableName(Name)),
    byNif: groupBy(customers, normalizedNif),
  };
}

export interface NotesContext {
  readonly known: KnownCustomers;
  /** The fields left at least once: before that, half-typed input is not an error. */
  readonly left: ReadonlySet<Field>;
  /** The company's groups. */
  readonly groups: readonly Option[];
}

/** The messages for each field of a customer. Only the name is required to save it. */
export function customerNotes(
  draft: Cliente,
  { known, left, groups }: NotesContext,
): Partial<Record<Field, CustomerNote>> {
  const notes: [Field, CustomerNote | undefined][] = [
    ['Name', nameNote(draft, known, { wasLeft: left.has('Name') })],
    ['VATRegistrationNo', nifNote(draft, known, { wasLeft: left.has('VATRegistrationNo') })],
    ['Email', emailNote(draft, { wasLeft: left.has('Email') })],
    ['postCode', postCodeNote(draft, { wasLeft: left.has('postCode') })],
    ['CustomerPostingGroup', groupNote(draft, groups)],
    ['tipoIdentificacion', identificationNote(draft)],
    ...DIR3_ROLES.map(({ field }): [Field, CustomerNote | undefined] => [
      field,
      dir3Note(draft, field, left),
    ]),
  ];
  return Object.fromEntries(notes.filter(([, note]) => note !== undefined));
}

/** The tax number as stored: a Spanish one without spaces, hyphens or prefix. */
export function normalizedNif(draft: Cliente): string {
  const { VATRegistrationNo, countryCode, CustomerPostingGroup, tipoIdentificacion } = draft;
  const text = VATRegistrationNo.trim().toUpperCase();
  if (text === '' || isOtherDocument(draft)) return text;
  if (countryCode === 'ES') {
    const check = checkNif(text);
    return check.ok ? check.nif : text;
  }
  // A private person's number gets no prefix: it is not a NIF-IVA, unless the card says so.
  if (CustomerPostingGroup === 'UEPART' && tipoIdentificacion !== '02') return text;
  const check = checkNifIva(countryCode, text);
  return check.ok ? check.nifIva : text;
}

/**
 * The posting group for the customer's country and postal code. The current one stays if the place admits it, e.g.
 * that of retailers under recargo de equivalencia in Spain.
 */
export function proposedGroup(draft: Cliente, groups: readonly Option[]): string {
  const admitted = groupsOfPlace({ ...draft, postCode: draft.postCode.trim() });
  const current = draft.CustomerPostingGroup;
  const exists = (group: string) => groups.some(({ value }) => value === group);
  return admitted.includes(current) ? current : (admitted.find(exists) ?? current);
}

/** A passport or a foreign document has no form that could be checked (list L7). */
function isOtherDocument({ tipoIdentificacion: tipo = '' }: Cliente): boolean {
  return ['03', '04', '05', '06'].includes(tipo);
}

function identificationNote(draft: Cliente): CustomerNote | undefined {
  const text = identificationProblem(draft);
  return text
    ? {
        kind: 'error',
        text: `${text} `,
        fix: { label: 'Quitarla', change: { tipoIdentificacion: '' } },
      }
    : undefined;
}

/** Whether the field has been left at least once. */
interface Left {
  readonly wasLeft: boolean;
}

function nameNote(
  draft: Cliente,
  known: KnownCustomers,
  { wasLeft }: Left,
): CustomerNote | undefined {
  if (isBlank(draft.Name)) {
    return wasLeft ? { kind: 'error', text: 'Escribe el nombre del cliente.' } : undefined;
  }
  const same = another(known.byName.get(comparableName(draft.Name)), draft);
  return (
    same && { kind: 'aviso', text: `Ya tienes un cliente que se llama así${nifOf(same)}.`, same }
  );
}

function nifNote(
  draft: Cliente,
  known: KnownCustomers,
  { wasLeft }: Left,
): CustomerNote | undefined {
  const nif = normalizedNif(draft);
  const isUnionCompany = draft.CustomerPostingGroup === 'UE';
  if (nif === '') {
    return isUnionCompany && wasLeft
      ? { kind: 'aviso', text: 'Sin su NIF-IVA no se le puede facturar sin IVA.' }
      : undefined;
  }
  const same = another(known.byNif.get(nif), draft);
  if (same) return { kind: 'aviso', text: `Ya lo tiene tu cliente «${same.Name}».`, same };

  if (isOtherDocument(draft)) return undefined;
  if (draft.countryCode === 'ES') {
    const check = checkNif(nif);
    if (check.ok) return check.aviso ? { kind: 'aviso', text: check.aviso } : undefined;
    // Nine characters are a complete NIF: only then, or on leaving the field, can it be an error.
    return wasLeft || nif.length >= 9 ? { kind: 'error', text: check.mensaje } : undefined;
  }
  if (!isUnionCompany || !wasLeft) return undefined;
  const check = checkNifIva(draft.countryCode, nif);
  if (check.ok) return undefined;
  return {
    kind: 'error',
    text: `${check.mensaje} `,
    fix: { label: 'Es un particular', change: { CustomerPostingGroup: 'UEPART' } },
  };
}

/** Also for a missing one, once its field was left. */
function dir3Note(
  draft: Cliente,
  field: keyof Dir3,
  left: ReadonlySet<Field>,
): CustomerNote | undefined {
  if (!left.has(field)) return undefined;
  const text = dir3Problem(draft, field);
  return text ? { kind: 'error', text } : undefined;
}

function emailNote({ Email }: Cliente, { wasLeft }: Left): CustomerNote | undefined {
  if (Email.trim() === '' || !wasLeft) return undefined;
  const check = checkEmail(Email);
  return check.ok ? undefined : { kind: 'error', text: check.mensaje };
}

function postCodeNote(draft: Cliente, { wasLeft }: Left): CustomerNote | undefined {
  const postCode = draft.postCode.trim();
  if (postCode === '') return undefined;
  const check = checkPostalCode(postCode, draft.countryCode);
  if (check.ok) return check.provincia ? { kind: 'dato', text: check.provincia } : undefined;
  if (!wasLeft) return undefined;
  const complete = withLostZero(postCode, draft.countryCode);
  return complete !== null
    ? {
        kind: 'error',
        text: 'Le falta una cifra. ',
        fix: { label: `Poner ${complete}`, change: { postCode: complete } },
      }
    : { kind: 'error', text: check.mensaje };
}

/** Only if place and group disagree: the user may know better, so it is only a suggestion. */
function groupNote(draft: Cliente, groups: readonly Option[]): CustomerNote | undefined {
  const proposed = proposedGroup(draft, groups);
  if (proposed === draft.CustomerPostingGroup) return undefined;
  return {
    kind: 'aviso',
    text: 'No es el de su país y código postal. ',
    fix: { label: `Poner ${proposed}`, change: { CustomerPostingGroup: proposed } },
  };
}

function another(same: readonly Cliente[] = [], draft: Cliente): Cliente | undefined {
  return same.find(({ No }) => No !== draft.No);
}

function groupBy(customers: readonly Cliente[], keyOf: (customer: Cliente) => string) {
  const groups = new Map<string, Cliente[]>();
  for (const customer of customers) {
    const key = keyOf(customer);
    const group = groups.get(key);
    if (group) group.push(customer);
    else groups.set(key, [customer]);
  }
  return groups;
}

const LEGAL_FORMS = new Set(['sl', 'slu', 'sa', 'sau', 'slp', 'sll', 'cb', 'sc', 'scp', 'coop']);

/** A name without variations in spelling: accents, case, commas and the legal form. */
function comparableName(name: string): string {
  const words =
    fold(name)
      .replaceAll('.', '')
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const last = words.at(-1) ?? '';
  return (words.length > 1 && LEGAL_FORMS.has(last) ? words.slice(0, -1) : words).join(' ');
}

function nifOf({ VATRegistrationNo }: Cliente): string {
  return VATRegistrationNo ? `, con CIF ${VATRegistrationNo}` : '';
}
