/**
 * Whatever our rules let through, the AEAT accepts without a warning, unless one of our own warnings announced it:
 * random drafts of every kind, tax, regime, customer and day against the simulator.
 */

import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestService, testService } from '../simulators/testing/service.ts';
import { clavesRegimen, gruposIva } from '../src/domain/catalogs/catalogs.ts';
import { type ClienteEmitido, type DraftInvoice, isRectificativa } from '../src/domain/invoice.ts';
import type { Original } from '../src/domain/issue.ts';
import type { Territory } from '../src/domain/postal-code.ts';
import { isMargen, isOss } from '../src/domain/situaciones.ts';
import type { InvoiceItemInput } from '../src/domain/totals.ts';
import type { VatGroup } from '../src/domain/vat.ts';
import { checkEstructura } from '../src/domain/verifactu/estructura.ts';
import { casoDe, type FacturaAValidar } from '../src/domain/verifactu/validaciones/regla.ts';
import { validarFactura } from '../src/domain/verifactu/validaciones/validar.ts';
import { registroXml } from '../src/domain/verifactu/xml.ts';
import { factura } from './fixtures/verifactu/broken.ts';
import {
  CLIENTE,
  CLIENTE_EXT,
  CLIENTE_UE,
  EMISOR,
  ORIGINAL,
} from './fixtures/verifactu/invoices.ts';
import { registroOf } from './fixtures/verifactu/registro-of.ts';
import { regFactuXml } from './support/verifactu.ts';

/** The same drafts every time, so that only a change makes it fail. Another number tries others. */
const SEED = Number(process.env.PROPIEDADES_SEMILLA ?? 1000);
const RUNS = Number(process.env.PROPIEDADES_CORRIDAS ?? 1) * 500;

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
afterAll(() => service.close());

const CLIENTES: readonly (ClienteEmitido | null)[] = [
  null,
  CLIENTE,
  { ...CLIENTE, postingGroup: 'NACRE' },
  { ...CLIENTE, postingGroup: 'CAN', postCode: '35001' },
  { ...CLIENTE, nif: 'P2807900B' },
  { ...CLIENTE, nif: null, idOtro: { CodigoPais: 'ES', IDType: '07', ID: '89890002E' } },
  CLIENTE_UE,
  { ...CLIENTE_UE, postingGroup: 'UEPART', idOtro: { CodigoPais: 'DE', IDType: '04', ID: 'L01' } },
  { ...CLIENTE_UE, postingGroup: 'UEPART', idOtro: { CodigoPais: 'DE', IDType: '03', ID: 'C01' } },
  CLIENTE_EXT,
  { ...CLIENTE_EXT, idOtro: { CodigoPais: 'MA', IDType: '03', ID: 'AB12' } },
];

/** Used goods sold for more than base and quota, and an invoice of another program. */
const USED: Original = { ...ORIGINAL, base: '33.06', cuota: '6.94', total: '100.00' };
const EXTERNA: Original = { ...ORIGINAL, numSerie: 'VIEJA/77', externa: true };

const taxOf = ({ VATProdPostingGroup }: VatGroup) => VATProdPostingGroup;

