import type { InvoiceStatus } from '../contract/invoices.ts';
import type { RegistroConsultado } from '../domain/verifactu/consulta.ts';
import type { Tx } from './sql.ts';

/** A later installation of a company, and the position from which its cadena runs. */
export interface Installation {
  readonly firstSeq: bigint;
  readonly numero: string;
}

/** The installations after the first one, in order. Usually none. */
export async function listInstallations(tx: Tx, companyId: number): Promise<Installation[]> {
  return tx<Installation[]>`
    select first_seq as "firstSeq", numero from instalaciones
     where company_id = ${companyId} order by first_seq`;
}

/**
 * Starts an installation after the existing cadena, and lets it grow again. The transaction holds the head
 * (`lockCadena`). Nothing that was registered changes.
 */
export async function startInstallation(
  tx: Tx,
  companyId: number,
  {
    numero,
    now,
    isAfterDemo = false,
  }: {
    readonly numero: string;
    readonly now: Date;
    /** What comes before it went to the AEAT's test service. */
    readonly isAfterDemo?: boolean;
  },
): Promise<void> {
  await tx`
    insert into instalaciones (company_id, first_seq, numero, anterior, started_at, tras_demo)
    select k.company_id, k.last_seq + 1, ${numero}, c.numero_instalacion, ${now}, ${isAfterDemo}
      from cadenas k join companies c on c.id = k.company_id
     where k.company_id = ${companyId}
        on conflict (company_id, first_seq) do update
       set numero = excluded.numero, started_at = excluded.started_at,
           tras_demo = instalaciones.tras_demo or excluded.tras_demo`;
  await tx`
    update cadenas
       set first_seq = last_seq + 1, reconcile_periodos = '{}', reconcile_required_at = null
     where company_id = ${companyId}`;
  await tx`update companies set numero_instalacion = ${numero} where id = ${companyId}`;
}

/** Records what the AEAT holds and is missing here. */
export async function savePerdidos(
  tx: Tx,
  companyId: number,
  perdidos: readonly RegistroConsultado[],
  now: Date,
): Promise<void> {
  await tx`
    insert into registros_perdidos (company_id, num_serie_factura, fecha_expedicion_factura,
           numero_instalacion, huella, importe_total, estado_registro, found_at)
    select ${companyId}, t.*, ${now}
      from unnest(${perdidos.map((r) => r.NumSerieFactura)}::text[],
                  ${perdidos.map((r) => r.FechaExpedicionFactura)}::text[],
                  ${perdidos.map((r) => r.NumeroInstalacion ?? '')}::text[],
                  ${perdidos.map((r) => r.Huella)}::text[],
                  ${perdidos.map((r) => r.ImporteTotal ?? null)}::text[],
                  ${perdidos.map((r) => r.EstadoRegistro)}::text[]) as t
        on conflict do nothing`;
}

/**
 * The past installations of a company: those that another one followed here, and those seen at the AEAT when the
 * registros they had made were given up.
 */
export async function findFormerInstallations(
  tx: Tx,
  companyId: number,
): Promise<ReadonlySet<string>> {
  const rows = await tx<{ numero: string }[]>`
    select anterior as numero from instalaciones where company_id = ${companyId}
     union
    select numero_instalacion from registros_perdidos where company_id = ${companyId}`;
  return new Set(rows.map(({ numero }) => numero));
}

/** A registered invoice: its status, and the position of its latest registro. */
export interface LockedNumber {
  readonly invoiceId: bigint;
  readonly seq: bigint;
  readonly docNo: string;
  readonly status: InvoiceStatus;
  /** When its first registro was made. */
  readonly registeredAt: Date;
}

/** Registered invoices with these numbers, locked. */
export async function lockNumbers(
  tx: Tx,
  companyId: number,
  docNos: readonly string[],
): Promise<LockedNumber[]> {
  return tx<LockedNumber[]>`
    select id as "invoiceId", seq, doc_no as "docNo", status, registered_at as "registeredAt" from invoices
     where company_id = ${companyId} and doc_no = any(${[...docNos]}::text[]) and seq is not null
     order by id
       for update`;
}

/** Registered invoices of a company that are not annulled, locked. Used for demos, which have few. */
export async function lockStanding(
  tx: Tx,
  companyId: number,
): Promise<Pick<LockedNumber, 'invoiceId' | 'seq'>[]> {
  return tx<Pick<LockedNumber, 'invoiceId' | 'seq'>[]>`
    select id as "invoiceId", seq from invoices
     where company_id = ${companyId} and seq is not null and status <> 'Anulada'
     order by id
       for update`;
}

/** When the invoices of these registros were first registered, by number, unless it was in the current installation. */
export async function findRegisteredBefore(
  tx: Tx,
  companyId: number,
  docNos: readonly string[],
): Promise<ReadonlyMap<string, Date | null>> {
  const rows = await tx<{ docNo: string; before: Date | null }[]>`
    select i.doc_no as "docNo",
           case when exists (
                  select from registros r
                   where r.company_id = i.company_id and r.invoice_id = i.id and r.seq < k.first_seq)
                then i.registered_at end as before
      from invoices i join cadenas k on k.company_id = i.company_id
     where i.company_id = ${companyId} and i.doc_no = any(${[...docNos]}::text[])
       and i.registered_at is not null`;
  return new Map(rows.map(({ docNo, before }) => [docNo, before]));
}
