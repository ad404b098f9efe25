import { expect, it } from 'vitest';
import { gruposIva } from '../../../../domain/catalogs/catalogs.ts';
import type { Territory } from '../../../../domain/postal-code.ts';
import {
  computeTotals,
  type InvoiceItemInput,
  type TotalsInput,
} from '../../../../domain/totals.ts';
import { partsOfPayable, partsOfTotal } from './draft-sums.ts';

interface Case {
  readonly territory?: Territory;
  readonly tax: string;
  readonly line?: Partial<InvoiceItemInput>;
  readonly rest?: Partial<TotalsInput>;
}

/** One line of 100 €. */
const totalsOf = ({ territory = 'peninsula', tax, line, rest }: Case) =>
  computeTotals({
    items: [{ description: 'Algo', quantity: '1', price: '100', tax, ...line }],
    groups: gruposIva(territory),
    typeClient: 'NAC',
    claveRegimen: '01',
    sign: 1n,
    ...rest,
  });

it.each<[string, Case, string[]]>([
  ['IVA', { tax: 'IVA21' }, ['Base imponible', 'IVA']],
  ['IGIC', { territory: 'canarias', tax: 'IGIC7' }, ['Base imponible', 'IGIC']],
  ['IPSI', { territory: 'ceuta-melilla', tax: '02/01/S1/4' }, ['Base imponible', 'IPSI']],
  [
    'the IVA of another State',
    { tax: 'OSS', line: { tipoDestino: '22' }, rest: { typeClient: 'UEPART' } },
    ['Base imponible', 'IVA', 'IVA de destino 22\u00a0%'],
  ],
  [
    'used goods',
    { tax: 'REBU21', line: { coste: '60' } },
    ['Base imponible', 'IVA', 'Coste, fuera de la base'],
  ],
  [
    'recargo de equivalencia',
    { tax: 'IVA21', rest: { typeClient: 'NACRE' } },
    ['Base imponible', 'IVA', 'Recargo de equivalencia'],
  ],
])('lists for %s the sums that add up to its total', (_what, asked, names) => {
  const totals = totalsOf(asked);
  const parts = partsOfTotal(totals, 'IVA');
  expect(parts.map(({ name }) => name)).toEqual(names);
  expect(parts.reduce((sum, { cents }) => sum + cents, 0n)).toBe(totals.totalCents);
});

it('uses the name of the company’s tax for an invoice without lines', () => {
  const totals = computeTotals({
    items: [],
    groups: gruposIva('canarias'),
    typeClient: 'NAC',
    claveRegimen: '01',
    sign: 1n,
  });
  const own = 'IGIC';
  expect(partsOfTotal(totals, own).map(({ name }) => name)).toEqual(['Base imponible', 'IGIC']);
});

it('lists the sums between the total and the amount to pay', () => {
  const totals = totalsOf({ tax: 'IVA21', rest: { retencionBps: 1500n, suplidosCents: 2000n } });
  const parts = partsOfPayable(totals);
  expect(parts.map(({ name }) => name)).toEqual(['Retención IRPF', 'Suplidos']);
  // 121.00 − 15.00 + 20.00
  expect(parts.reduce((sum, { cents }) => sum + cents, totals.totalCents)).toBe(12600n);
  expect(totals.payableCents).toBe(12600n);
});
