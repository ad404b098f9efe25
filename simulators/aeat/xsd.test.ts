import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';
import { xmlRegisterFsInputProviders } from 'libxml2-wasm/lib/nodejs.mjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  altaXml,
  anulacionXml,
  CLIENTE_CON_NIF,
  desglose,
  detalle,
  EMISOR,
  envelope,
  extranjero,
  message,
  type Values,
} from '../testing/messages.ts';
import { type TestService, testService } from '../testing/service.ts';
import { consultaFactu } from './consulta.ts';
import { NS } from './namespaces.ts';
import { readEnvelope } from './soap.ts';

/** Schemas of the AEAT; they are not part of this repository. */
const DIR = resolve(process.env.AEAT_XSD ?? '../shared/aeat/xsd');
const isThere = existsSync(DIR);
if (!isThere) console.warn(`Sin esquemas de la AEAT en ${DIR} (AEAT_XSD): se saltan.`);

const FACTURAS = [
  { IDEmisorFactura: EMISOR, NumSerieFactura: 'A', FechaExpedicionFactura: '01-11-2026' },
  { IDEmisorFactura: EMISOR, NumSerieFactura: 'B', FechaExpedicionFactura: '02-11-2026' },
];
const FRANCES = extranjero({ CodigoPais: 'FR', IDType: '02', ID: 'FR40303265045' });

/** Every field there is: not a sensible invoice, but each in its place. */
const EVERYTHING: Values = {
  RefExterna: 'pedido',
  Subsanacion: 'S',
  RechazoPrevio: 'X',
  TipoFactura: 'R1',
  TipoRectificativa: 'S',
  FacturasRectificadas: { IDFacturaRectificada: FACTURAS },
  FacturasSustituidas: { IDFacturaSustituida: FACTURAS },
  ImporteRectificacion: {
    BaseRectificada: '1.00',
    CuotaRectificada: '0.21',
    CuotaRecargoRectificado: '0.05',
  },
  FechaOperacion: '19-11-2026',
  FacturaSimplificadaArt7273: 'N',
  FacturaSinIdentifDestinatarioArt61d: 'N',
  Macrodato: 'N',
  EmitidaPorTerceroODestinatario: 'T',
  Tercero: CLIENTE_CON_NIF,
  Destinatarios: { IDDestinatario: [CLIENTE_CON_NIF, FRANCES] },
  Cupon: 'S',
  ...desglose(
    detalle({
      Impuesto: '01',
      BaseImponibleACoste: '1',
      TipoRecargoEquivalencia: '5.2',
      CuotaRecargoEquivalencia: '5.20',
    }),
    detalle({ CalificacionOperacion: undefined, OperacionExenta: 'E1' }),
  ),
  NumRegistroAcuerdoFacturacion: '1',
  IdAcuerdoSistemaInformatico: '2',
};
const GENERADOR: Values = {
  RefExterna: 'baja',
  SinRegistroPrevio: 'S',
  RechazoPrevio: 'N',
  GeneradoPor: 'D',
  Generador: FRANCES,
};

describe.skipIf(!isThere)('the tables and the answers against the official schemas', () => {
  let service: TestService;
  const validators = new Map<string, XsdValidator>();

  beforeAll(async () => {
    xmlRegisterFsInputProviders();
    for (const name of ['SuministroLR', 'RespuestaSuministro', 'RespuestaConsultaLR']) {
      const url = join(DIR, `${name}.xsd`);
      const document = XmlDocument.fromBuffer(readFileSync(url), { url });
      validators.set(name, XsdValidator.fromDoc(document));
      document.dispose();
    }
    service = await testService();
  });
  afterAll(async () => {
    for (const validator of validators.values()) validator.dispose();
    await service.close();
  });

  /** Validates what goes inside the SOAP Body. */
  const validate = (schema: string, soap: string) => {
    const body = /<(?:e|env):Body[^>]*>(.*)<\/(?:e|env):Body>/s.exec(soap)?.[1] ?? '';
    const document = XmlDocument.fromString(body);
    try {
      validators.get(schema)?.validate(document);
    } finally {
      document.dispose();
    }
  };

  it('reads every field where the schema puts it', async () => {
    const cabecera = {
      Representante: CLIENTE_CON_NIF,
      RemisionVoluntaria: { FechaFinVeriFactu: '31-12-2026', Incidencia: 'S' },
    };
    const xml = message([altaXml('1', EVERYTHING), anulacionXml('2', GENERADOR)], cabecera);
    expect(() => validate('SuministroLR', xml)).not.toThrow();
    expect(() => validate('SuministroLR', xml.replaceAll('TipoHuella', 'Huella'))).toThrow();
    // The reader takes it too: what it refuses is the sense, and not the structure.
    expect(await service.send(xml)).toEqual(['Incorrecto 1116', 'Correcto']);
  });

  it('answers to a message as the schema says', async () => {
    const answer = await service.answer(
      message(
        [
          altaXml('10', { RefExterna: 'x' }),
          altaXml('11', { Huella: 'B'.repeat(64) }),
          altaXml('11'),
          altaXml('12', { Destinatarios: undefined }),
          anulacionXml('10', { RechazoPrevio: 'S' }),
          altaXml('10'),
        ],
        { RemisionVoluntaria: { Incidencia: 'S' } },
      ),
    );
    expect(() => validate('RespuestaSuministro', answer)).not.toThrow();
  });

  it('answers to a query as the schema says', async () => {
    service.behaviour.change({ acuerdos: ['1', '2'], registrosPorConsulta: 4 });
    const rectificativa = {
      ...EVERYTHING,
      FacturasSustituidas: undefined,
      Destinatarios: { IDDestinatario: [CLIENTE_CON_NIF] },
      Tercero: { NombreRazon: 'GESTORÍA', NIF: 'B12345674' },
      ...desglose(detalle()),
    };
    const outcomes = await service.send(
      message([
        altaXml('20', rectificativa),
        altaXml('21', { Encadenamiento: { PrimerRegistro: 'S' }, Huella: 'B'.repeat(64) }),
        anulacionXml('22', GENERADOR),
      ]),
    );
    expect(outcomes).toEqual(['Correcto', 'AceptadoConErrores 2000', 'Correcto']);

    const xml = envelope(
      `<c:ConsultaFactuSistemaFacturacion xmlns:c="${NS.consulta}" xmlns:s="${NS.sf}">` +
        `<c:Cabecera><s:IDVersion>1.0</s:IDVersion><s:ObligadoEmision><s:NombreRazon>E</s:NombreRazon><s:NIF>${EMISOR}</s:NIF></s:ObligadoEmision></c:Cabecera>` +
        '<c:FiltroConsulta><c:PeriodoImputacion><s:Ejercicio>2026</s:Ejercicio><s:Periodo>11</s:Periodo></c:PeriodoImputacion></c:FiltroConsulta>' +
        '<c:DatosAdicionalesRespuesta><c:MostrarNombreRazonEmisor>S</c:MostrarNombreRazonEmisor><c:MostrarSistemaInformatico>S</c:MostrarSistemaInformatico></c:DatosAdicionalesRespuesta>' +
        '</c:ConsultaFactuSistemaFacturacion>',
    );
    const holder = { nif: EMISOR, tipo: 'persona' } as const;
    const answer = await consultaFactu(readEnvelope(Buffer.from(xml)), holder, service);
    expect(answer).toContain('ClavePaginacion');
    expect(() => validate('RespuestaConsultaLR', answer)).not.toThrow();
  });
});
