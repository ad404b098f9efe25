import type { Cliente } from '../contract/parties.ts';
import { nextCode } from './counters.ts';
import type { Tx } from './sql.ts';
import { type Versioned, versionOf, versionText } from './versioned.ts';

/** As it is kept. */
export interface CustomerRow {
  no: string;
  name: string;
  vat_registration_no: string;
  address: string;
  post_code: string;
  country_code: string;
  email: string;
  payment_method: string;
  payment_terms: string;
  customer_posting_group: string;
  tipo_identificacion: NonNullable<Cliente['tipoIdentificacion']>;
  municipio: string;
  oficina_contable: string;
  organo_gestor: string;
  unidad_tramitadora: string;
  organo_proponente: string;
}

/** The columns of a {@link CustomerRow}. */
function columns(tx: Tx) {
  return tx`no, name, vat_registration_no, address, post_code, country_code, email, payment_method,
            payment_terms, customer_posting_group, tipo_identificacion, municipio, oficina_contable,
            organo_gestor, unidad_tramitadora, organo_proponente`;
}

/** The customers in use of a company, by name in Spanish order. */
export async function listCustomers(tx: Tx, companyId: number): Promise<readonly Cliente[]> {
  return (await versionedCustomers(tx, companyId)).items;
}

/** The same, with the version of the list. */
export async function versionedCustomers(tx: Tx, companyId: number): Promise<Versioned<Cliente>> {
  const rows = await tx<(CustomerRow & { hash: bigint })[]>`
    select ${columns(tx)}, hash_record_extended(customers, 0) as hash
      from customers
     where company_id = ${companyId} and archived_at is null
     order by name collate "es-x-icu", no`;
  return { version: versionOf(rows.map(({ hash }) => hash)), items: rows.map(customerFromRow) };
}

/** The version of the list, without reading it: a tenth of the work. */
export async function customersVersion(tx: Tx, companyId: number): Promise<string> {
  const [row] = await tx<{ count: bigint; sum: string }[]>`
    select count(*) as count, coalesce(sum(hash_record_extended(customers, 0)), 0) as sum
      from customers
     where company_id = ${companyId} and archived_at is null`;
  return versionText(row?.count ?? 0, row?.sum ?? '0');
}

/** One customer in use, or null. */
export async function findCustomer(tx: Tx, companyId: number, no: string): Promise<Cliente | null> {
  const [row] = await tx<CustomerRow[]>`
    select ${columns(tx)}
      from customers
     where company_id = ${companyId} and no = ${no} and archived_at is null`;
  return row ? customerFromRow(row) : null;
}

/** A deleted customer that is kept because invoices name it, or null. */
export async function findArchivedCustomer(
  tx: Tx,
  companyId: number,
  no: string,
): Promise<Cliente | null> {
  const [row] = await tx<CustomerRow[]>`
    select ${columns(tx)}
      from customers
     where company_id = ${companyId} and no = ${no} and archived_at is not null`;
  return row ? customerFromRow(row) : null;
}

/** A customer in use, locked against changes until this transaction ends. */
export async function lockCustomer(tx: Tx, companyId: number, no: string): Promise<Cliente | null> {
  await tx`select 1 from customers where company_id = ${companyId} and no = ${no} for no key update`;
  return findCustomer(tx, companyId, no);
}

/** Customers by code; archived ones too, because saved invoices name them. */
export async function findCustomers(
  tx: Tx,
  companyId: number,
  nos: readonly string[],
): Promise<Map<string, Cliente>> {
  if (nos.length === 0) return new Map();
  const rows = await tx<CustomerRow[]>`
    select ${columns(tx)}
      from customers
     where company_id = ${companyId} and no = any(${[...nos]}::text[])`;
  return new Map(rows.map((row) => [row.no, customerFromRow(row)]));
}

/** Customers by code or NIF, archived ones too: those that an imported one may turn out to be. */
export async function findLikeCustomers(
  tx: Tx,
  companyId: number,
  { nos, nifs }: { readonly nos: readonly string[]; readonly nifs: readonly string[] },
): Promise<(Cliente & { readonly isArchived: boolean })[]> {
  const rows = await tx<(CustomerRow & { is_archived: boolean })[]>`
    select ${columns(tx)}, archived_at is not null as is_archived
      from customers
     where company_id = ${companyId}
       and (no = any(${[...nos]}::text[])
            or (vat_registration_no <> '' and vat_registration_no = any(${[...nifs]}::text[])))`;
  return rows.map((row) => ({ ...customerFromRow(row), isArchived: row.is_archived }));
}

