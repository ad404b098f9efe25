import type { Cliente } from '../contract/parties.ts';
import type { SeriesKind } from '../domain/series.ts';
import { type CompanyCatalogs, catalogsOf } from './catalogs.ts';
import { type CertificateDetails, type DetailsRow, detailsFromRow } from './certificates.ts';
import { type Company, type CompanyRow, companyColumns, companyFromRow } from './companies.ts';
import { type CustomerRow, customerFromRow } from './customers.ts';
import { type OpenSeries, type SeriesRow, seriesFromRows } from './series.ts';
import { ofCompanies, type Tx } from './sql.ts';

/** A company with everything that issuing its invoices needs. */
export interface Issuer<Name extends keyof CompanyCatalogs> {
  readonly company: Company;
  readonly certificate: CertificateDetails | null;
  /** By code, archived ones too: at least its own among those asked for. */
  readonly customers: ReadonlyMap<string, Cliente>;
  readonly series: ReadonlyMap<SeriesKind, OpenSeries>;
  readonly catalogs: Pick<CompanyCatalogs, Name>;
}

interface IssuerRow<Name extends string> extends CompanyRow, Omit<DetailsRow, 'nif'> {
  /** Null without a certificate. */
  certificate_nif: string | null;
  customers: CustomerRow[] | null;
  /** The counter as text, because JSON numbers cannot hold such integers exactly. */
  series: (Omit<SeriesRow, 'next_number'> & { next_number: string })[] | null;
  digests: Partial<Record<Name, string>> | null;
}

/**
 * Open accounts with all of that, in one statement instead of five, since each costs both sides about as much as an
 * invoice. It sees a single moment. Each table names its companies itself, for a distributed database.
 *
 * @param customers codes of the customers that are named
 */
export async function findIssuers<Name extends keyof CompanyCatalogs>(
  tx: Tx,
  companyIds: readonly number[],
  { customers, names }: { readonly customers: readonly string[]; readonly names: readonly Name[] },
): Promise<Map<number, Issuer<Name>>> {
  const areOf = (column: string) => ofCompanies(tx, column, companyIds);
  const rows = await tx<IssuerRow<Name>[]>`
    select ${companyColumns(tx)}, k.nif as certificate_nif, k.file_name, k.titular, k.tipo, k.emisor, k.serie,
           k.huella_certificado, k.valido_desde, k.valido_hasta,
           (select json_agg(t) from (
              select u.no, u.name, u.vat_registration_no, u.address, u.post_code, u.country_code, u.email,
                     u.payment_method, u.payment_terms, u.customer_posting_group, u.tipo_identificacion,
                     u.municipio, u.oficina_contable, u.organo_gestor, u.unidad_tramitadora, u.organo_proponente
                from customers u
               where ${areOf('u.company_id')} and u.company_id = c.id
                 and u.no = any(${[...customers]}::text[])) as t) as customers,
           (select json_agg(t) from (
              select s.kind, s.prefix, s.suffix, s.width, s.next_number::text, s.last_date
                from series s
               where ${areOf('s.company_id')} and s.company_id = c.id) as t) as series,
           (select json_object_agg(g.catalog, g.digest)
              from company_catalogs g
             where ${areOf('g.company_id')} and g.company_id = c.id
               and g.catalog = any(${[...names]}::text[])) as digests
      from companies c
      left join certificates k on ${areOf('k.company_id')} and k.company_id = c.id
     where ${areOf('c.id')} and c.deleted_at is null`;
  const digests = new Map(rows.map((row) => [row.id, row.digests ?? {}]));
  const catalogs = await catalogsOf(tx, digests, names);
  return new Map(
    rows.map((row) => [
      row.id,
      {
        company: companyFromRow(row),
        certificate:
          row.certificate_nif === null
            ? null
            : detailsFromRow({ ...row, nif: row.certificate_nif }),
        customers: new Map((row.customers ?? []).map((one) => [one.no, customerFromRow(one)])),
        series: seriesFromRows(
          (row.series ?? []).map((one) => ({ ...one, next_number: BigInt(one.next_number) })),
        ),
        catalogs: catalogs.get(row.id) as Pick<CompanyCatalogs, Name>,
      },
    ]),
  );
}

/** What saving the drafts of a company needs: much less. */
export type Drafter = Pick<Issuer<'gruposIva'>, 'customers'> & Pick<CompanyCatalogs, 'gruposIva'>;

/** The same for drafts, also in one statement. Null when the account is closed. */
export async function findDrafter(
  tx: Tx,
  companyId: number,
  nos: readonly string[],
): Promise<Drafter | null> {
  const rows = await tx<(CustomerRow & { digest: string | null })[]>`
    select g.digest, u.no, u.name, u.vat_registration_no, u.address, u.post_code, u.country_code, u.email,
           u.payment_method, u.payment_terms, u.customer_posting_group, u.tipo_identificacion,
           u.municipio, u.oficina_contable, u.organo_gestor, u.unidad_tramitadora, u.organo_proponente
      from companies c
      join company_catalogs g
        on g.company_id = ${companyId} and g.company_id = c.id and g.catalog = 'gruposIva'
      left join customers u
        on u.company_id = ${companyId} and u.company_id = c.id and u.no = any(${[...nos]}::text[])
     where c.id = ${companyId} and c.deleted_at is null`;
  const [first] = rows;
  if (!first?.digest) return null;
  const digests = new Map([[companyId, { gruposIva: first.digest }]]);
  const gruposIva = (await catalogsOf(tx, digests, ['gruposIva'])).get(companyId)?.gruposIva;
  if (!gruposIva) return null;
  const known = rows.filter(({ no }) => no !== null);
  return { gruposIva, customers: new Map(known.map((row) => [row.no, customerFromRow(row)])) };
}
