import type { AccionImportar } from '../contract/imports.ts';
import { type Customer, checkCustomer, groupOfPlace, withTown } from '../domain/customer.ts';
import { withLostZero } from '../domain/postal-code.ts';
import { CustomerIndex, type Known } from './known.ts';

export interface JudgedCustomer {
  readonly customer: Customer;
  readonly accion: Exclude<AccionImportar, 'erroneo'>;
  /** Fields that change in a saved customer. */
  readonly cambios: readonly string[];
}

export interface FieldProblem {
  readonly campo: string;
  readonly mensaje: string;
}

export type CustomerJudgement =
  | ({ readonly ok: true } & JudgedCustomer)
  | { readonly ok: false; readonly problems: readonly FieldProblem[] };

/** Validates customers one after another: each may repeat one of the company's, or an earlier one of the file. */
export class CustomerJudge {
  readonly #known: Known;
  readonly #saved: CustomerIndex;
  readonly #archived: ReadonlySet<string>;
  readonly #seen = new CustomerIndex([]);
  /** The rows in which they were seen. */
  readonly #filas = new Map<Customer, number | undefined>();
  /** Every customer that an invoice may name: the saved ones, overridden by those of the file. */
  readonly all: CustomerIndex;

  constructor(known: Known) {
    this.#known = known;
    this.#saved = new CustomerIndex(known.customers);
    this.all = new CustomerIndex(known.customers);
    this.#archived = new Set(known.archivedNos);
  }

  /**
   * @param values fields of the file; empty ones keep the saved value, or take the default
   * @param fila where they are, for a later row that repeats them
   */
  judge(values: Readonly<Record<string, string>>, fila?: number): CustomerJudgement {
    const { customer, existing, problems } = this.#examine(values);
    if (problems.length > 0) return { ok: false, problems };
    // A saved customer keeps its code, but the invoices of the file name it by the file's.
    const { No: code } = fieldsOf(values);
    this.#seen.addAs(code, customer);
    this.#filas.set(customer, fila);
    this.all.addAs(code, customer);
    return { ok: true, customer, ...fateOf(customer, existing) };
  }

  /** Whether an invoice finds its customer only because the file brings it, or what it is named by. */
  isOfFile(named: string): boolean {
    return this.all.named(named) !== undefined && !this.#saved.named(named);
  }

  /** What is wrong with a customer of which some fields could not be read; those are empty here. */
  problemsOf(values: Readonly<Record<string, string>>): readonly FieldProblem[] {
    return this.#examine(values).problems;
  }

