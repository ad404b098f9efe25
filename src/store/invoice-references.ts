import { type Figures, type Naming, takenBy } from '../domain/figures.ts';
import type { IssuedInvoice, ReferencedInvoice, TipoRectificativa } from '../domain/invoice.ts';
import { centsToText, textToCents } from '../domain/money.ts';
import { checkNif } from '../domain/nif.ts';
import { constaDeAlta, type Desenlace } from '../domain/verifactu/correcciones.ts';
import {
  heldIssued,
  type InvoiceName,
  type InvoiceSummary,
  issuedOf,
  nameOfInvoice,
} from './invoices.ts';
import { companiesOf, ofCompanies, type Statement, type Tx } from './sql.ts';

export interface InvoiceReferences {
  readonly companyId: number;
  readonly id: bigint;
  readonly issued: Pick<IssuedInvoice, 'rectifies' | 'sustituye'>;
}

/**
 * Records which of our invoices these rectify and replace, overwriting what an earlier registro of theirs said.
 * References to invoices of another program stay in their document: one of ours may have the same number, or get it
 * later.
 */
export async function saveReferences(
  tx: Tx,
  invoices: readonly InvoiceReferences[],
): Promise<void> {
  if (invoices.length === 0) return;
  const rows = invoices.flatMap(({ companyId, id, issued }) => [
    ...ours(issued.rectifies).map((numSerie) => ({ companyId, id, kind: 'rectifica', numSerie })),
    ...ours(issued.sustituye).map((numSerie) => ({ companyId, id, kind: 'sustituye', numSerie })),
  ]);
  const earlier = tx`
    delete from invoice_references
     where ${ofCompanies(tx, 'company_id', companiesOf(invoices))}
       and (company_id, invoice_id) in (
             select * from unnest(${invoices.map(({ companyId }) => companyId)}::int[],
                                  ${invoices.map(({ id }) => String(id))}::bigint[]))`;
  const later = tx`
    insert into invoice_references (company_id, invoice_id, kind, numero)
    select t.company_id, t.id, t.kind, t.numero
      from unnest(${rows.map(({ companyId }) => companyId)}::int[],
                  ${rows.map(({ id }) => String(id))}::bigint[],
                  ${rows.map(({ kind }) => kind)}::text[],
                  ${rows.map(({ numSerie }) => numSerie)}::text[]) as t (company_id, id, kind, numero)
        on conflict do nothing`;
  await Promise.all([earlier, later]);
}

/** The numbers of those that are the company's own, not another program's. */
export function ours(named: readonly ReferencedInvoice[]): string[] {
  return named.filter(({ externa }) => !externa).map(({ numSerie }) => numSerie);
}

/**
 * Whether an invoice takes the place of one that it names: an F3 that exchanges it, or a rectificativa por sustitución.
 * For a reference that the statement calls `r`, and the document of its invoice, `d`.
 */
export function takesPlace(tx: Tx): Statement {
  return tx`(r.kind = 'sustituye' or d.draft ->> 'tipoRectificativa' = 'S')`;
}

/** The F3 for which each simplified invoice was exchanged, by number, counting only valid ones. */
export async function findExchanges(
  tx: Tx,
  companyId: number,
  docNos: readonly string[],
): Promise<Map<string, string>> {
  const found = await findExchangesOf(
    tx,
    docNos.map((docNo) => ({ companyId, docNo })),
  );
  return new Map(
    docNos.flatMap((docNo) => {
      const exchange = found.get(nameOfInvoice({ companyId, docNo }));
      return exchange ? [[docNo, exchange]] : [];
    }),
  );
}

/** The same for several companies, by `nameOfInvoice`. */
export async function findExchangesOf(
  tx: Tx,
  wanted: readonly InvoiceName[],
): Promise<Map<string, string>> {
  if (wanted.length === 0) return new Map();
  const rows = await tx<(InvoiceName & { exchange: string })[]>`
    select r.company_id as "companyId", r.numero as "docNo", i.doc_no as exchange
      from invoice_references r
      join invoices i on i.company_id = r.company_id and i.id = r.invoice_id
     where ${ofCompanies(tx, 'r.company_id', companiesOf(wanted))}
       and (r.company_id, r.numero) in (
             select * from unnest(${wanted.map(({ companyId }) => companyId)}::int[],
                                  ${wanted.map(({ docNo }) => docNo)}::text[]))
       and r.kind = 'sustituye' and i.status <> 'Anulada'`;
  return new Map(rows.map((row) => [nameOfInvoice(row), row.exchange]));
}

/** How an invoice relates to those that it replaces. */
export interface Replacement {
  /** For a rectificativa; null for an F3. */
  readonly tipoRectificativa: TipoRectificativa | null;
  /**
   * Amounts of the company's invoices that it replaces, without what those had replaced themselves; null for nothing.
   */
  readonly replaced: Figures | null;
  /**
   * Its part that was invoiced to other clients: a ticket over the counter for which a company asks for a full invoice.
   */
  readonly ofOthers: readonly OfOther[] | null;
}

