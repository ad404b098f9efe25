/**
 * Whatever our rules let through, the AEAT accepts without a warning, unless one of our own warnings
 * said so before: random drafts of every kind, tax, regime, customer and day against the simulator.
 */

import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestService, testService } from '../simulators/testing/service.ts';
import { clavesRegimen, gruposIva } from '../src/domain/catalogs/catalogs.ts';
import type { ClienteEmitido, DraftInvoice } from '../src/domain/invoice.ts';
import type { InvoiceItemInput } from '../src/domain/totals.ts';
import { checkEstructura } from '../src/domain/verifactu/estructura.ts';
import type { FacturaAValidar } from '../src/domain/verifactu/validaciones/regla.ts';
import { validarFactura } from '../src/domain/verifactu/validaciones/validar.ts';
import { regFactuXml, registroXml } from '../src/domain/verifactu/xml.ts';
import { factura } from './fixtures/verifactu/broken.ts';
import {
  CLIENTE,
  CLIENTE_EXT,
  CLIENTE_UE,
  EMISOR,
  ORIGINAL,
} from './fixtures/verifactu/invoices.ts';
import { registroOf } from './fixtures/verifactu/registro-of.ts';

/** The same drafts every time, so that a change is what makes it fail; another number tries others. */
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
  CLIENTE_EXT,
  { ...CLIENTE_EXT, idOtro: { CodigoPais: 'MA', IDType: '03', ID: 'AB12' } },
];

const invoice: fc.Arbitrary<FacturaAValidar> = fc
  .record({
    territory: fc.constantFrom('peninsula' as const, 'canarias' as const, 'ceuta-melilla' as const),
    cliente: fc.constantFrom(...CLIENTES),
  })
  .chain(({ territory, cliente }) => {
    const groups = gruposIva(territory);
    const own = groups.filter((g) => g.VATBusPostingGroup === (cliente?.postingGroup ?? 'NAC'));
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
        tax: fc.constantFrom(...own.map((g) => g.VATProdPostingGroup)),
      }),
      { minLength: 1, maxLength: 6 },
    );
    const draft = fc.record<Partial<DraftInvoice>>({
      type: fc.constantFrom('factura', 'abono'),
      invoiceType: fc.constantFrom(0, 0, 2),
      crmemoType: fc.nat(4),
      isSimplificada: fc.boolean(),
      tipoRectificativa: fc.constantFrom('I', 'S'),
      invoiceToRectify: fc.constant(ORIGINAL.numSerie),
      // Most drafts keep the ordinary key; the rest take any of the list.
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
    return fc.record({ items, draft }).map(({ items: lines, draft: changes }) =>
      factura({
        draft: changes,
        items: lines,
        cliente: changes.isSimplificada ? null : cliente,
        territory,
        groups,
        rest: { originals: [ORIGINAL] },
      }),
    );
  });

it('accepts every invoice that our rules let through', async () => {
  let accepted = 0;
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
    }),
    { numRuns: RUNS, seed: SEED },
  );
  // Few of them blocked, or there would be little to this.
  expect(accepted).toBeGreaterThan(RUNS / 10);
}, 120_000);
