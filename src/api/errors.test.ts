import fastify from 'fastify';
import { expect, it } from 'vitest';
import { handleError } from './errors.ts';

it.each([
  ['53100', 503, /^Huella se ha quedado sin sitio y no ha guardado nada/, '60', 'OUT_OF_ROOM'],
  ['53200', 503, /sin sitio/, '60', 'OUT_OF_ROOM'],
  ['55P03', 503, /^Otra operación de tu empresa .* no ha guardado nada/, '5', 'BUSY'],
  ['57014', 503, /^Otra operación/, '5', 'BUSY'],
  ['40P01', 503, /^Otra operación/, '5', 'BUSY'],
  ['53300', 503, /^Se ha cortado la conexión/, '2', undefined],
  ['22012', 500, /^Ha ocurrido un error inesperado/, undefined, undefined],
])(
  'an error %s of PostgreSQL is answered with %i',
  async (code, status, message, retryAfter, codigo) => {
    const app = fastify({ logger: false, genReqId: () => '8f1d2c3b4a5e6071' });
    app.setErrorHandler(handleError);
    app.post('/', async () => {
      throw Object.assign(new Error('no'), { name: 'PostgresError', code });
    });
    const answer = await app.inject({ method: 'POST', url: '/' });
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([status, retryAfter]);
    expect(answer.json()).toEqual({
      message: expect.stringMatching(message),
      ...(codigo && { codigo }),
      ...(status === 500 && { incidencia: '8f1d2c3b4a5e6071' }),
    });
  },
);
