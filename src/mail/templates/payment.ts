import { fechaEs, isoDateIn, zonaOf } from '../../domain/dates.ts';
import { centsToEs } from '../../domain/money.ts';
import { findPlan } from '../../domain/plans.ts';
import type { Company } from '../../store/companies.ts';
import type { MailContent } from '../../store/mail-jobs.ts';
import type { Inline, MailMessage } from '../message.ts';
import { ownMessage, PLANS, type Provider } from './account.ts';

type Receipt = Extract<MailContent, { kind: 'pago' }>;
type Denied = Extract<MailContent, { kind: 'pago-denegado' }>;
type Unasked = Extract<MailContent, { kind: 'pago-sin-confirmar' }>;
type Refund = Extract<MailContent, { kind: 'pago-devuelto' }>;

/** What was paid, for what, and until when. */
export function receiptMail(provider: Provider, company: Company, receipt: Receipt): MailMessage {
  const zona = zonaOf(company.postCode, company.countryCode);
  const day = (instant: string) => fechaEs(isoDateIn(new Date(instant), zona));
  const amount = euros(receipt.amountCents);
  const until = day(receipt.endsAt);
  return ownMessage(provider, {
    subject: `Hemos recibido tu pago de ${amount}`,
    preheader: `${PLANS[receipt.plan]}, hasta el ${until}.`,
    blocks: [
      { kind: 'heading', text: 'Pago recibido' },
      { kind: 'paragraph', text: [`Hola, ${company.name}:`] },
      {
        kind: 'paragraph',
        text: [
          receipt.isRenewal
            ? 'Hemos recibido tu pago y tu suscripción está renovada.'
            : 'Hemos recibido tu pago y tu suscripción está en marcha.',
        ],
      },
      { kind: 'amount', text: amount },
      {
        kind: 'rows',
        rows: [
          { label: 'Plan', value: findPlan(receipt.plan)?.name ?? '' },
          { label: 'Hasta el', value: until },
          { label: 'Fecha del pago', value: day(receipt.paidAt) },
          { label: 'Pedido', value: receipt.orderId },
        ],
      },
      ...(receipt.leftDemo
        ? [{ kind: 'box' as const, text: wordsOfLeftDemo(receipt.leftDemo) }]
        : []),
      {
        kind: 'paragraph',
        tone: 'muted',
        text: [
          'El cobro lo ha hecho la pasarela del banco: no vemos ni guardamos los datos de tu tarjeta. ¿Algo no cuadra? Responde a este correo.',
        ],
      },
    ],
  });
}

function wordsOfLeftDemo({ NoSerie, facturas }: NonNullable<Receipt['leftDemo']>): Inline[] {
  const begins: Inline[] = [
    'La demo ha terminado: desde ahora tus facturas se registran de verdad en la AEAT. La primera será la ',
    { strong: NoSerie },
    '.',
  ];
  if (facturas === 0) return begins;
  const those =
    facturas === 1
      ? 'La que hiciste en la demo queda en tu historial como anulada: no tiene validez fiscal ni consta en la AEAT.'
      : `Las ${facturas} que hiciste en la demo quedan en tu historial como anuladas: no tienen validez fiscal ni constan en la AEAT.`;
  return [...begins, ` ${those}`];
}

/** The bank's denial, for somebody who may have closed the page before it was known. */
export function deniedMail(provider: Provider, denied: Denied): MailMessage {
  const isRenewal = denied.endsAt !== null;
  return ownMessage(provider, {
    subject: 'El banco ha denegado tu pago',
    preheader: 'No se te ha cobrado nada.',
    blocks: [
      { kind: 'heading', text: 'El banco ha denegado tu pago' },
      { kind: 'paragraph', text: [`Hola, ${denied.companyName}:`] },
      {
        kind: 'paragraph',
        text: [
          `No se te ha cobrado nada${isRenewal ? '' : ' y la cuenta no se ha creado'}. `,
          { strong: denied.motivo },
        ],
      },
      {
        kind: 'rows',
        rows: [
          { label: 'Plan', value: findPlan(denied.plan)?.name ?? '' },
          { label: 'Importe', value: euros(denied.amountCents) },
          { label: 'Pedido', value: denied.orderId },
          { label: 'Código', value: denied.codigo },
        ],
      },
      {
        kind: 'button',
        label: 'Volver a intentarlo',
        href: `${provider.publicUrl}/registro/${isRenewal ? 'paso3?renovacion&' : 'paso1?'}plan=${denied.plan}`,
      },
      {
        kind: 'paragraph',
        tone: 'muted',
        text: [
          'Prueba con otra tarjeta; si se repite, llama a tu banco. ¿Dudas? Responde a este correo.',
        ],
      },
    ],
  });
}

