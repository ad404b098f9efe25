import type { Config } from '../../config.ts';
import { cut } from '../../domain/cut.ts';
import { fechaEs, isoDateIn, zonaOf } from '../../domain/dates.ts';
import { fileSize } from '../../domain/file-size.ts';
import type { Company, SubscriptionType } from '../../store/companies.ts';
import type { SecondFactorChange } from '../../store/mail-jobs.ts';
import type { MailMessage } from '../message.ts';

export type Provider = Pick<Config, 'empresa' | 'publicUrl'>;

/** Our messages to the company that owns the account. */
export function ownMessage(
  { empresa }: Provider,
  message: Pick<MailMessage, 'subject' | 'preheader' | 'blocks'>,
): MailMessage {
  return {
    ...message,
    fromName: 'Huella',
    replyTo: empresa.correo.replace(/^\[(.*)\]$/, '$1'),
    brand: { kind: 'huella' },
    foot: [
      `${empresa.razonSocial} · NIF ${empresa.nif} · ${empresa.direccion}`,
      `${empresa.correo} · ${empresa.telefono}`,
    ],
    attachments: [],
  };
}

export const PLANS: Record<Exclude<SubscriptionType, 'Demo'>, string> = {
  monthly: 'Plan mensual',
  semiannual: 'Plan semestral',
  annual: 'Plan anual',
};

/** Never contains the password that they chose. */
export function welcomeMail(provider: Provider, company: Company): MailMessage {
  const until = fechaEs(
    isoDateIn(company.subscriptionEndsAt, zonaOf(company.postCode, company.countryCode)),
  );
  const plan =
    company.subscriptionType === 'Demo'
      ? 'Suscripción Demo: tus facturas llevarán la marca DEMO y no tendrán validez fiscal.'
      : `${PLANS[company.subscriptionType]}, hasta el ${until}.`;
  return ownMessage(provider, {
    subject: 'Tu cuenta de Huella está lista',
    preheader: 'Entra y sube tu certificado digital.',
    blocks: [
      { kind: 'heading', text: 'Tu cuenta está lista' },
      { kind: 'paragraph', text: [`Hola, ${company.name}:`] },
      {
        kind: 'paragraph',
        text: [
          'Ya puedes entrar con ',
          { strong: company.email },
          ' y la contraseña que elegiste.',
        ],
      },
      { kind: 'button', label: 'Iniciar sesión', href: `${provider.publicUrl}/iniciosesion` },
      { kind: 'rule' },
      { kind: 'subheading', text: 'Antes de tu primera factura' },
      {
        kind: 'steps',
        steps: [
          {
            title: 'Sube tu certificado digital.',
            detail: 'Perfil → Certificado Digital. Sin él no se puede registrar.',
          },
          {
            title: 'Pon tu logotipo.',
            detail: 'Saldrá en tus facturas y en los correos a tus clientes.',
          },
          { title: 'Crea tu primer cliente.', detail: 'O impórtalos todos desde Excel.' },
        ],
      },
      { kind: 'paragraph', tone: 'muted', text: [`${plan} ¿Dudas? Responde a este correo.`] },
    ],
  });
}

/** @param code six digits */
export function recoveryCodeMail(provider: Provider, code: string): MailMessage {
  const spaced = `${code.slice(0, 3)} ${code.slice(3)}`;
  return ownMessage(provider, {
    subject: `${spaced} es tu código de Huella`,
    preheader: 'Caduca en 10 minutos.',
    blocks: [
      { kind: 'heading', text: 'Tu código de recuperación' },
      {
        kind: 'paragraph',
        text: ['Escríbelo en la página donde lo pediste para crear una contraseña nueva.'],
      },
      { kind: 'code', text: spaced },
      { kind: 'paragraph', text: ['Caduca en 10 minutos y sirve una sola vez.'] },
      {
        kind: 'paragraph',
        tone: 'muted',
        text: [
          '¿No lo has pedido tú? No hagas nada: tu contraseña sigue siendo la misma. Nunca te pediremos este código por teléfono.',
        ],
      },
    ],
  });
}

export function passwordChangedMail(
  provider: Provider,
  company: Company,
  changedAt: Date,
): MailMessage {
  return ownMessage(provider, {
    subject: 'Tu contraseña de Huella ha cambiado',
    preheader: 'Si no has sido tú, recupera tu cuenta ahora.',
    blocks: [
      { kind: 'heading', text: 'Tu contraseña ha cambiado' },
      { kind: 'paragraph', text: [`Hola, ${company.name}:`] },
      {
        kind: 'paragraph',
        text: [
          `La contraseña de tu cuenta cambió ${moment(company, changedAt)}. Hemos cerrado las sesiones que estaban abiertas.`,
        ],
      },
      {
        kind: 'paragraph',
        tone: 'muted',
        text: [
          '¿No has sido tú? ',
          {
            link: 'Crea otra contraseña ahora',
            href: `${provider.publicUrl}/recuperar-contrasena`,
          },
          ' y responde a este correo.',
        ],
      },
    ],
  });
}

