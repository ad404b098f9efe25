/**
 * Compares what we send with the AEAT's own schemas. They are not ours to commit: they are in the folder named by
 * AEAT_XSD (by default ../shared/aeat/xsd beside the repository), and without it these tests are skipped.
 */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { InvoiceItemInput } from '../src/domain/totals.ts';
import { consultaXml } from '../src/domain/verifactu/consulta.ts';
import {
  CABECERA,
  checkEstructura,
  type Elemento,
  isBlock,
  MAX_REGISTROS,
  REGISTRO_ALTA,
  REGISTRO_ANULACION,
} from '../src/domain/verifactu/estructura.ts';
import { registroAltaFromInvoice, registroAnulacionOf } from '../src/domain/verifactu/registro.ts';
import { regFactuDocument, registroXml } from '../src/domain/verifactu/xml.ts';
import { AHORA, issued, item, SAMPLES, SISTEMA } from './fixtures/verifactu/invoices.ts';
import {
  type AeatSchemas,
  readAeatSchemas,
  type XsdElemento,
} from './fixtures/verifactu/read-xsd.ts';
import { SITUATION_CASES } from './fixtures/verifactu/situaciones.ts';
import { anteriorOf, regFactuXml } from './support/verifactu.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIR = resolve(ROOT, process.env.AEAT_XSD ?? '../shared/aeat/xsd');
const isHere = existsSync(resolve(DIR, 'SuministroLR.xsd'));
if (!isHere) {
  console.warn(`Skipped: the AEAT's schemas are not in ${DIR}. AEAT_XSD may name another folder.`);
}

const ESLABON = { anterior: null, SistemaInformatico: SISTEMA, FechaHoraHusoGenRegistro: AHORA };
const OBLIGADO = { NombreRazon: 'CERTIFICADO UNO TELEMATICAS', NIF: '89890001K' };
const message = (...fragments: string[]) => regFactuXml({ ObligadoEmision: OBLIGADO }, fragments);

