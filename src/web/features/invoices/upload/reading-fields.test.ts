import { expect, it } from 'vitest';
import type { CamposLeidos } from '../../../../contract/reading.ts';
import { AS_ATTACHED, READING_WARNINGS } from '../../../../domain/reading-warnings.ts';
import type { DraftTotals } from '../form/draft-totals.ts';
import {
  areOtherNames,
  lineMarks,
  lineSources,
  mismatches,
  openWarnings,
  readFields,
  sourcesOf,
  sumLevels,
} from './reading-fields.ts';

const texto = (confianza = 0.95) => ({ confianza, origen: 'texto' }) as const;
const line = (description: string, total: number, confianza = 0.95) => ({
  description,
  quantity: 1,
  price: total,
  tax: 'IVA21',
  total,
  ...texto(confianza),
});
const totals = (values: Partial<DraftTotals>) =>
  ({
    baseCents: 0n,
    vatCents: 0n,
    recargoCents: 0n,
    totalCents: 0n,
    payableCents: 0n,
    retencionCents: 0n,
    ...values,
  }) as DraftTotals;
const draftLine = (id: string, description: string, tax = 'IVA21') =>
  ({ id, description, quantity: '1', price: '1', tax, linetype: 0 }) as const;

it('distinguishes what was read, what has to be checked and what is missing, also for lines', () => {
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

it('finds the source of a field: the client by its three fields, a line by its text', () => {
  const campos: CamposLeidos = {
    nombreCliente: { valor: 'Ana', ...texto() },
    nifCliente: { valor: '12345678Z', ...texto() },
    lineas: [line('Pan', 10), line('Pan', 20), line('Sal', 5)],
  };
  // The first one was deleted, and the last one has another text.
  const lines = [draftLine('l2', 'Pan'), draftLine('l7', 'Harina'), draftLine('l3', 'Pan ')];
  expect(sourcesOf({ campos }, 'invoiceClient', lines)).toHaveLength(2);
  expect(sourcesOf({ campos }, 'l3.price', lines)).toMatchObject([{ total: 20 }]);
  expect(sourcesOf({ campos }, 'l7.description', lines)).toEqual([]);
  expect([...lineSources(campos, lines).keys()]).toEqual(['l2', 'l3']);
});

it('says what the form adds up to and the file does not', () => {
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
  // An abono is negative here and positive on many papers; «total» may be the amount to pay.
  const abono = { baseCents: -10_000n, totalCents: -13_600n, payableCents: -12_100n };
  expect(mismatches({ campos }, totals(abono))).toEqual([]);
});

it('marks the lines and sums that came from the file, and what differs in the form', () => {
  const campos: CamposLeidos = {
    baseImponible: { valor: 30, ...texto() },
    total: { valor: 36.3, ...texto(0.6) },
    lineas: [line('Pan', 10), line('Sal', 20, 0.6), line('Té', 5)],
  };
  const lines = [
    ...[draftLine('l1', 'Pan'), draftLine('l2', 'Sal'), draftLine('l3', 'Té')],
    ...[draftLine('l4', 'A mano'), draftLine('l5', AS_ATTACHED)],
  ];
  const cents = { l1: 1_000n, l2: 2_000n, l3: 700n };
  const byLine = new Map(Object.entries(cents).map(([id, baseCents]) => [id, { baseCents }]));
  const here = totals({ byLine: byLine as never, baseCents: 3_000n, totalCents: 3_630n });
  expect(Object.fromEntries(lineMarks({ campos }, lines, here))).toEqual({
    l1: { level: 'leido' },
    l2: { level: 'revisar' },
    l3: { level: 'revisar', original: '5,00\u00a0€' },
    l5: { level: 'revisar' },
  });
  expect(sourcesOf({ campos }, 'l5.price', lines)).toEqual([campos.baseImponible]);
  expect(sumLevels({ campos }, here)).toEqual({
    baseImponible: 'leido',
    cuotaIVA: 'no-encontrado',
    total: 'revisar',
    retencion: 'no-encontrado',
  });
  expect(sumLevels({ campos }, totals({ baseCents: 2_999n }))).toMatchObject({
    baseImponible: 'revisar',
  });
});

it('asks to check a line without its tax, and warns until one is chosen', () => {
  const { zeroRate } = READING_WARNINGS;
  const campos = { lineas: [line('Clase', 10)] };
  const here = totals({ byLine: new Map([['l1', { baseCents: 1_000n }]]) as never });
  const lectura = { avisos: [zeroRate], campos };
  const left = [draftLine('l1', 'Clase', '')];
  expect(lineMarks({ campos }, left, here).get('l1')).toEqual({ level: 'revisar' });
  expect(openWarnings(lectura, here, left)).toEqual([zeroRate]);
  const chosen = [draftLine('l1', 'Clase', 'EXENTO20')];
  expect(lineMarks({ campos }, chosen, here).get('l1')).toEqual({ level: 'leido' });
  expect(openWarnings(lectura, here, chosen)).toEqual([]);
});

it('stops warning about what the form has corrected, and about nothing else', () => {
  const other = 'Parece una factura recibida.';
  const { sums, byRate, noLines } = READING_WARNINGS;
  const lectura = {
    avisos: [other, sums, byRate, noLines],
    campos: { total: { valor: 121, ...texto() }, lineas: [] } as CamposLeidos,
  };
  expect(openWarnings(lectura, totals({}), [draftLine('l1', AS_ATTACHED)])).toEqual(lectura.avisos);
  const mended = totals({ totalCents: 12_100n });
  expect(openWarnings(lectura, mended, [draftLine('l1', AS_ATTACHED)])).toEqual([other, byRate]);
  expect(openWarnings(lectura, mended, [draftLine('l1', 'Pan')])).toEqual([other]);
  expect(openWarnings(lectura, totals({ totalCents: 100n }), [])).toEqual([other, sums]);
  const untold = { ...lectura, campos: { lineas: [] } };
  expect(openWarnings(untold, mended, [])).toEqual([other]);
});

it.each([
  ['Instalaciones Roca, S.L.U.', 'Hotel Mirador del Puerto, S.L.U.', true],
  ['Instalaciones Roca, S.L.U.', 'INSTALACIONES ROCA SLU', false],
  ['Clínica Dental Sonrisa', 'Clinica dental', false],
  ['Roca', 'Roca, S.A.', false],
  ['', 'Roca, S.A.', false],
  ['3M, S.A.', 'IBM, S.A.', false], // Too short to tell.
])('says whether «%s» and «%s» have no word in common', (one, other, are) => {
  expect(areOtherNames(one, other)).toBe(are);
});