export interface OfOther {
  readonly nif: string;
  readonly name: string;
  /** Of its client's card; null if it has none. */
  readonly country: string | null;
  readonly total: string;
}

/** For the rectificativas and F3 among some numbers, by number, as they were last declared: like the amounts of a list. */
export async function findReplacements(
  tx: Tx,
  companyId: number,
  docNos: readonly string[],
): Promise<Map<string, Replacement>> {
  if (docNos.length === 0) return new Map();
  const rows = await tx<ReplacementRow[]>`
    select i.doc_no as "docNo",
           case when i.tipo_factura <> 'F3' then d.draft ->> 'tipoRectificativa' end as "tipoRectificativa",
           case when d.replaced_total is not null then json_build_object(
             'base', d.replaced_base::text, 'vat', d.replaced_vat::text,
             'total', d.replaced_total::text) end as replaced,
           case when p.originals is not null then json_build_object(
             'numSerie', i.doc_no, ${naming(tx, tx`h.issued`)}) end as invoice,
           p.originals
      from invoices i
      join invoice_documents d on d.company_id = i.company_id and d.invoice_id = i.id
      left join lateral (${issuedOf(tx, companyId, tx`i`)}) h on d.replaced_total is not null
      left join lateral (${replacedWithOthers(tx, companyId)}) p on h.issued is not null
     where i.company_id = ${companyId} and i.registered_at is not null
       and i.doc_no = any(${[...docNos]}::text[])
       and i.tipo_factura in ('F3', 'R1', 'R2', 'R3', 'R4', 'R5')`;
  return new Map(
    rows.map(({ docNo, tipoRectificativa, replaced, invoice, originals }) => [
      docNo,
      { tipoRectificativa, replaced, ofOthers: invoice && ofOthers(invoice, originals ?? []) },
    ]),
  );
}

interface ReplacementRow extends Omit<Replacement, 'ofOthers'> {
  readonly docNo: string;
  /** Null, like what it replaces, when that is all of its own client. */
  readonly invoice: Naming | null;
  readonly originals: readonly ReplacedInvoice[] | null;
}

/** An invoice that another one replaces, and whose it is. */
interface ReplacedInvoice extends Naming, OfOther {
  /** Its client has another number or, without one, another name. */
  readonly isOfOther: boolean;
  /** Its client is of another country. */
  readonly isElsewhere: boolean;
}

/**
 * The invoices that an invoice `i` replaces, as `h.issued` names them, if any may be of another client: each with the
 * total that was replaced, which is not that of a refused correction.
 */
function replacedWithOthers(tx: Tx, companyId: number): Statement {
  return tx`
    select json_agg(json_build_object(
             'nif', o.customer_nif, 'name', o.customer_name, 'country', c.country_code,
             'total', coalesce(oh.issued ->> 'total', o.total::text), 'isOfOther', b.is_of_other, 'isElsewhere', b.is_elsewhere,
             'numSerie', o.doc_no, ${naming(tx, tx`oh.issued`)})) as originals
      from jsonb_array_elements(
             h.issued -> case i.tipo_factura when 'F3' then 'sustituye' else 'rectifies' end) e
      join invoices o on o.company_id = ${companyId} and o.doc_no = e ->> 'numSerie'
      join invoice_documents od on od.company_id = o.company_id and od.invoice_id = o.id
      left join lateral (${heldIssued(tx, tx`o`)}) oh on od.replaced_total is not null or o.status = 'Rechazado'
      left join customers c on c.company_id = o.company_id and c.no = o.customer_no
      left join customers own on own.company_id = i.company_id and own.no = i.customer_no
     cross join lateral (
           select case when o.customer_nif = '' then o.customer_name <> i.customer_name or i.customer_nif <> ''
                       else o.customer_nif <> i.customer_nif end as is_of_other,
                  c.country_code is distinct from own.country_code as is_elsewhere) b
     where e ->> 'externa' = 'false'
    having bool_or(b.is_of_other or b.is_elsewhere)`;
}

/** How a document replaces others, and which; nothing of one that was not read. */
const naming = (tx: Tx, document: Statement): Statement => tx`
  'tipoRectificativa', ${document} -> 'tipoRectificativa',
  'rectifies', coalesce(${document} -> 'rectifies', '[]'),
  'sustituye', coalesce(${document} -> 'sustituye', '[]')`;

/**
 * What an invoice replaces, by client, of clients other than its own. What one of them had replaced is put back to
 * whoever it was of, so that it is taken from nobody twice.
 */