const invoice: fc.Arbitrary<FacturaAValidar> = fc
  .record({
    territory: fc.constantFrom<Territory>('peninsula', 'peninsula', 'canarias', 'ceuta-melilla'),
    cliente: fc.constantFrom(...CLIENTES),
  })
  .chain(({ territory, cliente }) => {
    const groups = gruposIva(territory);
    const own = groups.filter((g) => g.VATBusPostingGroup === (cliente?.postingGroup ?? 'NAC'));
    const someOf = (kind: typeof isOss) => {
      const some = own.filter(({ verifactu }) => kind(verifactu));
      return fc.constantFrom(...(some.length > 0 ? some : own).map(taxOf));
    };
    const items = fc.array(
      fc.record<InvoiceItemInput>({
        description: fc
          .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
          .map((s) => `a${s}`),
        quantity: fc.integer({ min: 0, max: 99_999_999 }).map((n) => String(n / 10_000)),
        price: fc.oneof(
          fc.integer({ min: 0, max: 99_999 }).map((n) => String(n / 100)),
          fc.integer({ min: 0, max: 9_999_999 }).map((n) => (n / 1_000_000).toFixed(6)),
        ),
        discount: fc.constantFrom('', '0', '12.5', '100'),
        tax: fc.oneof(
          someOf(() => true),
          // The few taxes that require more than a line appear as often as all others together.
          someOf(isMargen),
          someOf(isOss),
        ),
        // Most lines have what used goods, travel and the OSS require; other taxes have no use for it.
        coste: fc.oneof(
          { weight: 3, arbitrary: fc.integer({ min: 0, max: 99_999 }).map((n) => String(n / 100)) },
          fc.constant(''),
        ),
        tipoDestino: fc.constantFrom('19', '20', '25.5', '7', '19', '21', ''),
      }),
      { minLength: 1, maxLength: 6 },
    );
    const draft = fc.record<Partial<DraftInvoice>>({
      type: fc.constantFrom('factura', 'abono'),
      invoiceType: fc.constantFrom(0, 0, 2),
      crmemoType: fc.nat(4),
      isSimplificada: fc.constantFrom(false, false, true),
      ivaIncluido: fc.constantFrom(undefined, undefined, true),
      tipoRectificativa: fc.constantFrom('I', 'S'),
      invoiceToRectify: fc.constant(ORIGINAL.numSerie),
      baseRectificada: fc.constantFrom('100', '-100,50', ''),
      cuotaRectificada: fc.constantFrom('21', '0', ''),
      // Most drafts keep the ordinary key; the rest take any key of the list.
      claveRegimen: fc.oneof(
        { weight: 3, arbitrary: fc.constant('01') },
        fc.constantFrom(...clavesRegimen(territory).map(({ value }) => value)),
      ),
      fechaOperacion: fc.constantFrom(
        '',
        '',
        '2026-11-02',
        '2024-11-15',
        '2023-05-02',
        '2027-01-15',
      ),
      retencionIRPF: fc.constantFrom('', '15'),
    });
    const originals = fc.constantFrom<readonly Original[]>(
      [ORIGINAL],
      [USED],
      [EXTERNA],
      [ORIGINAL, { ...EXTERNA, numSerie: 'AÑO Nº 7' }],
    );
    return fc.record({ items, draft, originals }).map(({ items: lines, draft: changes, ...rest }) =>
      factura({
        draft: changes,
        items: lines,
        cliente: changes.isSimplificada ? null : cliente,
        territory,
        groups,
        rest,
      }),
    );
  });

it('accepts every invoice that our rules let through', async () => {
  let accepted = 0;
  const kinds = { margen: 0, oss: 0, externa: 0, ivaIncluido: 0 };
  await fc.assert(
    fc.asyncProperty(invoice, async (candidate) => {
      const findings = validarFactura(candidate);
      if (findings.some(({ gravedad }) => gravedad === 'bloquea')) return;
      const registro = registroOf(candidate);
      expect(checkEstructura(registro)).toEqual([]);
      await service.store.clear();
      const message = regFactuXml(
        { ObligadoEmision: { NombreRazon: EMISOR.nombre, NIF: EMISOR.nif } },
        [registroXml(registro)],
      );
      const warned = findings.find(({ codigo }) => codigo !== undefined)?.codigo;
      expect(await service.send(message)).toEqual([
        warned ? `AceptadoConErrores ${warned}` : 'Correcto',
      ]);
      accepted += 1;
      const { draft, totals, originals, tipoFactura } = casoDe(candidate);
      if (totals.desglose.some(isMargen)) kinds.margen += 1;
      if (totals.ivaDestino.length > 0) kinds.oss += 1;
      if (draft.ivaIncluido) kinds.ivaIncluido += 1;
      if (isRectificativa(tipoFactura) && originals.some(({ externa }) => externa)) {
        kinds.externa += 1;
      }
    }),
    { numRuns: RUNS, seed: SEED },
  );
  // Few of them are blocked, otherwise this would test little.
  expect(accepted).toBeGreaterThan(RUNS / 10);
  // Some of each kind that requires more than a line.
  expect(
    Object.values(kinds).every((count) => count > RUNS / 250),
    JSON.stringify(kinds),
  ).toBe(true);
});
