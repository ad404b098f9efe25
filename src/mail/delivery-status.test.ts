import { describe, expect, it } from 'vitest';
import { readDeliveryStatus, readReturnedMail } from './delivery-status.ts';
import { returnWords } from './retry.ts';

/** A report as servers write it (RFC 3464, RFC 6522). */
function report(fields: string, { boundary = 'b1', type = 'message/delivery-status' } = {}) {
  return Buffer.from(
    [
      'Return-Path: <>',
      'From: MAILER-DAEMON@mx.cliente.example (Mail Delivery System)',
      'To: rebotes+7.12.0123456789abcdef@huella.example',
      'Subject: Undelivered Mail Returned to Sender',
      'Auto-Submitted: auto-replied',
      'MIME-Version: 1.0',
      `Content-Type: multipart/report; report-type=delivery-status; boundary="${boundary}"`,
      '',
      `--${boundary}`,
      'Content-Type: text/plain; charset=us-ascii',
      '',
      'I am sorry to inform you that your message could not be delivered.',
      `--${boundary}`,
      `Content-Type: ${type}`,
      '',
      fields,
      `--${boundary}`,
      'Content-Type: message/rfc822',
      '',
      'From: Huella <no-responder@huella.example>',
      'To: nadie@cliente.example',
      'X-Inside: rebotes+8.13.ffffffffffffffff@huella.example',
      'Subject: Factura 00001/LO',
      '',
      'Hola',
      `--${boundary}--`,
      '',
    ].join('\r\n'),
  );
}

const POSTFIX = [
  'Reporting-MTA: dns; mx.cliente.example',
  'X-Postfix-Queue-ID: 4F1B2C3D4E',
  'Arrival-Date: Fri, 20 Nov 2026 10:00:00 +0100 (CET)',
  '',
  'Final-Recipient: rfc822; nadie@cliente.example',
  'Original-Recipient: rfc822;nadie@cliente.example',
  'Action: failed',
  'Status: 5.1.1',
  'Remote-MTA: dns; buzones.cliente.example',
  'Diagnostic-Code: smtp; 550 5.1.1 <nadie@cliente.example>: Recipient address',
  '    rejected: User unknown in virtual mailbox table',
  '',
].join('\r\n');

describe('a returned message', () => {
  it('is recognised by the machine-readable part, even with folded lines', async () => {
    const { headers, delivery } = await readReturnedMail(report(POSTFIX));
    expect(delivery).toEqual({
      action: 'failed',
      status: '5.1.1',
      diagnostic:
        '550 5.1.1 <nadie@cliente.example>: Recipient address rejected: User unknown in virtual mailbox table',
    });
    expect(returnWords(delivery as never)).toMatch(
      /^Esa dirección de correo no existe\. Respuesta: «550 5\.1\.1 .*table»\.$/,
    );
    expect(headers).toContain('rebotes+7.12.0123456789abcdef@huella.example');
    // The original message inside does not count.
    expect(headers).not.toContain('rebotes+8.13');
  });

  it.each([
    // Exchange: a comment after the status, and no explanation by another server.
    ['Action: failed\nStatus: 5.2.2 (mailbox full)', 'Ese buzón está lleno. Respuesta: «5.2.2».'],
    // Given up after days without an answer from a server: failed, with a 4 (RFC 3464 §2.3.4).
    [
      'Action: Failed\nStatus: 4.4.1\nDiagnostic-Code: X-Postfix; connect to mx.cliente.example[192.0.2.1]:25: Connection timed out',
      'Su servidor no lo ha podido recibir en varios días. Respuesta: «connect to mx.cliente.example[192.0.2.1]:25: Connection timed out».',
    ],
    [
      'Action: failed\nStatus: 5.7.1\nDiagnostic-Code: smtp; 554 5.7.1 Message looks like spam',
      'Su servidor no admite el mensaje: incumple sus normas o le parece no deseado. Respuesta: «554 5.7.1 Message looks like spam».',
    ],
    ['Action: failed\nStatus: 5.0.0', 'Su servidor lo ha devuelto. Respuesta: «5.0.0».'],
  ])('is explained: %s', (fields, words) => {
    const delivery = readDeliveryStatus(
      `Reporting-MTA: dns; mx\n\nFinal-Recipient: x\n${fields}\n`,
    );
    expect(delivery?.action).toBe('failed');
    expect(returnWords(delivery as never)).toBe(words);
  });

  it('is not taken as failed while it is only delayed', () => {
    expect(readDeliveryStatus(POSTFIX.replace('failed', 'delayed'))?.action).toBe('delayed');
  });

  it('counts as failed if one of several recipients failed', () => {
    const text =
      'Reporting-MTA: dns; mx\n\nAction: delivered\nStatus: 2.0.0\n\nAction: failed\nStatus: 5.1.1\n';
    expect(readDeliveryStatus(text)).toMatchObject({ action: 'failed', status: '5.1.1' });
  });

  it('is also recognised in the form for addresses with accents (RFC 6533)', async () => {
    const { delivery } = await readReturnedMail(
      report(POSTFIX, { type: 'message/global-delivery-status' }),
    );
    expect(delivery?.status).toBe('5.1.1');
  });

  it('is not recognised in a holiday notice, a reply or arbitrary bytes', async () => {
    for (const text of [
      'From: a@b.es\r\nSubject: Estoy de vacaciones\r\n\r\nVuelvo el lunes. Action: failed\r\n',
      '',
      '\u0000\u0001 not a message \r\n\r\n--',
    ]) {
      expect((await readReturnedMail(Buffer.from(text))).delivery).toBeNull();
    }
    expect((await readReturnedMail(report('nothing of the kind'))).delivery).toBeNull();
  });
});
