import type { Option } from '../../../contract/common.ts';
import type { DatosEmpresa } from '../../../contract/company.ts';
import type { Cliente } from '../../../contract/parties.ts';
import { dir3Problem, groupsOfPlace, identificationProblem } from '../../../domain/customer.ts';
import { DIR3_ROLES, type Dir3 } from '../../../domain/dir3.ts';
import { checkEmail } from '../../../domain/email.ts';
import { checkNif } from '../../../domain/nif.ts';
import { checkNifIva } from '../../../domain/nif-iva.ts';
import { checkPostalCode } from '../../../domain/postal-code.ts';
import { fold } from '../table/search.ts';

/** A customer without a code yet, with what the company gives its customers by default. */
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

/** What is said beside a field. Only an `error` stops the saving. */
export interface CustomerNote {
  readonly kind: 'error' | 'aviso' | 'dato';
  readonly text: string;
  /** A change that mends it, and the words of its button. */
  readonly fix?: { readonly label: string; readonly change: Partial<Cliente> };
  /** The one that it may be, already among the company's. */
  readonly same?: Cliente;
}

type Field = keyof Cliente;

/** The company's customers by what would make two of them the same. */
export interface KnownCustomers {
  readonly byName: ReadonlyMap<string, readonly Cliente[]>;
  readonly byNif: ReadonlyMap<string, readonly Cliente[]>;
}

/** Made once for all the keystrokes of a form: there may be ten thousand of them. */
export function knownCustomers(customers: readonly Cliente[]): KnownCustomers {
  return {
    byName: groupBy(customers, ({ Name }) => comparableName(Name)),
    byNif: groupBy(customers, normalizedNif),
  };
}

export interface NotesContext {
  readonly known: KnownCustomers;
  /** The fields left once: before that, what is half typed is not called wrong. */
  readonly left: ReadonlySet<Field>;
  /** The groups the company has. */
  readonly groups: readonly Option[];
}

/** What there is to say of each field of a customer. A customer needs only a name to be saved. */
export function customerNotes(
  draft: Cliente,
  { known, left, groups }: NotesContext,
): Partial<Record<Field, CustomerNote>> {
  const notes: [Field, CustomerNote | undefined][] = [
    ['Name', nameNote(draft, known, left.has('Name'))],
    ['VATRegistrationNo', nifNote(draft, known, left.has('VATRegistrationNo'))],
    ['Email', emailNote(draft, left.has('Email'))],
    ['postCode', postCodeNote(draft, left.has('postCode'))],
    ['CustomerPostingGroup', groupNote(draft, groups)],
    ['tipoIdentificacion', identificationNote(draft)],
    ...DIR3_ROLES.map(({ field }): [Field, CustomerNote | undefined] => [
      field,
      dir3Note(draft, field, left),
    ]),
  ];
  return Object.fromEntries(notes.filter(([, note]) => note !== undefined));
}

/** The tax number as it is stored: a Spanish one without spaces, hyphens or prefix. */
export function normalizedNif(draft: Cliente): string {
  const { VATRegistrationNo, countryCode, CustomerPostingGroup, tipoIdentificacion } = draft;
  const text = VATRegistrationNo.trim().toUpperCase();
  if (text === '' || isOtherDocument(draft)) return text;
  if (countryCode === 'ES') {
    const check = checkNif(text);
    return check.ok ? check.nif : text;
  }
  // A private person's number gets no prefix: it is no NIF-IVA, unless the card says so.
  if (CustomerPostingGroup === 'UEPART' && tipoIdentificacion !== '02') return text;
  const check = checkNifIva(countryCode, text);
  return check.ok ? check.nifIva : text;
}

/**
 * The posting group that the customer's country and postal code ask for. The one it has stays when
 * the place admits it, as that of retailers under recargo de equivalencia within Spain.
 */
export function proposedGroup(draft: Cliente, groups: readonly Option[]): string {
  const admitted = groupsOfPlace({ ...draft, postCode: draft.postCode.trim() });
  const current = draft.CustomerPostingGroup;
  const exists = (group: string) => groups.some(({ value }) => value === group);
  return admitted.includes(current) ? current : (admitted.find(exists) ?? current);
}

/** A passport or a paper of another State has no form that could be checked (list L7). */
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

function nameNote(
  draft: Cliente,
  known: KnownCustomers,
  wasLeft: boolean,
): CustomerNote | undefined {
  if (draft.Name.trim() === '') {
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
  wasLeft: boolean,
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
    // Nine characters are a whole NIF: only then, or on leaving, can it be called wrong.
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

/** Also of one that is missing once its field was left behind. */
function dir3Note(
  draft: Cliente,
  field: keyof Dir3,
  left: ReadonlySet<Field>,
): CustomerNote | undefined {
  if (!left.has(field)) return undefined;
  const text = dir3Problem(draft, field);
  return text ? { kind: 'error', text } : undefined;
}

function emailNote({ Email }: Cliente, wasLeft: boolean): CustomerNote | undefined {
  if (Email.trim() === '' || !wasLeft) return undefined;
  const check = checkEmail(Email);
  return check.ok ? undefined : { kind: 'error', text: check.mensaje };
}

function postCodeNote(draft: Cliente, wasLeft: boolean): CustomerNote | undefined {
  const postCode = draft.postCode.trim();
  if (postCode === '') return undefined;
  const check = checkPostalCode(postCode, draft.countryCode);
  if (check.ok) return check.provincia ? { kind: 'dato', text: check.provincia } : undefined;
  if (!wasLeft) return undefined;
  const complete = `0${postCode}`;
  return checkPostalCode(complete, draft.countryCode).ok && draft.countryCode === 'ES'
    ? {
        kind: 'error',
        text: 'Le falta una cifra. ',
        fix: { label: `Poner ${complete}`, change: { postCode: complete } },
      }
    : { kind: 'error', text: check.mensaje };
}

/** Only where the place and the group disagree: the user may know better, so it is an offer. */
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

/** A name without what people write differently: accents, case, commas and its legal form. */
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
