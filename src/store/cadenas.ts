import { ofCompanies, ofOneCompany, type Statement, type Tx } from './sql.ts';

/** Head of a company's cadena: the registro that the next one links to. */
export interface Cadena {
  readonly lastSeq: bigint;
  /** Null before the first registro of the installation (`PrimerRegistro`). */
  readonly anterior: {
    readonly NumSerieFactura: string;
    readonly FechaExpedicionFactura: string;
    readonly Huella: string;
  } | null;
  readonly lastGeneratedAt: Date | null;
}

/** The head while it is locked, with what may keep it from growing. */
export interface LockedCadena extends Cadena {
  /** Months (`2026-11`) of which the AEAT holds registros of ours that are not here. */
  readonly reconcilePeriodos: readonly string[];
  readonly reconcileReason: ReconcileReason;
}

/**
 * Why a cadena waits to be held against the AEAT: it has registros of ours that are not here (`falta`), a
 * backup was restored (`copia`), or both.
 */
export type ReconcileReason = 'falta' | 'copia' | 'copia-falta';

interface CadenaRow {
  company_id: number;
  last_seq: bigint;
  first_seq: bigint;
  last_num_serie: string;
  last_fecha_expedicion: string;
  last_huella: string;
  last_generated_at: Date | null;
  reconcile_periodos: string[];
  reconcile_reason: ReconcileReason;
}

/**
 * Locks the head of the cadena until the transaction ends.
 *
 * Everything that takes numbers or links registros of a company queues here, so there are neither
 * two successors of one registro nor a number taken twice. Read the clock after this lock: the cadena
 * is in order of generation (Orden HAC/1177/2024 art. 7.a).
 */
export async function lockCadena(tx: Tx, companyId: number): Promise<LockedCadena> {
  const [row] = await tx<CadenaRow[]>`
    select company_id, last_seq, first_seq, last_num_serie, last_fecha_expedicion, last_huella,
           last_generated_at, reconcile_periodos, reconcile_reason
      from cadenas
     where company_id = ${companyId}
       for update`;
  // A missing head is never «no previous registro»: it would start a second cadena.
  if (!row) throw new Error(`The company ${companyId} has no cadena.`);
  return lockedFromRow(row);
}

/** Place of the last registro of the cadena, which may be growing meanwhile; zero when there is none. */
export async function findLastSeq(tx: Tx, companyId: number): Promise<bigint> {
  const [row] = await tx<{ last_seq: bigint }[]>`
    select last_seq from cadenas where company_id = ${companyId}`;
  if (!row) throw new Error(`The company ${companyId} has no cadena.`);
  return row.last_seq;
}

/**
 * Locks the heads of several companies that nobody else holds. One that is held is left out: whoever
 * waits for it must not make the others wait.
 */
export async function lockFreeCadenas(
  tx: Tx,
  companyIds: readonly number[],
): Promise<Map<number, LockedCadena>> {
  const rows = await tx<CadenaRow[]>`
    select company_id, last_seq, first_seq, last_num_serie, last_fecha_expedicion, last_huella,
           last_generated_at, reconcile_periodos, reconcile_reason
      from cadenas
     where ${ofCompanies(tx, 'company_id', companyIds)}
     order by company_id
       for update skip locked`;
  return new Map(rows.map((row) => [row.company_id, lockedFromRow(row)]));
}

function lockedFromRow(row: CadenaRow): LockedCadena {
  return {
    lastSeq: row.last_seq,
    anterior:
      // Of this installation there is none yet: what is before is of one that lost its end.
      row.last_seq < row.first_seq
        ? null
        : {
            NumSerieFactura: row.last_num_serie,
            FechaExpedicionFactura: row.last_fecha_expedicion,
            Huella: row.last_huella,
          },
    lastGeneratedAt: row.last_generated_at,
    reconcilePeriodos: row.reconcile_periodos,
    reconcileReason: row.reconcile_reason,
  };
}

/** The head of a company's cadena after registros were appended. */
export interface CadenaOf extends Cadena {
  readonly companyId: number;
}

/** Moves heads on to the last registro appended. */
export function savingCadenas(tx: Tx, heads: readonly CadenaOf[]): Statement {
  return tx`
    update cadenas c
       set last_seq = t.seq, last_num_serie = t.numero, last_fecha_expedicion = t.fecha,
           last_huella = t.huella, last_generated_at = t.generated_at
      from unnest(${heads.map((head) => head.companyId)}::int[],
                  ${heads.map((head) => String(head.lastSeq))}::bigint[],
                  ${heads.map(({ anterior }) => anterior?.NumSerieFactura ?? '')}::text[],
                  ${heads.map(({ anterior }) => anterior?.FechaExpedicionFactura ?? '')}::text[],
                  ${heads.map(({ anterior }) => anterior?.Huella ?? '')}::text[],
                  ${heads.map((head) => head.lastGeneratedAt?.toISOString() ?? null)}::timestamptz[]
           ) as t (company_id, seq, numero, fecha, huella, generated_at)
     where c.company_id = t.company_id ${ofOneCompany(tx, 'c.company_id', heads)}`;
}

/** Starts the empty cadena of a new company, with its place in the dispatch. */
export async function startCadena(tx: Tx, companyId: number): Promise<void> {
  await tx`insert into cadenas (company_id) values (${companyId})`;
  await tx`insert into despachos (company_id) values (${companyId})`;
}

/**
 * Stops the cadena: the AEAT holds registros of a month that we made and no longer have. It goes behind those that
 * nobody has asked about.
 */
