import type { Tx } from './sql.ts';

/** The logo of a company as PNG, or null. */
export async function findCompanyPicture(tx: Tx, companyId: number): Promise<Buffer | null> {
  const [row] = await tx<{ png: Buffer }[]>`
    select png from company_pictures where company_id = ${companyId}`;
  return row?.png ?? null;
}

export async function saveCompanyPicture(tx: Tx, companyId: number, png: Buffer): Promise<void> {
  await tx`
    insert into company_pictures (company_id, png) values (${companyId}, ${png})
        on conflict (company_id) do update set png = excluded.png`;
}

export async function deleteCompanyPicture(tx: Tx, companyId: number): Promise<void> {
  await tx`delete from company_pictures where company_id = ${companyId}`;
}