/** The bank could not be asked for days: whether it was paid is unknown. */
export function unaskedMail(provider: Provider, unasked: Unasked): MailMessage {
  return ownMessage(provider, {
    subject: 'No hemos podido confirmar tu pago con el banco',
    preheader: 'No pagues otra vez: seguimos preguntando.',
    blocks: [
      { kind: 'heading', text: 'Tu pago está sin confirmar' },
      { kind: 'paragraph', text: [`Hola, ${unasked.companyName}:`] },
      {
        kind: 'paragraph',
        text: [
          'Llevamos tres días preguntando al banco por este pago y no responde, así que no sabemos si se te ha cobrado. Si ves el cargo en tu cuenta, no pagues otra vez: responde a este correo y lo resolvemos.',
        ],
      },
      {
        kind: 'rows',
        rows: [
          { label: 'Plan', value: findPlan(unasked.plan)?.name ?? '' },
          { label: 'Importe', value: euros(unasked.amountCents) },
          { label: 'Pedido', value: unasked.orderId },
        ],
      },
      {
        kind: 'paragraph',
        tone: 'muted',
        text: [
          'Seguimos preguntando durante un mes: si se pagó, lo tendrás sin hacer nada. Si no ves ningún cargo, no te hemos cobrado.',
        ],
      },
    ],
  });
}

const ACCOUNT_EXISTS = {
  because: 'ya existía una cuenta con esos datos y no hemos creado otra',
  preheader: 'Ya existía una cuenta con estos datos.',
  linksToPassword: true,
};
const WHY_REFUNDED: Readonly<Record<NonNullable<Refund['motivo']>, typeof ACCOUNT_EXISTS>> = {
  'cuenta-existente': ACCOUNT_EXISTS,
  // Nothing is kept of whom to write to.
  'alta-olvidada': ACCOUNT_EXISTS,
  'cuenta-cerrada': {
    because: 'la cuenta se eliminó antes de que llegara',
    preheader: 'La cuenta se eliminó antes de que llegara.',
    linksToPassword: false,
  },
  'renovacion-repetida': {
    because: 'esa renovación ya estaba pagada y la hemos sumado una sola vez',
    preheader: 'Tu renovación se había pagado dos veces.',
    linksToPassword: false,
  },
};

/** Paid, but nothing can be delivered: why, and how the money is refunded. */
export function refundMail(provider: Provider, refund: Refund): MailMessage {
  const amount = euros(refund.amountCents);
  const { because, preheader, linksToPassword } = WHY_REFUNDED[refund.motivo ?? 'cuenta-existente'];
  return ownMessage(provider, {
    subject: `Te devolvemos tu pago de ${amount}`,
    preheader,
    blocks: [
      { kind: 'heading', text: 'Te devolvemos el pago' },
      { kind: 'paragraph', text: [`Hola, ${refund.companyName}:`] },
      {
        kind: 'paragraph',
        text: [
          `Hemos recibido tu pago del pedido ${refund.orderId}, pero ${because}. Te devolvemos `,
          { strong: amount },
          ' a la misma tarjeta; el banco puede tardar unos días en mostrarlo.',
        ],
      },
      ...(linksToPassword
        ? [
            {
              kind: 'button' as const,
              label: 'Recuperar contraseña',
              href: `${provider.publicUrl}/recuperar-contrasena`,
            },
          ]
        : []),
      { kind: 'paragraph', tone: 'muted', text: ['¿Dudas? Responde a este correo.'] },
    ],
  });
}

const euros = (cents: string): string => `${centsToEs(BigInt(cents))}\u00a0€`;