describe.skipIf(!isHere)('the AEAT’s schemas', () => {
  const schemas: AeatSchemas = isHere ? readAeatSchemas(DIR) : (undefined as never);
  afterAll(() => schemas?.dispose());

  describe('accept the XML of', () => {
    it.each(Object.entries(SAMPLES))('%s', (_name, sample) => {
      schemas.validate(message(registroXml(registroAltaFromInvoice(issued(sample), ESLABON))));
    });

    it.each(SITUATION_CASES)('the situation $name', (row) => {
      schemas.validate(message(registroXml(registroAltaFromInvoice(issued(row), ESLABON))));
    });

    it('a correction, an anulación and their links, with Incidencia', () => {
      const invoice = issued({ items: [item('100')] });
      const alta = registroAltaFromInvoice(invoice, ESLABON);
      const correction = registroAltaFromInvoice(invoice, {
        ...ESLABON,
        anterior: anteriorOf(alta),
        Subsanacion: 'S',
        RechazoPrevio: 'X',
      });
      const anulacion = registroAnulacionOf(invoice, {
        ...ESLABON,
        anterior: anteriorOf(correction),
        SinRegistroPrevio: 'S',
        RechazoPrevio: 'S',
      });
      const fragments = [alta, correction, anulacion].map(registroXml);
      schemas.validate(regFactuXml({ ObligadoEmision: OBLIGADO, Incidencia: 'S' }, fragments));
    });

    it('a file of an export, which is a message without its envelope', () => {
      const { start, end } = regFactuDocument({ ObligadoEmision: OBLIGADO });
      const alta = registroAltaFromInvoice(issued({ items: [item('100')] }), ESLABON);
      const fragments = registroXml(alta).repeat(2);
      schemas.validate(`${start}${fragments}${end}`);
      expect(() => schemas.validate(`${start}${fragments}<sum:Otro/>${end}`)).toThrow();
    });

    it('a thousand registros, and not one more', () => {
      const fragment = registroXml(registroAltaFromInvoice(issued(SAMPLES.f2), ESLABON));
      const many = (count: number) => message(...Array.from({ length: count }, () => fragment));
      schemas.validate(many(MAX_REGISTROS));
      expect(() => schemas.validate(many(MAX_REGISTROS + 1))).toThrow(/RegistroFactura/);
    });

    it('each kind of consulta', () => {
      const periodo = { Ejercicio: '2026', Periodo: '11' };
      const clave = {
        IDEmisorFactura: '89890001K',
        NumSerieFactura: 'A & B/1',
        FechaExpedicionFactura: '20-11-2026',
      };
      schemas.validate(consultaXml({ ObligadoEmision: OBLIGADO, ...periodo }));
      schemas.validate(
        consultaXml({
          ObligadoEmision: OBLIGADO,
          ...periodo,
          NumSerieFactura: clave.NumSerieFactura,
          FechaExpedicionFactura: clave.FechaExpedicionFactura,
          ClavePaginacion: clave,
        }),
      );
      const { IdSistemaInformatico, NumeroInstalacion, NombreRazon, NIF } = SISTEMA;
      schemas.validate(
        consultaXml({
          ObligadoEmision: OBLIGADO,
          ...periodo,
          SistemaInformatico: { NombreRazon, NIF, IdSistemaInformatico, NumeroInstalacion },
          muestraSistemaInformatico: true,
        }),
      );
    });

    it('any invoice whose registro passes our own table', () => {
      const text = fc.string({ unit: 'binary', maxLength: 600 });
      const anyItem = fc.record<InvoiceItemInput>({
        description: text,
        quantity: fc.integer({ min: 1, max: 99_999_999 }).map((n) => n / 10_000),
        price: fc.integer({ min: 0, max: 99_999_999 }).map((n) => n / 100),
        tax: fc.constantFrom('IVA21', 'IVA10', 'IVA4', 'IVA0', 'EXENTO20', 'ISP', 'NOSUJETO'),
      });
      const numSerie = fc.stringMatching(/^[0-9A-Z&/ _.-]{1,60}$/);
      const items = fc.array(anyItem, { minLength: 1, maxLength: 8 });
      let taken = 0;
      fc.assert(
        fc.property(items, text, numSerie, (lines, nombre, number) => {
          const invoice = issued({ items: lines, numSerie: number });
          const cliente = invoice.cliente && { ...invoice.cliente, nombre };
          const registro = registroAltaFromInvoice({ ...invoice, cliente }, ESLABON);
          if (checkEstructura(registro).length > 0) return; // Only blank texts, which are never issued.
          taken += 1;
          schemas.validate(message(registroXml(registro)));
        }),
      );
      expect(taken).toBeGreaterThan(50);
    });
  });

  describe('agree with our table on', () => {
    const withoutSignature = (elements: readonly XsdElemento[]) =>
      elements.filter(({ name }) => name !== 'Signature');

    it('RegistroAlta', () => {
      expect(REGISTRO_ALTA.map(comparable)).toEqual(withoutSignature(schemas.RegistroAlta));
    });

    it('RegistroAnulacion', () => {
      expect(REGISTRO_ANULACION.map(comparable)).toEqual(
        withoutSignature(schemas.RegistroAnulacion),
      );
    });

    it('Cabecera, in the parts that we send', () => {
      const sent = CABECERA.map(({ name }) => name);
      expect(CABECERA.map(comparable)).toEqual(
        schemas.Cabecera.filter(({ name }) => sent.includes(name)),
      );
    });

    it('how many registros a message may have', () => {
      expect(MAX_REGISTROS).toBe(schemas.maxRegistros);
    });
  });

  it('refuse a wrong order, a missing element and a wrong date', () => {
    const xml = message(registroXml(registroAltaFromInvoice(issued(SAMPLES.f2), ESLABON)));
    const total = '<sum1:ImporteTotal>22.00</sum1:ImporteTotal>';
    const swapped = xml
      .replace(total, '')
      .replace('<sum1:CuotaTotal>', `${total}<sum1:CuotaTotal>`);
    expect(() => schemas.validate(swapped)).toThrow(/ImporteTotal/);
    expect(() => schemas.validate(xml.replace(total, ''))).toThrow();
    expect(() => schemas.validate(xml.replaceAll('20-11-2026', '2026-11-20'))).toThrow(
      /FechaExpedicionFactura/,
    );
  });
});

/** One of our elements in the schema's terms: without our additional requirements. */
function comparable({ name, min, max, choice, content }: Elemento): XsdElemento {
  if (isBlock(content)) {
    return { name, min, max, isChoice: choice !== undefined, content: content.map(comparable) };
  }
  const { own: _own, pattern, enumeration, ...lengths } = content;
  return {
    name,
    min,
    max,
    isChoice: choice !== undefined,
    content: {
      ...lengths,
      ...(pattern && { pattern: pattern.source.replace(/^\^|\$$/g, '') }),
      ...(enumeration && { enumeration: enumeration.toSorted() }),
    },
  };
}
