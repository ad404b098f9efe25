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

/** The locked head of a cadena, with the reasons that may keep it from growing. */
export interface LockedCadena extends Cadena {
  /** Months (`2026-11`) in which the AEAT holds registros of ours that are missing here. */
  readonly reconcilePeriodos: readonly string[];
  readonly reconcileReason: ReconcileReason;
}

/**
 * Why a cadena has to be compared with the AEAT: the AEAT has registros of ours that are missing here (`falta`), a
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
 * Everything that takes numbers or links registros of a company queues here, so no registro gets two successors and
 * no number is taken twice. Read the clock after taking this lock, because the cadena is in order of generation
 * (Orden HAC/1177/2024 art. 7.a).
 */
export async function lockCadena(tx: Tx, companyId: number): Promise<LockedCadena> {
  const [row] = await tx<CadenaRow[]>`
    select company_id, last_seq, first_seq, last_num_serie, last_fecha_expedicion, last_huella,
           last_generated_at, reconcile_periodos, reconcile_reason
      from cadenas
     where company_id = ${companyId}
       for update`;
  // A missing head must never mean «no previous registro»: that would start a second cadena.
  if (!row) throw new Error(`The company ${companyId} has no cadena.`);
  return lockedFromRow(row);
}

/** Position of the last registro of the cadena, which may be growing meanwhile; zero when there is none. */
export async function findLastSeq(tx: Tx, companyId: number): Promise<bigint> {
  const [row] = await tx<{ last_seq: bigint }[]>`
    select last_seq from cadenas where company_id = ${companyId}`;
  if (!row) throw new Error(`The company ${companyId} has no cadena.`);
  return row.last_seq;
}

/**
 * Locks those heads of several companies that nobody else holds. A held one is left out: whoever waits for it must
 * not make the others wait.
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
      // This installation has no registro yet: the earlier ones belong to an installation that lost its end.
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

/** Moves the heads forward to the last registro appended. */
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

/** Creates the empty cadena of a new company, and its row for the dispatch. */
export async function startCadena(tx: Tx, companyId: number): Promise<void> {
  await tx`insert into cadenas (company_id) values (${companyId})`;
  await tx`insert into despachos (company_id) values (${companyId})`;
}

/**
 * Stops the cadena: the AEAT holds registros of that month which we made and no longer have. The month queues behind
 * those not asked about yet.
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

/** Strikes a month off: nothing of ours was missing in it. After the last one the cadena may grow again. */
export async function settleReconcile(tx: Tx, companyId: number, periodo: string): Promise<void> {
  await tx`
    update cadenas
       set reconcile_periodos = array_remove(reconcile_periodos, ${periodo}),
           reconcile_required_at = case
             when array_remove(reconcile_periodos, ${periodo}) <> '{}' then reconcile_required_at end
     where company_id = ${companyId} and ${periodo} = any(reconcile_periodos)`;
}

/** Months to reconcile before anything can be registered again, and why. Usually none. */
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

/**
 * Companies that have to be compared with the AEAT, have a certificate to ask with, and were not tried since
 * `before`.
 */
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

/**
 * Takes a company for an attempt that begins now.
 *
 * @param claimedAt when it counts as tried if its process dies before `endReconcile`
 * @returns the months, or null when another process makes it
 */
export async function claimReconcile(
  tx: Tx,
  companyId: number,
  { claimedAt, before }: { readonly claimedAt: Date; readonly before: Date },
): Promise<string[] | null> {
  const [row] = await tx<{ reconcile_periodos: string[] }[]>`
    update cadenas
       set reconcile_tried_at = ${claimedAt}
     where company_id = ${companyId} and reconcile_required_at is not null
       and (reconcile_tried_at is null or reconcile_tried_at <= ${before})
 returning reconcile_periodos`;
  return row?.reconcile_periodos ?? null;
}

/** Ends an attempt: when the company counts as tried, which says when it is tried again. */
export async function endReconcile(
  tx: Tx,
  companyId: number,
  { claimedAt, triedAt }: { readonly claimedAt: Date; readonly triedAt: Date },
): Promise<void> {
  await tx`
    update cadenas set reconcile_tried_at = ${triedAt}
     where company_id = ${companyId} and reconcile_tried_at = ${claimedAt}`;
}

/**
 * Stops the cadena of every open company because a backup was restored, even if it had registered nothing when the
 * backup was made: it may have given its first numbers since. Returns how many. A closed account registers nothing,
 * and has no certificate to ask the AEAT with.
 *
 * For each company it covers every month from that of `from` (or of the first invoice that can still be annulled or
 * corrected, if earlier) to that of `to`, and the months of the operations of such invoices when they are outside
 * that range. The first invoice is found at the end of an index, without reading through any company's invoices.
 *
 * It is the only statement here over many companies: an operator runs it while the installation is stopped.
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
