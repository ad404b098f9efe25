import {
  type ClaveRegimen,
  clavesRegimen,
  clavesRegimenOf,
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
import type { CustomerChoices } from '../domain/customer.ts';
import type { Territory } from '../domain/postal-code.ts';
import type { VatGroup } from '../domain/vat.ts';
import { shared } from './coalesced.ts';
import { ofCompanies, type Tx } from './sql.ts';

/** The catalogs of a company, its own from sign-up on. */
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
  // Every company has all of them from sign-up on: an empty select would hide that one was lost.
  if (!row) throw new Error(`The company ${companyId} has no catalog ${name}.`);
  return completed(name, row.entries);
}

const OF_CUSTOMERS = ['terminosPago', 'formasPago', 'gruposContables'] as const;

/** What customers of a company may choose from its catalogs. */
export async function customerChoices(tx: Tx, companyId: number): Promise<CustomerChoices> {
  return choicesOf(await findCatalogs(tx, companyId, OF_CUSTOMERS));
}

/** The same from catalogs that have already been read. */
export function choicesOf({
  terminosPago: terminos,
  formasPago: formas,
  gruposContables: grupos,
}: Pick<CompanyCatalogs, (typeof OF_CUSTOMERS)[number]>): CustomerChoices {
  return {
    terminosPago: new Set(terminos.map(({ Code }) => Code)),
    formasPago: new Set(formas.map(({ Code }) => Code)),
    gruposContables: new Set(grupos.map(({ value }) => value)),
  };
}

/**
 * Adds what is the same for everybody. The rates are the company's own; what follows from a situation, and the name
 * and mention of a clave de régimen, are today's and not those of the day of sign-up.
 */
function completed<Name extends keyof CompanyCatalogs>(
  name: Name,
  entries: CompanyCatalogs[Name],
): CompanyCatalogs[Name] {
  if (name === 'clavesRegimen') {
    const [first] = entries as CompanyCatalogs['clavesRegimen'];
    return clavesRegimenOf(first?.impuesto ?? '01') as CompanyCatalogs[Name];
  }
  if (name !== 'gruposIva') return entries;
  const taxes: CompanyCatalogs['gruposIva'] = withSituaciones(entries as readonly VatGroup[]);
  return taxes as CompanyCatalogs[Name];
}

/** Catalogs by digest, for the life of the process: nearly all companies share the same ones. */
const seen = new Map<string, CompanyCatalogs[keyof CompanyCatalogs]>();
const MOST_SEEN = 1_000;

/**
 * Catalogs of companies by their digests, which are read along with the rest (issuers.ts). Those that this process
 * has not seen before take one more statement.
 */
export async function catalogsOf<Name extends keyof CompanyCatalogs>(
  tx: Tx,
  digests: ReadonlyMap<number, { readonly [Catalog in Name]?: string }>,
  names: readonly Name[],
): Promise<Map<number, Pick<CompanyCatalogs, Name>>> {
  const wanted = new Set(
    [...digests.values()].flatMap((own) => names.flatMap((name) => own[name] ?? [])),
  );
  if ([...wanted].some((digest) => !seen.has(digest))) await see(tx, [...digests.keys()], wanted);
  return new Map(
    [...digests].map(([id, own]) => {
      const catalogs = Object.fromEntries(
        names.map((name) => {
          const catalog = seen.get(own[name] ?? '');
          if (!catalog) throw new Error(`The company ${id} has no catalog ${name}.`);
          return [name, catalog];
        }),
      );
      return [id, catalogs as unknown as Pick<CompanyCatalogs, Name>];
    }),
  );
}

async function see(
  tx: Tx,
  companyIds: readonly number[],
  digests: ReadonlySet<string>,
): Promise<void> {
  if (seen.size > MOST_SEEN) seen.clear();
  const rows = await tx<
    {
      digest: string;
      catalog: keyof CompanyCatalogs;
      entries: CompanyCatalogs[keyof CompanyCatalogs];
    }[]
  >`
    select distinct on (digest) digest, catalog, entries from company_catalogs
     where ${ofCompanies(tx, 'company_id', companyIds)}
       and digest = any(${[...digests].filter((digest) => !seen.has(digest))}::text[])`;
  for (const { digest, catalog, entries } of rows) seen.set(digest, completed(catalog, entries));
}

/**
 * The catalogs of a company, of which only the digests are read if this process has seen them before. A call that
 * asks at the same moment for other catalogs of that company shares the reading.
 */
export async function findCatalogs<Name extends keyof CompanyCatalogs>(
  tx: Tx,
  companyId: number,
  names: readonly Name[],
): Promise<Pick<CompanyCatalogs, Name>> {
  const digests = await digestsOf(tx, companyId);
  const found = await catalogsOf(tx, new Map([[companyId, digests]]), names);
  return found.get(companyId) as Pick<CompanyCatalogs, Name>;
}

const digestsOf = shared(async (tx, companyId) => {
  const rows = await tx<{ catalog: keyof CompanyCatalogs; digest: string }[]>`
    select catalog, digest from company_catalogs where company_id = ${companyId}`;
  return Object.fromEntries(rows.map(({ catalog, digest }) => [catalog, digest])) as {
    readonly [Catalog in keyof CompanyCatalogs]?: string;
  };
});

/** Gives a new company its catalogs: the common ones and those of its territory. */
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
