import type { InvoiceDetail, TimelineStep } from '../contract/invoices.ts';
import type { Deps } from '../deps.ts';
import { DomainError } from '../domain/errors.ts';
import type { Rechazo } from '../domain/invoice.ts';
import { mensajeDeCodigo } from '../domain/verifactu/codigos.ts';
import { rechazoOf } from '../domain/verifactu/correcciones.ts';
import { findCustomer } from '../store/customers.ts';
import { findInvoiceHistory, type InvoiceHistoryRow } from '../store/envios.ts';
import { findExchanges } from '../store/invoice-references.ts';
import {
  findInvoice,
  type InvoiceDownloads,
  listDownloads,
  nameOfInvoice,
  type StoredInvoice,
} from '../store/invoices.ts';
import { type InvoiceMail, listInvoiceMails } from '../store/mail-jobs.ts';
import { findDesenlaces } from '../store/registros.ts';
import { findUploadName } from '../store/uploads.ts';

/** An invoice with its story; `fila` and `borrador` are the presenter's. */
export interface InvoiceStory extends Omit<InvoiceDetail, 'fila' | 'borrador'> {
  readonly invoice: StoredInvoice;
}

/** Everything the page of one invoice shows. @throws {DomainError} NOT_FOUND */
export async function describeInvoice(
  { sql }: Deps,
  companyId: number,
  docNo: string,
): Promise<InvoiceStory> {
  const invoice = await findInvoice(sql, companyId, docNo);
  if (!invoice) throw new DomainError('NOT_FOUND', `No existe la factura ${docNo}.`);
  const [history, mails, customer, exchanges, downloads, original] = await Promise.all([
    findInvoiceHistory(sql, companyId, invoice.id),
    listInvoiceMails(sql, companyId, invoice.id),
    findCustomer(sql, companyId, invoice.customerNo),
    findExchanges(sql, companyId, [docNo]),
    listDownloads(sql, companyId, invoice.id),
    findUploadName(sql, companyId, docNo),
  ]);
  const { issued } = invoice;
  const latest = history.at(-1);
  return {
    invoice,
    ...(exchanges.has(docNo) && { canjeadaPor: exchanges.get(docNo) as string }),
    ...(latest
      ? {
          huella: latest.Huella,
          huellaAnterior: latest.HuellaAnterior,
          eslabon: Number(latest.seq),
        }
      : {}),
    ...(invoice.CSV ? { csv: invoice.CSV } : {}),
    ...(issued ? { qr: issued.qr, emitida: { ...issued } } : {}),
    correoCliente: customer?.Email ?? issued?.cliente?.email ?? '',
    ...(original && { original: original.fileName }),
    ...(await describeRechazo({ sql }, companyId, invoice)),
    historia: timeline(invoice, history, mails, downloads),
  };
}

/** Of a refused invoice, what was refused of it and what the AEAT holds; of another, nothing. */
export async function describeRechazo(
  { sql }: Pick<Deps, 'sql'>,
  companyId: number,
  { docNo, status }: Pick<StoredInvoice, 'docNo' | 'status'>,
): Promise<{ readonly rechazo?: Rechazo }> {
  if (status !== 'Rechazado') return {};
  const desenlaces = await findDesenlaces(sql, [{ companyId, docNo }]);
  const rechazo = rechazoOf(desenlaces.get(nameOfInvoice({ companyId, docNo })) ?? []);
  return rechazo ? { rechazo } : {};
}

function timeline(
  invoice: StoredInvoice,
  history: readonly InvoiceHistoryRow[],
  mails: readonly InvoiceMail[],
  downloads: readonly InvoiceDownloads[],
): TimelineStep[] {
  const steps: (Omit<TimelineStep, 'fecha'> & { at: Date })[] = [
    { at: invoice.createdAt, tipo: 'borrador', titulo: 'Borrador creado', tono: 'neutro' },
    ...history.flatMap((row, index) => registroSteps(row, history[index - 1])),
    ...mails.map(mailStep),
    ...downloads.map(downloadStep),
  ];
  return steps
    .sort((a, b) => a.at.getTime() - b.at.getTime())
    .map(({ at, ...step }) => ({ ...step, fecha: at.toISOString() }));
}

