import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  AHORA,
  issued,
  item,
  SAMPLES,
  SISTEMA,
} from '../../../tests/fixtures/verifactu/invoices.ts';
import { regFactuXml } from '../../../tests/support/verifactu.ts';
import { registroAltaFromInvoice, registroAnulacionOf } from './registro.ts';
import { fragmentsOf, regFactuDocument, registroDocument, registroXml } from './xml.ts';

const ESLABON = { anterior: null, SistemaInformatico: SISTEMA, FechaHoraHusoGenRegistro: AHORA };
const OBLIGADO = { NombreRazon: 'Uno & Cía.', NIF: '89890001K' };

const expected = (name: string) =>
  fileURLToPath(new URL(`../../../tests/fixtures/verifactu/xml/${name}.xml`, import.meta.url));
/** For readability: one element with text per line. */
const readable = (xml: string) => `${xml.replace(/(<[^<]*>)(?=<)/g, '$1\n')}\n`;

describe('the XML of a registro', () => {
  it.each(Object.entries(SAMPLES))('of %s is the one on file', async (name, sample) => {
    const xml = registroXml(registroAltaFromInvoice(issued(sample), ESLABON));
    await expect(readable(xml)).toMatchFileSnapshot(expected(name));
  });

  it('of a correction and of two anulaciones are the ones on file', async () => {
    const invoice = issued({ items: [item('100')] });
    const correction = registroAltaFromInvoice(invoice, {
      ...ESLABON,
      Subsanacion: 'S',
      RechazoPrevio: 'X',
    });
    await expect(readable(registroXml(correction))).toMatchFileSnapshot(expected('correccion'));
    const anulacion = registroAnulacionOf(invoice, ESLABON);
    await expect(readable(registroXml(anulacion))).toMatchFileSnapshot(expected('anulacion'));
    const neverHeld = registroAnulacionOf(invoice, {
      ...ESLABON,
      SinRegistroPrevio: 'S',
      RechazoPrevio: 'S',
    });
    await expect(readable(registroXml(neverHeld))).toMatchFileSnapshot(
      expected('anulacion-sin-registro-previo'),
    );
  });
});

/** Namespaces of the AEAT’s schemas, and SOAP 1.1. */
const AEAT =
  'https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws';
const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';
const DECLARED = ` xmlns:sum="${AEAT}/SuministroLR.xsd" xmlns:sum1="${AEAT}/SuministroInformacion.xsd"`;
const SOAP = 'http://schemas.xmlsoap.org/soap/envelope/';
const CABECERA =
  '<sum:Cabecera><sum1:ObligadoEmision><sum1:NombreRazon>Uno &amp; Cía.</sum1:NombreRazon>' +
  '<sum1:NIF>89890001K</sum1:NIF></sum1:ObligadoEmision></sum:Cabecera>';

describe('the message', () => {
  it('is this, to the last character', () => {
    expect(regFactuXml({ ObligadoEmision: OBLIGADO }, ['<a/>'])).toBe(
      `${DECLARATION}<soapenv:Envelope xmlns:soapenv="${SOAP}"${DECLARED}><soapenv:Header/><soapenv:Body>` +
        `<sum:RegFactuSistemaFacturacion>${CABECERA}<a/></sum:RegFactuSistemaFacturacion>` +
        '</soapenv:Body></soapenv:Envelope>',
    );
  });

  it('has no more of the obligado’s name than the AEAT admits', () => {
    const long = { ...OBLIGADO, NombreRazon: 'ñ'.repeat(121) };
    expect(regFactuXml({ ObligadoEmision: long }, [])).toContain(
      `<sum1:NombreRazon>${'ñ'.repeat(120)}</sum1:NombreRazon>`,
    );
  });

  it('declares the namespaces once and keeps the fragments as they are', () => {
    const message = regFactuXml({ ObligadoEmision: OBLIGADO }, ['<a/>', '<b/>']);
    expect(message).toContain('<sum1:NombreRazon>Uno &amp; Cía.</sum1:NombreRazon>');
    expect(message).toContain('</sum:Cabecera><a/><b/></sum:RegFactuSistemaFacturacion>');
    expect(message.match(/xmlns:/g)).toHaveLength(3);
    expect(message).not.toContain('Incidencia');
  });

  it('contains Incidencia only if there is one', () => {
    expect(regFactuXml({ ObligadoEmision: OBLIGADO, Incidencia: 'S' }, [])).toContain(
      '<sum1:RemisionVoluntaria><sum1:Incidencia>S</sum1:Incidencia></sum1:RemisionVoluntaria>',
    );
    expect(regFactuXml({ ObligadoEmision: OBLIGADO, Incidencia: 'N' }, [])).not.toContain('Incid');
  });
});

describe('stored fragments as documents', () => {
  const fragment = registroXml(registroAltaFromInvoice(issued({ items: [item('100')] }), ESLABON));

  it('one declares its prefixes and is otherwise unchanged', () => {
    expect(registroDocument(fragment)).toBe(
      fragment.replace('<sum:RegistroFactura', `${DECLARATION}<sum:RegistroFactura${DECLARED}`),
    );
    expect(registroDocument(`<!-- -->${fragment}`)).toBe(`<!-- -->${fragment}`);
  });

  it('several follow the Cabecera, and are found again', () => {
    const { start, end } = regFactuDocument({ ObligadoEmision: OBLIGADO });
    expect(start).toBe(`${DECLARATION}<sum:RegFactuSistemaFacturacion${DECLARED}>${CABECERA}`);
    expect(end).toBe('</sum:RegFactuSistemaFacturacion>');
    expect(fragmentsOf(start + end)).toEqual([]);
    expect(fragmentsOf(`${start}${fragment}\n${fragment}${end}`)).toEqual([fragment, fragment]);
    // One that was cut goes as far as it is left, and one that holds the end of another keeps it.
    const cut = fragment.slice(0, -5);
    expect(fragmentsOf(start + cut + fragment + end)).toEqual([cut, fragment]);
    const twice = `${fragment}x</sum:RegistroFactura>`;
    expect(fragmentsOf(start + twice + end)).toEqual([twice]);
  });
});
