import type { IssuedInvoice } from '../domain/invoice.ts';
import type { Tx } from './sql.ts';

/** A registro as it is kept: the strings that were hashed, and the XML that is sent. */
export interface StoredRegistro {
  readonly seq: bigint;
  readonly invoiceId: bigint;
  readonly TipoRegistro: 'Alta' | 'Anulacion';
  readonly NumSerieFactura: string;
  readonly FechaExpedicionFactura: string;
  readonly Huella: string;
  readonly HuellaAnterior: string;
  readonly FechaHoraHusoGenRegistro: string;
  readonly generatedAt: Date;
  readonly Subsanacion: string | null;
  readonly RechazoPrevio: string | null;
  readonly SinRegistroPrevio: string | null;
  /** The `RegistroFactura` element, exactly as it goes into the message. */
  readonly xml: string;
}

/** The same with the document that an alta was made of. */
export interface RegistroToAppend extends StoredRegistro {
  readonly issued: IssuedInvoice | null;
  /** Only of an anulación. */
  readonly motivo: string | null;
}

interface RegistroRow {
  seq: bigint;
  invoice_id: bigint;
  tipo_registro: 'Alta' | 'Anulacion';
  num_serie_factura: string;
  fecha_expedicion_factura: string;
  huella: string;
  huella_anterior: string;
  fecha_hora_huso_gen_registro: string;
  generated_at: Date;
  subsanacion: string | null;
  rechazo_previo: string | null;
  sin_registro_previo: string | null;
  xml: string;
}

/** Appends registros to the cadena. The keys refuse a second one in the same place. */
export async function appendRegistros(
  tx: Tx,
  companyId: number,
  registros: readonly RegistroToAppend[],
): Promise<void> {
  await tx`
    insert into registros (company_id, seq, invoice_id, tipo_registro, num_serie_factura,
           fecha_expedicion_factura, huella, huella_anterior, fecha_hora_huso_gen_registro,
           generated_at, subsanacion, rechazo_previo, sin_registro_previo, xml, issued, motivo)
    select ${companyId}, t.seq, t.invoice_id, t.tipo, t.numero, t.fecha, t.huella, t.anterior, t.huso,
           t.generated_at, t.subsanacion, t.rechazo, t.sin_previo, t.xml, t.issued::jsonb, t.motivo
      from unnest(${registros.map((r) => String(r.seq))}::bigint[],
                  ${registros.map((r) => String(r.invoiceId))}::bigint[],
                  ${registros.map((r) => r.TipoRegistro)}::text[],
                  ${registros.map((r) => r.NumSerieFactura)}::text[],
                  ${registros.map((r) => r.FechaExpedicionFactura)}::text[],
                  ${registros.map((r) => r.Huella)}::text[],
                  ${registros.map((r) => r.HuellaAnterior)}::text[],
                  ${registros.map((r) => r.FechaHoraHusoGenRegistro)}::text[],
                  ${registros.map((r) => r.generatedAt.toISOString())}::timestamptz[],
                  ${registros.map((r) => r.Subsanacion)}::text[],
                  ${registros.map((r) => r.RechazoPrevio)}::text[],
                  ${registros.map((r) => r.SinRegistroPrevio)}::text[],
                  ${registros.map((r) => r.xml)}::text[],
                  ${registros.map((r) => (r.issued ? JSON.stringify(r.issued) : null))}::text[],
                  ${registros.map((r) => r.motivo)}::text[]
           ) as t (seq, invoice_id, tipo, numero, fecha, huella, anterior, huso, generated_at,
                   subsanacion, rechazo, sin_previo, xml, issued, motivo)`;
}

/** Which of these invoices the AEAT holds in some version: it accepted an alta of them. */
export async function findAccepted(
  tx: Tx,
  companyId: number,
  docNos: readonly string[],
): Promise<Set<string>> {
  if (docNos.length === 0) return new Set();
  const rows = await tx<{ doc_no: string }[]>`
    select distinct i.doc_no
      from invoices i
      join registros r on r.company_id = i.company_id and r.invoice_id = i.id
      join respuestas a on a.company_id = r.company_id and a.seq = r.seq
     where i.company_id = ${companyId} and i.doc_no = any(${[...docNos]}::text[])
       and r.tipo_registro = 'Alta' and a.estado_registro <> 'Incorrecto'`;
  return new Set(rows.map((row) => row.doc_no));
}

/** What was declared of an invoice and what the AEAT said of it, oldest first. */
export interface RegistroOutcome {
  readonly TipoRegistro: 'Alta' | 'Anulacion';
  /** Null while it waits for an answer. */
  readonly EstadoRegistro: 'Correcto' | 'AceptadoConErrores' | 'Incorrecto' | null;
}

export async function findOutcomes(
  tx: Tx,
  companyId: number,
  invoiceId: bigint,
): Promise<RegistroOutcome[]> {
  return tx<RegistroOutcome[]>`
    select r.tipo_registro as "TipoRegistro", a.estado_registro as "EstadoRegistro"
      from registros r
      left join respuestas a on a.company_id = r.company_id and a.seq = r.seq
     where r.company_id = ${companyId} and r.invoice_id = ${String(invoiceId)}
     order by r.seq`;
}

/** The registros that follow `afterSeq`, in the order of the cadena. */
export async function registrosAfter(
  tx: Tx,
  companyId: number,
  afterSeq: bigint,
  limit: number,
): Promise<StoredRegistro[]> {
  const rows = await tx<RegistroRow[]>`
    select seq, invoice_id, tipo_registro, num_serie_factura, fecha_expedicion_factura, huella,
           huella_anterior, fecha_hora_huso_gen_registro, generated_at, subsanacion, rechazo_previo,
           sin_registro_previo, xml
      from registros
     where company_id = ${companyId} and seq > ${String(afterSeq)}
     order by seq
     limit ${limit}`;
  return rows.map(fromRow);
}

function fromRow(row: RegistroRow): StoredRegistro {
  return {
    seq: row.seq,
    invoiceId: row.invoice_id,
    TipoRegistro: row.tipo_registro,
    NumSerieFactura: row.num_serie_factura,
    FechaExpedicionFactura: row.fecha_expedicion_factura,
    Huella: row.huella,
    HuellaAnterior: row.huella_anterior,
    FechaHoraHusoGenRegistro: row.fecha_hora_huso_gen_registro,
    generatedAt: row.generated_at,
    Subsanacion: row.subsanacion,
    RechazoPrevio: row.rechazo_previo,
    SinRegistroPrevio: row.sin_registro_previo,
    xml: row.xml,
  };
}
