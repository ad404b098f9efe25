import { describe, expect, it } from 'vitest';
import { mensajeDeFault } from '../domain/verifactu/codigos.ts';
import type {
  Consulta,
  RegistroConsultado,
  RespuestaConsulta,
} from '../domain/verifactu/consulta.ts';
import { findInPeriodo, isAnswerTo } from './consulta.ts';

type Asked = Omit<Consulta, 'ObligadoEmision'>;
type Answer = Awaited<ReturnType<Parameters<typeof findInPeriodo>[0]>>;

const ISSUED = '20-11-2026';
const sent = (seq: number, FechaOperacion: string | null = null) => ({
  seq: BigInt(seq),
  NumSerieFactura: `${seq}/26`,
  FechaExpedicionFactura: ISSUED,
  FechaOperacion,
});
const row = (seq: number, FechaExpedicionFactura = ISSUED): RegistroConsultado => ({
  IDEmisorFactura: '89890001K',
  NumSerieFactura: `${seq}/26`,
  FechaExpedicionFactura,
  Huella: String(seq),
  HuellaAnterior: '',
  FechaHoraHusoGenRegistro: '2026-11-20T10:00:37+01:00',
  EstadoRegistro: 'Correcto',
});
const page = (registros: readonly RegistroConsultado[], next?: number): RespuestaConsulta => ({
  kind: 'consulta',
  registros,
  ...(next !== undefined && { ClavePaginacion: row(next) }),
});

/** What is found with these answers, the last of them repeated, and what was asked for. */
async function found(registros: ReturnType<typeof sent>[], ...answers: Answer[]) {
  const asked: Asked[] = [];
  const held = await findInPeriodo(async (query) => {
    asked.push(query);
    return answers[Math.min(asked.length, answers.length) - 1] as Answer;
  }, registros);
  return { held: typeof held === 'string' ? held : [...held.keys()].map(Number), asked };
}

describe('what the AEAT holds of the registros of a month', () => {
  it('is asked for by the number of a single one, in the month of its operation', async () => {
    expect(await found([sent(1, '31-10-2026')], page([row(1)]))).toEqual({
      held: [1],
      asked: [{ Ejercicio: '2026', Periodo: '10', NumSerieFactura: '1/26' }],
    });
  });

  it('is read page by page for several, until all have been found', async () => {
    const month = { Ejercicio: '2026', Periodo: '11' };
    const pages = [page([row(7), row(2)], 2), page([row(1)], 1), page([row(9)])];
    expect(await found([sent(1), sent(2)], ...pages)).toEqual({
      held: [2, 1],
      asked: [month, { ...month, ClavePaginacion: row(2) }],
    });
    expect((await found([sent(1), sent(3)], ...pages)).held).toEqual([1]);
  });

  it('is found by a number that was registered with blanks around it, which the AEAT does not keep', async () => {
    expect((await found([{ ...sent(1), NumSerieFactura: '1/26 ' }], page([row(1)]))).held).toEqual([
      1,
    ]);
  });

  it('is not an invoice of another day with the same number', async () => {
    expect((await found([sent(1)], page([row(1, '20-11-2025')]))).held).toEqual([]);
  });

  it('is unknown if the AEAT does not answer, refuses, or never comes to an end', async () => {
    const silence = { kind: 'no-answer', cause: 'La AEAT no responde.' } as const;
    expect((await found([sent(1), sent(2)], page([row(1)], 1), silence)).held).toBe(silence.cause);
    const fault: Answer = { kind: 'fault', faultcode: 'Server', faultstring: 'Codigo[103].' };
    expect((await found([sent(1)], fault)).held).toBe(mensajeDeFault(fault));
    const endless = await found([sent(1), sent(2)], page([row(1)], 1));
    expect([endless.held, endless.asked.length]).toEqual(['La AEAT no termina de responder.', 200]);
  });
});

it('an answer is of the month and the company that were asked about', () => {
  const ObligadoEmision = { NombreRazon: 'Uno, S.L.', NIF: row(1).IDEmisorFactura };
  const asked = { ObligadoEmision, Ejercicio: '2026', Periodo: '11' };
  const answer = page([row(1), row(2)]);
  expect(isAnswerTo(asked, answer)).toBe(true);
  expect(isAnswerTo(asked, { ...answer, periodo: '2026-11' })).toBe(true);
  expect(isAnswerTo(asked, { ...answer, periodo: '2026-10' })).toBe(false);
  expect(isAnswerTo(asked, page([row(1), { ...row(2), IDEmisorFactura: 'B99999997' }]))).toBe(
    false,
  );
});
