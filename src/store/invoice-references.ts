import type { IssuedInvoice } from '../domain/invoice.ts';
import type { Tx } from './sql.ts';

export interface InvoiceReferences {
  readonly id: bigint;
  readonly issued: Pick<IssuedInvoice, 'rectifies' | 'sustituye'>;
}

/** Writes what invoices rectify and replace, over what an earlier registro of theirs said. */
export async function saveReferences(
  tx: Tx,
  companyId: number,
  invoices: readonly InvoiceReferences[],
): Promise<void> {
  const rows = invoices.flatMap(({ id, issued }) => [
    ...issued.rectifies.map(({ numSerie }) => ({ id, kind: 'rectifica', numSerie })),
    ...issued.sustituye.map(({ numSerie }) => ({ id, kind: 'sustituye', numSerie })),
  ]);
  const earlier = tx`
    delete from invoice_references
     where company_id = ${companyId} and invoice_id = any(${invoices.map(({ id }) => String(id))}::bigint[])`;
  const later = tx`
    insert into invoice_references (company_id, invoice_id, kind, numero)
    select ${companyId}, t.id, t.kind, t.numero
      from unnest(${rows.map(({ id }) => String(id))}::bigint[],
                  ${rows.map(({ kind }) => kind)}::text[],
                  ${rows.map(({ numSerie }) => numSerie)}::text[]) as t (id, kind, numero)
        on conflict do nothing`;
  await Promise.all([earlier, later]);
}

/** The F3 that each simplified invoice was exchanged for: by number, of those that stand. */
export async function findExchanges(
  tx: Tx,
  companyId: number,
  docNos: readonly string[],
): Promise<Map<string, string>> {
  if (docNos.length === 0) return new Map();
  const rows = await tx<{ numero: string; doc_no: string }[]>`
    select r.numero, i.doc_no
      from invoice_references r
      join invoices i on i.company_id = r.company_id and i.id = r.invoice_id
     where r.company_id = ${companyId} and r.numero = any(${[...docNos]}::text[])
       and r.kind = 'sustituye' and i.status <> 'Anulada'`;
  return new Map(rows.map(({ numero, doc_no }) => [numero, doc_no]));
}
