import { describe, expect, it } from 'vitest';
import formasPago from './catalogs/formas-pago.json' with { type: 'json' };
import {
  accountOf,
  creditWords,
  dueDays,
  endOfTerm,
  fits,
  isCollected,
  isCriterioDeCaja,
  medioLabel,
  medioOf,
  type NotedCobro,
  payableLabel,
  payableSum,
  problemOfDay,
} from './cobros.ts';

const by = (medio: NotedCobro['medio'], ...amounts: string[]): NotedCobro[] =>
  amounts.map((importe) => ({ importe, medio }));

describe('what is left of an invoice', () => {
  const left = (
    payable: string,
    cobros: readonly NotedCobro[],
    antes = '0.00',
    tipoFactura: 'F1' | 'F3' = 'F1',
  ) => accountOf({ payable, tipoFactura }, cobros, antes).pendienteCents;

  it('is what its paper asks for, minus what was collected', () => {
    expect(left('106.00', [])).toBe(10600n);
    expect(left('106.00', by('01', '50.00', '55.99'))).toBe(1n);
    expect(left('106.00', by('04', '106.00'))).toBe(0n);
  });

  it('is negative for a credit, until it has been given back', () => {
    expect(left('-30.00', [])).toBe(-3000n);
    expect(left('-30.00', by('01', '-30.00'))).toBe(0n);
  });

  it('is not less because the tax fell due without a cobro', () => {
    expect(left('106.00', [...by('01', '6.00'), ...by('03', '100.00')])).toBe(10000n);
  });

  it('counts what was collected of the invoices that it replaces, and may have to be given back', () => {
    expect(left('80.00', [], '50.00')).toBe(3000n);
    expect(left('80.00', [], '100.00')).toBe(-2000n);
    expect(left('80.00', by('01', '-20.00'), '100.00')).toBe(0n);
  });

  it('is nothing for an F3 whose tickets were paid, even if that was noted down as well', () => {
    expect(left('0.00', [], '22.00', 'F3')).toBe(0n);
    expect(left('10.00', [], '6.00', 'F3')).toBe(400n);
    expect(left('10.00', [], '12.00', 'F3')).toBe(0n);
    expect(left('0.01', [], '12.00', 'F3')).toBe(0n);
  });

  it('is what an F3 gives back of a retention that its tickets did not have, until it has', () => {
    expect(left('-15.00', [], '0.00', 'F3')).toBe(-1500n);
    expect(left('-15.00', [], '6.00', 'F3')).toBe(-1500n);
    expect(left('-15.00', by('01', '-15.00'), '0.00', 'F3')).toBe(0n);
  });
});

it.each([
  [100n, 100n, false],
  [100n, 1n, false],
  [100n, 0n, true],
  [100n, -1n, true],
  [-100n, -1n, false],
  [-100n, 0n, true],
  [-100n, 1n, true],
  [0n, 0n, true],
  [0n, -100n, true],
])(
  'of %i, with %i left, it says whether it is collected',
  (aCobrarCents, pendienteCents, expected) => {
    expect(isCollected({ aCobrarCents, pendienteCents })).toBe(expected);
  },
);

it.each([
  [1n, 100n, true],
  [100n, 100n, true],
  [101n, 100n, false],
  [-1n, 100n, false],
  [-100n, -100n, true],
  [-101n, -100n, false],
  [1n, -100n, false],
  [0n, 100n, false],
  [0n, -100n, false],
  [0n, 0n, false],
  [1n, 0n, false],
])('of %i, with %i left, it says whether it fits', (cents, pendiente, expected) => {
  expect(fits(cents, pendiente)).toBe(expected);
});

describe('what has been collected pays the first due dates first', () => {
  const halves = [
    { fecha: '2026-12-20', importe: '50.00' },
    { fecha: '2027-01-19', importe: '50.00' },
  ];
  const due = (pendienteCents: bigint, today: string) =>
    dueDays(halves, { aCobrarCents: 10_000n, pendienteCents }, today);

  it.each([
    [10_000n, '2026-12-19', null, '2026-12-20'],
    [10_000n, '2026-12-20', null, '2026-12-20'],
    [10_000n, '2026-12-21', '2026-12-20', '2027-01-19'],
    [5_001n, '2026-12-21', '2026-12-20', '2027-01-19'],
    [5_000n, '2026-12-21', null, '2027-01-19'],
    [1n, '2027-01-20', '2027-01-19', null],
    [0n, '2027-01-20', null, null],
  ])('with %i cents left on %s', (left, today, vencidaDesde, vence) => {
    expect(due(left, today)).toEqual({ vencidaDesde, vence });
  });

  it('and a credit has none', () => {
    expect(dueDays([], { aCobrarCents: -100n, pendienteCents: -100n }, '2026-11-20')).toEqual({
      vencidaDesde: null,
      vence: null,
    });
  });
});

