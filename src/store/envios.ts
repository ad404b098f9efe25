import type { InvoiceStatus } from '../contract/invoices.ts';
import { MAX_REGISTROS } from '../domain/verifactu/estructura.ts';
import { columnOf, ofAnyLength, type Statement, type Tx } from './sql.ts';

/**
 * A message to the AEAT: registros `fromSeq` to `toSeq` of a cadena, and its exact bytes, packed
 * (`packed-message.ts`).
 */
export interface Envio {
  readonly id: bigint;
  readonly fromSeq: bigint;
  readonly toSeq: bigint;
  readonly incidencia: boolean;
  /** Made for a demo: it goes to the test service, even if its company has left the demo since. */
  readonly esDemo: boolean;
  readonly peticion: Uint8Array;
  /** How many times it has been sent. */
  readonly intentos: number;
}

export interface Intento {
  readonly sentAt: Date;
  readonly endedAt: Date;
  readonly outcome: 'answered' | 'no-answer' | 'fault';
  readonly detail: string | null;
  readonly httpStatus: number | null;
}

/** The AEAT's answer to one registro. */
export interface Respuesta {
  readonly seq: bigint;
  readonly EstadoRegistro: 'Correcto' | 'AceptadoConErrores' | 'Incorrecto';
  readonly CodigoErrorRegistro: number | null;
  readonly DescripcionErrorRegistro: string | null;
  readonly esDuplicado: boolean;
}

/** Stores a message before it is sent for the first time. */
export async function insertEnvio(
  tx: Tx,
  companyId: number,
  envio: Omit<Envio, 'id' | 'intentos'>,
  now: Date,
): Promise<bigint> {
  const [row] = await tx<{ id: bigint }[]>`
    insert into envios (company_id, from_seq, to_seq, incidencia, es_demo, peticion, created_at)
    values (${companyId}, ${String(envio.fromSeq)}, ${String(envio.toSeq)}, ${envio.incidencia},
            ${envio.esDemo}, ${Buffer.from(envio.peticion)}, ${now})
 returning id`;
  if (!row) throw new Error('The envio was not stored.');
  return row.id;
}

export async function findEnvio(tx: Tx, companyId: number, id: bigint): Promise<Envio | null> {
  const [row] = await tx<
    {
      id: bigint;
      from_seq: bigint;
      to_seq: bigint;
      incidencia: boolean;
      es_demo: boolean;
      peticion: Uint8Array;
      intentos: number;
    }[]
  >`
    select e.id, e.from_seq, e.to_seq, e.incidencia, e.es_demo, e.peticion,
           (select count(*)::int from envio_intentos i
             where i.company_id = e.company_id and i.envio_id = e.id) as intentos
      from envios e
     where e.company_id = ${companyId} and e.id = ${String(id)}`;
  if (!row) return null;
  return {
    id: row.id,
    fromSeq: row.from_seq,
    toSeq: row.to_seq,
    incidencia: row.incidencia,
    esDemo: row.es_demo,
    peticion: row.peticion,
    intentos: row.intentos,
  };
}

/** Whether an earlier message held any registro of this one. */
export async function hasEarlierCopy(
  tx: Tx,
  companyId: number,
  { id, fromSeq, toSeq }: Envio,
): Promise<boolean> {
  const earlier = await tx`
    select 1 from envios
     where company_id = ${companyId} and id < ${String(id)}
       and ${heldRegistros(tx, tx`${String(fromSeq)}::bigint`, tx`${String(toSeq)}::bigint`)}
     limit 1`;
  return earlier.length > 0;
}

/** Records one exchange, whatever its outcome. */
export async function insertIntento(
  tx: Tx,
  companyId: number,
  envio: Envio,
  intento: Intento,
): Promise<void> {
  await tx`
    insert into envio_intentos (company_id, envio_id, intento, sent_at, ended_at, outcome, detail, http_status)
    values (${companyId}, ${String(envio.id)}, ${envio.intentos + 1}, ${intento.sentAt},
            ${intento.endedAt}, ${intento.outcome}, ${intento.detail}, ${intento.httpStatus})`;
}

