import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  altaXml,
  anulacionXml,
  CLIENTE,
  destinatarios,
  EMISOR,
  envelope,
  extranjero,
  message,
  SISTEMA,
} from '../testing/messages.ts';
import { type TestService, testService } from '../testing/service.ts';
import { consultaFactu } from './consulta.ts';
import { Fault } from './fault.ts';
import { NS } from './namespaces.ts';
import { readEnvelope } from './soap.ts';

const PERIODO =
  '<c:PeriodoImputacion><s:Ejercicio>2026</s:Ejercicio><s:Periodo>11</s:Periodo></c:PeriodoImputacion>';
const DE_EMISOR = `<s:ObligadoEmision><s:NombreRazon>E</s:NombreRazon><s:NIF>${EMISOR}</s:NIF></s:ObligadoEmision>`;
const DE_CLIENTE = `<s:Destinatario><s:NombreRazon>C</s:NombreRazon><s:NIF>${CLIENTE}</s:NIF></s:Destinatario>`;
const DE_ASESOR = `${DE_EMISOR}<s:IndicadorRepresentante>S</s:IndicadorRepresentante>`;

function consulta(filtro = '', { cabecera = DE_EMISOR, periodo = PERIODO, datos = '' } = {}) {
  return envelope(
    `<c:ConsultaFactuSistemaFacturacion xmlns:c="${NS.consulta}" xmlns:s="${NS.sf}">` +
      `<c:Cabecera><s:IDVersion>1.0</s:IDVersion>${cabecera}</c:Cabecera>` +
      `<c:FiltroConsulta>${periodo}${filtro}</c:FiltroConsulta>${datos}` +
      '</c:ConsultaFactuSistemaFacturacion>',
  );
}

