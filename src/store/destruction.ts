import type { KeptAccount } from '../domain/retention.ts';
import { quoted, type Tx } from './sql.ts';

export interface ClosedAccount extends KeptAccount {
  readonly id: number;
  readonly nif: string;
  readonly name: string;
  readonly registros: number;
}

/** Closed accounts, oldest first, with what determines their legal term. */
export async function listClosedAccounts(tx: Tx): Promise<ClosedAccount[]> {
  const closed = await tx<Omit<ClosedAccount, keyof Registered>[]>`
    select c.id, c.nif, c.name, c.deleted_at as "closedAt",
           c.subscription_type = 'Demo' and not exists (
             select from payments p
              where p.company_id = c.id and p.status in ('paid', 'conflict', 'refunded')) as "wasTrial"
      from companies c
     where c.deleted_at is not null
     order by c.deleted_at`;
  const accounts: ClosedAccount[] = [];
  for (const account of closed) {
    accounts.push({ ...account, ...(await registeredBy(tx, account.id)) });
  }
  return accounts;
}

type Registered = Pick<ClosedAccount, 'registros' | 'lastYear' | 'usedOss'>;

/** For one company, because a distributed database makes no lateral join with what is on every machine. */
async function registeredBy(tx: Tx, companyId: number): Promise<Registered> {
  const [[row], [paid]] = await Promise.all([
    tx<Registered[]>`
      select count(*)::int as registros,
             max(right(fecha_expedicion_factura, 4))::int as "lastYear",
             coalesce(bool_or(xml ~ 'ClaveRegimen>17<'), false) as "usedOss"
        from registros where company_id = ${companyId}`,
    // What was charged stays in the books, whatever happened to it.
    tx<{ year: number | null }[]>`
      select max(extract(year from coalesce(settled_at, created_at) at time zone 'Europe/Madrid'))::int as year
        from payments
       where company_id = ${companyId} and status in ('paid', 'conflict', 'refunded')`,
  ]);
  if (!row) throw new Error(`Nothing was counted of company ${companyId}.`);
  const years = [row.lastYear, paid?.year ?? null].filter((year) => year !== null);
  return { ...row, lastYear: years.length > 0 ? Math.max(...years) : null };
}

/**
 * Deletes every row of a closed company from all tables, referencing rows before those they refer to. Only here does
 * the database allow deleting what was registered (migration 0069).
 *
 * @returns how many rows of each table were deleted
 */
export async function destroyCompany(tx: Tx, companyId: number): Promise<Record<string, number>> {
  const [closed] = await tx`
    select from companies where id = ${companyId} and deleted_at is not null for update`;
  if (!closed) throw new Error(`Company ${companyId} is not closed.`);
  await tx.unsafe(permission(companyId));
  const gone: Record<string, number> = {};
  for (const table of await tablesOfCompanies(tx)) {
    const rows = await tx.unsafe(`delete from ${quoted(table)} where company_id = $1`, [companyId]);
    if (rows.count > 0) gone[table] = rows.count;
  }
  await tx`delete from companies where id = ${companyId}`;
  await tx.unsafe(permission(null));
  return gone;
}

/** Sent as text, because `set` takes no parameters and `set_config` does not reach Citus's workers. */
function permission(companyId: number | null): string {
  if (companyId !== null && !Number.isSafeInteger(companyId)) {
    throw new Error('A company is a whole number.');
  }
  return `set local huella.destroy = '${companyId ?? ''}'`;
}

/** Tables with rows of companies, each before the tables that it refers to. */
async function tablesOfCompanies(tx: Tx): Promise<string[]> {
  const tables = await tx<{ name: string; targets: string[] }[]>`
    select c.relname as name,
           coalesce(array_agg(distinct f.relname::text) filter (where f.oid <> c.oid), '{}') as targets
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'company_id' and not a.attisdropped
      left join pg_constraint k on k.conrelid = c.oid and k.contype = 'f'
      left join pg_class f on f.oid = k.confrelid
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
     group by c.relname
     order by c.relname`;
  const left = new Map(tables.map(({ name, targets }) => [name, targets]));
  const ordered: string[] = [];
  while (left.size > 0) {
    const pointedTo = new Set([...left.values()].flat());
    const free = [...left.keys()].filter((name) => !pointedTo.has(name));
    if (free.length === 0) throw new Error(`Tables in a ring: ${[...left.keys()].join(', ')}`);
    for (const name of free) left.delete(name);
    ordered.push(...free);
  }
  return ordered;
}
