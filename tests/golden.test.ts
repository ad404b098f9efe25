/**
 * Invoices as data and the XML expected of each: `tests/golden/*.json` and the `.xml` beside it. Each one passes our
 * rules with no unexpected findings, is written, compared with the official schema where that is available, and
 * accepted by the simulator.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { type TestService, testService } from '../simulators/testing/service.ts';
import { addDays } from '../src/domain/dates.ts';
import type { ClienteEmitido, DraftInvoice } from '../src/domain/invoice.ts';
import type { Original } from '../src/domain/issue.ts';
import type { Territory } from '../src/domain/postal-code.ts';
import type { InvoiceItemInput } from '../src/domain/totals.ts';
import { checkEstructura } from '../src/domain/verifactu/estructura.ts';
import type { RegistroAlta, RegistroAnulacion } from '../src/domain/verifactu/registro.ts';
import { casoDe } from '../src/domain/verifactu/validaciones/regla.ts';
import { REGLAS } from '../src/domain/verifactu/validaciones/validar.ts';
import { registroXml } from '../src/domain/verifactu/xml.ts';
import { factura } from './fixtures/verifactu/broken.ts';
import { EMISOR } from './fixtures/verifactu/invoices.ts';
import { type AeatSchemas, readAeatSchemas } from './fixtures/verifactu/read-xsd.ts';
import { anulacionOf, registroOf } from './fixtures/verifactu/registro-of.ts';
import { regFactuXml } from './support/verifactu.ts';

interface Golden {
  /** What it shows, in one line. */
  readonly caso: string;
  readonly cliente: ClienteEmitido | null;
  readonly lineas: readonly InvoiceItemInput[];
  readonly borrador?: Partial<DraftInvoice>;
  readonly originales?: readonly Original[];
  readonly territorio?: Territory;
  readonly numSerie?: string;
  /** Day of the registro if it is not the usual one. */
  readonly hoy?: string;
  readonly registro?: {
    readonly Subsanacion?: 'S';
    readonly RechazoPrevio?: 'S' | 'X';
    readonly primero?: boolean;
    readonly FechaHoraHusoGenRegistro?: string;
  };
  /** Its anulación, instead of its alta. */
  readonly anulacion?: { readonly SinRegistroPrevio?: 'S'; readonly RechazoPrevio?: 'S' };
  /** What the AEAT holds of the invoice beforehand. */
  readonly situacion?: 'alta' | 'anulada';
  /** Expected warnings of ours. */
  readonly avisos?: readonly string[];
  readonly respuesta?: string;
}

const FOLDER = fileURLToPath(new URL('golden', import.meta.url));
const SCHEMAS = resolve(
  fileURLToPath(new URL('..', import.meta.url)),
  process.env.AEAT_XSD ?? '../shared/aeat/xsd',
);
const GOLDEN: readonly (readonly [string, Golden])[] = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json'))
  .map((name) => [
    basename(name, '.json'),
    JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as Golden,
  ]);
const OBLIGADO = { NombreRazon: EMISOR.nombre, NIF: EMISOR.nif };

/** For readability: one element with text per line. */
const readable = (xml: string) => `${xml.replace(/(<[^<]*>)(?=<)/g, '$1\n')}\n`;
const message = (registro: RegistroAlta | RegistroAnulacion) =>
  regFactuXml({ ObligadoEmision: OBLIGADO }, [registroXml(registro)]);

function invoiceOf({
  borrador,
  lineas,
  cliente,
  originales = [],
  territorio,
  numSerie,
  hoy,
}: Golden) {
  return factura({
    draft: { ...borrador, ...(hoy && { invoiceDate: hoy }) },
    items: lineas,
    cliente,
    ...(territorio && { territory: territorio }),
    rest: {
      originals: originales,
      numSerie: numSerie ?? '00042/LO',
      ...(hoy && { today: hoy, lastDateOfSeries: addDays(hoy, -1) }),
    },
  });
}

