import { expect, it } from 'vitest';
import type { ConexionAEAT } from '../../../contract/invoices.ts';
import { waitingNote } from './waiting.ts';

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

it('counts down to the sending, then says it is going', () => {
  expect(waitingNote(connection('enviando', inSeconds(41.2)), undefined, now)).toBe(
    'envío en 42 s',
  );
  expect(waitingNote(connection('enviando', inSeconds(0)), undefined, now)).toBe(
    'enviando a la AEAT',
  );
  expect(waitingNote(connection('al-dia'), undefined, now)).toBe('enviando a la AEAT');
});

it('gives the time when it is far', () => {
  expect(waitingNote(connection('enviando', inSeconds(600)), undefined, now)).toBe(
    'envío a las 10:40',
  );
});

it('says when it tries again without connection', () => {
  expect(waitingNote(connection('sin-conexion', inSeconds(120)), undefined, now)).toBe(
    'sin conexión con la AEAT, reintento a las 10:32',
  );
  expect(waitingNote(connection('sin-conexion', inSeconds(-1)), undefined, now)).toBe(
    'sin conexión con la AEAT, reintentando',
  );
});

it('names the rejected invoice that stops the others', () => {
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
