import { expect, it } from 'vitest';
import type { Original } from './issue.ts';
import { type Cobro, cobroOf, pagadoAntes } from './paid-before.ts';

const CASH: Cobro = { importe: '11.00', alContado: true, formaPago: 'Contado (efectivo)' };

const ticket = (
  numSerie: string,
  cobro: Partial<Cobro>,
  more: Partial<Original> = {},
): Original => ({
  numSerie,
  fecha: '2026-11-10',
  externa: false,
  base: '0.00',
  cuota: '0.00',
  recargo: '0.00',
  cobro: { ...CASH, ...cobro },
  ...more,
});
const paid = (payableCents: bigint, ...originals: readonly Original[]) =>
  pagadoAntes(originals, { payableCents }, { ivaIncluido: false });

it('is what the tickets say, on the day of the last of them', () => {
  const last = ticket('2', { importe: '22.00' }, { fecha: '2026-11-12' });
  const one = ticket('1', {});
  for (const originals of [
    [last, one],
    [one, last],
  ]) {
    expect(paid(3300n, ...originals)).toEqual({
      importe: '33.00',
      fecha: '2026-11-12',
      formaPago: 'Contado (efectivo)',
    });
  }
});

it.each([
  ['nothing falls due', [], true],
  ['it falls due on the day itself', ['2026-11-10'], true],
  ['it falls due a day later', ['2026-11-11'], false],
  ['a part falls due later', ['2026-11-10', '2026-12-10'], false],
])('a ticket is paid at once or not when %s', (_, days, alContado) => {
  const vencimientos = days.map((fecha) => ({ fecha, importe: '5.50' }));
  const issued = { payable: '11.00', fechaExpedicion: '2026-11-10', formaPago: 'Contado' };
  expect(cobroOf({ ...issued, vencimientos })).toEqual({
    importe: '11.00',
    alContado,
    formaPago: 'Contado',
  });
});

it('names no way of paying if there were several', () => {
  const byCard = ticket('2', { formaPago: 'Tarjeta de crédito o débito' });
  expect(paid(2200n, ticket('1', {}), byCard)?.formaPago).toBe('');
});

it('leaves out tickets that give more time, and those of another program', () => {
  const later = ticket('2', { alContado: false });
  const { cobro: _, ...elsewhere } = ticket('3', {});
  expect(paid(3300n, ticket('1', {}), later, elsewhere)?.importe).toBe('11.00');
  expect(paid(1100n, later)).toBeNull();
  expect(paid(1100n, elsewhere)).toBeNull();
});

it('counts an R5 with what it corrects', () => {
  const first = ticket('1', { importe: '33.00' });
  const back = ticket('2', { importe: '-11.00' }, { corrige: ['1'] });
  expect(paid(2200n, first, back)?.importe).toBe('22.00');
  // Of a ticket that is still owed, nothing has been paid back either.
  const owed = ticket('1', { importe: '33.00', alContado: false });
  expect(paid(2200n, owed, back)).toBeNull();
  expect(paid(4400n, ticket('4', { importe: '22.00' }), owed, back)?.importe).toBe('22.00');
  // What it corrects is not exchanged with it.
  expect(paid(2200n, ticket('4', { importe: '33.00' }), back)?.importe).toBe('22.00');
  // Por sustitución: 25.00 in place of 33.00.
  const sustituido = { base: '30.00', cuota: '3.00', recargo: '0.00', total: '33.00' };
  const instead = ticket('3', { importe: '25.00' }, { corrige: ['1'], sustituido });
  expect(paid(2500n, first, instead)?.importe).toBe('25.00');
});

it('looks at each R5 once, of which the last corrects all those before it', () => {
  const numbers = Array.from({ length: 300 }, (_, place) => `${place}`);
  const all = numbers.map((number, place) =>
    ticket(number, {}, { corrige: numbers.slice(0, place) }),
  );
  expect(paid(330_000n, ...all)?.importe).toBe('3300.00');
});

it('is all of it when only the cents of each ticket differ', () => {
  const tickets = [ticket('1', { importe: '0.44' }), ticket('2', { importe: '0.44' })];
  // A cent for each of the two, and no more.
  expect([85n, 86n, 87n, 90n, 91n].map((payable) => paid(payable, ...tickets)?.importe)).toEqual([
    '0.88',
    '0.86',
    '0.87',
    '0.90',
    '0.88',
  ]);
  expect(pagadoAntes(tickets, { payableCents: 87n }, { ivaIncluido: true })?.importe).toBe('0.88');
});

it('is nothing if nothing was paid, or all was given back', () => {
  const back = ticket('2', { importe: '-11.00' }, { corrige: ['1'] });
  expect(paid(0n, ticket('1', {}), back)).toBeNull();
  expect(paid(0n)).toBeNull();
  expect(paid(1n, ticket('1', { importe: '0.01' }))?.importe).toBe('0.01');
});
