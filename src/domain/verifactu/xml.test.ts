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
import { registroXml } from './xml.ts';

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

describe('the message', () => {
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
