import { describe, expect, it } from 'vitest';
import { verdictOf } from './retry.ts';

const smtp = (code: string, responseCode?: number) =>
  Object.assign(new Error('x'), { code, ...(responseCode ? { responseCode, response: '…' } : {}) });

describe('verdictOf', () => {
  it.each([
    ['mailbox that does not exist', smtp('EENVELOPE', 550), 'give-up'],
    ['message refused as spam', smtp('EMESSAGE', 554), 'give-up'],
    ['mailbox that is full for now', smtp('EENVELOPE', 452), 'retry'],
    ['greylisting', smtp('EMESSAGE', 451), 'retry'],
    ['our own wrong password', smtp('EAUTH', 535), 'retry'],
    ['server that is down', smtp('ESOCKET'), 'retry'],
    ['silence', smtp('ETIMEDOUT'), 'retry'],
    ['a bug of ours', new TypeError('x'), 'retry'],
  ])('%s', (_, error, kind) => {
    expect(verdictOf(error, 1).kind).toBe(kind);
  });

  it.each(['550 5.4.5 Daily user sending quota exceeded', '553 5.7.1 Not owned by user'])(
    'treats a refusal of the sender, «%s», as our problem and not the recipient’s',
    (response) => {
      const responseCode = Number(response.slice(0, 3));
      const refused = { code: 'EENVELOPE', command: 'MAIL FROM', responseCode, response };
      expect(verdictOf(refused, 1)).toEqual({
        kind: 'retry',
        inSeconds: 60,
        isOurs: true,
        reason: `El servidor de correo no admite ahora envíos de Huella. Respuesta: «${response}».`,
      });
      expect(verdictOf(refused, 9)).toMatchObject({ kind: 'give-up', isOurs: true });
      expect(verdictOf({ ...refused, command: 'RCPT TO' }, 1)).toMatchObject({
        kind: 'give-up',
        isOurs: false,
      });
    },
  );

  it.each([
    ['EMESSAGE', '451 4.3.0 Error: queue file write error', true],
    ['EENVELOPE', '452 4.3.1 Insufficient system storage', true],
    ['EMESSAGE', '451 4.7.1 Greylisted', false],
    ['EENVELOPE', '452 4.2.2 Mailbox full', false],
    ['EMESSAGE', '452 4.3.4 Message too big', false],
  ])('knows of a %s, «%s», whether it is our server’s problem: %s', (code, response, isOurs) => {
    const error = { code, command: 'DATA', responseCode: Number(response.slice(0, 3)), response };
    expect(verdictOf(error, 1)).toMatchObject({ kind: 'retry', isOurs });
  });

  it.each([
    ['550 5.1.1 User unknown', 'Esa dirección de correo no existe.'],
    ['552 5.2.2 Mailbox full', 'Ese buzón está lleno.'],
    ['554 5.7.1 Spam', 'Su servidor no admite el mensaje'],
    ['550 No such user here', 'Su servidor no admite correo para esa dirección.'],
    ['571 Nope', 'El servidor de correo lo ha rechazado.'],
  ])('explains «%s», and quotes it too', (response, words) => {
    const error = Object.assign(new Error('x'), { code: 'EENVELOPE', responseCode: 550, response });
    const { reason } = verdictOf(error, 1);
    expect(reason.startsWith(words)).toBe(true);
    expect(reason).toContain(response);
  });

  it('waits longer each time, and gives up after three days', () => {
    const waits = Array.from({ length: 9 }, (_, i) => {
      const verdict = verdictOf(smtp('ESOCKET'), i + 1);
      return verdict.kind === 'retry' ? verdict.inSeconds / 60 : 'give-up';
    });
    expect(waits).toEqual([1, 5, 15, 60, 240, 720, 1440, 1440, 'give-up']);
  });
});
