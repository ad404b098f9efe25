import { expect, it } from 'vitest';
import type { ConexionAEAT } from '../../../contract/invoices.ts';
import { desde, waitingNote, waitingWords } from './waiting.ts';

const now = new Date(2026, 10, 20, 10, 30, 0).getTime();
const inSeconds = (seconds: number) => new Date(now + seconds * 1000).toISOString();
const connection = (estado: ConexionAEAT['estado'], proximoEnvio?: string): ConexionAEAT => ({
  estado,
  enEspera: 2,
  aceptadas: 0,
  teNecesitan: 0,
  borradores: 0,
  avisos: [],
  ...(proximoEnvio && { proximoEnvio }),
});

it('counts down to the sending, then says that it is under way', () => {
  expect(waitingNote(connection('enviando', inSeconds(41.2)), undefined, now)).toBe(
    'envío en 42 s',
  );
  expect(waitingNote(connection('enviando', inSeconds(0)), undefined, now)).toBe(
    'enviando a la AEAT',
  );
  expect(waitingNote(connection('al-dia'), undefined, now)).toBe('enviando a la AEAT');
});

it('gives the time if it is far away', () => {
  expect(waitingNote(connection('enviando', inSeconds(600)), undefined, now)).toBe(
    'envío a las 10:40',
  );
});

it('says when it retries without a connection', () => {
  expect(waitingNote(connection('sin-conexion', inSeconds(120)), undefined, now)).toBe(
    'sin conexión con la AEAT, reintento a las 10:32',
  );
  expect(waitingNote(connection('sin-conexion', inSeconds(-1)), undefined, now)).toBe(
    'sin conexión con la AEAT, reintentando',
  );
});

it('names the rejected invoice that holds the others back', () => {
  expect(waitingNote(connection('parado'), '00143/26', now)).toBe(
    'Sale sola en cuanto corrijas la 00143/26.',
  );
  expect(waitingNote(connection('parado'), undefined, now)).toBe(
    'Sale sola en cuanto corrijas la rechazada.',
  );
});

it('says nothing while the connection is unknown', () => {
  expect(waitingNote(undefined, undefined, now)).toBe('');
});

it('says how many wait, since when, why, and when the next attempt is', () => {
  const since = new Date(2026, 10, 20, 9, 12).toISOString();
  const cut = {
    ...connection('sin-conexion', inSeconds(120)),
    esperandoDesde: since,
    mensaje: 'La AEAT no está disponible (503).',
  };
  expect(waitingWords(cut, now)).toEqual({
    lead: '2\u00a0facturas esperan respuesta de la AEAT desde las 09:12.',
    rest: 'La AEAT no está disponible (503). El próximo intento es a las 10:32.',
  });
  expect(waitingWords({ ...connection('enviando', inSeconds(600)), enEspera: 1 }, now)).toEqual({
    lead: '1\u00a0factura espera respuesta de la AEAT.',
    rest: 'Los envíos salen en su orden, al ritmo que pide la AEAT. El próximo envío es a las 10:40.',
  });
  expect(waitingWords({ ...connection('parado'), esperandoDesde: since }, now)).toEqual({
    lead: '2\u00a0facturas están sin enviar desde las 09:12.',
    rest: 'Lo que espera saldrá solo en cuanto corrijas la rechazada.',
  });
  expect(waitingWords({ ...cut, enEspera: 0 }, now)).toBeNull();
});

it('announces no attempt that would be in vain, and says when one is under way', () => {
  expect(waitingWords(connection('sin-certificado', inSeconds(120)), now)?.rest).toBe(
    'Falta un certificado digital vigente.',
  );
  expect(waitingWords(connection('sin-conexion', inSeconds(-1)), now)?.rest).toBe(
    'La AEAT no responde. Se está intentando ahora.',
  );
  const said = { ...connection('detenido'), mensaje: 'Titular no dado de alta' };
  expect(waitingWords(said, now)?.rest).toBe('Titular no dado de alta.');
});

it('names the day if they have not waited only since today', () => {
  expect(desde(new Date(2026, 10, 19, 1, 5), new Date(now))).toBe('desde el 19/11/2026 a la 01:05');
});
