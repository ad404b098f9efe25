import { expect, it } from 'vitest';
import type { CamposLeidos } from '../../../../contract/reading.ts';
import type { DraftTotals } from '../form/draft-totals.ts';
import { lineSources, mismatches, readFields, sourcesOf } from './reading-fields.ts';

const texto = (confianza = 0.95) => ({ confianza, origen: 'texto' }) as const;
const line = (description: string, total: number, confianza = 0.95) => ({
  ...{ description, quantity: 1, price: total, tax: 'IVA21', total },
  ...texto(confianza),
});
const totals = (values: Partial<DraftTotals>) =>
  ({
    ...{ baseCents: 0n, vatCents: 0n, recargoCents: 0n },
    ...{ totalCents: 0n, payableCents: 0n, retencionCents: 0n },
    ...values,
  }) as DraftTotals;
const draftLine = (id: string, description: string) =>
  ({ id, description, quantity: '1', price: '1', tax: 'IVA21', linetype: 0 }) as const;

it('tells what is read, what is to be looked at and what is not there, lines too', () => {
  const campos: CamposLeidos = {
    fecha: { valor: '2026-11-20', ...texto(0.8) },
    total: { valor: 1234.5, ...texto(0.6) },
    lineas: [line('Pan', 10, 0.4)],
  };
  const fields = Object.fromEntries(readFields(campos).map((field) => [field.key, field]));
  expect(fields.fecha).toMatchObject({ label: 'Fecha', text: '20/11/2026' });
  expect(fields.total?.text).toBe('1.234,50\u00a0€');
  expect(fields.numero).toMatchObject({ text: '', source: undefined });
  expect(fields['linea-0']).toMatchObject({ label: 'Línea 1', text: 'Pan · 10,00\u00a0€' });
  expect(fields).not.toHaveProperty('retencion');
});

it('finds what a field was read from: the client by its three, a line by what it says', () => {
  const campos: CamposLeidos = {
    nombreCliente: { valor: 'Ana', ...texto() },
    nifCliente: { valor: '12345678Z', ...texto() },
    lineas: [line('Pan', 10), line('Pan', 20), line('Sal', 5)],
  };
  // The first one was deleted, and the last one is told otherwise.
  const lines = [draftLine('l2', 'Pan'), draftLine('l7', 'Harina'), draftLine('l3', 'Pan ')];
  expect(sourcesOf({ campos }, 'invoiceClient', lines)).toHaveLength(2);
  expect(sourcesOf({ campos }, 'l3.price', lines)).toMatchObject([{ total: 20 }]);
  expect(sourcesOf({ campos }, 'l7.description', lines)).toEqual([]);
  expect([...lineSources(campos, lines).keys()]).toEqual(['l2', 'l3']);
});

it('says what the form comes to and the file does not', () => {
  const campos: CamposLeidos = {
    baseImponible: { valor: 100, ...texto() },
    total: { valor: 121, ...texto() },
    lineas: [],
  };
  const right = { baseCents: 10_000n, vatCents: 2_100n, totalCents: 12_100n };
  expect(mismatches({ campos }, totals(right))).toEqual([]);
  expect(mismatches({ campos }, totals({ ...right, totalCents: 12_101n }))).toEqual([
    'El total del original es 121,00\u00a0€ y aquí sale 121,01\u00a0€.',
  ]);
  // An abono is negative here and positive on many papers; «total» may be what is to be paid.
  const abono = { baseCents: -10_000n, totalCents: -13_600n, payableCents: -12_100n };
  expect(mismatches({ campos }, totals(abono))).toEqual([]);
});