  #examine(
    values: Readonly<Record<string, string>>,
    code = fieldsOf(values).No,
  ): {
    readonly customer: Customer;
    readonly existing: Customer | undefined;
    readonly problems: readonly FieldProblem[];
  } {
    const typed = fieldsOf(values);
    const saved = this.#find(typed);
    const given = withZero(typed, typed.countryCode || saved?.countryCode || 'ES');
    const existing = saved ?? this.#find(given);
    const { customer: checked, problems } = checkCustomer(
      existing ? merged(existing, given) : this.#completed(given),
      this.#known.choices,
    );
    const customer = existing ? withTown(checked, existing, given.municipio) : checked;
    // The NIF is only comparable in its final form: without hyphens, with its country.
    const same = existing ?? this.#saved.byNif(customer.VATRegistrationNo);
    if (same && !existing) return this.#examine({ ...values, No: same.No }, code);
    return {
      customer,
      existing,
      problems: [...problems, ...this.#clashes(customer, existing, code)],
    };
  }

  #find(given: Customer): Customer | undefined {
    const byNo = this.#saved.byNo(given.No);
    if (byNo) return byNo;
    if (given.VATRegistrationNo) return this.#saved.byNif(given.VATRegistrationNo);
    const byName = given.No ? undefined : this.#saved.byName(given);
    return byName;
  }

  #completed(given: Customer): Customer {
    const { defaults } = this.#known;
    const countryCode = given.countryCode || 'ES';
    return {
      ...given,
      countryCode,
      PaymentTerms: given.PaymentTerms || defaults.PaymentTerms,
      PaymentMethod: given.PaymentMethod || defaults.PaymentMethod,
      CustomerPostingGroup: given.CustomerPostingGroup || groupOfPlace({ ...given, countryCode }),
    };
  }

  #clashes(customer: Customer, existing: Customer | undefined, code: string): FieldProblem[] {
    const { No, VATRegistrationNo: nif } = customer;
    const problems: FieldProblem[] = [];
    if (existing?.VATRegistrationNo && nif !== existing.VATRegistrationNo) {
      problems.push({
        campo: 'No',
        mensaje: `El código ${No} es de otro cliente: ${existing.Name} (${existing.VATRegistrationNo}).`,
      });
    }
    const owner = this.#saved.byNif(nif);
    if (owner && existing && owner.No !== existing.No) {
      problems.push({
        campo: 'VATRegistrationNo',
        mensaje: `El NIF ${nif} es de otro cliente: ${owner.Name} (código ${owner.No}).`,
      });
    }
    const sameNif = this.#seen.byNif(nif);
    const sameCode = this.#seen.byNo(No) ?? this.#seen.byNo(code);
    const sameName = nif || No ? undefined : this.#seen.byName(customer);
    const repeat = (campo: string, what: string, same: Customer) =>
      problems.push({ campo, mensaje: repeated(what, this.#filas.get(same)) });
    if (sameNif) repeat('VATRegistrationNo', `El NIF ${nif}`, sameNif);
    else if (sameCode) repeat('No', `El código ${code || No}`, sameCode);
    else if (sameName) repeat('Name', 'Este cliente', sameName);
    if (!existing && this.#archived.has(No)) {
      problems.push({
        campo: 'No',
        mensaje: `El código ${No} fue de un cliente que eliminaste y que tiene facturas. Usa otro.`,
      });
    }
    return problems;
  }
}

/** Says in which row of the file it is already, if that is known. */
export function repeated(what: string, fila: number | undefined): string {
  return `${what} está repetido${fila === undefined ? '' : `: ya está en la fila ${fila}`}.`;
}

/** A cell of a spreadsheet may have several rows; a name and an address have one. */
const ROW_BREAK = /,?[ \t]*[\r\n]+\s*/g;

/** The fields of a row. Programs write «-», «N/A» or «NULL» where they have nothing. */
function fieldsOf(values: Readonly<Record<string, string>>): Customer {
  const text = (key: keyof Customer) => (values[key] ?? '').trim();
  const some = (key: keyof Customer) => (/^(?:-+|n\/a|null)$/i.test(text(key)) ? '' : text(key));
  return {
    No: text('No'),
    Name: text('Name').replace(ROW_BREAK, ' '),
    VATRegistrationNo: some('VATRegistrationNo'),
    Address: some('Address').replace(ROW_BREAK, ', '),
    postCode: some('postCode'),
    ...(some('municipio') && { municipio: some('municipio') }),
    countryCode: text('countryCode'),
    Email: emailsIn(some('Email'))[0] ?? '',
    PaymentMethod: text('PaymentMethod'),
    PaymentTerms: text('PaymentTerms'),
    CustomerPostingGroup: text('CustomerPostingGroup'),
  };
}

/** One address with a wrong sign in it, `ana,perez@b.es`: the rest of it may be the address of somebody else. */
const BROKEN_EMAIL = /^[^\s@;,]+[;,][^\s@;,<]+@/;

/** Programs write several with «;», people also with commas or bars. Text without any is left for its error. */
export function emailsIn(text: string): readonly string[] {
  if (BROKEN_EMAIL.test(text)) return [text];
  const parts = text.split(/[;,]|\s\/\s/).map((part) => part.trim());
  const emails = parts.filter((part) => part.includes('@'));
  return emails.length > 0 ? emails : [text];
}

/** A spreadsheet takes 01001 for a number, and loses its zero. */
function withZero(typed: Customer, countryCode: string): Customer {
  const postCode = bareCode(typed.postCode, countryCode);
  return { ...typed, postCode: withLostZero(postCode, countryCode) ?? postCode };
}

/** A Spanish postal code as programs write a number, `28.013`, `28013.0`, or with its country, `E-28013`. */
export function bareCode(text: string, countryCode: string): string {
  const [, province, rest] = /^(?:ES?-)?(\d{1,2})\.?(\d{3})(?:[.,]0+)?$/i.exec(text) ?? [];
  return countryCode === 'ES' && province && rest ? province + rest : text;
}

function merged(existing: Customer, given: Customer): Customer {
  const filled = Object.entries(given).filter(([key, value]) => key !== 'No' && value !== '');
  return { ...existing, ...Object.fromEntries(filled) };
}

function fateOf(
  customer: Customer,
  existing: Customer | undefined,
): Pick<JudgedCustomer, 'accion' | 'cambios'> {
  if (!existing) return { accion: 'nuevo', cambios: [] };
  const keys = Object.keys(customer) as (keyof Customer)[];
  const cambios = keys.filter((key) => customer[key] !== existing[key]);
  return { accion: cambios.length === 0 ? 'igual' : 'actualizado', cambios };
}