/** Stores the AEAT's answer with the message. `respuesta` is the XML as received, packed. */
export async function saveAnswer(
  tx: Tx,
  companyId: number,
  envioId: bigint,
  answer: {
    readonly answeredAt: Date;
    readonly EstadoEnvio: string;
    readonly CSV: string | null;
    readonly TiempoEsperaEnvio: number | null;
    readonly respuesta: Uint8Array;
  },
): Promise<void> {
  await tx`
    update envios
       set answered_at = ${answer.answeredAt}, estado_envio = ${answer.EstadoEnvio}, csv = ${answer.CSV},
           tiempo_espera_envio = ${answer.TiempoEsperaEnvio}, respuesta = ${Buffer.from(answer.respuesta)}
     where company_id = ${companyId} and id = ${String(envioId)}`;
}

/** Stores the AEAT's answer to each registro. A registro is answered only once. */
export async function insertRespuestas(
  tx: Tx,
  companyId: number,
  envioId: bigint,
  respuestas: readonly Respuesta[],
  answeredAt: Date,
): Promise<void> {
  const text = (of: (r: Respuesta) => string | null) => columnOf(tx, 'text', respuestas.map(of));
  const int = (of: (r: Respuesta) => number | null) => columnOf(tx, 'int', respuestas.map(of));
  await tx`
    insert into respuestas (company_id, seq, envio_id, estado_registro, codigo_error_registro,
           descripcion_error_registro, es_duplicado, answered_at)
    select ${companyId}, t.seq, ${String(envioId)}, t.estado, t.codigo, t.descripcion, t.duplicado::boolean,
           ${answeredAt}
      from (select unnest(${respuestas.map((r) => String(r.seq))}::bigint[]),
                   ${text((r) => r.EstadoRegistro)},
                   ${int((r) => r.CodigoErrorRegistro)},
                   ${text((r) => r.DescripcionErrorRegistro)},
                   ${text((r) => String(r.esDuplicado))}) as t (seq, estado, codigo, descripcion, duplicado)
        on conflict (company_id, seq) do nothing`;
}

/** The status of an invoice after its latest registro was answered. */
export interface InvoiceVerdict {
  readonly invoiceId: bigint;
  readonly seq: bigint;
  readonly status: InvoiceStatus;
  readonly errorMessage: string | null;
  readonly errorCode: number | null;
  readonly CSV: string | null;
}

/** Applies the answers to the invoices, except where a later registro of the same invoice is waiting. */
export async function applyVerdicts(
  tx: Tx,
  companyId: number,
  verdicts: readonly InvoiceVerdict[],
): Promise<void> {
  const text = (of: (v: InvoiceVerdict) => string | null) => columnOf(tx, 'text', verdicts.map(of));
  const int = (of: (v: InvoiceVerdict) => number | null) => columnOf(tx, 'int', verdicts.map(of));
  const bigints = (of: (v: InvoiceVerdict) => bigint) =>
    ofAnyLength(tx, 'bigint', verdicts.map(of).map(String));
  await tx`
    update invoices i
       set status = t.status, error_message = t.error_message, error_code = t.error_code,
           csv = coalesce(t.csv, i.csv), updated_at = now()
      from (select unnest(${bigints((v) => v.invoiceId)}),
                   unnest(${bigints((v) => v.seq)}),
                   ${text((v) => v.status)},
                   ${text((v) => v.errorMessage)},
                   ${int((v) => v.errorCode)},
                   ${text((v) => v.CSV)}) as t (id, seq, status, error_message, error_code, csv)
     where i.company_id = ${companyId} and i.id = t.id and i.seq = t.seq`;
}

/** What happened to one invoice at the AEAT, oldest first: its registros, messages and answers. */
export interface InvoiceHistoryRow {
  readonly seq: bigint;
  readonly tipoRegistro: 'Alta' | 'Anulacion';
  readonly Subsanacion: string | null;
  readonly generatedAt: Date;
  readonly Huella: string;
  readonly HuellaAnterior: string;
  /** The reason for an anulación, in its owner's words. */
  readonly motivo: string | null;
  readonly sentAt: Date | null;
  readonly intentoOutcome: string | null;
  readonly intentoDetail: string | null;
  /** Null when nothing at all came back. */
  readonly intentoHttpStatus: number | null;
  readonly answeredAt: Date | null;
  readonly EstadoRegistro: string | null;
  readonly CodigoErrorRegistro: number | null;
  readonly esDuplicado: boolean | null;
  /** CSV of the answer that accepted it; null for a duplicate, whose earlier answer was lost. */
  readonly CSV: string | null;
}