const SECOND_FACTOR: Readonly<
  Record<SecondFactorChange, { subject: string; heading: string; what: string }>
> = {
  activado: {
    subject: 'Has activado la verificación en dos pasos',
    heading: 'Verificación en dos pasos activada',
    what: 'Para entrar en tu cuenta hace falta la contraseña y un código de tu teléfono',
  },
  desactivado: {
    subject: 'Se ha desactivado la verificación en dos pasos',
    heading: 'Verificación en dos pasos desactivada',
    what: 'Para entrar en tu cuenta basta con la contraseña',
  },
  quitado: {
    subject: 'Hemos quitado la verificación en dos pasos de tu cuenta',
    heading: 'Verificación en dos pasos quitada',
    what: 'La ha quitado el servicio, a petición de quien dice haber perdido el teléfono y los códigos: para entrar en tu cuenta basta con la contraseña hasta que la actives otra vez',
  },
  perdido: {
    subject: 'Activa otra vez la verificación en dos pasos',
    heading: 'Tu verificación en dos pasos se ha quitado',
    what: 'Hemos perdido la clave que cifraba la de tu teléfono, y hemos tenido que quitarla: para entrar en tu cuenta basta con la contraseña hasta que la actives otra vez',
  },
  'codigos-nuevos': {
    subject: 'Tienes nuevos códigos de recuperación',
    heading: 'Nuevos códigos de recuperación',
    what: 'Los códigos de recuperación que tenías ya no sirven; solo los nuevos',
  },
  'codigo-usado': {
    subject: 'Se ha entrado en tu cuenta con un código de recuperación',
    heading: 'Código de recuperación usado',
    what: 'Alguien ha entrado con tu contraseña y un código de recuperación, que ya no sirve más',
  },
  'codigos-fallidos': {
    subject: 'Alguien intenta entrar en tu cuenta con tu contraseña',
    heading: 'Diez códigos de verificación incorrectos',
    what: 'Alguien ha escrito tu contraseña y diez códigos de verificación incorrectos: no ha entrado, pero sabe tu contraseña',
  },
};

/**
 * For each change of the second factor, and attempts to guess it, so that its owner finds out if it was somebody
 * else.
 */
export function secondFactorMail(
  provider: Provider,
  company: Company,
  { change, changedAt }: { change: SecondFactorChange; changedAt: Date },
): MailMessage {
  const { subject, heading, what } = SECOND_FACTOR[change];
  const isTheirs = change !== 'perdido';
  return ownMessage(provider, {
    subject,
    preheader: isTheirs
      ? 'Si no has sido tú, cambia tu contraseña ahora.'
      : 'Hasta entonces, en tu cuenta se entra solo con la contraseña.',
    blocks: [
      { kind: 'heading', text: heading },
      { kind: 'paragraph', text: [`Hola, ${company.name}:`] },
      { kind: 'paragraph', text: [`${what}. Ocurrió ${moment(company, changedAt)}.`] },
      {
        kind: 'paragraph',
        tone: 'muted',
        text: isTheirs
          ? [
              '¿No has sido tú? ',
              {
                link: 'Crea otra contraseña ahora',
                href: `${provider.publicUrl}/recuperar-contrasena`,
              },
              ' y responde a este correo.',
            ]
          : [
              { link: 'Actívala otra vez', href: `${provider.publicUrl}/panel/perfil#seguridad` },
              '.',
            ],
      },
    ],
  });
}

/** The same text to both addresses: through the old one its owner finds out. */
export function emailChangedMail(
  provider: Provider,
  company: Company,
  { oldEmail, newEmail, changedAt }: { oldEmail: string; newEmail: string; changedAt: Date },
): MailMessage {
  return ownMessage(provider, {
    subject: 'El correo de tu cuenta de Huella ha cambiado',
    preheader: `Ahora se entra con ${newEmail}.`,
    blocks: [
      { kind: 'heading', text: 'El correo de tu cuenta ha cambiado' },
      { kind: 'paragraph', text: [`Hola, ${company.name}:`] },
      {
        kind: 'paragraph',
        text: [
          `Desde ${moment(company, changedAt)} se entra en tu cuenta con `,
          { strong: newEmail },
          ', y no con ',
          { strong: oldEmail },
          '. La contraseña es la misma, si no la has cambiado también.',
        ],
      },
      {
        kind: 'paragraph',
        tone: 'muted',
        text: ['¿No has sido tú? Responde a este correo cuanto antes.'],
      },
    ],
  });
}

