import { fechaEs, isoDateIn, zonaOf } from '../../domain/dates.ts';
import type { Company } from '../../store/companies.ts';
import type { Block, MailMessage } from '../message.ts';
import { ownMessage, PLANS, type Provider } from './account.ts';

/** A week before a subscription, or a demo, ends. */
export function subscriptionEndingMail(provider: Provider, company: Company): MailMessage {
  const until = lastDay(company);
  const isDemo = company.subscriptionType === 'Demo';
  return ownMessage(provider, {
    subject: isDemo ? `Tu demo de Huella acaba el ${until}` : `Tu suscripción acaba el ${until}`,
    preheader: isDemo ? 'Elige un plan para seguir.' : 'Renuévala y no pierdes ningún día.',
    blocks: [
      { kind: 'heading', text: isDemo ? 'Tu demo está acabando' : 'Tu suscripción está acabando' },
      { kind: 'paragraph', text: [`Hola, ${company.name}:`] },
      {
        kind: 'paragraph',
        text: [`${planOf(company)} acaba el `, { strong: until }, '. ', keepUp(isDemo)],
      },
      renewButton(provider, isDemo ? 'Elegir un plan' : 'Renovar la suscripción'),
      whatStays,
    ],
  });
}

/** When it has ended: what is no longer possible, and what still is. */
export function subscriptionEndedMail(provider: Provider, company: Company): MailMessage {
  const isDemo = company.subscriptionType === 'Demo';
  return ownMessage(provider, {
    subject: isDemo ? 'Tu demo de Huella ha acabado' : 'Tu suscripción de Huella ha caducado',
    preheader: 'Tus facturas y tus registros siguen siendo tuyos.',
    blocks: [
      { kind: 'heading', text: isDemo ? 'Tu demo ha acabado' : 'Tu suscripción ha caducado' },
      { kind: 'paragraph', text: [`Hola, ${company.name}:`] },
      {
        kind: 'paragraph',
        text: [
          `${planOf(company)} acabó el `,
          { strong: lastDay(company) },
          `. Hasta que ${isDemo ? 'elijas un plan' : 'lo renueves'} no se pueden registrar facturas ni enviarlas.`,
        ],
      },
      renewButton(provider, isDemo ? 'Elegir un plan' : 'Renovar la suscripción'),
      whatStays,
    ],
  });
}

const keepUp = (isDemo: boolean): string =>
  isDemo
    ? 'Con un plan sigues con tus clientes y tus productos.'
    : 'Si lo renuevas antes, lo que te queda se suma al plan nuevo.';

const renewButton = ({ publicUrl }: Provider, label: string): Block => ({
  kind: 'button',
  label,
  href: `${publicUrl}/registro/paso3?renovacion`,
});

const whatStays: Block = {
  kind: 'paragraph',
  tone: 'muted',
  text: [
    'Sin suscripción puedes entrar, consultar el historial y descargar tus facturas en PDF y tus registros en XML. ¿Dudas? Responde a este correo.',
  ],
};

const planOf = ({ subscriptionType }: Company): string =>
  subscriptionType === 'Demo'
    ? 'Tu suscripción Demo'
    : `Tu ${PLANS[subscriptionType].toLowerCase()}`;

const lastDay = ({ subscriptionEndsAt, postCode, countryCode }: Company): string =>
  fechaEs(isoDateIn(subscriptionEndsAt, zonaOf(postCode, countryCode)));