function registroOfGolden(golden: Golden): RegistroAlta | RegistroAnulacion {
  const invoice = invoiceOf(golden);
  const { primero = false, FechaHoraHusoGenRegistro, ...flags } = golden.registro ?? {};
  const contexto = {
    primero,
    ...(FechaHoraHusoGenRegistro && { FechaHoraHusoGenRegistro }),
    ...(golden.hoy && { FechaHoraHusoGenRegistro: `${golden.hoy}T10:00:37+01:00` }),
  };
  return golden.anulacion
    ? anulacionOf(invoice, { ...contexto, ...golden.anulacion })
    : registroOf(invoice, { ...contexto, ...flags });
}

describe('the golden invoices', () => {
  it('are at least sixty, of every kind and every tax', () => {
    expect(GOLDEN.length).toBeGreaterThanOrEqual(60);
    const all = GOLDEN.map(([name]) => readFileSync(join(FOLDER, `${name}.xml`), 'utf8')).join('');
    const values = (field: string) =>
      [
        ...new Set([...all.matchAll(new RegExp(`<sum1:${field}>([^<]*)<`, 'g'))].map((m) => m[1])),
      ].sort();
    expect(values('TipoFactura')).toEqual(['F1', 'F2', 'F3', 'R1', 'R2', 'R3', 'R4', 'R5']);
    expect(values('TipoRectificativa')).toEqual(['I', 'S']);
    expect(values('Impuesto')).toEqual(['01', '02', '03']);
    expect(values('CalificacionOperacion')).toEqual(['N1', 'N2', 'S1', 'S2']);
    expect(values('OperacionExenta')).toEqual(
      expect.arrayContaining(['E1', 'E2', 'E3', 'E4', 'E5', 'E6', 'E7']),
    );
    // Used goods and travel agencies; the small trader of the Canaries (list L10 of IGIC: E7).
    expect(values('ClaveRegimen')).toEqual(expect.arrayContaining(['03', '05', '18']));
    expect(values('IDType')).toEqual(['02', '03', '04', '05', '06', '07']);
    expect(values('RechazoPrevio')).toEqual(['S', 'X']);
  });

  it.each(GOLDEN)('%s: has only the expected findings', (_name, golden) => {
    const caso = casoDe(invoiceOf(golden));
    const found = REGLAS.filter(({ busca }) => busca(caso).length > 0).map(({ id }) => id);
    expect(found.toSorted()).toEqual([...(golden.avisos ?? [])].toSorted());
    expect(checkEstructura(registroOfGolden(golden))).toEqual([]);
  });

  it.each(GOLDEN)('%s: its XML is the one on file', async (name, golden) => {
    const xml = readable(registroXml(registroOfGolden(golden)));
    await expect(xml).toMatchFileSnapshot(join(FOLDER, `${name}.xml`));
  });
});

const isHere = existsSync(join(SCHEMAS, 'SuministroLR.xsd'));
if (!isHere) console.warn(`Skipped: the AEAT's schemas are not in ${SCHEMAS}.`);

describe.skipIf(!isHere)('the AEAT’s schema', () => {
  const schemas: AeatSchemas = isHere ? readAeatSchemas(SCHEMAS) : (undefined as never);
  afterAll(() => schemas?.dispose());

  it.each(GOLDEN)('accepts %s', (_name, golden) => {
    schemas.validate(message(registroOfGolden(golden)));
  });
});

describe('the simulated AEAT', () => {
  it.each(GOLDEN)('accepts %s', async (_name, golden) => {
    const service = await testService();
    try {
      if (golden.hoy) service.setNow(new Date(`${golden.hoy}T09:00:37Z`));
      await prepare(service, golden);
      const outcome = await service.send(message(registroOfGolden(golden)));
      expect(outcome).toEqual([golden.respuesta ?? 'Correcto']);
    } finally {
      await service.close();
    }
  });
});

/** Brings the AEAT to the state that the invoice starts from. */
async function prepare(service: TestService, golden: Golden): Promise<void> {
  if (!golden.situacion) return;
  const invoice = invoiceOf(golden);
  expect(await service.send(message(registroOf(invoice)))).toEqual(['Correcto']);
  if (golden.situacion === 'alta') return;
  expect(await service.send(message(anulacionOf(invoice)))).toEqual(['Correcto']);
}
