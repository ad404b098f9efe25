import type { DatosSubscripcion } from '../contract/company.ts';
import type { Tx } from './sql.ts';

export type SubscriptionType = DatosSubscripcion['type'];

/** A company: the account, what goes on its invoices, and its defaults for new clients. */
export interface Company {
  readonly id: number;
  readonly nif: string;
  readonly email: string;
  readonly name: string;
  readonly address: string;
  readonly postCode: string;
  readonly countryCode: string;
  readonly passwordHash: string;
  readonly subscriptionType: SubscriptionType;
  readonly subscriptionEndsAt: Date;
  /** `NumeroInstalacion` of its registros. */
  readonly numeroInstalacion: string;
  readonly paymentTerms: string;
  readonly paymentMethod: string;
  readonly customerPostingGroup: string;
  /** `No` of the customer of simplified invoices, or empty. */
  readonly defaultCustomerNo: string;
  /** Account where customers pay by transfer, or empty. */
  readonly iban: string;
  readonly phone: string;
  /** The town of its address; empty until it is given. */
  readonly municipio: string;
  /** Percentage that new invoices start with where it applies, `'2,8'`; empty for none. */
  readonly defaultRetention: string;
  /** `VATProdPostingGroup` that new lines start with; empty for the general rate. */
  readonly defaultTax: string;
  /** Entry in the Registro Mercantil, as printed at the foot of invoices, or empty. */
  readonly registryData: string;
  readonly termsAcceptedAt: Date;
  /** Null in accounts created before it was recorded. */
  readonly termsVersion: string | null;
  readonly createdAt: Date;
}

/** As it is kept. */
export interface CompanyRow {
  id: number;
  nif: string;
  email: string;
  name: string;
  address: string;
  post_code: string;
  country_code: string;
  password_hash: string;
  subscription_type: SubscriptionType;
  subscription_ends_at: Date;
  numero_instalacion: string;
  payment_terms: string;
  payment_method: string;
  customer_posting_group: string;
  default_customer_no: string;
  iban: string;
  phone: string;
  municipio: string;
  default_retention: string;
  default_tax: string;
  registry_data: string;
  terms_accepted_at: Date;
  terms_version: string | null;
  created_at: Date;
}

/**
 * The columns of a {@link CompanyRow}, of companies that the statement calls `c`.
 *
 * Here and in every other statement they are named: the answer to a prepared `select *` changes when a migration adds
 * a column, and PostgreSQL then refuses it, in the processes of the previous version, which are running meanwhile.
 */
export function companyColumns(tx: Tx) {
  return tx`c.id, c.nif, c.email, c.name, c.address, c.post_code, c.country_code, c.password_hash,
    c.subscription_type, c.subscription_ends_at, c.numero_instalacion, c.payment_terms, c.payment_method,
    c.customer_posting_group, c.default_customer_no, c.iban, c.phone, c.municipio, c.default_retention,
    c.default_tax, c.registry_data, c.terms_accepted_at, c.terms_version, c.created_at`;
}

/** A company with an open account, or null: a closed one counts as non-existent. */
export async function findCompany(tx: Tx, companyId: number): Promise<Company | null> {
  const [row] = await tx<CompanyRow[]>`
    select ${companyColumns(tx)} from companies c where c.id = ${companyId} and c.deleted_at is null`;
  return row ? companyFromRow(row) : null;
}

/** The same including closed accounts, as long as they are kept. */
export async function findCompanyEvenClosed(tx: Tx, companyId: number): Promise<Company | null> {
  const [row] = await tx<CompanyRow[]>`
    select ${companyColumns(tx)} from companies c where c.id = ${companyId}`;
  return row ? companyFromRow(row) : null;
}

/**
 * {@link findCompany}, locked until the transaction ends. `no key`, so that inserts of rows of the company, which
 * check that it exists, do not wait for it. When both are locked, it comes before the cadena.
 */
export async function lockCompany(tx: Tx, companyId: number): Promise<Company | null> {
  const [row] = await tx<CompanyRow[]>`
    select ${companyColumns(tx)} from companies c
     where c.id = ${companyId} and c.deleted_at is null
       for no key update`;
  return row ? companyFromRow(row) : null;
}