export async function findInvoiceHistory(
  tx: Tx,
  companyId: number,
  invoiceId: bigint,
): Promise<InvoiceHistoryRow[]> {
  return tx<InvoiceHistoryRow[]>`
    select r.seq, r.tipo_registro as "tipoRegistro", r.subsanacion as "Subsanacion",
           r.generated_at as "generatedAt", r.huella as "Huella",
           coalesce(r.huella_anterior, '') as "HuellaAnterior", r.motivo,
           n.sent_at as "sentAt", n.outcome as "intentoOutcome", n.detail as "intentoDetail",
           n.http_status as "intentoHttpStatus",
           a.answered_at as "answeredAt", a.estado_registro as "EstadoRegistro",
           a.codigo_error_registro as "CodigoErrorRegistro", a.es_duplicado as "esDuplicado",
           case when a.estado_registro <> 'Incorrecto' and not a.es_duplicado then e.csv end as "CSV"
      from registros r
      -- Of each registro by itself (\`offset 0\`): for several at a time PostgreSQL would read all messages.
      left join lateral (
           select id, csv from envios
            where company_id = ${companyId} and ${heldRegistros(tx, tx`r.seq`, tx`r.seq`)} offset 0) e on true
      left join lateral (
           select sent_at, outcome, detail, http_status from envio_intentos
            where company_id = ${companyId} and envio_id = e.id offset 0) n on true
      left join respuestas a on a.company_id = r.company_id and a.seq = r.seq and a.envio_id = e.id
     where r.company_id = ${companyId} and r.invoice_id = ${String(invoiceId)}
     order by r.seq, n.sent_at`;
}

/** A message as it was sent and what came back, each packed, with the registros that it held. */
export interface KeptEnvio {
  readonly id: bigint;
  readonly fromSeq: bigint;
  readonly toSeq: bigint;
  readonly peticion: Uint8Array;
  /** Null while there is no answer. */
  readonly respuesta: Uint8Array | null;
}

/** The messages after a given one, oldest first. */
export async function enviosAfter(
  tx: Tx,
  companyId: number,
  afterId: bigint,
  limit: number,
): Promise<KeptEnvio[]> {
  return tx<KeptEnvio[]>`
    select id, from_seq as "fromSeq", to_seq as "toSeq", peticion, respuesta
      from envios
     where company_id = ${companyId} and id > ${String(afterId)}
     order by id
     limit ${limit}`;
}

/** An answer of the AEAT as received, packed, with the registros of its message. */
export interface KeptRespuesta {
  readonly id: bigint;
  readonly fromSeq: bigint;
  readonly toSeq: bigint;
  readonly respuesta: Uint8Array;
}

/** Answers to messages with any registro between two positions, in order of position. */
export async function respuestasBetween(
  tx: Tx,
  companyId: number,
  range: {
    readonly fromSeq: bigint;
    readonly toSeq: bigint;
    readonly after: Pick<KeptRespuesta, 'fromSeq' | 'id'> | null;
    readonly limit: number;
  },
): Promise<KeptRespuesta[]> {
  const { fromSeq, toSeq, after, limit } = range;
  return tx<KeptRespuesta[]>`
    select id, from_seq as "fromSeq", to_seq as "toSeq", respuesta
      from envios
     where company_id = ${companyId} and respuesta is not null
       and ${heldRegistros(tx, tx`${String(fromSeq)}::bigint`, tx`${String(toSeq)}::bigint`)}
       ${after ? tx`and (from_seq, id) > (${String(after.fromSeq)}, ${String(after.id)})` : tx``}
     order by from_seq, id
     limit ${limit}`;
}

/**
 * Whether a message holds any registro between two positions. None holds more than {@link MAX_REGISTROS}, so messages
 * that begin farther back need not be read to know where they end.
 */
function heldRegistros(tx: Tx, fromSeq: Statement, toSeq: Statement): Statement {
  return tx`from_seq between ${fromSeq} - ${MAX_REGISTROS - 1}::int and ${toSeq} and to_seq >= ${fromSeq}`;
}
