import type { TimelineStep } from '../contract/invoices.ts';
import { mensajeDeCodigo } from '../domain/verifactu/codigos.ts';
import type { Desistido } from '../store/desistimientos.ts';
import type { InvoiceHistoryRow } from '../store/envios.ts';
import type { InvoiceDownloads } from '../store/invoice-downloads.ts';
import type { StoredInvoice } from '../store/invoices.ts';
import type { InvoiceMail } from '../store/mail-jobs.ts';

type Step = Omit<TimelineStep, 'fecha'> & { readonly at: Date };

/**
 * What happened to an invoice, oldest first.
 *
 * @param story.history its registros, messages and answers, in the order of `findInvoiceHistory`
 * @param story.givenUp what its owner gave up, which the AEAT had refused or was never sent
 */
export function invoiceTimeline(
  invoice: Pick<StoredInvoice, 'createdAt'>,
  {
    history,
    mails,
    downloads,
    givenUp,
  }: {
    readonly history: readonly InvoiceHistoryRow[];
    readonly mails: readonly InvoiceMail[];
    readonly downloads: readonly InvoiceDownloads[];
    readonly givenUp: readonly Desistido[];
  },
): TimelineStep[] {
  const steps: Step[] = [
    { at: invoice.createdAt, tipo: 'borrador', titulo: 'Borrador creado', tono: 'neutro' },
    ...history.flatMap((row, index) => registroSteps(row, history[index - 1], history[index + 1])),
    ...givenUp.map(givenUpStep),
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
  next: InvoiceHistoryRow | undefined,
): Step[] {
  const isNewRegistro = previous?.seq !== row.seq;
  const verb = row.Subsanacion === 'S' ? 'Corregida' : 'Registrada';
  // A registro is answered once: of a message that was sent several times, the last one carries the answer.
  const isAnswered = row.answeredAt !== null && !(next?.seq === row.seq && next.answeredAt);
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
    ...(row.sentAt ? [sentStep(row, row.sentAt, { isAnswered })] : []),
    ...(row.answeredAt && isAnswered ? [answerStep(row, row.answeredAt)] : []),
  ];
}

/** @param isAnswered the AEAT's verdict on this very registro exists, and `answerStep` reports it */
function sentStep(
  row: InvoiceHistoryRow,
  at: Date,
  { isAnswered }: { readonly isAnswered: boolean },
): Step {
  const isSettled = isAnswered || row.intentoOutcome === 'answered';
  return {
    at,
    tipo: 'enviada',
    titulo: isSettled ? 'Enviada a la AEAT' : unsettledTitle(row),
    ...(!isSettled && row.intentoDetail ? { detalle: row.intentoDetail } : {}),
    tono: 'neutro',
  };
}

function unsettledTitle({ intentoOutcome, intentoHttpStatus }: InvoiceHistoryRow): string {
  if (intentoOutcome === 'fault') return 'La AEAT no admitió el envío';
  return intentoHttpStatus === null ? 'Envío sin respuesta' : 'Envío sin respuesta válida';
}

const VERDICTS = {
  Correcto: { titulo: 'Aceptada por la AEAT', tono: 'verde' },
  AceptadoConErrores: { titulo: 'Aceptada con errores', tono: 'ambar' },
  Incorrecto: { titulo: 'Rechazada por la AEAT', tono: 'rojo' },
} as const;

function answerStep(row: InvoiceHistoryRow, at: Date): Step {
  const { EstadoRegistro, CodigoErrorRegistro: code } = row;
  const verdict = VERDICTS[EstadoRegistro as keyof typeof VERDICTS] ?? VERDICTS.Correcto;
  const isFine = code === null && verdict === VERDICTS.Correcto;
  const detail = isFine ? null : mensajeDeCodigo(code, { descripcion: '' });
  const detalle = [detail, !detail && row.CSV && `CSV ${row.CSV}`, row.esDuplicado && YA_ESTABA]
    .filter(Boolean)
    .join(' ');
  return { at, tipo: 'respuesta', ...verdict, ...(detalle && { detalle }) };
}

/** The CSV of a lost answer cannot be recovered (`RespuestaConsultaLR.xsd` has no field for it). */
const YA_ESTABA =
  'La AEAT ya la tenía, de un envío anterior cuya respuesta se perdió: el CSV de aquel envío no se puede recuperar.';

function givenUpStep({ at, status, sinEfecto, sinEnviar, TipoRegistro }: Desistido) {
  const what = TipoRegistro === 'Anulacion' ? 'la anulación' : 'la corrección';
  if (sinEnviar) {
    return {
      at,
      tipo: 'dejada' as const,
      titulo: 'No enviada a la AEAT',
      detalle: `No se envió ${what} que esperaba: la AEAT tiene un registro posterior, que aquí se perdió.`,
      tono: 'neutro' as const,
    };
  }
  if (sinEfecto) {
    return {
      at,
      tipo: 'dejada' as const,
      titulo: 'Dejada sin efecto',
      detalle:
        'Su número era de otra factura, hecha con otro programa. No se envió nada a la AEAT.',
      tono: 'neutro' as const,
    };
  }
  return {
    at,
    tipo: 'dejada' as const,
    titulo: status === 'Anulada' ? 'Dejada como anulada' : 'Dejada como estaba',
    detalle: `Se renunció a ${what} que la AEAT rechazó: ${LEFT[status]}`,
    tono: 'neutro' as const,
  };
}

const LEFT: Readonly<Record<Desistido['status'], string>> = {
  Registrada: 'vale la que tenía aceptada.',
  'Aceptado con errores': 'vale la que tenía aceptada, con errores.',
  Anulada: 'allí consta anulada.',
};

/** All downloads of a day are one step, at the time of the last one. */
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