function registroSteps(
  row: InvoiceHistoryRow,
  previous: InvoiceHistoryRow | undefined,
): (Omit<TimelineStep, 'fecha'> & { at: Date })[] {
  const isNewRegistro = previous?.seq !== row.seq;
  const verb = row.Subsanacion === 'S' ? 'Corregida' : 'Registrada';
  return [
    ...(isNewRegistro
      ? [
          {
            at: row.generatedAt,
            tipo: row.tipoRegistro === 'Alta' ? ('registrada' as const) : ('anulada' as const),
            titulo: `${row.tipoRegistro === 'Alta' ? verb : 'Anulada'}, eslabón ${row.seq} de la cadena`,
            detalle: row.motivo ? `Motivo: ${row.motivo}` : `Huella ${row.Huella}`,
            tono: 'neutro' as const,
          },
        ]
      : []),
    ...(row.sentAt ? [sentStep(row, row.sentAt)] : []),
    ...(row.answeredAt && row.intentoOutcome === 'answered'
      ? [answerStep(row, row.answeredAt)]
      : []),
  ];
}

function sentStep(row: InvoiceHistoryRow, at: Date) {
  const isSilent = row.intentoOutcome !== 'answered';
  return {
    at,
    tipo: 'enviada' as const,
    titulo: isSilent ? 'Envío sin respuesta' : 'Enviada a la AEAT',
    ...(isSilent && row.intentoDetail ? { detalle: row.intentoDetail } : {}),
    tono: 'neutro' as const,
  };
}

function answerStep(row: InvoiceHistoryRow, at: Date) {
  const code = row.CodigoErrorRegistro;
  const detail = code === null ? null : mensajeDeCodigo(code, { descripcion: '' });
  const verdicts = {
    Correcto: { titulo: 'Aceptada por la AEAT', tono: 'verde' },
    AceptadoConErrores: { titulo: 'Aceptada con errores', tono: 'ambar' },
    Incorrecto: { titulo: 'Rechazada por la AEAT', tono: 'rojo' },
  } as const;
  const verdict = verdicts[row.EstadoRegistro as keyof typeof verdicts] ?? verdicts.Correcto;
  const extra = detail ?? (row.CSV ? `CSV ${row.CSV}` : null);
  return {
    at,
    tipo: 'respuesta' as const,
    ...verdict,
    ...(extra ? { detalle: extra } : {}),
  };
}

/** All the downloads of a day are one step, at the time of the last. */
function downloadStep({ times, lastAt }: InvoiceDownloads) {
  return {
    at: lastAt,
    tipo: 'descarga' as const,
    titulo: times === 1 ? 'PDF descargado' : `PDF descargado ${times} veces`,
    tono: 'neutro' as const,
  };
}

function mailStep(mail: InvoiceMail) {
  if (mail.failedAt) {
    return {
      at: mail.failedAt,
      tipo: 'correo' as const,
      titulo: mail.sentAt
        ? 'El correo ha vuelto sin entregar'
        : 'El correo no se ha podido entregar',
      detalle: `${mail.recipient}: ${mail.lastError ?? 'sin más detalle'}`,
      tono: 'rojo' as const,
    };
  }
  if (mail.sentAt) {
    return {
      at: mail.sentAt,
      tipo: 'correo' as const,
      titulo: 'Enviada por correo',
      detalle: mail.recipient,
      tono: 'neutro' as const,
    };
  }
  return {
    at: mail.createdAt,
    tipo: 'correo' as const,
    titulo: 'Correo en camino',
    detalle: mail.recipient,
    tono: 'azul' as const,
  };
}