/** Inserts a customer. @returns false when its code is taken, by an archived one too */
export async function insertCustomer(
  tx: Tx,
  companyId: number,
  customer: Cliente,
): Promise<boolean> {
  const { count } = await tx`
    insert into customers (company_id, no, name, vat_registration_no, address, post_code,
           country_code, email, payment_method, payment_terms, customer_posting_group,
           tipo_identificacion, municipio, oficina_contable, organo_gestor, unidad_tramitadora,
           organo_proponente)
    values (${companyId}, ${customer.No}, ${customer.Name}, ${customer.VATRegistrationNo},
            ${customer.Address}, ${customer.postCode}, ${customer.countryCode}, ${customer.Email},
            ${customer.PaymentMethod}, ${customer.PaymentTerms}, ${customer.CustomerPostingGroup},
            ${customer.tipoIdentificacion ?? ''}, ${customer.municipio ?? ''},
            ${customer.oficinaContable ?? ''}, ${customer.organoGestor ?? ''},
            ${customer.unidadTramitadora ?? ''}, ${customer.organoProponente ?? ''})
        on conflict (company_id, no) do nothing`;
  return count === 1;
}

/** Overwrites a customer in use. */
export async function updateCustomer(tx: Tx, companyId: number, customer: Cliente): Promise<void> {
  await tx`
    update customers
       set name = ${customer.Name}, vat_registration_no = ${customer.VATRegistrationNo},
           address = ${customer.Address}, post_code = ${customer.postCode},
           country_code = ${customer.countryCode}, email = ${customer.Email},
           payment_method = ${customer.PaymentMethod}, payment_terms = ${customer.PaymentTerms},
           customer_posting_group = ${customer.CustomerPostingGroup},
           tipo_identificacion = ${customer.tipoIdentificacion ?? ''},
           municipio = ${customer.municipio ?? ''},
           oficina_contable = ${customer.oficinaContable ?? ''},
           organo_gestor = ${customer.organoGestor ?? ''},
           unidad_tramitadora = ${customer.unidadTramitadora ?? ''},
           organo_proponente = ${customer.organoProponente ?? ''}, updated_at = now()
     where company_id = ${companyId} and no = ${customer.No} and archived_at is null`;
}

/** Removes a customer from the lists; its invoices keep it. */
export async function archiveCustomer(
  tx: Tx,
  companyId: number,
  no: string,
  now: Date,
): Promise<void> {
  await tx`
    update customers set archived_at = ${now} where company_id = ${companyId} and no = ${no}`;
}

/**
 * Restores a deleted customer.
 *
 * @returns whether there was one
 */
export async function restoreCustomer(tx: Tx, companyId: number, no: string): Promise<boolean> {
  const { count } = await tx`
    update customers set archived_at = null
     where company_id = ${companyId} and no = ${no} and archived_at is not null`;
  return count === 1;
}

export async function deleteCustomer(tx: Tx, companyId: number, no: string): Promise<boolean> {
  const { count } = await tx`
    delete from customers
     where company_id = ${companyId} and no = ${no} and archived_at is null`;
  return count === 1;
}

/** The countries of the clients of these invoices that are not in Spain, by number. */
export async function findCountriesAbroad(
  tx: Tx,
  companyId: number,
  docNos: readonly string[],
): Promise<Map<string, string>> {
  if (docNos.length === 0) return new Map();
  const rows = await tx<{ docNo: string; country: string }[]>`
    select i.doc_no as "docNo", c.country_code as country
      from invoices i
      join customers c on c.company_id = i.company_id and c.no = i.customer_no
     where i.company_id = ${companyId} and i.doc_no = any(${[...docNos]}::text[])
       and c.country_code <> 'ES'`;
  return new Map(rows.map(({ docNo, country }) => [docNo, country]));
}

/** The next free code of a customer, `C00001`. */
export function nextCustomerNo(tx: Tx, companyId: number): Promise<string> {
  return nextCode(tx, companyId, { counter: 'customer', letter: 'C' }, async (no) => {
    const [row] = await tx`select 1 from customers where company_id = ${companyId} and no = ${no}`;
    return row === undefined;
  });
}

/** Deletes the customers of an account that no invoice names. */
export async function deleteUnusedCustomers(tx: Tx, companyId: number): Promise<void> {
  await tx`
    delete from customers c
     where c.company_id = ${companyId}
       and not exists (select 1 from invoices i
                        where i.company_id = ${companyId} and i.customer_no = c.no)`;
}

export function customerFromRow(row: CustomerRow): Cliente {
  return {
    No: row.no,
    Name: row.name,
    VATRegistrationNo: row.vat_registration_no,
    Address: row.address,
    postCode: row.post_code,
    countryCode: row.country_code,
    Email: row.email,
    PaymentMethod: row.payment_method,
    PaymentTerms: row.payment_terms,
    CustomerPostingGroup: row.customer_posting_group,
    ...(row.tipo_identificacion && { tipoIdentificacion: row.tipo_identificacion }),
    ...(row.municipio && { municipio: row.municipio }),
    ...(row.oficina_contable && { oficinaContable: row.oficina_contable }),
    ...(row.organo_gestor && { organoGestor: row.organo_gestor }),
    ...(row.unidad_tramitadora && { unidadTramitadora: row.unidad_tramitadora }),
    ...(row.organo_proponente && { organoProponente: row.organo_proponente }),
  };
}