export async function requireReconcile(
  tx: Tx,
  companyId: number,
  periodos: readonly string[],
  now: Date,
): Promise<void> {
  await tx`
    update cadenas
       set reconcile_reason = case
             when reconcile_required_at is null or reconcile_reason = 'falta' then 'falta'
             else 'copia-falta' end,
           reconcile_required_at = coalesce(reconcile_required_at, ${now}),
           reconcile_periodos = array(
             select p from unnest(reconcile_periodos) with ordinality as known (p, place)
              where p <> all(${[...periodos]}::text[])
              order by place) || ${[...periodos]}::text[]
     where company_id = ${companyId}`;
}

/** A month was found to hold nothing of ours that we lack; the last one lets the cadena grow again. */
export async function settleReconcile(tx: Tx, companyId: number, periodo: string): Promise<void> {
  await tx`
    update cadenas
       set reconcile_periodos = array_remove(reconcile_periodos, ${periodo}),
           reconcile_required_at = case
             when array_remove(reconcile_periodos, ${periodo}) <> '{}' then reconcile_required_at end
     where company_id = ${companyId} and ${periodo} = any(reconcile_periodos)`;
}

/** Months to reconcile before anything can be registered again, and why; none, nearly always. */
export async function findReconcile(
  tx: Tx,
  companyId: number,
): Promise<Pick<LockedCadena, 'reconcilePeriodos' | 'reconcileReason'>> {
  const [row] = await tx<Pick<CadenaRow, 'reconcile_periodos' | 'reconcile_reason'>[]>`
    select reconcile_periodos, reconcile_reason from cadenas where company_id = ${companyId}`;
  return {
    reconcilePeriodos: row?.reconcile_periodos ?? [],
    reconcileReason: row?.reconcile_reason ?? 'falta',
  };
}

/** Companies that wait to be held against the AEAT, can ask it, and were not tried since `before`. */
export async function findReconcileDue(
  tx: Tx,
  { now, before, limit }: { readonly now: Date; readonly before: Date; readonly limit: number },
): Promise<number[]> {
  const rows = await tx<{ company_id: number }[]>`
    select k.company_id
      from cadenas k
      join certificates c on c.company_id = k.company_id and c.valido_hasta > ${now}
     where k.reconcile_required_at is not null
       and (k.reconcile_tried_at is null or k.reconcile_tried_at <= ${before})
     order by k.reconcile_tried_at nulls first
     limit ${limit}`;
  return rows.map((row) => row.company_id);
}

/** Notes the try before it is made. @returns the months, or null when another process makes it */
export async function claimReconcile(
  tx: Tx,
  companyId: number,
  { now, before }: { readonly now: Date; readonly before: Date },
): Promise<string[] | null> {
  const [row] = await tx<{ reconcile_periodos: string[] }[]>`
    update cadenas
       set reconcile_tried_at = ${now}
     where company_id = ${companyId} and reconcile_required_at is not null
       and (reconcile_tried_at is null or reconcile_tried_at <= ${before})
 returning reconcile_periodos`;
  return row?.reconcile_periodos ?? null;
}

/** Lets a claimed company be tried again at once, behind those that have waited for longer. */
export async function requeueReconcile(
  tx: Tx,
  companyId: number,
  { now, before }: { readonly now: Date; readonly before: Date },
): Promise<void> {
  await tx`
    update cadenas set reconcile_tried_at = ${before}
     where company_id = ${companyId} and reconcile_tried_at = ${now}`;
}

/**
 * Stops the cadena of every open company: a backup was restored. Also of those that had not registered when it was made:
 * their first numbers may have been given since. Returns how many. A closed account registers nothing, and has no
 * certificate to ask the AEAT with.
 *
 * Of each company, every month from that of `from`, or of the first invoice that can still be annulled or corrected
 * where that is earlier, to that of `to`; and the months of operations of such invoices that are none of these. The
 * first invoice is found by the end of an index: no company's invoices are gone through.
 *
 * The one statement of many companies here: it is run by an operator, on an installation that stands still.
 */
export async function requireReconcileOfAll(
  tx: Tx,
  { from, to, now }: { readonly from: string; readonly to: string; readonly now: Date },
): Promise<number> {
  const { count } = await tx`
    update cadenas k
       set reconcile_reason = case
             when k.reconcile_required_at is null or k.reconcile_reason = 'copia' then 'copia'
             else 'copia-falta' end,
           reconcile_tried_at = null,
           reconcile_required_at = coalesce(k.reconcile_required_at, ${now}),
           reconcile_periodos = array(
             select unnest(k.reconcile_periodos)
              union
             select to_char(m, 'YYYY-MM')
               from generate_series(
                 date_trunc('month', least(
                   ${from}::date,
                   (select min(i.posting_date) from invoices i
                     where i.company_id = k.company_id and i.status = 'Registrada'),
                   (select min(i.posting_date) from invoices i
                     where i.company_id = k.company_id
                       and i.status in ('En espera', 'Rechazado', 'Aceptado con errores'))
                 )::timestamp), ${to}::timestamp, interval '1 month') m
              union
             select left(r.issued ->> 'fechaOperacion', 7)
               from registros r
               join invoices i on i.company_id = r.company_id and i.id = r.invoice_id
              where r.company_id = k.company_id and r.tipo_registro = 'Alta'
                and r.issued ->> 'fechaOperacion' is not null and i.status <> 'Anulada'
              order by 1)
      from companies e
     where e.id = k.company_id and e.deleted_at is null`;
  return count;
}
