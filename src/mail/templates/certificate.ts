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