it('knows how each form of payment is usually collected', () => {
  expect(formasPago.map(({ Code, Description }) => [Code, medioOf(Description)])).toEqual([
    ['TRANSF', '01'],
    ['DOMIC', '05'],
    ['TARJETA', '04'],
    ['CONTADO', '04'],
    ['BIZUM', '04'],
    ['PAYPAL', '04'],
    ['CHEQUE', '02'],
    ['PAGARE', '04'],
    ['CONFIRM', '04'],
    ['CREEMB', '04'],
    ['COMPENS', '04'],
    ['GIRO', '04'],
    ['OTROS', '04'],
  ]);
});

it('says which way the money goes, and of nothing that it is collected', () => {
  expect([1, 0, -1].map((cents) => payableLabel(cents, 'R1'))).toEqual([
    'A cobrar',
    'A cobrar',
    'A devolver',
  ]);
});

it('says of a credit for what is not paid that it is taken off, and of nothing that it is given back', () => {
  const owed = (['R1', 'R2', 'R3', 'R4', 'R5', 'F3'] as const).map((tipo) => payableSum(-1n, tipo));
  expect(owed.map(({ label }) => label)).toEqual([
    'A devolver',
    'A compensar',
    'A compensar',
    'A devolver',
    'A devolver',
    'A devolver',
  ]);
  expect(owed.every(({ cents }) => cents === 1n)).toBe(true);
  expect(Object.values(creditWords('R3')).join()).not.toMatch(/dev(ol|uel)/i);
  expect(payableLabel(1, 'R3')).toBe('A cobrar');
});

it('says each medio in words', () => {
  expect((['01', '02', '03', '04', '05'] as const).map(medioLabel)).toEqual([
    'Transferencia',
    'Cheque',
    'No se cobra (fin de plazo)',
    'Efectivo, tarjeta u otro',
    'Domiciliación bancaria',
  ]);
});

it('is under criterio de caja with the clave 07 of IVA or of IGIC, in any of its lines', () => {
  const under = (...lines: readonly (readonly ['01' | '02' | '03', string])[]) =>
    isCriterioDeCaja({
      desglose: lines.map(([Impuesto, ClaveRegimen]) => ({
        Impuesto,
        ClaveRegimen,
        CalificacionOperacion: 'S1',
        OperacionExenta: null,
        vatRate: '10',
        recargoRate: null,
        base: '1.00',
        quota: '0.10',
        recargo: '0.00',
      })),
    });
  expect(under(['01', '01'], ['01', '07'])).toBe(true);
  expect(under(['03', '07'])).toBe(true);
  expect(under(['02', '07'])).toBe(false);
  expect(under(['01', '01'])).toBe(false);
});

it.each([
  ['2024-12-01', null, '2025-12-31'],
  ['2025-01-10', '2024-12-30', '2025-12-31'],
  ['2024-02-29', '2023-12-31', '2024-12-31'],
])(
  'of an invoice of %s with operation %s, the term to collect ends on %s',
  (issued, operation, end) => {
    expect(endOfTerm({ fechaExpedicion: issued, fechaOperacion: operation })).toBe(end);
  },
);

it('takes the day of a cobro from a year before the invoice, or its operation, until today', () => {
  const problem = (fecha: string, fechaOperacion: string | null = null) =>
    problemOfDay(fecha, { fechaOperacion, fechaExpedicion: '2026-03-10' }, '2026-11-26');
  expect(problem('2026-11-26')).toBeNull();
  expect(problem('2026-11-27')).toBe('La fecha del cobro no puede ser posterior a hoy.');
  expect(problem('2025-03-10')).toBeNull();
  expect(problem('2025-03-09')).toBe(
    'La fecha del cobro no puede ser anterior al 10/03/2025, un año antes de la factura.',
  );
  expect(problem('2025-02-01', '2026-02-01')).toBeNull();
  // An operation after the invoice moves nothing.
  expect(problem('2025-03-10', '2026-04-01')).toBeNull();
  expect(problem('2025-03-09', '2026-04-01')).not.toBeNull();
});