/** @param link opens the copy; it follows a #, so no server receives it and no log keeps it */
export function dataCopyMail(
  provider: Provider,
  copy: { companyName: string; bytes: number; expiresAt: Date; link: string },
): MailMessage {
  const until = fechaEs(isoDateIn(copy.expiresAt, 'Europe/Madrid'));
  return ownMessage(provider, {
    subject: 'Tu copia de los datos de Huella está lista',
    preheader: `Descárgala antes del ${until}.`,
    blocks: [
      { kind: 'heading', text: 'La copia de tus datos está lista' },
      { kind: 'paragraph', text: [`Hola, ${copy.companyName}:`] },
      {
        kind: 'paragraph',
        text: [
          `Es un ZIP de ${fileSize(copy.bytes)} con tus facturas en PDF, los registros enviados a la AEAT y sus respuestas, tus clientes, tus productos y lo que subiste.`,
        ],
      },
      {
        kind: 'button',
        label: 'Descargar mis datos',
        href: `${provider.publicUrl}/copia#${copy.link}`,
      },
      {
        kind: 'paragraph',
        text: [
          `El enlace sirve hasta el ${until}, también si eliminas tu cuenta. Después la copia se destruye.`,
        ],
      },
      {
        kind: 'paragraph',
        tone: 'muted',
        text: [
          'Quien tenga este enlace puede descargarla: no lo reenvíes. ¿No la has pedido tú? ',
          {
            link: 'Crea otra contraseña ahora',
            href: `${provider.publicUrl}/recuperar-contrasena`,
          },
          ' y responde a este correo.',
        ],
      },
    ],
  });
}

export function accountDeletedMail(provider: Provider, companyName: string): MailMessage {
  return ownMessage(provider, {
    subject: 'Tu cuenta de Huella se ha eliminado',
    preheader: 'Qué se ha borrado y qué se conserva.',
    blocks: [
      { kind: 'heading', text: 'Tu cuenta se ha eliminado' },
      { kind: 'paragraph', text: [`Hola, ${companyName}:`] },
      {
        kind: 'paragraph',
        text: [
          { strong: 'Se ha borrado: ' },
          'tu acceso, tu certificado digital, tu logotipo, los archivos que subiste, tus borradores, tus productos y los clientes que no salen en ninguna factura.',
        ],
      },
      {
        kind: 'paragraph',
        text: [
          { strong: 'Se conserva, bloqueado: ' },
          'tus facturas registradas y sus registros de facturación, con los datos de quienes salen en ellas. La ley obliga a guardarlos; nadie los usará para otra cosa y se destruirán al acabar el plazo.',
        ],
      },
      {
        kind: 'paragraph',
        tone: 'muted',
        text: ['Si necesitas una copia de lo conservado, responde a este correo.'],
      },
    ],
  });
}

/** A company's question, to the provider's own mailbox; replies go to the company. */
export function supportMail(
  provider: Provider,
  company: Company,
  { asunto, body, version }: { asunto: string; body: string; version: string },
): MailMessage {
  return {
    ...ownMessage(provider, {
      subject: `Consulta de ${company.name}: ${asunto}`,
      preheader: cut(body, 120),
      blocks: [
        { kind: 'heading', text: asunto },
        { kind: 'quote', text: body },
        {
          kind: 'rows',
          rows: [
            { label: 'Empresa', value: company.name },
            { label: 'NIF', value: company.nif },
            { label: 'Correo', value: company.email },
            { label: 'Suscripción', value: planName(company) },
            { label: 'Número de instalación', value: company.numeroInstalacion },
            { label: 'Versión', value: version },
          ],
        },
      ],
    }),
    replyTo: company.email,
  };
}

const planName = ({ subscriptionType }: Company): string =>
  subscriptionType === 'Demo' ? subscriptionType : PLANS[subscriptionType];

/** The copy for the person who asked. */
export function supportCopyMail(
  provider: Provider,
  company: Company,
  { asunto, body }: { asunto: string; body: string },
): MailMessage {
  return ownMessage(provider, {
    subject: `Hemos recibido tu consulta: ${asunto}`,
    preheader: 'Te responderemos por correo.',
    blocks: [
      { kind: 'heading', text: 'Hemos recibido tu consulta' },
      { kind: 'paragraph', text: [`Hola, ${company.name}:`] },
      {
        kind: 'paragraph',
        text: ['Te responderemos a este correo. Esto es lo que nos has escrito:'],
      },
      { kind: 'subheading', text: asunto },
      { kind: 'quote', text: body },
      {
        kind: 'paragraph',
        tone: 'muted',
        text: ['¿Quieres añadir algo? Responde a este correo.'],
      },
    ],
  });
}

/** `el 20/11/2026 a las 10:32`, in the company's time zone. */
function moment({ postCode, countryCode }: Company, date: Date): string {
  const zona = zonaOf(postCode, countryCode);
  const time = new Intl.DateTimeFormat('es-ES', {
    hour: '2-digit',
    minute: '2-digit',
    timeZone: zona,
  }).format(date);
  return `el ${fechaEs(isoDateIn(date, zona))} a las ${time}`;
}
