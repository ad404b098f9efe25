import {
  type ClaveRegimen,
  clavesRegimen,
  type FormaPago,
  formasPago,
  type GrupoContable,
  gruposContables,
  gruposIva,
  type TerminoPago,
  terminosPago,
  type Unidad,
  unidades,
  withSituaciones,
} from '../domain/catalogs/catalogs.ts';
import type { Territory } from '../domain/postal-code.ts';
import type { VatGroup } from '../domain/vat.ts';
import type { Tx } from './sql.ts';

/** The catalogs of a company, its own from the day it signs up. */
export interface CompanyCatalogs {
  readonly terminosPago: readonly TerminoPago[];
  readonly formasPago: readonly FormaPago[];
  readonly gruposContables: readonly GrupoContable[];
  readonly gruposIva: readonly VatGroup[];
  readonly unidades: readonly Unidad[];
  readonly clavesRegimen: readonly ClaveRegimen[];
}

export async function findCatalog<Name extends keyof CompanyCatalogs>(
  tx: Tx,
  companyId: number,
  name: Name,
): Promise<CompanyCatalogs[Name]> {
  const [row] = await tx<{ entries: CompanyCatalogs[Name] }[]>`
    select entries from company_catalogs where company_id = ${companyId} and catalog = ${name}`;
  // Every company has all of them since its sign-up: an empty select would hide that one is lost.
  if (!row) throw new Error(`The company ${companyId} has no catalog ${name}.`);
  if (name !== 'gruposIva') return row.entries;
  // The rates are the company's own; what follows from a situation is the same for everybody.
  const taxes: CompanyCatalogs['gruposIva'] = withSituaciones(row.entries as readonly VatGroup[]);
  return taxes as CompanyCatalogs[Name];
}

/** Gives a new company its catalogs: those of everybody and those of its territory. */
export async function seedCatalogs(tx: Tx, companyId: number, territory: Territory): Promise<void> {
  await saveCatalogs(tx, companyId, {
    terminosPago,
    formasPago,
    gruposContables,
    unidades,
    ...taxCatalogs(territory),
  });
}

/** Changes the taxes of a company whose address moved to another territory. */
export async function reseedTaxes(tx: Tx, companyId: number, territory: Territory): Promise<void> {
  await saveCatalogs(tx, companyId, taxCatalogs(territory));
}

function taxCatalogs(territory: Territory): Pick<CompanyCatalogs, 'gruposIva' | 'clavesRegimen'> {
  return { gruposIva: gruposIva(territory), clavesRegimen: clavesRegimen(territory) };
}

async function saveCatalogs(
  tx: Tx,
  companyId: number,
  catalogs: Partial<CompanyCatalogs>,
): Promise<void> {
  await tx`
    insert into company_catalogs (company_id, catalog, entries)
    select ${companyId}, t.catalog, t.entries::jsonb
      from unnest(${Object.keys(catalogs)}::text[],
                  ${Object.values(catalogs).map((entries) => JSON.stringify(entries))}::text[]
           ) as t (catalog, entries)
        on conflict (company_id, catalog) do update set entries = excluded.entries`;
}
