/**
 * What the statements of the lists are made of, whichever way a page is found.
 */

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
>;

export interface ListedInvoices {
  readonly rows: ListedInvoice[];
  /** How many match. */
  readonly total: number;
  /** There are more than `total`: so many match that counting them all would take too long. */
  readonly isMore: boolean;
}

export type ListQuery = Omit<InvoiceListQuery, 'page' | 'sumas' | 'desde' | 'hasta'> & {
  readonly page: number;
  /** First posting date that counts, or null for all of them. */
  readonly since: string | null;
  /** The last one, or null where all from `since` on count. */
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

/** Sends a statement of the lists in a transaction that travels whole. */
export type Ask = <Answer>(read: (tx: Tx) => Promise<Answer>) => Promise<Answer>;

/**
 * Where in a list a page lies comes as a parameter, so that PostgreSQL would think of a plan anew for each page, which
 * takes several times as long as reading it: it expects a tenth of the list, and believes each page cheaper. There is
 * one way worth taking, along the index of the order, and without sorting it is the only one it sees.
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
  // The only one that may be missing. Of the others it would keep their indexes from being read backwards.
  const nothingLast = column === 'error_message' ? tx`nulls last` : tx``;
  return tx`order by ${tx(column)} ${direction} ${nothingLast}, id ${direction}`;
}

export function likeOf(query: Pick<ListQuery, 'search'>): string {
  return `%${searchNeedle(query.search).replace(/[\\%_]/g, '\\$&')}%`;
}

/** Where a range of dates begins and ends; nothing when all are asked for. */
export function betweenDays(tx: Tx, { since, until }: Pick<ListQuery, 'since' | 'until'>) {
  return tx`${since ? tx`and posting_date >= ${since}` : tx``} ${until ? tx`and posting_date <= ${until}` : tx``}`;
}

/** The columns of a {@link ListedInvoice}, of `i`. */
export function listed(tx: Tx) {
  return tx`i.doc_no as "docNo", i.status, i.tipo_factura as "tipoFactura",
    i.posting_date as "postingDate", i.customer_nif as "customerNif", i.customer_name as "customerName",
    i.base, i.vat, i.total, i.error_message as "errorMessage", i.huella as "Huella"`;
}

/** Of a page that may be empty, whose other columns come in a row without an invoice then. */
export type PageRow<More> = More & (ListedInvoice | { readonly docNo: null });

export function invoicesOf<More>(rows: readonly PageRow<More>[]): (More & ListedInvoice)[] {
  return rows.filter((row): row is More & ListedInvoice => row.docNo !== null);
}

/** The row of `p.id`. The limit keeps the planner from reading all the invoices to join some. */
export function rowOf(tx: Tx, companyId: number) {
  return tx`(select * from invoices where company_id = ${companyId} and id = p.id limit 1) as i`;
}

interface Walk {
  /** Gives up after so many, whatever it found. */
  readonly lookedAt?: number;
  readonly offset?: number;
  readonly size?: number;
}

/** A page along the index of its order, leaving out what does not match: for what matches often. */
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
      select ${listed(tx)} from page p cross join lateral ${rowOf(tx, companyId)}
       order by ${tx(`p.${columnOf(query)}`)} ${isDescending(query) ? tx`desc` : tx`asc`},
                p.id ${isDescending(query) ? tx`desc` : tx`asc`}`;
  });
}
