import { enDias, trasCaducar } from '../../domain/certificate-expiry.ts';
import { fechaEs, isoDateIn, zonaOf } from '../../domain/dates.ts';
import type { Company } from '../../store/companies.ts';
import type { MailMessage } from '../message.ts';
import { ownMessage, type Provider } from './account.ts';

export interface ExpiringFacts {
  readonly titular: string;
  readonly emisor: string;
  readonly validoHasta: Date;
  /** Days left; zero or less once it has expired. */
  readonly dias: number;
}

/** The certificate will expire, or has expired: what will wait, and how to avoid it. */
export function certificateExpiryMail(
  provider: Provider,
  company: Company,
  { titular, emisor, validoHasta, dias }: ExpiringFacts,
): MailMessage {
  const day = fechaEs(isoDateIn(validoHasta, zonaOf(company.postCode, company.countryCode)));
  const hasExpired = dias <= 0;
  const after = trasCaducar({ hasExpired });
  const when = hasExpired ? 'ha caducado' : `caduca ${enDias(dias)}`;
  return ownMessage(provider, {
    subject: `Tu certificado digital ${when}`,
    preheader: `El ${day}. ${after}`,
    blocks: [
      { kind: 'heading', text: `Tu certificado ${when}` },
      { kind: 'paragraph', text: [`Hola, ${company.name}:`] },
      {
        kind: 'paragraph',
        text: [
          `El certificado con el que Huella envía tus facturas a la AEAT ${hasExpired ? 'caducó' : 'caduca'} el `,
          { strong: day },
          `. ${after}`,
        ],
      },
      {
        kind: 'rows',
        rows: [
          { label: 'Titular', value: titular },
          { label: 'Emitido por', value: emisor },
          { label: hasExpired ? 'Caducó el' : 'Caduca el', value: day },
        ],
      },
      {
        kind: 'button',
        label: 'Subir el nuevo',
        href: `${provider.publicUrl}/panel/perfil#certificado`,
      },
      {
        kind: 'paragraph',
        tone: 'muted',
        text: [
          'Renuévalo donde lo pediste y súbelo en Perfil → Certificado Digital.',
          ...(hasExpired ? [] : [' No tienes que esperar a que caduque el de ahora.']),
        ],
      },
    ],
  });
}

/** The AEAT refuses the certificate, although by its dates it is valid: probably it was revoked. */
export function certificateRefusedMail(
  provider: Provider,
  company: Company,
  { titular, emisor, motivo }: Pick<ExpiringFacts, 'titular' | 'emisor'> & { motivo: string },
): MailMessage {
  return ownMessage(provider, {
    subject: 'La AEAT no admite tu certificado digital',
    preheader: 'Tus facturas siguen registradas y esperan. Te decimos qué hacer.',
    blocks: [
      { kind: 'heading', text: 'La AEAT no admite tu certificado' },
      { kind: 'paragraph', text: [`Hola, ${company.name}:`] },
      { kind: 'paragraph', text: [motivo] },
      {
        kind: 'paragraph',
        text: [
          'Suele pasar cuando el certificado se ha revocado, y al renovarlo se suele revocar el anterior. Puedes seguir facturando: lo que registres espera, y sale en su orden cuando subas el nuevo. Mientras tanto, Huella lo sigue intentando.',
        ],
      },
      {
        kind: 'rows',
        rows: [
          { label: 'Titular', value: titular },
          { label: 'Emitido por', value: emisor },
        ],
      },
      {
        kind: 'button',
        label: 'Subir otro certificado',
        href: `${provider.publicUrl}/panel/perfil#certificado`,
      },
    ],
  });
}

/** The AEAT refuses everything from the company: its reason, what still works, what to do. */
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
