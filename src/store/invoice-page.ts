/** The building blocks of the lists' statements, however a page is found. */

import type { InvoiceListQuery } from '../contract/invoices.ts';
import { searchNeedle } from '../domain/list-text.ts';
import { inHistory } from './blocks.ts';
import type { InvoiceSummary } from './invoices.ts';
import { readTogether, type Sql, type Tx } from './sql.ts';

/** What a row of the lists shows. */
export type ListedInvoice = Pick<
  InvoiceSummary,
  | 'docNo'
  | 'status'
  | 'tipoFactura'
  | 'postingDate'
  | 'customerNif'
  | 'customerName'
  | 'base'
  | 'vat'
  | 'total'
  | 'errorMessage'
  | 'Huella'
> & {
  /** In a page of a list: something was noted down as collected of it. */
  readonly hasCobros?: boolean;
};

export interface ListedInvoices {
  readonly rows: ListedInvoice[];
  /** How many invoices match. */
  readonly total: number;
  /** There are more than `total`: counting all of them would take too long. */
  readonly isMore: boolean;
}

export type ListQuery = Omit<InvoiceListQuery, 'page' | 'sumas' | 'desde' | 'hasta' | 'cobro'> & {
  readonly page: number;
  /** First posting date to list, or null for no bound. */
  readonly since: string | null;
  /** Last posting date to list, or null for no bound. */
  readonly until: string | null;
};

const COLUMNS: Record<string, string> = {
  PostingDate: 'posting_date',
  DocNo: 'doc_key',
  Name: 'name_key',
  Status: 'status',
  Amount: 'base',
  VatAmount: 'vat',
  AmountIncludingVat: 'total',
  ErrorMessage: 'error_message',
};

/** Runs a statement of the lists in a transaction that is sent as a whole. */
export type Ask = <Answer>(read: (tx: Tx) => Promise<Answer>) => Promise<Answer>;

/**
 * The position of a page in a list is a parameter, so PostgreSQL would make a new plan for each page, which takes
 * several times as long as reading it: it expects a tenth of the list, and believes each page to be cheaper. There is
 * only one good plan, along the index of the order, and with sorting switched off it is the only one that PostgreSQL
 * considers.
 */
const PLANNED_ONCE = [
  'set local plan_cache_mode = force_generic_plan',
  'set local enable_sort = off',
  'set local enable_seqscan = off',
];

export function readerOf(sql: Sql): Ask {
  return async <Answer>(read: (tx: Tx) => Promise<Answer>) => {
    const [answer] = await readTogether<[Promise<Answer>]>(sql, (tx) => [read(tx)], PLANNED_ONCE);
    return answer;
  };
}

export const isDescending = ({ sort }: ListQuery) => sort.startsWith('-');
export const columnOf = ({ sort }: ListQuery) => COLUMNS[sort.replace(/^-/, '')] ?? 'posting_date';
export const offsetOf = ({ page, pageSize }: ListQuery) => (page - 1) * pageSize;

export function orderOf(tx: Tx, query: ListQuery) {
  const direction = isDescending(query) ? tx`desc` : tx`asc`;
  const column = columnOf(query);
  // The only nullable column. For the others, `nulls last` would keep their indexes from being read backwards.
  const nothingLast = column === 'error_message' ? tx`nulls last` : tx``;
  return tx`order by ${tx(column)} ${direction} ${nothingLast}, id ${direction}`;
}

export function likeOf(query: Pick<ListQuery, 'search'>): string {
  return `%${searchNeedle(query.search).replace(/[\\%_]/g, '\\$&')}%`;
}

/** Restricts a statement to a range of dates; empty when all are asked for. */
export function betweenDays(tx: Tx, { since, until }: Pick<ListQuery, 'since' | 'until'>) {
  return tx`${since ? tx`and posting_date >= ${since}` : tx``} ${until ? tx`and posting_date <= ${until}` : tx``}`;
}

/** The columns of a {@link ListedInvoice}, of `i`. */
export function listed(tx: Tx, companyId: number) {
  return tx`i.doc_no as "docNo", i.status, i.tipo_factura as "tipoFactura",
    i.posting_date as "postingDate", i.customer_nif as "customerNif", i.customer_name as "customerName",
    i.base, i.vat, i.total, i.error_message as "errorMessage", i.huella as "Huella",
    exists (select from cobros c where c.company_id = ${companyId} and c.invoice_id = i.id) as "hasCobros"`;
}

/** A row of a page that may be empty: without an invoice there is still one row, for the other columns. */
export type PageRow<More> = More & (ListedInvoice | { readonly docNo: null });

export function invoicesOf<More>(rows: readonly PageRow<More>[]): (More & ListedInvoice)[] {
  return rows.filter((row): row is More & ListedInvoice => row.docNo !== null);
}

/** The row of `p.id`. The `limit` keeps the planner from reading all invoices to join a few. */
export function rowOf(tx: Tx, companyId: number) {
  return tx`(select * from invoices where company_id = ${companyId} and id = p.id limit 1) as i`;
}

interface Walk {
  /** Stops after looking at this many, whatever it has found. */
  readonly lookedAt?: number;
  readonly offset?: number;
  readonly size?: number;
}

/** A page along the index of its order, skipping what does not match: for searches that match often. */
export function walk(
  ask: Ask,
  companyId: number,
  query: ListQuery,
  { lookedAt, offset = offsetOf(query), size = query.pageSize }: Walk = {},
): Promise<ListedInvoice[]> {
  const like = likeOf(query);
  return ask((tx) => {
    const column = tx(columnOf(query));
    const matches = query.search.trim()
      ? tx`search_text || '' like ${like} or lower(status) like ${like}`
      : tx`true`;
    const inOrder = tx`
      select id, ${column}, search_text, status from invoices
       where company_id = ${companyId} and ${inHistory(tx)} ${betweenDays(tx, query)}`;
    const from = lookedAt
      ? tx`(${inOrder} ${orderOf(tx, query)} limit ${lookedAt}) as looked where ${matches}`
      : tx`invoices where company_id = ${companyId} and ${inHistory(tx)} ${betweenDays(tx, query)} and (${matches})`;
    return tx<ListedInvoice[]>`
      with page as (
        select id, ${column} from ${from}
         ${orderOf(tx, query)} limit ${size} offset ${offset})
      select ${listed(tx, companyId)} from page p cross join lateral ${rowOf(tx, companyId)}
       order by ${tx(`p.${columnOf(query)}`)} ${isDescending(query) ? tx`desc` : tx`asc`},
                p.id ${isDescending(query) ? tx`desc` : tx`asc`}`;
  });
}
