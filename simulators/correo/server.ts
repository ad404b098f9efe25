import { type AddressObject, type ParsedMail, simpleParser } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import type { SimulatedClock } from '../clock.ts';
import type { Mailbox, Message } from './mailbox.ts';

/** How many of the next messages are deferred. */
export interface MailBehaviour {
  rechazar: number;
}

/** A mail server that accepts everything, for anybody but `no-existe…@`, and delivers nothing. */
export function createSmtpServer(
  mailbox: Mailbox,
  behaviour: MailBehaviour,
  clock: SimulatedClock,
): SMTPServer {
  return new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 200,
    logger: false,
    onRcptTo({ address }, _session, callback) {
      if (!/^no-existe\b/i.test(address)) return callback();
      callback(Object.assign(new Error('5.1.1 User unknown'), { responseCode: 550 }));
    },
    onData(stream, session, callback) {
      const recipients = session.envelope.rcptTo.map(({ address }) => address);
      simpleParser(stream)
        .then(async (mail) => {
          if (behaviour.rechazar > 0) {
            behaviour.rechazar--;
            throw Object.assign(new Error('Inténtalo más tarde'), { responseCode: 451 });
          }
          await mailbox.add(messageOf(mail, recipients, clock.worldNow()), recipients);
        })
        .then(() => callback(), callback);
    },
  });
}

function messageOf(mail: ParsedMail, recipients: readonly string[], now: Date): Message {
  return {
    de: mail.from?.text ?? '',
    para: addressesOf(mail.to) || recipients.join(', '),
    asunto: mail.subject ?? '',
    texto: mail.text ?? '',
    html: mail.html || '',
    // Pictures inside the HTML are part of it, as in mail programs.
    adjuntos: mail.attachments
      .filter(({ related }) => !related)
      .map(({ filename, contentType, content }) => ({
        nombre: filename ?? 'adjunto',
        tipo: contentType,
        base64: content.toString('base64'),
      })),
    fecha: now.toISOString(),
  };
}

function addressesOf(to: AddressObject | AddressObject[] | undefined): string {
  return [to ?? []]
    .flat()
    .map(({ text }) => text)
    .join(', ');
}
