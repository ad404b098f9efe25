import { describe, expect, it } from 'vitest';
import { factura } from '../../tests/fixtures/verifactu/broken.ts';
import { registroOf } from '../../tests/fixtures/verifactu/registro-of.ts';
import { SITUATION_CASES } from '../../tests/fixtures/verifactu/situaciones.ts';
import { gruposIva, withSituaciones } from './catalogs/catalogs.ts';
import type { Territory } from './postal-code.ts';
import {
  codigosOfTax,
  gruposDeSituaciones,
  SITUACIONES,
  situacionDe,
  TIPO_GENERAL_UE,
  taxOfCodigos,
} from './situaciones.ts';
import { computeTotals, type InvoiceItemInput } from './totals.ts';
import { findVatGroup } from './vat.ts';
import { checkEstructura } from './verifactu/estructura.ts';
import { validarFactura } from './verifactu/validaciones/validar.ts';

describe('each situation', () => {
  it.each(SITUATION_CASES)(
    '$name: an invoice accepted by the rules, with what the row says',
    (row) => {
      const { situacion, territory, cliente, items, draft } = row;
      const invoice = factura({ territory, cliente, items, draft });
      // Reminders: only the user can check VIES, or know where a consumer's service is taxed.
      const findings = validarFactura(invoice).filter(
        ({ mensaje }) => !/VIES|es un particular de la Unión/.test(mensaje),
      );
      expect(findings).toEqual([]);

      const registro = registroOf(invoice);
      expect(checkEstructura(registro)).toEqual([]);
      for (const detalle of registro.Desglose.DetalleDesglose) {
        expect(detalle).toMatchObject({
          Impuesto: situacion.impuesto,
          ClaveRegimen: situacion.ClaveRegimen,
          ...(situacion.CalificacionOperacion && {
            CalificacionOperacion: situacion.CalificacionOperacion,
          }),
          ...(situacion.OperacionExenta && { OperacionExenta: situacion.OperacionExenta }),
        });
      }
      for (const leyenda of invoice.totals.desglose.flatMap(({ leyendas }) => leyendas)) {
        expect(leyenda).toBe(situacion.leyenda);
      }
    },
  );

  it('is recognised from the tax that it gives to a line', () => {
    for (const situacion of SITUACIONES) {
      for (const cliente of situacion.clientes) {
        for (const { tax } of situacion.codigos) {
          expect(situacionDe(tax, cliente)?.id).toBe(situacion.id);
        }
      }
    }
  });

  it('that is exempt, not subject or reversed says so on the invoice', () => {
    const silent = SITUACIONES.filter(
      ({ CalificacionOperacion, leyenda }) => CalificacionOperacion !== 'S1' && !leyenda,
    );
    expect(silent).toEqual([]);
  });

  it('has a name of its own, a short code and words without codes', () => {
    const ids = SITUACIONES.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { label, codigos } of SITUACIONES) {
      expect(label).not.toMatch(/\b[SNE][1-8]\b|clave/i);
      for (const { tax } of codigos) expect(tax.length).toBeLessThanOrEqual(20);
    }
  });
});

describe('the taxes of a company that started with others', () => {
  it('have today’s situations with its own rates', () => {
    const today = gruposIva('peninsula');
    const own = today
      .filter(({ VATProdPostingGroup }) => VATProdPostingGroup.startsWith('IVA'))
      .map((group) => ({ ...group, Description: 'mío' }));
    const old = gruposDeSituaciones('01').map((group) => ({ ...group, leyenda: 'vieja' }));
    const merged = withSituaciones([...own, ...old.slice(0, 3)]);
    expect(merged).toHaveLength(own.length + gruposDeSituaciones('01').length);
    expect(merged.some(({ leyenda }) => leyenda === 'vieja')).toBe(false);
    expect(findVatGroup(merged, 'IVA21', 'NAC')?.Description).toBe('mío');
  });
});

