import { addDays } from '../domain/dates.ts';
import type { IssuedInvoice } from '../domain/invoice.ts';
import type { Desenlace } from '../domain/verifactu/correcciones.ts';
import { BETWEEN } from '../domain/verifactu/leer-llano.ts';
import { eachCopied } from './copied-rows.ts';
import { areInvoices, type InvoiceName, type InvoiceSummary, nameOfInvoice } from './invoices.ts';
import { type Statement, type Tx, textColumn } from './sql.ts';

/** A stored registro: the strings that were hashed, and the XML that is sent. */
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
  readonly companyId: number;
  readonly issued: IssuedInvoice | null;
  /** Only for an anulación. */
  readonly motivo: string | null;
  /** The session that asked for it; null when a background worker did. */
  readonly sid: string | null;
}

/**
 * Appends registros to their cadenas. The keys refuse a second one in the same position. Short values are sent as one
 * JSON document, long ones beside it.
 */
export function appendingRegistros(tx: Tx, registros: readonly RegistroToAppend[]): Statement {
  const rows = registros.map((r) => ({
    company_id: r.companyId,
    seq: String(r.seq),
    invoice_id: String(r.invoiceId),
    tipo: r.TipoRegistro,
    numero: r.NumSerieFactura,
    fecha: r.FechaExpedicionFactura,
    huella: r.Huella,
    // None except for the first: a new installation starts its own cadena in a later position.
    anterior: r.HuellaAnterior || (r.seq === 1n ? '' : null),
    huso: r.FechaHoraHusoGenRegistro,
    generated_at: r.generatedAt,
    subsanacion: r.Subsanacion,
    rechazo: r.RechazoPrevio,
    sin_previo: r.SinRegistroPrevio,
    motivo: r.motivo,
    sid: r.sid,
  }));
  const documents = registros.map(({ issued }) => issued && JSON.stringify(issued));
  return tx`
    insert into registros (company_id, seq, invoice_id, tipo_registro, num_serie_factura,
           fecha_expedicion_factura, huella, huella_anterior, fecha_hora_huso_gen_registro,
           generated_at, subsanacion, rechazo_previo, sin_registro_previo, motivo, sid, xml,
           issued)
    select t.*
      from rows from (
             jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as (
               company_id int, seq bigint, invoice_id bigint, tipo text, numero text, fecha text,
               huella text, anterior text, huso text, generated_at timestamptz, subsanacion text,
               rechazo text, sin_previo text, motivo text, sid uuid),
             unnest(${textColumn(
               tx,
               registros.map(({ xml }) => xml),
             )}),
             unnest(${textColumn(tx, documents)}::jsonb[])) as t`;
}

/**
 * What was declared of each of these invoices and how the AEAT answered, oldest first, by `nameOfInvoice`. An
 * anulación that is never sent (docs/decisions/0460) is none.
 */
export async function findDesenlaces(
  tx: Tx,
  wanted: readonly InvoiceName[],
): Promise<Map<string, Desenlace[]>> {
  const found = new Map<string, Desenlace[]>();
  if (wanted.length === 0) return found;
  // Each invoice's own registros, by their index. As a single join, PostgreSQL would walk the whole cadena to get
  // them by `seq`. A draft has none.
  const rows = await tx<(Desenlace & InvoiceName)[]>`
    select i.company_id as "companyId", i.doc_no as "docNo", r.tipo_registro as "TipoRegistro",
           a.estado_registro as "EstadoRegistro", a.codigo_error_registro as "CodigoErrorRegistro"
      from invoices i
     cross join lateral (
           select company_id, seq, tipo_registro from registros
            where i.registered_at is not null
              and company_id = i.company_id and invoice_id = i.id
            offset 0) r
      left join respuestas a on a.company_id = r.company_id and a.seq = r.seq
     where ${areInvoices(tx, wanted)}
       and not exists (
             select from desistimientos d
              where r.tipo_registro = 'Anulacion' and d.company_id = r.company_id and d.seq = r.seq and d.sin_enviar)
     order by r.seq`;
  for (const { companyId, docNo, ...desenlace } of rows) {
    const name = nameOfInvoice({ companyId, docNo });
    const known = found.get(name);
    if (known) known.push(desenlace);
    else found.set(name, [desenlace]);
  }
  return found;
}

/** The same of one invoice. */
export async function desenlacesOf(
  tx: Tx,
  companyId: number,
  docNo: string,
): Promise<readonly Desenlace[]> {
  const name = { companyId, docNo };
  return (await findDesenlaces(tx, [name])).get(nameOfInvoice(name)) ?? [];
}

