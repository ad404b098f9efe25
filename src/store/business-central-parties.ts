import type { Origin } from './business-central.ts';
import type { Tx } from './sql.ts';

export type PartyKind = 'cliente' | 'producto';

/** A client or item of Business Central, and the one of ours that corresponds to it. */
export interface Party {
  readonly bcId: string;
  readonly number: string;
  readonly name: string;
  /** Our code; null while it could not be saved. */
  readonly no: string | null;
  readonly contentHash: string;
  readonly problems: readonly string[];
}

interface PartyRow {
  bc_id: string;
  number: string;
  name: string;
  no: string | null;
  content_hash: string;
  problems: string[];
}

export async function findParties(
  tx: Tx,
  { companyId, bcCompany }: Origin,
  kind: PartyKind,
  bcIds: readonly string[],
): Promise<Map<string, Party>> {
  const rows = await tx<PartyRow[]>`
    select bc_id, number, name, no, content_hash, problems from bc_parties
     where company_id = ${companyId} and bc_company = ${bcCompany} and kind = ${kind}
       and bc_id = any(${[...bcIds]}::uuid[])`;
  return new Map(rows.map((row) => [row.bc_id, partyFromRow(row)]));
}

/** Our code for each of their items, by its number. */
export async function findProductNos(
  tx: Tx,
  { companyId, bcCompany }: Origin,
  numbers: readonly string[],
): Promise<Map<string, string>> {
  const rows = await tx<{ number: string; no: string }[]>`
    select number, no from bc_parties
     where company_id = ${companyId} and bc_company = ${bcCompany} and kind = 'producto'
       and number = any(${[...numbers]}::text[]) and no is not null`;
  return new Map(rows.map((row) => [row.number, row.no]));
}

export async function saveParties(
  tx: Tx,
  { companyId, bcCompany }: Origin,
  kind: PartyKind,
  parties: readonly Party[],
): Promise<void> {
  if (parties.length === 0) return;
  await tx`
    insert into bc_parties (company_id, bc_company, kind, bc_id, number, name, no, content_hash,
           problems)
    select ${companyId}, ${bcCompany}, ${kind}, t.bc_id, t.number, t.name, t.no, t.hash,
           t.problems::jsonb
      from unnest(${parties.map((p) => p.bcId)}::uuid[], ${parties.map((p) => p.number)}::text[],
                  ${parties.map((p) => p.name)}::text[], ${parties.map((p) => p.no)}::text[],
                  ${parties.map((p) => p.contentHash)}::text[],
                  ${parties.map((p) => JSON.stringify(p.problems))}::text[]
           ) as t (bc_id, number, name, no, hash, problems)
        on conflict (company_id, bc_company, kind, bc_id) do update
       set number = excluded.number, name = excluded.name, no = excluded.no,
           content_hash = excluded.content_hash, problems = excluded.problems`;
}

function partyFromRow(row: PartyRow): Party {
  return {
    bcId: row.bc_id,
    number: row.number,
    name: row.name,
    no: row.no,
    contentHash: row.content_hash,
    problems: row.problems,
  };
}
