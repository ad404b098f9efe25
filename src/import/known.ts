import type { Customer, CustomerChoices } from '../domain/customer.ts';
import { bareId } from '../domain/nif.ts';
import type { VatGroup } from '../domain/vat.ts';
import { folded } from './sheets.ts';

export interface KnownProduct {
  readonly no: string;
  readonly name: string;
  readonly unitOfMeasure: string;
  /** Decimal text of euros. */
  readonly unitPrice: string;
  /** Its usual tax; empty when not set. */
  readonly tax: string;
}

/** An invoice imported by an earlier file. */
export interface ImportedInvoice {
  readonly referencia: string;
  readonly contentHash: string;
  readonly docNo: string;
  readonly isDraft: boolean;
  /** Whether its draft has been saved since it was imported. */
  readonly isTouched: boolean;
  /** Current values. */
  readonly postingDate: string;
  readonly customerNo: string;
}

/** Invoices imported by earlier files, by their folded references. */
export type Imported = ReadonlyMap<string, ImportedInvoice>;

export function byReference(imported: readonly ImportedInvoice[]): Imported {
  return new Map(imported.map((one) => [folded(one.referencia), one]));
}

/** The company's existing data, against which a file is validated. */
export interface Known {
  readonly customers: readonly Customer[];
  /** Codes of deleted customers that appear in some invoice. */
  readonly archivedNos: readonly string[];
  readonly products: readonly KnownProduct[];
  /** Defaults for a new customer where the file is empty. */
  readonly defaults: Pick<Customer, 'PaymentTerms' | 'PaymentMethod' | 'CustomerPostingGroup'>;
  readonly choices: CustomerChoices;
  readonly units: ReadonlySet<string>;
  /** With the company's usual tax marked. */
  readonly vatGroups: readonly VatGroup[];
  readonly claves: ReadonlySet<string>;
  /** Today, in the company's time zone. */
  readonly today: string;
}

/** Customers by the data that identifies them; those of the file are added as they are read. */
export class CustomerIndex {
  readonly #byNo = new Map<string, Customer>();
  readonly #byNif = new Map<string, Customer>();
  readonly #byName = new Map<string, Customer>();
  /** By the name alone; null where it is that of several. */
  readonly #byNameAlone = new Map<string, Customer | null>();

  constructor(customers: readonly Customer[]) {
    for (const customer of customers) this.add(customer);
  }

  add(customer: Customer): void {
    if (customer.No) this.#byNo.set(folded(customer.No), customer);
    if (customer.VATRegistrationNo) this.#byNif.set(customer.VATRegistrationNo, customer);
    this.#byName.set(nameKey(customer), customer);
    const alone = folded(customer.Name);
    const same = this.#byNameAlone.get(alone);
    this.#byNameAlone.set(alone, same === undefined || isSame(same, customer) ? customer : null);
  }

  /** As {@link add}, and by the code that the file has for it, if that is another one. */
  addAs(code: string, customer: Customer): void {
    this.add(customer);
    if (code) this.#byNo.set(folded(code), customer);
  }

  /** Whether an invoice names a saved customer by the code of the file. */
  isCodeOfFile(text: string): boolean {
    const customer = this.byNo(text);
    return customer !== undefined && folded(customer.No) !== folded(text);
  }

  byNo(no: string): Customer | undefined {
    return no ? this.#byNo.get(folded(no)) : undefined;
  }

  byNif(nif: string): Customer | undefined {
    return nif ? this.#byNif.get(nif) : undefined;
  }

  /** Without an identification, the same name at the same postal code is the same customer. */
  byName(customer: Pick<Customer, 'Name' | 'postCode'>): Customer | undefined {
    return this.#byName.get(nameKey(customer));
  }

  /** As an invoice names it: by code, by NIF with or without its hyphens, or by a name that is of nobody else. */
  named(text: string): Customer | undefined {
    const nif = bareId(text);
    const byId = this.byNo(text) ?? this.byNif(text) ?? this.byNif(nif) ?? this.byNif(nif.slice(2));
    return byId ?? this.#byNameAlone.get(folded(text)) ?? undefined;
  }

  /** Whether several have that name, so that it tells none of them. */
  isNameOfSeveral(text: string): boolean {
    return this.#byNameAlone.get(folded(text)) === null;
  }
}

/** A row of the file that says a known one again. */
function isSame(a: Customer | null, b: Customer): boolean {
  if (a === null) return false;
  if (a.No && b.No) return a.No === b.No;
  if (a.VATRegistrationNo && b.VATRegistrationNo)
    return a.VATRegistrationNo === b.VATRegistrationNo;
  return a.postCode === b.postCode;
}

function nameKey({ Name, postCode }: Pick<Customer, 'Name' | 'postCode'>): string {
  return `${folded(Name)}|${postCode}`;
}
