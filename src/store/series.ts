import type { Series, SeriesKind } from '../domain/series.ts';
import { ofOneCompany, type Statement, type Tx } from './sql.ts';

/** A series of a company with the date of the last invoice that took a number of it. */
export interface OpenSeries extends Series {
  readonly kind: SeriesKind;
  /** ISO date, or null while the series has no invoice. */
  readonly lastDate: string | null;
}

/** As it is kept. */
export interface SeriesRow {
  kind: SeriesKind;
  prefix: string;
  suffix: string;
  width: number;
  next_number: bigint;
  last_date: string | null;
}

/** The six series of a company. Whoever takes a number must hold the lock of the cadena. */
export async function findSeries(tx: Tx, companyId: number): Promise<Map<SeriesKind, OpenSeries>> {
  const rows = await tx<SeriesRow[]>`
    select kind, prefix, suffix, width, next_number, last_date
      from series
     where company_id = ${companyId}`;
  return seriesFromRows(rows);
}

/** All the series of one company. */
export function seriesFromRows(rows: readonly SeriesRow[]): Map<SeriesKind, OpenSeries> {
  return new Map(rows.map((row) => [row.kind, fromRow(row)]));
}

/** A series of which numbers were taken. */
export interface TakenSeries extends OpenSeries {
  readonly companyId: number;
}

/** Moves the counters forward after numbers were taken. */
export function movingCounters(tx: Tx, taken: readonly TakenSeries[]): Statement {
  return tx`
    update series s
       set next_number = t.next_number, last_date = t.last_date
      from unnest(${taken.map((s) => s.companyId)}::int[],
                  ${taken.map((s) => s.kind)}::text[],
                  ${taken.map((s) => String(s.nextNumber))}::bigint[],
                  ${taken.map((s) => s.lastDate)}::date[]) as t (company_id, kind, next_number, last_date)
     where s.company_id = t.company_id and s.kind = t.kind ${ofOneCompany(tx, 's.company_id', taken)}`;
}

/**
 * Starts the six series of a company, at sign-up or when the counter is restarted.
 *
 * A series that jumps to a later number, or is resumed, keeps the date of its last invoice: its numbers still follow
 * the order of the dates (RD 1619/2012 art. 6.1.a).
 *
 * @param lastDays last dates of series that have invoices and may not be the current ones
 */
export async function replaceSeries(
  tx: Tx,
  companyId: number,
  series: Readonly<Record<SeriesKind, Series>>,
  lastDays: ReadonlyMap<SeriesKind, string> = new Map(),
): Promise<void> {
  const kinds = Object.keys(series) as SeriesKind[];
  await tx`
    insert into series (company_id, kind, prefix, suffix, width, next_number, last_date)
    select ${companyId}, t.*
      from unnest(${kinds}::text[],
                  ${kinds.map((kind) => series[kind].prefix)}::text[],
                  ${kinds.map((kind) => series[kind].suffix)}::text[],
                  ${kinds.map((kind) => series[kind].width)}::int[],
                  ${kinds.map((kind) => String(series[kind].nextNumber))}::bigint[],
                  ${kinds.map((kind) => lastDays.get(kind) ?? null)}::date[]) as t
        on conflict (company_id, kind) do update
       set prefix = excluded.prefix, suffix = excluded.suffix, width = excluded.width,
           next_number = excluded.next_number,
           last_date = greatest(excluded.last_date,
             case when (series.prefix, series.suffix) = (excluded.prefix, excluded.suffix) then series.last_date end)`;
}

function fromRow(row: SeriesRow): OpenSeries {
  return {
    kind: row.kind,
    prefix: row.prefix,
    suffix: row.suffix,
    width: row.width,
    nextNumber: row.next_number,
    lastDate: row.last_date,
  };
}
