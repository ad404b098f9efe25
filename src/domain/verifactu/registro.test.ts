import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  AHORA,
  CLIENTE,
  CLIENTE_EXT,
  issued,
  item,
  ORIGINAL,
  SAMPLES,
  SISTEMA,
} from '../../../tests/fixtures/verifactu/invoices.ts';
import type { Original } from '../issue.ts';
import type { InvoiceItemInput } from '../totals.ts';
import { checkEstructura } from './estructura.ts';
import { huellaAlta, huellaAnulacion } from './huella.ts';
import { type Anterior, registroAltaFromInvoice, registroAnulacionOf } from './registro.ts';

const ESLABON = { anterior: null, SistemaInformatico: SISTEMA, FechaHoraHusoGenRegistro: AHORA };
const ANTERIOR: Anterior = {
  IDEmisorFactura: '89890001K',
  NumSerieFactura: '00000/LO',
  FechaExpedicionFactura: '19-11-2026',
  Huella: 'F'.repeat(64),
};
const alta = (name: keyof typeof SAMPLES, contexto = {}) =>
  registroAltaFromInvoice(issued(SAMPLES[name]), { ...ESLABON, ...contexto });

describe('a RegistroAlta', () => {
  it.each(Object.keys(SAMPLES) as (keyof typeof SAMPLES)[])(
    'for %s has the structure that the AEAT requires',
    (name) => {
      expect(checkEstructura(alta(name))).toEqual([]);
    },
  );

  it('hashes the very strings that it sends', () => {
    const registro = alta('f1-dos-tipos', { anterior: ANTERIOR });
    expect(registro).toMatchObject({
      CuotaTotal: '21.40',
      ImporteTotal: '131.40',
      Encadenamiento: { RegistroAnterior: ANTERIOR },
      Huella: huellaAlta({
        ...registro.IDFactura,
        TipoFactura: 'F1',
        CuotaTotal: '21.40',
        ImporteTotal: '131.40',
        HuellaAnterior: ANTERIOR.Huella,
        FechaHoraHusoGenRegistro: AHORA,
      }),
    });
  });

  it('opens the cadena with PrimerRegistro', () => {
    expect(alta('f2').Encadenamiento).toEqual({ PrimerRegistro: 'S' });
  });

  it('names the customer unless it is simplified', () => {
    expect(alta('f1-exenta').Destinatarios?.IDDestinatario).toEqual([
      { NombreRazon: CLIENTE.nombre, NIF: CLIENTE.nif },
    ]);
    const simplified = issued({ ...SAMPLES.f2, cliente: CLIENTE });
    expect(
      registroAltaFromInvoice({ ...simplified, cliente: CLIENTE }, ESLABON),
    ).not.toHaveProperty('Destinatarios');
  });

  it('identifies a foreigner by NIF-IVA without country, or by another document with it', () => {
    expect(alta('f1-entrega-ue').Destinatarios?.IDDestinatario[0]?.IDOtro).toEqual({
      IDType: '02',
      ID: 'DE136695976',
    });
    expect(alta('f1-exportacion').Destinatarios?.IDDestinatario[0]?.IDOtro).toEqual({
      CodigoPais: 'US',
      IDType: '04',
      ID: '12-3456789',
    });
  });

  it.each([
    ['AX', 'FI'],
    ['BL', 'FR'],
    ['EH', 'QU'],
    ['GF', 'FR'],
    ['GP', 'FR'],
    ['MF', 'FR'],
    ['MQ', 'FR'],
    ['SJ', 'NO'],
    ['MC', 'MC'],
  ])('of a customer in %s sends %s, which is in the AEAT’s list', (iso, CodigoPais) => {
    const cliente = {
      ...CLIENTE_EXT,
      idOtro: { CodigoPais: iso, IDType: '04' as const, ID: '1234' },
    };
    const registro = registroAltaFromInvoice(
      issued({ items: [item('10', 'EXPORT')], cliente }),
      ESLABON,
    );
    expect(registro.Destinatarios?.IDDestinatario[0]?.IDOtro?.CodigoPais).toBe(CodigoPais);
    expect(checkEstructura(registro)).toEqual([]);
  });

  it('cuts each text to what the AEAT admits, and not a character shorter', () => {
    const text = (length: number) => 'ñ'.repeat(length);
    const long = issued(SAMPLES['f1-exportacion']);
    const cliente = {
      ...CLIENTE_EXT,
      nombre: text(121),
      idOtro: { CodigoPais: 'US', IDType: '04' as const, ID: text(21) },
    };
    const registro = registroAltaFromInvoice(
      {
        ...long,
        emisor: { ...long.emisor, nombre: text(121) },
        descripcionOperacion: text(501),
        cliente,
      },
      ESLABON,
    );
    expect(registro).toMatchObject({
      NombreRazonEmisor: text(120),
      DescripcionOperacion: text(500),
      Destinatarios: { IDDestinatario: [{ NombreRazon: text(120), IDOtro: { ID: text(20) } }] },
    });
    expect(checkEstructura(registro)).toEqual([]);
  });

  it('states rate and quota for what is subject and not exempt, and for nothing else', () => {
    const lines = alta('f1-todos-los-tipos').Desglose.DetalleDesglose;
    const withRate = lines.filter((line) => line.TipoImpositivo !== undefined);
    expect(withRate.map((line) => [line.CalificacionOperacion, line.TipoImpositivo])).toEqual([
      ['S1', '21'],
      ['S1', '10'],
      ['S1', '4'],
      ['S1', '0'],
      ['S2', '0'],
    ]);
    for (const line of lines) {
      expect(line.CuotaRepercutida === undefined).toBe(line.TipoImpositivo === undefined);
    }
  });

  it('includes the recargo in CuotaTotal and ImporteTotal, and omits one of zero', () => {
    const registro = alta('f1-recargo');
    expect(registro).toMatchObject({ CuotaTotal: '26.20', ImporteTotal: '131.20' });
    expect(registro.Desglose.DetalleDesglose).toMatchObject([
      { TipoImpositivo: '21', TipoRecargoEquivalencia: '5.2', CuotaRecargoEquivalencia: '5.20' },
      { TipoImpositivo: '0' },
    ]);
    expect(registro.Desglose.DetalleDesglose[1]).not.toHaveProperty('TipoRecargoEquivalencia');
  });

  it('por diferencias is negative; por sustitución states once what it replaces', () => {
    expect(alta('r1-diferencias')).toMatchObject({
      TipoRectificativa: 'I',
      CuotaTotal: '-21.40',
      ImporteTotal: '-131.40',
      FacturasRectificadas: {
        IDFacturaRectificada: [
          {
            IDEmisorFactura: '89890001K',
            NumSerieFactura: ORIGINAL.numSerie,
            FechaExpedicionFactura: '10-11-2026',
          },
        ],
      },
    });
    expect(alta('r1-diferencias')).not.toHaveProperty('ImporteRectificacion');
    expect(alta('r1-sustitucion')).toMatchObject({
      TipoRectificativa: 'S',
      ImporteTotal: '119.30',
      ImporteRectificacion: { BaseRectificada: '110.00', CuotaRectificada: '21.40' },
    });
    expect(alta('r1-sustitucion-con-recargo').ImporteRectificacion).toEqual({
      BaseRectificada: '100.00',
      CuotaRectificada: '21.00',
      CuotaRecargoRectificado: '5.20',
    });
  });

  it.each(['Nº 1', 'AÑO-1', '1=A', '1"A', "1'A", '1<A', '1>A'])(
    'omits an original called %s, whose number may not be sent',
    (numSerie) => {
      const naming = (...originals: readonly Original[]) =>
        registroAltaFromInvoice(issued({ ...SAMPLES['r1-diferencias'], originals }), ESLABON);
      const odd = { ...ORIGINAL, numSerie, externa: true };
      expect(
        naming(odd, ORIGINAL).FacturasRectificadas?.IDFacturaRectificada.map(
          ({ NumSerieFactura }) => NumSerieFactura,
        ),
      ).toEqual([ORIGINAL.numSerie]);
      expect(naming(odd)).not.toHaveProperty('FacturasRectificadas');
      expect(naming(odd).TipoRectificativa).toBe('I');
    },
  );

  it('names an original by any number that the AEAT admits: printable ASCII but five characters', () => {
    const admitted = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).filter(
      (character) => !'"\'<>='.includes(character),
    );
    expect(admitted).toHaveLength(90);
    const originals = admitted.map((character) => ({ ...ORIGINAL, numSerie: `1${character}1` }));
    const registro = registroAltaFromInvoice(
      issued({ ...SAMPLES['r1-diferencias'], originals }),
      ESLABON,
    );
    expect(
      registro.FacturasRectificadas?.IDFacturaRectificada.map(
        ({ NumSerieFactura }) => NumSerieFactura,
      ),
    ).toEqual(originals.map(({ numSerie }) => numSerie));
    expect(checkEstructura(registro)).toEqual([]);
  });

  it('of an F3 replaces and does not rectify', () => {
    const registro = alta('f3');
    expect(registro.FacturasSustituidas?.IDFacturaSustituida).toHaveLength(1);
    expect(registro).not.toHaveProperty('FacturasRectificadas');
    expect(registro).not.toHaveProperty('TipoRectificativa');
  });

  it('is a Macrodato from a hundred million, and not a cent before', () => {
    expect(alta('f1-cien-millones').Macrodato).toBe('S');
    const below = issued({ items: [item('99999999,99', 'EXENTO20')] });
    expect(registroAltaFromInvoice(below, ESLABON)).not.toHaveProperty('Macrodato');
    const negative = { ...below, total: '-100000000.00' };
    expect(registroAltaFromInvoice(negative, ESLABON).Macrodato).toBe('S');
    const negativeBelow = { ...below, total: '-99999999.99' };
    expect(registroAltaFromInvoice(negativeBelow, ESLABON)).not.toHaveProperty('Macrodato');
  });

  it('contains the date of the operation only if it differs', () => {
    expect(alta('f1-fecha-operacion').FechaOperacion).toBe('15-11-2026');
    expect(alta('f1-exenta')).not.toHaveProperty('FechaOperacion');
  });

  it('of a correction is marked as one', () => {
    expect(alta('f1-exenta', { Subsanacion: 'S', RechazoPrevio: 'X' })).toMatchObject({
      Subsanacion: 'S',
      RechazoPrevio: 'X',
    });
  });

  it('por diferencias mirrors its invoice to the cent', () => {
    const lines = fc.array(
      fc.record<InvoiceItemInput>({
        description: fc.constant('Algo'),
        quantity: fc.integer({ min: 1, max: 9_999_999 }).map((n) => n / 10_000),
        price: fc.integer({ min: 1, max: 9_999_999 }).map((n) => n / 100),
        tax: fc.constantFrom('IVA21', 'IVA10', 'IVA4', 'EXENTO20'),
      }),
      { minLength: 1, maxLength: 12 },
    );
    fc.assert(
      fc.property(lines, (items) => {
        const invoice = registroAltaFromInvoice(issued({ items }), ESLABON);
        const draft = { type: 'abono', invoiceToRectify: '1' } as const;
        const mirror = registroAltaFromInvoice(
          issued({ items, draft, originals: [ORIGINAL] }),
          ESLABON,
        );
        const opposite = (amount: string) => (/^0\.00$/.test(amount) ? amount : `-${amount}`);
        expect(mirror.ImporteTotal).toBe(opposite(invoice.ImporteTotal));
        expect(mirror.CuotaTotal).toBe(opposite(invoice.CuotaTotal));
      }),
    );
  });
});

describe('a RegistroAnulacion', () => {
  const invoice = issued({ items: [item('100')] });

  it('hashes its five fields and has the structure that the AEAT requires', () => {
    const registro = registroAnulacionOf(invoice, { ...ESLABON, anterior: ANTERIOR });
    expect(checkEstructura(registro)).toEqual([]);
    expect(registro.Huella).toBe(
      huellaAnulacion({
        IDEmisorFacturaAnulada: '89890001K',
        NumSerieFacturaAnulada: '00001/LO',
        FechaExpedicionFacturaAnulada: '20-11-2026',
        HuellaAnterior: ANTERIOR.Huella,
        FechaHoraHusoGenRegistro: AHORA,
      }),
    );
  });

  it('says when the AEAT never held the invoice, or refused to annul it', () => {
    const flags = { SinRegistroPrevio: 'S', RechazoPrevio: 'S' } as const;
    expect(registroAnulacionOf(invoice, { ...ESLABON, ...flags })).toMatchObject(flags);
  });
});
