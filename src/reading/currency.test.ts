import { expect, it } from 'vitest';
import { printedRows } from '../../tests/reading/printed-rows.ts';
import { findCurrency } from './currency.ts';
import { readWords } from './read-words.ts';

it.each([
  ['USD', 'Total   US$ 5,995.00'],
  ['USD', 'Total   $5,995.00'],
  ['GBP', 'Total   1,200.00 GBP'],
  ['CHF', "Total   CHF 1'200.00"],
  ['MXN', 'Total   1,200.00 MXN'],
  [undefined, 'Total   1.200,00 €'],
  [undefined, 'Total   1.200,00'],
])('is %s in «%s»', (currency, row) => {
  expect(findCurrency(printedRows(row))).toBe(currency);
});

it('is the euro, if more amounts are in euros', () => {
  const rows = printedRows('Base   100,00 €', 'Total   121,00 €', 'Contravalor   USD 131,60');
  expect(findCurrency(rows)).toBeUndefined();
});

it('does not trust a sign on a scan, where «€» may be read as another one', () => {
  const rows = printedRows('Total   $ 5,995.00').map((row) => ({
    ...row,
    words: row.words.map((word) => ({ ...word, paper: { x: 0, y: 0, w: 0.1, h: 0.1 } })),
  }));
  expect(findCurrency(rows)).toBeUndefined();
});

it('leaves no amount shown as sure', () => {
  const words = printedRows(
    'Concepto         Horas   Precio      Importe',
    'Soporte              2   US$ 90.00   US$ 180.00',
    'Base imponible                       US$ 180.00',
    'IVA 0 % (no sujeta)                  US$ 0.00',
    'Total                                US$ 180.00',
  ).flatMap((row) => row.words);
  const { campos, lineas, moneda } = readWords(
    { origen: 'texto', words, pages: [{ width: 595, height: 842 }] },
    { issuerNif: 'B12345674', today: '2026-11-20' },
  );
  expect(moneda).toBe('USD');
  expect(campos.total).toMatchObject({ valor: 18_000n, confianza: 0.4 });
  expect(campos.baseImponible?.confianza).toBe(0.4);
  expect(lineas).toMatchObject([{ totalCents: 18_000n, confianza: 0.4 }]);
});