/**
 * Whether an invoice is annulled, or its latest registro is an anulación that the AEAT has refused or not answered
 * yet.
 */
export async function isAnnulled(
  tx: Tx,
  companyId: number,
  { status, seq }: Pick<InvoiceSummary, 'status' | 'seq'>,
): Promise<boolean> {
  if (status === 'Anulada' || seq === null) return status === 'Anulada';
  const [row] = await tx<{ isAnulacion: boolean }[]>`
    select tipo_registro = 'Anulacion' as "isAnulacion" from registros
     where company_id = ${companyId} and seq = ${String(seq)}`;
  return row?.isAnulacion ?? false;
}

/** A correction or an anulación that waits to be sent: it takes effect over whatever the AEAT has of its invoice. */
export interface WaitingCorrection {
  readonly seq: bigint;
  readonly invoiceId: bigint;
  readonly TipoRegistro: 'Alta' | 'Anulacion';
  readonly generatedAt: Date;
  /** Months, `2026-11`, under which the AEAT may file its invoice: that of the operation or, without one, of its day. */
  readonly periodos: readonly string[];
}

export async function listWaitingCorrections(
  tx: Tx,
  companyId: number,
): Promise<WaitingCorrection[]> {
  return tx<WaitingCorrection[]>`
    select r.seq, r.invoice_id as "invoiceId", r.tipo_registro as "TipoRegistro", r.generated_at as "generatedAt",
           array(select distinct left(coalesce(g.issued ->> 'fechaOperacion', i.posting_date::text), 7)
                   from registros g join invoices i on i.company_id = g.company_id and i.id = g.invoice_id
                  where g.company_id = r.company_id and g.invoice_id = r.invoice_id and g.issued is not null
                 ) as periodos
      from despachos d
      join registros r on r.company_id = d.company_id and r.seq > d.enviado_hasta and r.seq <> all(d.retenidos)
     where d.company_id = ${companyId} and (r.tipo_registro = 'Anulacion' or r.subsanacion = 'S')
     order by r.seq`;
}

/** A registro of a message, with what is needed to interpret its answer. */
export interface RegistroSent
  extends Pick<
    StoredRegistro,
    | 'seq'
    | 'invoiceId'
    | 'TipoRegistro'
    | 'NumSerieFactura'
    | 'FechaExpedicionFactura'
    | 'Huella'
    | 'generatedAt'
    | 'Subsanacion'
  > {
  /** In the format of the XML: `20-11-2026`. */
  readonly FechaOperacion: string | null;
}

/** The same with its XML in UTF-8, a slice of the data from the database: not to be kept for long. */
export interface RegistroToSend {
  readonly registro: RegistroSent;
  readonly xml: Uint8Array;
}

const FECHA_OPERACION = Buffer.from('<sum1:FechaOperacion>');
const FECHA_LENGTH = 'DD-MM-AAAA'.length;

/**
 * The registros after `afterSeq`, in the order of the cadena. As bytes: a message of a thousand has two and a half
 * megabytes, which are never turned into text on their way to the AEAT.
 */
export async function registrosAfter(
  tx: Tx,
  companyId: number,
  afterSeq: bigint,
  limit: number,
): Promise<RegistroToSend[]> {
  assertWhole(companyId, limit);
  const query = `
    select seq, invoice_id, (extract(epoch from generated_at) * 1000)::bigint, tipo_registro, num_serie_factura,
           fecha_expedicion_factura, huella, coalesce(subsanacion, ''), xml
      from registros
     where company_id = ${companyId} and seq > ${afterSeq}
     order by seq
     limit ${limit}`;
  const registros: RegistroToSend[] = [];
  await eachCopied(tx, query, ({ bytes, limits }) => {
    const number = (i: number) => bytes.readBigInt64BE(limits[2 * i]);
    const text = (i: number) => bytes.toString('utf8', limits[2 * i], limits[2 * i + 1]);
    const xml = Buffer.from(bytes.subarray(limits[16], limits[17]));
    const at = xml.indexOf(FECHA_OPERACION) + FECHA_OPERACION.length;
    registros.push({
      registro: {
        seq: number(0),
        invoiceId: number(1),
        generatedAt: new Date(Number(number(2))),
        TipoRegistro: text(3) === 'Alta' ? 'Alta' : 'Anulacion',
        NumSerieFactura: text(4),
        FechaExpedicionFactura: text(5),
        Huella: text(6),
        Subsanacion: text(7) || null,
        FechaOperacion:
          at < FECHA_OPERACION.length ? null : xml.toString('latin1', at, at + FECHA_LENGTH),
      },
      xml,
    });
  });
  return registros;
}

