import { enDias } from '../../domain/certificate-expiry.ts';
import { fechaEs, isoDateIn, zonaOf } from '../../domain/dates.ts';
import type { Company } from '../../store/companies.ts';
import type { MailMessage } from '../message.ts';
import { ownMessage, type Provider } from './account.ts';

export interface ExpiringFacts {
  readonly titular: string;
  readonly emisor: string;
  readonly validoHasta: Date;
  /** Days left, one at least. */
  readonly dias: number;
}

/** The certificate will expire: what stops then, and how not to get there. */
export function certificateExpiryMail(
  provider: Provider,
  company: Company,
  { titular, emisor, validoHasta, dias }: ExpiringFacts,
): MailMessage {
  const day = fechaEs(isoDateIn(validoHasta, zonaOf(company.postCode)));
  return ownMessage(provider, {
    subject: `Tu certificado digital caduca ${enDias(dias)}`,
    preheader: `El ${day}. Sin él no se puede registrar ni enviar nada a la AEAT.`,
    blocks: [
      { kind: 'heading', text: `Tu certificado caduca ${enDias(dias)}` },
      { kind: 'paragraph', text: [`Hola, ${company.name}:`] },
      {
        kind: 'paragraph',
        text: [
          'El certificado con el que Huella envía tus facturas a la AEAT caduca el ',
          { strong: day },
          '. Desde ese día no podrás registrar facturas, y lo que espere no se enviará, hasta que subas otro.',
        ],
      },
      {
        kind: 'rows',
        rows: [
          { label: 'Titular', value: titular },
          { label: 'Emitido por', value: emisor },
          { label: 'Caduca el', value: day },
        ],
      },
      {
        kind: 'button',
        label: 'Subir el nuevo',
        href: `${provider.publicUrl}/panel/perfil`,
      },
      {
        kind: 'paragraph',
        tone: 'muted',
        text: [
          'Renuévalo donde lo pediste y súbelo en Perfil → Certificado Digital. No tienes que esperar a que caduque el de ahora.',
        ],
      },
    ],
  });
}

/** The AEAT refuses everything of the company: what it says, what goes on, what to do. */
export function sendingStoppedMail(
  provider: Provider,
  company: Company,
  motivo: string,
): MailMessage {
  return ownMessage(provider, {
    subject: 'La AEAT no admite tus envíos: hace falta que lo mires',
    preheader: 'Tus facturas siguen registradas y esperan. Te decimos qué hacer.',
    blocks: [
      { kind: 'heading', text: 'El envío a la AEAT se ha detenido' },
      { kind: 'paragraph', text: [`Hola, ${company.name}:`] },
      { kind: 'paragraph', text: [motivo] },
      {
        kind: 'paragraph',
        text: [
          'Puedes seguir facturando: lo que registres espera y saldrá en su orden. Cuando subas otro certificado o cambies los datos de tu empresa, el envío sigue solo; si lo arreglas en otro sitio, pulsa ',
          { strong: 'Reintentar' },
          ' en Inicio.',
        ],
      },
      { kind: 'button', label: 'Ver qué pasa', href: `${provider.publicUrl}/panel` },
    ],
  });
}