/**
 * Whether an account still has this e-mail and this password, which cannot change until the transaction ends. Whoever
 * changes them or closes the account ends its sessions afterwards, including those that this transaction opens.
 */
export async function holdCredentials(
  tx: Tx,
  { id, email, passwordHash }: Pick<Company, 'id' | 'email' | 'passwordHash'>,
): Promise<boolean> {
  const rows = await tx`
    select 1 from companies
     where id = ${id} and email = ${email} and password_hash = ${passwordHash}
       and deleted_at is null
       for share`;
  return rows.length > 0;
}

/** Whether an account is open, which it then stays until the transaction ends. */
export async function holdOpen(tx: Tx, companyId: number): Promise<boolean> {
  const rows = await tx`
    select 1 from companies where id = ${companyId} and deleted_at is null for share`;
  return rows.length > 0;
}

/** Stores a new hash of the same password, unless the password has changed meanwhile. */
export async function replacePasswordHash(
  tx: Tx,
  companyId: number,
  { before, after }: { readonly before: string; readonly after: string },
): Promise<boolean> {
  const { count } = await tx`
    update companies set password_hash = ${after}
     where id = ${companyId} and password_hash = ${before} and deleted_at is null`;
  return count > 0;
}

/** @param email as returned by `emailKey`: the login user is compared without case */
export async function findCompanyByEmail(tx: Tx, email: string): Promise<Company | null> {
  const [row] = await tx<CompanyRow[]>`
    select ${companyColumns(tx)} from companies c where c.email = ${email} and c.deleted_at is null`;
  return row ? companyFromRow(row) : null;
}

export async function findCompanyByNif(tx: Tx, nif: string): Promise<Company | null> {
  const [row] = await tx<CompanyRow[]>`
    select ${companyColumns(tx)} from companies c where c.nif = ${nif} and c.deleted_at is null`;
  return row ? companyFromRow(row) : null;
}

/** Whether any open account other than `exceptId` has this e-mail or this NIF. */
export async function isRegistered(
  tx: Tx,
  { email, nif, exceptId = 0 }: { email?: string; nif?: string; exceptId?: number },
): Promise<boolean> {
  const [row] = await tx<{ taken: boolean }[]>`
    select exists (
      select 1 from companies
       where deleted_at is null and id <> ${exceptId}
         and (email = ${email ?? null} or nif = ${nif ?? null})
    ) as taken`;
  return row?.taken ?? false;
}

/** Accounts with this NIF, including closed ones: their registros belong to the same obligado for ever. */
export async function findCompanyIdsByNif(tx: Tx, nif: string): Promise<number[]> {
  const rows = await tx<{ id: number }[]>`select id from companies where nif = ${nif} order by id`;
  return rows.map((row) => row.id);
}

/**
 * Inserts a company.
 *
 * @returns its id, or null when an open account already has the e-mail or the NIF: the unique indexes decide between
 *   two simultaneous sign-ups
 */
export async function insertCompany(
  tx: Tx,
  company: Omit<
    Company,
    'id' | 'iban' | 'phone' | 'municipio' | 'defaultRetention' | 'defaultTax' | 'registryData'
  >,
): Promise<number | null> {
  const [row] = await tx<{ id: number }[]>`
    insert into companies (nif, email, name, address, post_code, country_code, password_hash,
           subscription_type, subscription_ends_at, numero_instalacion, payment_terms,
           payment_method, customer_posting_group, default_customer_no, terms_accepted_at,
           terms_version, created_at)
    values (${company.nif}, ${company.email}, ${company.name}, ${company.address},
            ${company.postCode}, ${company.countryCode}, ${company.passwordHash},
            ${company.subscriptionType}, ${company.subscriptionEndsAt},
            ${company.numeroInstalacion}, ${company.paymentTerms}, ${company.paymentMethod},
            ${company.customerPostingGroup}, ${company.defaultCustomerNo},
            ${company.termsAcceptedAt}, ${company.termsVersion}, ${company.createdAt})
        on conflict do nothing
 returning id`;
  return row?.id ?? null;
}