/** The end of a cadena according to both tables, seen at one instant. */
export interface CadenaEnds {
  /** Where the head of the cadena says that it ends, and with which huella. */
  readonly headSeq: bigint;
  readonly headHuella: string;
  /** Position of the last registro; zero when there is none. */
  readonly lastSeq: bigint;
}

export async function findCadenaEnds(tx: Tx, companyId: number): Promise<CadenaEnds> {
  // One statement, one snapshot: two would disagree while somebody registers.
  const [row] = await tx<CadenaEnds[]>`
    select c.last_seq as "headSeq", c.last_huella as "headHuella",
           coalesce((select max(r.seq) from registros r where r.company_id = c.company_id), 0)
             as "lastSeq"
      from cadenas c
     where c.company_id = ${companyId}`;
  if (!row) throw new Error(`The company ${companyId} has no cadena.`);
  return row;
}

/** The columns that repeat what the XML says, joined into one text: one value to read, and one comparison. */
export function keptColumns(
  registro: Pick<
    StoredRegistro,
    | 'TipoRegistro'
    | 'NumSerieFactura'
    | 'FechaExpedicionFactura'
    | 'FechaHoraHusoGenRegistro'
    | 'Huella'
  >,
  HuellaAnterior: string,
): string {
  const { TipoRegistro, NumSerieFactura, FechaExpedicionFactura } = registro;
  const { FechaHoraHusoGenRegistro, Huella } = registro;
  return `${TipoRegistro}${BETWEEN}${NumSerieFactura}${BETWEEN}${FechaExpedicionFactura}${BETWEEN}${FechaHoraHusoGenRegistro}${BETWEEN}${Huella}${BETWEEN}${HuellaAnterior}`;
}

/** The second of the values that `keptColumns` joined. */
export function numberInColumns(columns: string): string {
  return columns.split(BETWEEN)[1] ?? '';
}

/**
 * A registro with only what checking it needs, as bytes of UTF-8: out of a million, most are never turned into text.
 */
export interface KeptRegistro {
  readonly seq: number;
  readonly bytes: Buffer;
  /** Where the columns beside the XML begin, as `keptColumns` joins them. */
  readonly columnsStart: number;
  readonly columnsEnd: number;
  /** Where its XML begins. */
  readonly xmlStart: number;
  readonly xmlEnd: number;
}

/**
 * Calls `take` for the registros in positions `(afterSeq, toSeq]`, in order. Bounded by position and not by `limit`:
 * however outdated the statistics of a fast-growing table are, they are read by key, never by scanning the whole
 * cadena.
 *
 * @param take called with each; its argument is overwritten by the next one
 */
export async function eachKeptBetween(
  tx: Tx,
  companyId: number,
  afterSeq: number,
  toSeq: number,
  take: (registro: KeptRegistro) => void,
): Promise<void> {
  assertWhole(companyId, afterSeq, toSeq);
  const query = `
    select seq,
           tipo_registro || E'\\x01' || btrim(num_serie_factura) || E'\\x01' || fecha_expedicion_factura ||
             E'\\x01' || fecha_hora_huso_gen_registro || E'\\x01' || huella || E'\\x01' ||
             coalesce(huella_anterior, ''),
           xml
      from registros
     where company_id = ${companyId} and seq > ${afterSeq} and seq <= ${toSeq}
     order by seq`;
  const registro = {
    seq: 0,
    bytes: NOTHING,
    columnsStart: 0,
    columnsEnd: 0,
    xmlStart: 0,
    xmlEnd: 0,
  };
  await eachCopied(tx, query, ({ bytes, limits }) => {
    const at = limits[0] ?? 0;
    registro.seq = bytes.readInt32BE(at) * 2 ** 32 + bytes.readUInt32BE(at + 4);
    registro.bytes = bytes;
    registro.columnsStart = limits[2] ?? 0;
    registro.columnsEnd = limits[3] ?? 0;
    registro.xmlStart = limits[4] ?? 0;
    registro.xmlEnd = limits[5] ?? 0;
    take(registro);
  });
}

const NOTHING: Buffer = Buffer.alloc(0);

/** Of numbers that become part of the text of a `copy`, which takes no parameters. */
function assertWhole(...numbers: readonly number[]): void {
  if (!numbers.every(Number.isSafeInteger)) throw new Error('Not a whole number.');
}