function ofOthers(invoice: Naming, originals: readonly ReplacedInvoice[]): OfOther[] | null {
  const clients = new Map<string, OfOther>();
  for (const { original, isPutBack } of takenBy(invoice, originals)) {
    if (!isAnothers(original)) continue;
    const { nif, name, country } = original;
    const key = JSON.stringify([nif, name, country]);
    const cents = textToCents(original.total);
    const before = textToCents(clients.get(key)?.total ?? '0.00');
    const total = centsToText(before + (isPutBack ? -cents : cents));
    clients.set(key, { nif, name, country, total });
  }
  const found = [...clients.values()].filter(({ total }) => textToCents(total) !== 0n);
  return found.length > 0 ? found : null;
}

/** A Spanish NIF is one client's, wherever they live. */
function isAnothers({ nif, isOfOther, isElsewhere }: ReplacedInvoice): boolean {
  return isOfOther || (isElsewhere && nif !== '' && !checkNif(nif).ok);
}

/** A rectificativa of an invoice. */
export interface Correction {
  readonly docNo: string;
  /** How it changes what is owed, as decimal text; for one por sustitución, only the difference. */
  readonly change: string;
}

/** The valid rectificativas of each invoice, by `nameOfInvoice`; only invoices that have any. */
export async function findCorrectionsOf(
  tx: Tx,
  wanted: readonly InvoiceName[],
): Promise<Map<string, readonly Correction[]>> {
  if (wanted.length === 0) return new Map();
  const rows = await tx<(InvoiceName & { corrections: Correction[] })[]>`
    select r.company_id as "companyId", r.numero as "docNo",
           json_agg(json_build_object(
             'docNo', i.doc_no,
             'change', (i.total - coalesce(d.replaced_total, 0))::text) order by i.id) as corrections
      from invoice_references r
      join invoices i on i.company_id = r.company_id and i.id = r.invoice_id
      join invoice_documents d on d.company_id = i.company_id and d.invoice_id = i.id
     where ${ofCompanies(tx, 'r.company_id', companiesOf(wanted))}
       and (r.company_id, r.numero) in (
             select * from unnest(${wanted.map(({ companyId }) => companyId)}::int[],
                                  ${wanted.map(({ docNo }) => docNo)}::text[]))
       and r.kind = 'rectifica' and i.status <> 'Anulada'
     group by r.company_id, r.numero`;
  return new Map(rows.map((row) => [nameOfInvoice(row), row.corrections]));
}

/** An invoice that rests on the amounts of another of ours: a rectificativa, or the F3 for which it was exchanged. */
export interface Standing {
  readonly docNo: string;
  readonly kind: 'rectifica' | 'sustituye';
  readonly status: InvoiceSummary['status'];
  /** The AEAT refused it, and holds nothing of it. */
  readonly noConsta: boolean;
}

/**
 * What rests on each invoice, oldest first, by `nameOfInvoice`; only invoices that have any. One that names another
 * program's invoice is not about ours, even if ours took the same number later.
 */
export async function findStandingOn(
  tx: Tx,
  wanted: readonly InvoiceName[],
): Promise<Map<string, readonly Standing[]>> {
  const found = new Map<string, Standing[]>();
  if (wanted.length === 0) return found;
  const rows = await tx<
    (Omit<Standing, 'docNo' | 'noConsta'> &
      InvoiceName & { standing: string; desenlaces: Desenlace[] | null })[]
  >`
    select r.company_id as "companyId", r.numero as "docNo", i.doc_no as standing, r.kind, i.status, o.desenlaces
      from invoice_references r
      join invoices i on i.company_id = r.company_id and i.id = r.invoice_id
     cross join lateral (${heldIssued(tx)}) h
      left join lateral (
           select json_agg(json_build_object(
                    'TipoRegistro', g.tipo_registro, 'EstadoRegistro', a.estado_registro,
                    'CodigoErrorRegistro', a.codigo_error_registro) order by g.seq) as desenlaces
             from registros g
             left join respuestas a on a.company_id = g.company_id and a.seq = g.seq
            where i.status = 'Rechazado' and g.company_id = i.company_id and g.invoice_id = i.id) o on true
     where ${ofCompanies(tx, 'r.company_id', companiesOf(wanted))}
       and (r.company_id, r.numero) in (
             select * from unnest(${wanted.map(({ companyId }) => companyId)}::int[],
                                  ${wanted.map(({ docNo }) => docNo)}::text[]))
       and i.status <> 'Anulada'
       and exists (
             select from jsonb_array_elements(
                      h.issued -> case r.kind when 'rectifica' then 'rectifies' else 'sustituye' end) e
              where e ->> 'numSerie' = r.numero and e ->> 'externa' = 'false')
     order by i.id`;
  for (const { companyId, docNo, standing, kind, status, desenlaces } of rows) {
    const name = nameOfInvoice({ companyId, docNo });
    const noConsta = status === 'Rechazado' && !constaDeAlta(desenlaces ?? []);
    found.set(name, [...(found.get(name) ?? []), { docNo: standing, kind, status, noConsta }]);
  }
  return found;
}
