import type { Sql, Tx } from '../src/store/sql.ts';

/** The rows of a real registered invoice in the database. */
export interface SampleRows {
  readonly xml: string;
  readonly issued: string;
  readonly draft: string;
}

/**
 * Writes the rows of one registration with bare SQL and no foreign keys, as a reference: lock, invoice, the other
 * three rows together, commit.
 */
export async function bareTransaction(
  sql: Sql,
  rows: SampleRows,
  companyId: number,
): Promise<void> {
  await sql.begin(async (tx) => {
    const [head] = await tx<{ last_seq: bigint }[]>`
      select last_seq from bare_cadenas where company_id = ${companyId} for update`;
    const seq = String((head?.last_seq ?? 0n) + 1n);
    await tx`
      insert into bare_invoices (company_id, id, doc_no, status, tipo_factura, posting_date, customer_name,
             base, vat, total, seq, registered_at)
      values (${companyId}, ${seq}, ${seq}, 'En espera', 'F1', current_date, 'Cliente de la prueba, S.A.',
             100, 21, 121, ${seq}, now())`;
    await Promise.all(otherRows(tx, rows, companyId, seq));
  });
}

/** The same in three round trips, the minimum for locking, writing and committing. */
export async function quickestTransaction(
  sql: Sql,
  rows: SampleRows,
  companyId: number,
): Promise<string> {
  const tx = await sql.reserve();
  try {
    const [, [head]] = await Promise.all([
      tx`begin`,
      tx<{ last_seq: bigint }[]>`
        select last_seq from bare_cadenas where company_id = ${companyId} for update`,
    ]);
    const seq = String((head?.last_seq ?? 0n) + 1n);
    await Promise.all([
      tx`
        insert into bare_invoices (company_id, id, doc_no, status, tipo_factura, posting_date, customer_name,
               base, vat, total, seq, registered_at)
        values (${companyId}, ${seq}, ${seq}, 'En espera', 'F1', current_date, 'Cliente de la prueba, S.A.',
               100, 21, 121, ${seq}, now())`,
      ...otherRows(tx, rows, companyId, seq),
    ]);
    await tx`commit`;
    return seq;
  } finally {
    tx.release();
  }
}

function otherRows(
  tx: Tx,
  rows: SampleRows,
  companyId: number,
  seq: string,
): PromiseLike<unknown>[] {
  return [
    tx`insert into bare_documents (company_id, invoice_id, draft)
       values (${companyId}, ${seq}, ${rows.draft}::text::jsonb)`,
    tx`insert into bare_registros (company_id, seq, invoice_id, tipo_registro, num_serie_factura,
             fecha_expedicion_factura, huella, huella_anterior, fecha_hora_huso_gen_registro,
             generated_at, xml, issued)
       values (${companyId}, ${seq}, ${seq}, 'Alta', ${seq}, '20-11-2026', ${seq}, ${seq},
             '2026-11-20T10:00:00+01:00', now(), ${rows.xml}, ${rows.issued}::text::jsonb)`,
    tx`update bare_cadenas set last_seq = ${seq}, last_huella = ${seq}, last_num_serie = ${seq}
        where company_id = ${companyId}`,
  ];
}