describe('keys chosen by hand', () => {
  it.each([
    [
      { Impuesto: '01', ClaveRegimen: '07', calificacion: 'S1', tipo: '21', recargo: '' },
      '01/07/S1/21',
    ],
    [
      { Impuesto: '01', ClaveRegimen: '01', calificacion: 'S1', tipo: '21', recargo: '1.75' },
      '01/01/S1/21/1.75',
    ],
    [{ Impuesto: '03', ClaveRegimen: '19', calificacion: 'E5', tipo: '', recargo: '' }, '03/19/E5'],
  ] as const)('%j are sent as %s', (codigos, tax) => {
    expect(taxOfCodigos(codigos)).toBe(tax);
    expect(codigosOfTax(tax)).toEqual(codigos);
  });

  it('are read only if they are complete', () => {
    for (const tax of ['IVA21', '01/07', '01/07/S1', '01/07/E1/21', '04/01/S1/21', '01/1/S1/21']) {
      expect(codigosOfTax(tax)).toBeNull();
    }
  });

  it('give a tax with its legal mention for any kind of customer', () => {
    expect(findVatGroup([], '01/02/E2', 'EXT')).toMatchObject({
      verifactu: { Impuesto: '01', ClaveRegimen: '02', OperacionExenta: 'E2' },
      leyenda: expect.stringContaining('artículo 21'),
    });
    expect(findVatGroup([], '01/01/S2', 'NAC')?.leyenda).toBe('Inversión del sujeto pasivo');
    expect(findVatGroup([], '01/07/S1/10', 'NAC')?.leyenda).toContain('criterio de caja');
    expect(findVatGroup([], '01/01/S1/10', 'NAC')?.leyenda).toBeNull();
  });
});