/** The first occupied position after that one, where there should have been no gap; null for none. */
export async function nextSeqAfter(
  tx: Tx,
  companyId: number,
  afterSeq: number,
): Promise<number | null> {
  const [row] = await tx<{ seq: number | null }[]>`
    select min(seq)::float8 as seq from registros where company_id = ${companyId} and seq > ${afterSeq}`;
  return row?.seq ?? null;
}

/**
 * First and last position of the registros generated between two days, both included; null for none.
 *
 * The cadena is in order of generation, so each end is found by binary search with a look-up by key at each step:
 * that needs neither an index on the day, which every registro would pay for, nor a scan of all of them. A clock that
 * was corrected may have gone back, so the search covers a day more at each end, and those registros are scanned.
 */
export async function findSeqRange(
  tx: Tx,
  companyId: number,
  { desde, hasta }: { readonly desde: string; readonly hasta: string },
): Promise<{ fromSeq: bigint; toSeq: bigint } | null> {
  const [ends] = await tx<{ first: bigint | null; last: bigint | null }[]>`
    select min(seq) as first, max(seq) as last from registros where company_id = ${companyId}`;
  if (ends?.first == null || ends.last == null) return null;
  const { first, last } = ends;
  const fromSeq = await firstWhere(tx, companyId, first, last + 1n, (day) => {
    return addDays(day, 1) >= desde;
  });
  const afterSeq = await firstWhere(tx, companyId, first, last + 1n, (day) => {
    return addDays(day, -1) > hasta;
  });
  const within = tx`
    from registros
   where company_id = ${companyId} and seq >= ${String(fromSeq)} and seq < ${String(afterSeq)}
     and left(fecha_hora_huso_gen_registro, 10) between ${desde} and ${hasta}`;
  const [earliest] = await tx<{ seq: bigint }[]>`select seq ${within} order by seq limit 1`;
  const [latest] = await tx<{ seq: bigint }[]>`select seq ${within} order by seq desc limit 1`;
  return earliest && latest ? { fromSeq: earliest.seq, toSeq: latest.seq } : null;
}

/**
 * The first position of `[low, high)` whose day satisfies the condition, which holds for all later ones; `high` for
 * none.
 */
async function firstWhere(
  tx: Tx,
  companyId: number,
  low: bigint,
  high: bigint,
  isSo: (day: string) => boolean,
): Promise<bigint> {
  let [from, to] = [low, high];
  while (from < to) {
    const middle = (from + to) / 2n;
    // The day as written in the registro, in the company's time zone. A registro removed from the cadena leaves a
    // gap: then the next one is used.
    const [row] = await tx<{ seq: bigint; day: string }[]>`
      select seq, left(fecha_hora_huso_gen_registro, 10) as day
        from registros
       where company_id = ${companyId} and seq >= ${String(middle)}
       order by seq
       limit 1`;
    if (!row || row.seq >= to) to = middle;
    else if (isSo(row.day)) to = middle;
    else from = row.seq + 1n;
  }
  return from;
}

/** A registro with the AEAT's answer to it, as texts. */
export interface AnsweredRegistro {
  readonly seq: number;
  readonly TipoRegistro: string;
  readonly NumSerieFactura: string;
  readonly FechaExpedicionFactura: string;
  readonly Huella: string;
  readonly HuellaAnterior: string;
  readonly FechaHoraHusoGenRegistro: string;
  /** Empty until it is answered. */
  readonly EstadoRegistro: string;
  /** Not answered because it is never sent (docs/decisions/0460). */
  readonly isWithheld: boolean;
  readonly CodigoErrorRegistro: string;
  /** CSV of the message in which it was accepted. */
  readonly CSV: string;
}

export interface AnsweredXml {
  readonly registro: AnsweredRegistro;
  /** In UTF-8. */
  readonly xml: Uint8Array;
}

/**
 * Calls `take` for the registros in positions `(afterSeq, toSeq]`, in the order of the cadena.
 *
 * @param take called with each; its XML is overwritten by the next one
 */
