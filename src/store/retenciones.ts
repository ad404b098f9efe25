import type { IssuedInvoice } from '../domain/invoice.ts';
import { sumText, textToCents } from '../domain/money.ts';
import { heldIssued } from './invoices.ts';
import type { Tx } from './sql.ts';

/** What the clients of invoices withhold, as decimal text. */
export interface Retencion {
  readonly own: string;
  /** Of the invoices that it replaces, without what those had replaced themselves. */
  readonly replaced: string;
}

type Withheld = Pick<IssuedInvoice, 'retencion' | 'tipoRectificativa' | 'rectifies'>;

/** By number, for those of some registered invoices with a retention, or that replace one that has it. */
export async function findRetenciones(
  tx: Tx,
  companyId: number,
  docNos: readonly string[],
): Promise<Map<string, Retencion>> {
  const found = await withheldIn(tx, companyId, docNos);
  const named = await withheldIn(tx, companyId, [...found.values()].flatMap(replacedBy));
  return new Map(
    [...found].flatMap(([docNo, invoice]) => {
      const own = invoice.retencion;
      const replaced = replacedRetencion(invoice, named);
      const isNothing = textToCents(own) === 0n && textToCents(replaced) === 0n;
      return isNothing ? [] : [[docNo, { own, replaced }]];
    }),
  );
}

function replacedRetencion(invoice: Withheld, known: ReadonlyMap<string, Withheld>): string {
  const numbers = replacedBy(invoice);
  const among = (wanted: readonly string[]) =>
    wanted.flatMap((docNo) => {
      const one = numbers.includes(docNo) && known.get(docNo);
      return one ? [one] : [];
    });
  return sumText(
    among(numbers).flatMap((one) => [
      one.retencion,
      // One that had itself replaced another of them counts by the difference.
      ...among(replacedBy(one)).map(({ retencion }) => negated(retencion)),
    ]),
  );
}

/** The company's own invoices that it replaces. */
function replacedBy({ tipoRectificativa, rectifies }: Withheld): string[] {
  if (tipoRectificativa !== 'S') return [];
  return rectifies.filter(({ externa }) => !externa).map(({ numSerie }) => numSerie);
}

const negated = (text: string) => (text.startsWith('-') ? text.slice(1) : `-${text}`);

/** The documents of those that may have a retention: few companies have any. */
async function withheldIn(
  tx: Tx,
  companyId: number,
  docNos: readonly string[],
): Promise<Map<string, Withheld>> {
  if (docNos.length === 0) return new Map();
  const rows = await tx<(Withheld & { docNo: string })[]>`
    select i.doc_no as "docNo", h.issued ->> 'retencion' as retencion,
           h.issued ->> 'tipoRectificativa' as "tipoRectificativa", h.issued -> 'rectifies' as rectifies
      from invoices i
      join invoice_documents d on d.company_id = i.company_id and d.invoice_id = i.id
     cross join lateral (${heldIssued(tx)}) h
     where i.company_id = ${companyId} and i.registered_at is not null
       and i.doc_no = any(${[...docNos]}::text[])
       and (coalesce(d.draft ->> 'retencionIRPF', '') not in ('', '0')
            or (i.tipo_factura like 'R%' and d.draft ->> 'tipoRectificativa' = 'S'))`;
  return new Map(rows.map(({ docNo, ...withheld }) => [docNo, withheld]));
}