/** New values of some columns; what is undefined stays as it is. */
export type CompanyChanges = {
  readonly [Column in
    | 'nif'
    | 'email'
    | 'name'
    | 'address'
    | 'postCode'
    | 'countryCode'
    | 'passwordHash'
    | 'paymentTerms'
    | 'paymentMethod'
    | 'customerPostingGroup'
    | 'defaultCustomerNo'
    | 'iban'
    | 'phone'
    | 'municipio'
    | 'defaultRetention'
    | 'defaultTax'
    | 'registryData']?: Company[Column] | undefined;
};

export async function updateCompany(
  tx: Tx,
  companyId: number,
  changes: CompanyChanges,
): Promise<void> {
  await tx`
    update companies
       set nif = coalesce(${changes.nif ?? null}, nif),
           email = coalesce(${changes.email ?? null}, email),
           name = coalesce(${changes.name ?? null}, name),
           address = coalesce(${changes.address ?? null}, address),
           post_code = coalesce(${changes.postCode ?? null}, post_code),
           country_code = coalesce(${changes.countryCode ?? null}, country_code),
           password_hash = coalesce(${changes.passwordHash ?? null}, password_hash),
           payment_terms = coalesce(${changes.paymentTerms ?? null}, payment_terms),
           payment_method = coalesce(${changes.paymentMethod ?? null}, payment_method),
           customer_posting_group =
             coalesce(${changes.customerPostingGroup ?? null}, customer_posting_group),
           default_customer_no = coalesce(${changes.defaultCustomerNo ?? null}, default_customer_no),
           iban = coalesce(${changes.iban ?? null}, iban),
           phone = coalesce(${changes.phone ?? null}, phone),
           municipio = coalesce(${changes.municipio ?? null}, municipio),
           default_retention = coalesce(${changes.defaultRetention ?? null}, default_retention),
           default_tax = coalesce(${changes.defaultTax ?? null}, default_tax),
           registry_data = coalesce(${changes.registryData ?? null}, registry_data)
     where id = ${companyId}`;
}

/** Until when a company may invoice, and under which plan. */
export async function setSubscription(
  tx: Tx,
  companyId: number,
  { type, endsAt }: { readonly type: SubscriptionType; readonly endsAt: Date },
): Promise<void> {
  await tx`
    update companies set subscription_type = ${type}, subscription_ends_at = ${endsAt}
     where id = ${companyId}`;
}

/** Whether a statement failed because another open account has the e-mail or the NIF. */
export function isTwinCompany(error: unknown): boolean {
  const { code, constraint_name: name } = (error ?? {}) as Record<string, unknown>;
  return code === '23505' && (name === 'companies_email_key' || name === 'companies_nif_key');
}

/**
 * Closes an account: nobody can sign in any more, and e-mail and NIF are free again.
 *
 * Name, NIF and address stay: they are part of invoices that the law makes the company keep.
 */
export async function closeCompany(tx: Tx, companyId: number, now: Date): Promise<void> {
  await tx`
    update companies
       set deleted_at = ${now}, email = '', password_hash = '', default_customer_no = '', iban = '',
           phone = '', default_retention = '', default_tax = '', registry_data = ''
     where id = ${companyId}`;
}

export function companyFromRow(row: CompanyRow): Company {
  return {
    id: row.id,
    nif: row.nif,
    email: row.email,
    name: row.name,
    address: row.address,
    postCode: row.post_code,
    countryCode: row.country_code,
    passwordHash: row.password_hash,
    subscriptionType: row.subscription_type,
    subscriptionEndsAt: row.subscription_ends_at,
    numeroInstalacion: row.numero_instalacion,
    paymentTerms: row.payment_terms,
    paymentMethod: row.payment_method,
    customerPostingGroup: row.customer_posting_group,
    defaultCustomerNo: row.default_customer_no,
    iban: row.iban,
    phone: row.phone,
    municipio: row.municipio,
    defaultRetention: row.default_retention,
    defaultTax: row.default_tax,
    registryData: row.registry_data,
    termsAcceptedAt: row.terms_accepted_at,
    termsVersion: row.terms_version,
    createdAt: row.created_at,
  };
}
