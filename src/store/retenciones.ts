import { type Retencion, replacedBy, retencionOf, type Withheld } from '../domain/retenciones.ts';
import { heldIssued, issuedOf } from './invoices.ts';
import type { Statement, Tx } from './sql.ts';

/**
 * By number, for those of some registered invoices with a retention, or that replace one that has it: as they were last
 * declared, like the amounts of a list. What they replace is what the AEAT held.
 */
export async function findRetenciones(
  tx: Tx,
  companyId: number,
  docNos: readonly string[],
): Promise<Map<string, Retencion>> {
  const found = await withheldIn(tx, companyId, docNos, issuedOf(tx, companyId, tx`i`));
  const replaced = [...found.values()].flatMap(replacedBy);
  const named = await withheldIn(tx, companyId, replaced, heldIssued(tx));
  return new Map(
    [...found].flatMap(([docNo, invoice]) => {
      const retencion = retencionOf(invoice, named);
      return retencion ? [[docNo, retencion]] : [];
    }),
  );
}

/**
 * The documents of those that may have a retention: few companies have any. A refused correction may have taken it off.
 */
async function withheldIn(
  tx: Tx,
  companyId: number,
  docNos: readonly string[],
  document: Statement,
): Promise<Map<string, Withheld>> {
  if (docNos.length === 0) return new Map();
  const rows = await tx<(Withheld & { docNo: string })[]>`
    select i.doc_no as "docNo", h.issued ->> 'retencion' as retencion,
           h.issued ->> 'tipoRectificativa' as "tipoRectificativa", h.issued -> 'rectifies' as rectifies
      from invoices i
      join invoice_documents d on d.company_id = i.company_id and d.invoice_id = i.id
     cross join lateral (${document}) h
     where i.company_id = ${companyId} and i.registered_at is not null
       and i.doc_no = any(${[...docNos]}::text[])
       and (coalesce(d.draft ->> 'retencionIRPF', '') not in ('', '0')
            or i.status = 'Rechazado'
            or (i.tipo_factura like 'R%' and d.draft ->> 'tipoRectificativa' = 'S'))`;
  return new Map(rows.map(({ docNo, ...withheld }) => [docNo, withheld]));
}