describe('consulta', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await testService();
    const registros = [
      altaXml('1', { Encadenamiento: { PrimerRegistro: 'S' }, RefExterna: 'pedido 1' }),
      altaXml('2', destinatarios(extranjero({ IDType: '02', ID: 'FR40303265045' }))),
      altaXml('3', { FechaOperacion: '31-10-2026' }),
      altaXml('4', { SistemaInformatico: { ...SISTEMA, NumeroInstalacion: '2' } }),
      altaXml('1', { Subsanacion: 'S', DescripcionOperacion: 'Corregida' }),
      anulacionXml('2'),
    ];
    expect(await service.send(message(registros))).toEqual(Array(6).fill('Correcto'));
  });
  afterAll(() => service.close());

  const ask = (xml: string, nif = EMISOR) =>
    consultaFactu(readEnvelope(Buffer.from(xml)), { nif, tipo: 'persona' }, service);
  const numbersIn = (xml: string) =>
    [...xml.matchAll(/<tikLRRC:IDFactura>.*?<tik:NumSerieFactura>(.*?)</g)].map(([, n]) => n);
  const numbers = async (...args: Parameters<typeof consulta>) =>
    numbersIn(await ask(consulta(...args)));

  it('gives the latest registro of each invoice of the month, by arrival', async () => {
    const answer = await ask(consulta());
    expect(numbersIn(answer)).toEqual(['4', '1', '2']);
    expect(answer).toContain('<tikLRRC:ResultadoConsulta>ConDatos<');
    expect(answer).toContain('<tikLRRC:IndicadorPaginacion>N<');
    expect(answer).toContain('<tikLRRC:DescripcionOperacion>Corregida<');
    expect(answer).not.toMatch(/SistemaInformatico|NombreRazonEmisor|CSV/);
  });

  it('fills in the defaults and says of an annulled one only its anulación', async () => {
    const [one] = /<tikLRRC:Registro.*/.exec(await ask(consulta(numero('1')))) ?? [''];
    expect(one).toContain('<tik:Impuesto>01</tik:Impuesto>');
    expect(one).toContain('<tikLRRC:Cupon>N</tikLRRC:Cupon>');
    expect(one).toContain('<tikLRRC:EstadoRegistro>Correcto</tikLRRC:EstadoRegistro>');
    const two = await ask(consulta(numero('2')));
    expect(two).toContain('<tikLRRC:EstadoRegistro>Anulado</tikLRRC:EstadoRegistro>');
    expect(two).not.toContain('Desglose');
  });

  it('puts an invoice in the month of its operation', async () => {
    expect(await numbers('', { periodo: PERIODO.replace('>11<', '>10<') })).toEqual(['3']);
  });

  it('filters', async () => {
    expect(await numbers(numero('4'))).toEqual(['4']);
    expect(await numbers(contraparte(CLIENTE))).toEqual(['4', '1']);
    expect(await numbers('<c:RefExterna>pedido 1</c:RefExterna>')).toEqual([]);
    expect(await numbers(rango('01-11-2026', '19-11-2026'))).toEqual([]);
    expect(await numbers(rango('20-11-2026', '21-11-2026'))).toEqual(['4', '1', '2']);
    expect(await numbers(installation('2'))).toEqual(['4']);
  });

  it('shows issuer and SIF when asked', async () => {
    const datos =
      '<c:DatosAdicionalesRespuesta><c:MostrarNombreRazonEmisor>S</c:MostrarNombreRazonEmisor><c:MostrarSistemaInformatico>S</c:MostrarSistemaInformatico></c:DatosAdicionalesRespuesta>';
    const answer = await ask(consulta(numero('1'), { datos }));
    expect(answer).toContain('<tikLRRC:NombreRazonEmisor>EMISOR DE PRUEBAS<');
    expect(answer).toContain('<tikLRRC:SistemaInformatico><tik:NombreRazon>PRODUCTOR DE PRUEBAS<');
  });

  it('goes by pages', async () => {
    service.behaviour.change({ registrosPorConsulta: 2 });
    const first = await ask(consulta());
    expect(numbersIn(first)).toEqual(['4', '1']);
    expect(first).toContain('<tikLRRC:IndicadorPaginacion>S<');
    const key = /<tikLRRC:ClavePaginacion>(.*)<\/tikLRRC:ClavePaginacion>/.exec(first)?.[1];
    const next = `<c:ClavePaginacion>${key?.replaceAll('tik:', 's:')}</c:ClavePaginacion>`;
    const second = await ask(consulta(next));
    expect(numbersIn(second)).toEqual(['2']);
    expect(second).not.toContain('ClavePaginacion');
    service.behaviour.change({ registrosPorConsulta: 10_000 });
  });

  it('lets a recipient see what was issued to it', async () => {
    const xml = consulta('', { cabecera: DE_CLIENTE });
    expect(numbersIn(await ask(xml, CLIENTE))).toEqual(['4', '1']);
  });

  it('lets who has power ask for an obligado, and who made registros for it see those alone', async () => {
    const GESTORIA = 'B12345674';
    const own = consulta('', { cabecera: DE_ASESOR });
    expect(numbersIn(await ask(own, GESTORIA))).toEqual([]);
    await service.send(
      message([altaXml('5')], { Representante: { NIF: GESTORIA, NombreRazon: 'Gestoría' } }),
    );
    expect(numbersIn(await ask(own, GESTORIA))).toEqual(['5']);
    service.behaviour.change({ apoderados: { [EMISOR]: [GESTORIA] } });
    expect(numbersIn(await ask(consulta(), GESTORIA))).toEqual(['4', '1', '2', '5']);
    service.behaviour.change({ apoderados: {} });
  });

  it('says when there is nothing', async () => {
    const answer = await ask(consulta(numero('NO')));
    expect(answer).toContain('<tikLRRC:ResultadoConsulta>SinDatos<');
  });

  const MOSTRAR =
    '<c:DatosAdicionalesRespuesta><c:MostrarSistemaInformatico>S</c:MostrarSistemaInformatico></c:DatosAdicionalesRespuesta>';
  it.each([
    [1250, consulta(rango('20-11-2026', '20-11-2026')), EMISOR],
    [4112, consulta(), CLIENTE],
    [4132, consulta('', { cabecera: DE_CLIENTE }), EMISOR],
    [1272, consulta('', { cabecera: DE_CLIENTE, datos: MOSTRAR }), CLIENTE],
    [
      1261,
      consulta('', {
        cabecera: `${DE_CLIENTE}<s:IndicadorRepresentante>S</s:IndicadorRepresentante>`,
      }),
      CLIENTE,
    ],
    [1248, consulta('', { periodo: PERIODO.replace('>11<', '>13<') }), EMISOR],
    [4102, consulta('', { periodo: '' }), EMISOR],
  ])('refuses with %i', async (code, xml, nif) => {
    const error = await ask(xml, nif).catch((fault: unknown) => fault);
    expect(error).toBeInstanceOf(Fault);
    expect(error).toMatchObject({ code });
  });
});

function numero(value: string) {
  return `<c:NumSerieFactura>${value}</c:NumSerieFactura>`;
}

function contraparte(nif: string) {
  return `<c:Contraparte><s:NombreRazon>C</s:NombreRazon><s:NIF>${nif}</s:NIF></c:Contraparte>`;
}

function rango(desde: string, hasta: string) {
  return `<c:FechaExpedicionFactura><s:RangoFechaExpedicion><s:Desde>${desde}</s:Desde><s:Hasta>${hasta}</s:Hasta></s:RangoFechaExpedicion></c:FechaExpedicionFactura>`;
}

function installation(value: string) {
  return `<c:SistemaInformatico><s:NombreRazon>P</s:NombreRazon><s:NIF>${SISTEMA.NIF}</s:NIF><s:IdSistemaInformatico>P1</s:IdSistemaInformatico><s:NumeroInstalacion>${value}</s:NumeroInstalacion></c:SistemaInformatico>`;
}
