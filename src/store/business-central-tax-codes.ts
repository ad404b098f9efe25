import type { Tx } from './sql.ts';

export interface TaxCode {
  readonly grupo: string;
  readonly codigo: string;
  /** Per cent, as decimal text: `21.00`. */
  readonly porcentaje: string;
  /** Our VATProdPostingGroup; null until somebody chooses it. */
  readonly tax: string | null;
}

export async function listTaxCodes(tx: Tx, companyId: number): Promise<TaxCode[]> {
  return tx<TaxCode[]>`
    select grupo, codigo, porcentaje, tax from bc_tax_codes
     where company_id = ${companyId} 
     order by grupo <> 'NAC', grupo, porcentaje desc, codigo`;
}

/** Records codes seen for the first time. Existing ones keep what was chosen for them. */
export async function noteTaxCodes(
  tx: Tx,
  companyId: number,
  codes: readonly Omit<TaxCode, 'tax'>[],
): Promise<void> {
  if (codes.length === 0) return;
  await tx`
    insert into bc_tax_codes (company_id, grupo, codigo, porcentaje)
    select ${companyId}, t.*
      from unnest(${codes.map((c) => c.grupo)}::text[], ${codes.map((c) => c.codigo)}::text[],
                  ${codes.map((c) => c.porcentaje)}::numeric[]) as t
        on conflict (company_id, grupo, codigo, porcentaje) do nothing`;
}

export async function saveTaxCodes(
  tx: Tx,
  companyId: number,
  codes: readonly TaxCode[],
): Promise<void> {
  if (codes.length === 0) return;
  await tx`
    insert into bc_tax_codes (company_id, grupo, codigo, porcentaje, tax)
    select ${companyId}, t.*
      from unnest(${codes.map((c) => c.grupo)}::text[], ${codes.map((c) => c.codigo)}::text[],
                  ${codes.map((c) => c.porcentaje)}::numeric[],
                  ${codes.map((c) => c.tax)}::text[]) as t
        on conflict (company_id, grupo, codigo, porcentaje) do update set tax = excluded.tax`;
}

/** How many documents wait for each code, by «group|code|bps». */
export async function countMissing(tx: Tx, companyId: number): Promise<Map<string, number>> {
  const rows = await tx<{ key: string; count: number }[]>`
    select key, count(*)::int as count
      from bc_documents d cross join unnest(d.missing) as key
     where d.company_id = ${companyId} and d.state = 'retenida' group by key`;
  return new Map(rows.map((row) => [row.key, row.count]));
}