export async function eachAnsweredBetween(
  tx: Tx,
  companyId: number,
  afterSeq: number,
  toSeq: number,
  take: (answered: AnsweredXml) => void,
): Promise<void> {
  assertWhole(companyId, afterSeq, toSeq);
  const query = `
    select r.seq, r.tipo_registro, r.num_serie_factura, r.fecha_expedicion_factura, r.huella, r.huella_anterior,
           r.fecha_hora_huso_gen_registro, a.estado_registro, a.codigo_error_registro::text,
           case when a.estado_registro <> 'Incorrecto' and not a.es_duplicado then e.csv end, r.xml,
           case when a.seq is null then (select 'S' from desistimientos d where d.company_id = r.company_id
                                           and d.seq = r.seq and d.sin_enviar) end
      from registros r
      left join respuestas a on a.company_id = r.company_id and a.seq = r.seq
      left join envios e on e.company_id = a.company_id and e.id = a.envio_id
     where r.company_id = ${companyId} and r.seq > ${afterSeq} and r.seq <= ${toSeq}
     order by r.seq`;
  await eachCopied(tx, query, ({ bytes, limits }) => {
    const text = (i: number) => bytes.toString('utf8', limits[2 * i], limits[2 * i + 1]);
    const registro = {
      seq: Number(bytes.readBigInt64BE(limits[0])),
      TipoRegistro: text(1),
      NumSerieFactura: text(2),
      FechaExpedicionFactura: text(3),
      Huella: text(4),
      HuellaAnterior: text(5),
      FechaHoraHusoGenRegistro: text(6),
      EstadoRegistro: text(7),
      isWithheld: text(11) !== '',
      CodigoErrorRegistro: text(8),
      CSV: text(9),
    };
    take({ registro, xml: bytes.subarray(limits[20], limits[21]) });
  });
}

/** A registro with what is compared with the AEAT. */
export interface DeclaredRegistro {
  readonly seq: bigint;
  readonly TipoRegistro: 'Alta' | 'Anulacion';
  readonly NumSerieFactura: string;
  readonly FechaExpedicionFactura: string;
  readonly Huella: string;
  readonly EstadoRegistro: 'Correcto' | 'AceptadoConErrores' | 'Incorrecto' | null;
}

/** Everything declared of the invoices with these numbers, in the order of the cadena. */
export async function declaredOfNumbers(
  tx: Tx,
  companyId: number,
  docNos: readonly string[],
): Promise<DeclaredRegistro[]> {
  if (docNos.length === 0) return [];
  return tx<DeclaredRegistro[]>`
    select r.seq, r.tipo_registro as "TipoRegistro", r.num_serie_factura as "NumSerieFactura",
           r.fecha_expedicion_factura as "FechaExpedicionFactura", r.huella as "Huella",
           a.estado_registro as "EstadoRegistro"
      from invoices i
      join registros r on r.company_id = i.company_id and r.invoice_id = i.id
      left join respuestas a on a.company_id = r.company_id and a.seq = r.seq
     where i.company_id = ${companyId} and i.doc_no = any(${[...docNos]}::text[])
     order by r.seq`;
}

/**
 * Everything declared of the invoices of a month, `2026-11`: the month of the operation or, without one, of the
 * issue, which is how the AEAT files them. What a demo declared went to the test service, and is left out.
 */
export async function declaredOfPeriodo(
  tx: Tx,
  companyId: number,
  periodo: string,
): Promise<DeclaredRegistro[]> {
  const from = `${periodo}-01`; // Each part by an index of its own: no walk through the cadena.
  return tx<DeclaredRegistro[]>`
    with of_month as (
      select r.invoice_id from registros r
       where r.company_id = ${companyId} and r.tipo_registro = 'Alta'
         and r.issued ->> 'fechaOperacion' is not null
         and left(r.issued ->> 'fechaOperacion', 7) = ${periodo}
       union
      select i.id
        from (select id from invoices
               where company_id = ${companyId} and status in ('Registrada', 'Anulada')
                 and posting_date >= ${from}::date and posting_date < ${from}::date + interval '1 month'
               union all
              select id from invoices
               where company_id = ${companyId}
                 and status in ('En espera', 'Rechazado', 'Aceptado con errores')
                 and posting_date >= ${from}::date and posting_date < ${from}::date + interval '1 month'
             ) i
       where exists (select 1 from registros r
                      where r.company_id = ${companyId} and r.invoice_id = i.id
                        and r.tipo_registro = 'Alta' and r.issued ->> 'fechaOperacion' is null))
    select r.seq, r.tipo_registro as "TipoRegistro", r.num_serie_factura as "NumSerieFactura",
           r.fecha_expedicion_factura as "FechaExpedicionFactura", r.huella as "Huella",
           a.estado_registro as "EstadoRegistro"
      from of_month m
      join registros r on r.company_id = ${companyId} and r.invoice_id = m.invoice_id
      left join respuestas a on a.company_id = r.company_id and a.seq = r.seq
     where r.seq >= coalesce((select max(first_seq) from instalaciones
                               where company_id = ${companyId} and tras_demo), 0)
     order by r.seq`;
}
