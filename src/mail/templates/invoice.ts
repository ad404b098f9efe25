import { payableSum } from '../../domain/cobros.ts';
import { fechaEs } from '../../domain/dates.ts';
import { ibanInGroups } from '../../domain/iban.ts';
import {
  type IssuedInvoice,
  isPorImpago,
  isRectificativa,
  isSimplified,
} from '../../domain/invoice.ts';
import { textToCents } from '../../domain/money.ts';
import { euros as eurosOfCents } from '../../domain/paper/amounts.ts';
import { paperOf } from '../../domain/paper/paper.ts';
import type { Company } from '../../store/companies.ts';
import type { Block, Logo, MailMessage, Row } from '../message.ts';

export interface InvoiceMailParts {
  readonly invoice: IssuedInvoice;
  readonly pdf: Uint8Array;
  readonly fileName: string;
  readonly logo: Logo | null;
}

/**
 * The invoice from the company to its client, who is not a user of ours: only the last line mentions Huella, it does
 * not use *tú*, and replies go to the company.
 */
export function invoiceMail(
  company: Company,
  { invoice, pdf, fileName, logo }: InvoiceMailParts,
): MailMessage {
  const name = nameOf(invoice);
  const lastDay = invoice.vencimientos.at(-1)?.fecha;
  const due = lastDay ? ` · vence el ${fechaEs(lastDay)}` : '';
  return {
    subject: `${name} de ${invoice.emisor.nombre}`,
    preheader: `Total ${euros(invoice.total)}${due}`,
    fromName: `${invoice.emisor.nombre} (con Huella)`,
    replyTo: company.email,
    brand: { kind: 'company', name: invoice.emisor.nombre, logo },
    blocks: [
      {
        kind: 'paragraph',
        tone: 'eyebrow',
        text: [`${name} · ${referencesOf(invoice) ?? fechaEs(invoice.fechaExpedicion)}`],
      },
      { kind: 'amount', text: euros(invoice.total) },
      {
        kind: 'paragraph',
        text: [invoice.cliente ? `Hola, ${invoice.cliente.nombre}:` : 'Hola:'],
      },
      {
        kind: 'paragraph',
        text: [`Adjuntamos la ${name.charAt(0).toLowerCase()}${name.slice(1)} en PDF.`],
      },
      { kind: 'rows', rows: rowsOf(invoice) },
      verifiable(invoice),
      {
        kind: 'signature',
        name: invoice.emisor.nombre,
        detail: [company.email, invoice.emisor.telefono].filter(Boolean).join(' · '),
      },
    ],
    foot: [`Las respuestas a este correo llegan a ${invoice.emisor.nombre} · Enviado con Huella`],
    attachments: [{ fileName, contentType: 'application/pdf', content: pdf }],
  };
}

function nameOf({ tipoFactura, numSerie }: IssuedInvoice): string {
  const kind = [
    'Factura',
    ...(isRectificativa(tipoFactura) ? ['rectificativa'] : []),
    ...(isSimplified(tipoFactura) ? ['simplificada'] : []),
  ];
  return `${kind.join(' ')} ${numSerie}`;
}

/** «rectifica la 00041/LO», shown instead of the date. */
function referencesOf({ rectifies }: IssuedInvoice): string | null {
  if (rectifies.length === 0) return null;
  const numbers = rectifies.map(({ numSerie }) => `la ${numSerie}`);
  return `rectifica ${numbers.join(', ')}`;
}

/** The totals of the invoice, and nothing that it hides: under a margin scheme, only the total. */
function rowsOf(invoice: IssuedInvoice): Row[] {
  const { sums } = paperOf(invoice, { draft: false });
  const owed = payableSum(textToCents(invoice.payable), invoice.tipoFactura);
  const isZero = (amount: string) => textToCents(amount) === 0n;
  // Nothing is given back for what is not paid.
  const isUnpaid = textToCents(invoice.total) < 0n && isPorImpago(invoice.tipoFactura);
  return [
    ...(invoice.rectifies.length > 0
      ? [{ label: 'Fecha', value: fechaEs(invoice.fechaExpedicion) }]
      : []),
    ...sums.map(({ label, amount }) => ({ label, value: amount })),
    { label: 'Total factura', value: euros(invoice.total), isStrong: true },
    ...(isZero(invoice.retencion)
      ? []
      : [{ label: 'Retención IRPF', value: eurosOfCents(-textToCents(invoice.retencion)) }]),
    ...(invoice.suplidos ? [{ label: 'Suplidos', value: euros(invoice.suplidos.importe) }] : []),
    ...(invoice.pagado
      ? [{ label: 'Ya pagado', value: eurosOfCents(-textToCents(invoice.pagado.importe)) }]
      : []),
    ...(textToCents(invoice.payable) === textToCents(invoice.total)
      ? []
      : [{ label: owed.label, value: eurosOfCents(owed.cents), isStrong: true }]),
    ...invoice.vencimientos.map(({ fecha, importe }) => ({
      label: 'Vencimiento',
      value:
        invoice.vencimientos.length > 1 ? `${fechaEs(fecha)} · ${euros(importe)}` : fechaEs(fecha),
    })),
    ...(invoice.formaPago && !isUnpaid
      ? [{ label: 'Forma de pago', value: invoice.formaPago }]
      : []),
    // Nobody pays a credit.
    ...(invoice.iban && textToCents(invoice.total) > 0n
      ? [{ label: 'IBAN', value: ibanInGroups(invoice.iban) }]
      : []),
  ];
}

/** For a demo it cannot be said that the AEAT has it. */
function verifiable(invoice: IssuedInvoice): Block {
  if (invoice.esDemo) {
    return {
      kind: 'box',
      text: ['Factura de demostración, sin validez fiscal. No consta en la AEAT.'],
    };
  }
  return {
    kind: 'box',
    text: [
      'Factura verificable: se puede comprobar que está registrada en la ',
      { link: 'sede electrónica de la AEAT', href: invoice.qr },
      ' o con el código QR del PDF.',
    ],
  };
}

/** `'556.90'` → `'556,90 €'`, with a no-break space. */
function euros(amount: string): string {
  return eurosOfCents(textToCents(amount));
}