describe('totals of the situations with their own computation', () => {
  const totals = (items: readonly InvoiceItemInput[], rest = {}) =>
    computeTotals({
      items,
      groups: gruposIva('peninsula'),
      typeClient: 'NAC',
      claveRegimen: '01',
      sign: 1n,
      ...rest,
    });
  const line = (price: string, tax: string, extra = {}): InvoiceItemInput => ({
    description: 'Algo',
    quantity: '1',
    price,
    tax,
    ...extra,
  });

  it('tax the margin of used goods and charge the price', () => {
    // 1.000,00 that cost 758,00: margin 242,00 = 200,00 + 21 %.
    expect(totals([line('1000', 'REBU21', { coste: '758,00' })])).toMatchObject({
      baseCents: 20_000n,
      vatCents: 4_200n,
      fueraDeBaseCents: 75_800n,
      totalCents: 100_000n,
      lines: [{ totalCents: 100_000n }],
    });
  });

  it('never tax a loss, and a credit mirrors its invoice', () => {
    const lost = [line('100', 'REBU21', { coste: '150' })];
    expect(totals(lost)).toMatchObject({ baseCents: 0n, vatCents: 0n, totalCents: 10_000n });
    const sold = [line('1000', 'REBU21', { coste: '758' })];
    expect(totals(sold, { sign: -1n })).toMatchObject({
      baseCents: -20_000n,
      vatCents: -4_200n,
      totalCents: -100_000n,
    });
  });

  it('put used goods and an ordinary sale in one invoice', () => {
    const { desglose, baseCents, totalCents } = totals([
      line('1000', 'REBU21', { coste: '758' }),
      line('100', 'IVA21'),
    ]);
    expect(desglose.map(({ ClaveRegimen, baseCents: base }) => [ClaveRegimen, base])).toEqual([
      ['03', 20_000n],
      ['01', 10_000n],
    ]);
    expect(baseCents).toBe(30_000n);
    expect(totalCents).toBe(112_100n);
  });

  it('charge another State’s tax outside CuotaTotal, within the amount not subject', () => {
    const oss = [
      line('100', 'OSS', { tipoDestino: '19' }),
      line('10', 'OSS', { tipoDestino: '7' }),
    ];
    expect(totals(oss, { typeClient: 'UEPART' })).toMatchObject({
      baseCents: 11_000n,
      vatCents: 0n,
      ivaDestino: [
        { tipoBps: 1_900n, baseCents: 10_000n, cuotaCents: 1_900n },
        { tipoBps: 700n, baseCents: 1_000n, cuotaCents: 70n },
      ],
      desglose: [{ CalificacionOperacion: 'N2', ClaveRegimen: '17', baseCents: 12_970n }],
      totalCents: 12_970n,
    });
  });

  it('round the tax of another State once for each rate, like our own', () => {
    // 0.12 € at 19 % is 0.0228 → 0.02 a line, which would make 0.06; 0.36 € at 19 % is 0.0684 → 0.07.
    const oss = Array.from({ length: 3 }, () => line('0.12', 'OSS', { tipoDestino: '19' }));
    expect(totals(oss, { typeClient: 'UEPART' })).toMatchObject({
      ivaDestino: [{ tipoBps: 1_900n, baseCents: 36n, cuotaCents: 7n }],
      totalCents: 43n,
    });
  });

  it.each([
    ['IGIC 17, a retailer, is no OSS', '03/17/N2', { tipoDestino: '20' }, 10_000n, 10_000n],
    ['IPSI has no margin', '02/03/S1/10', { coste: '60' }, 10_000n, 11_000n],
    ['IGIC has it', '03/03/S1/7', { coste: '46.50' }, 5_000n, 10_000n],
  ])('%s', (_what, tax, extra, base, totalCents) => {
    expect(totals([line('100', tax, extra)])).toMatchObject({
      desglose: [{ baseCents: base }],
      ivaDestino: [],
      totalCents,
    });
  });

  it('mention a special regime only if the tax has it', () => {
    const leyendas = (tax: string) =>
      totals([line('100', tax, { coste: '60' })]).desglose[0]?.leyendas;
    expect(leyendas('03/03/S1/7')).toEqual(['Régimen especial de los bienes usados']);
    expect(leyendas('02/03/S1/10')).toEqual([]);
  });

  it('mention «inversión del sujeto pasivo» for a service to a business in the Union (RD 1619/2012 art. 6.1.m)', () => {
    const leyenda = (territory: Territory, tax: string, client: string) =>
      findVatGroup(gruposIva(territory), tax, client)?.leyenda;
    const PLACES = [
      ['peninsula', 'SERVUE', '01/01/N2'],
      ['canarias', 'IGICSEXT', '03/01/N2'],
      ['ceuta-melilla', 'IPSISEXT', '02/01/N2'],
    ] as const;
    for (const [territory, tax, codes] of PLACES) {
      expect(leyenda(territory, tax, 'UE')).toMatch(/inversión del sujeto pasivo/i);
      expect(leyenda(territory, codes, 'UE')).toBe(leyenda(territory, tax, 'UE'));
      expect(leyenda(territory, codes, 'EXT')).not.toMatch(/inversión/i);
    }
    expect(leyenda('canarias', 'IGICSEXT', 'EXT')).not.toMatch(/inversión/i);
  });

  it('charge suplidos and subtract the retention outside the total', () => {
    expect(
      totals([line('100', 'IVA21')], { retencionBps: 1_500n, suplidosCents: 4_050n }),
    ).toMatchObject({ totalCents: 12_100n, retencionCents: 1_500n, payableCents: 14_650n });
  });
});

it('the most usual of each tax fits in the field of a phone', () => {
  for (const id of ['venta-nacional', 'igic', 'ipsi']) {
    expect(SITUACIONES.find((row) => row.id === id)?.label.length).toBeLessThanOrEqual(34);
  }
});

it('a customer of Monaco is charged the rate of France, whose VAT is theirs', () => {
  expect(TIPO_GENERAL_UE.MC).toBe(TIPO_GENERAL_UE.FR);
});
