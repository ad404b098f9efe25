import { describe, expect, it } from 'vitest';
import { consultaXml, parseConsulta } from './consulta.ts';

const WS =
  'https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws/';
const CONSULTA = {
  ObligadoEmision: { NombreRazon: 'Uno & Cía.', NIF: '89890001K' },
  Ejercicio: '2026',
  Periodo: '11',
};
const HUELLA = 'A'.repeat(64);

function answer(inner: string): string {
  return `<env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/"><env:Body>
    <c:RespuestaConsultaFactuSistemaFacturacion xmlns:c="${WS}RespuestaConsultaLR.xsd" xmlns:tik="${WS}SuministroInformacion.xsd">
    ${inner}</c:RespuestaConsultaFactuSistemaFacturacion></env:Body></env:Envelope>`;
}
const result = (datos: string, pagina = 'N') =>
  `<c:IndicadorPaginacion>${pagina}</c:IndicadorPaginacion><c:ResultadoConsulta>${datos}</c:ResultadoConsulta>`;
const clave = (numero: string) => `<tik:IDEmisorFactura>89890001K</tik:IDEmisorFactura>
  <tik:NumSerieFactura>${numero}</tik:NumSerieFactura>
  <tik:FechaExpedicionFactura>20-11-2026</tik:FechaExpedicionFactura>`;
const registro = (estado: string, encadenamiento = '<c:PrimerRegistro>S</c:PrimerRegistro>') => `
  <c:RegistroRespuestaConsultaFactuSistemaFacturacion>
    <c:IDFactura>${clave('00001/LO')}</c:IDFactura>
    <c:DatosRegistroFacturacion>
      <c:TipoFactura>F1</c:TipoFactura><c:ImporteTotal>121.00</c:ImporteTotal>
      <c:Encadenamiento>${encadenamiento}</c:Encadenamiento>
      <c:FechaHoraHusoGenRegistro>2026-11-20T10:00:37+01:00</c:FechaHoraHusoGenRegistro>
      <c:Huella>${HUELLA}</c:Huella>
    </c:DatosRegistroFacturacion>
    <c:EstadoRegistro><c:EstadoRegistro>${estado}</c:EstadoRegistro></c:EstadoRegistro>
  </c:RegistroRespuestaConsultaFactuSistemaFacturacion>`;

describe('consultaXml', () => {
  it('asks for a month, with the period in the namespace of its type', () => {
    const xml = consultaXml(CONSULTA);
    expect(xml).toContain(
      '<con:PeriodoImputacion><sum1:Ejercicio>2026</sum1:Ejercicio><sum1:Periodo>11</sum1:Periodo></con:PeriodoImputacion>',
    );
    expect(xml).toContain('<sum1:NombreRazon>Uno &amp; Cía.</sum1:NombreRazon>');
    expect(xml).not.toContain('ClavePaginacion');
  });

  it('asks for one invoice, and for the next page', () => {
    const xml = consultaXml({
      ...CONSULTA,
      NumSerieFactura: 'A & B/1',
      ClavePaginacion: {
        IDEmisorFactura: '89890001K',
        NumSerieFactura: '00001/LO',
        FechaExpedicionFactura: '20-11-2026',
      },
    });
    expect(xml).toContain('<con:NumSerieFactura>A &amp; B/1</con:NumSerieFactura>');
    expect(xml).toContain('<con:ClavePaginacion><sum1:IDEmisorFactura>89890001K<');
  });
});

describe('parseConsulta', () => {
  it('reads each invoice with its huella and the one before', () => {
    const anterior = `<c:RegistroAnterior>${clave('00000/LO')}<tik:Huella>${'B'.repeat(64)}</tik:Huella></c:RegistroAnterior>`;
    const body = answer(
      result('ConDatos') + registro('Correcto') + registro('AceptadoConErrores', anterior),
    );
    expect(parseConsulta(body)).toMatchObject({
      kind: 'consulta',
      registros: [
        {
          NumSerieFactura: '00001/LO',
          FechaExpedicionFactura: '20-11-2026',
          ImporteTotal: '121.00',
          Huella: HUELLA,
          HuellaAnterior: '',
          EstadoRegistro: 'Correcto',
        },
        { HuellaAnterior: 'B'.repeat(64), EstadoRegistro: 'AceptadoConErrores' },
      ],
    });
  });

  it.each([
    ['Correcta', 'Correcto'],
    ['AceptadaConErrores', 'AceptadoConErrores'],
    ['Anulada', 'Anulado'],
  ])('reads the AEAT’s %s as %s', (estado, expected) => {
    expect(parseConsulta(answer(result('ConDatos') + registro(estado)))).toMatchObject({
      registros: [{ EstadoRegistro: expected }],
    });
  });

  it('says which month it answers', () => {
    const periodo =
      '<c:PeriodoImputacion><c:Ejercicio>2026</c:Ejercicio><c:Periodo>11</c:Periodo></c:PeriodoImputacion>';
    expect(parseConsulta(answer(periodo + result('SinDatos')))).toMatchObject({
      periodo: '2026-11',
    });
  });

  it('has no registros if there are none', () => {
    expect(parseConsulta(answer(result('SinDatos')))).toEqual({ kind: 'consulta', registros: [] });
  });

  it('returns the key of the next page only if there is one', () => {
    const page = `<c:ClavePaginacion>${clave('00009/LO')}</c:ClavePaginacion>`;
    expect(parseConsulta(answer(result('ConDatos', 'S') + page))).toMatchObject({
      ClavePaginacion: { NumSerieFactura: '00009/LO' },
    });
    expect(parseConsulta(answer(result('ConDatos', 'N')))).not.toHaveProperty('ClavePaginacion');
    expect(parseConsulta(answer(result('ConDatos', 'S')))).toEqual({ kind: 'no-soap' });
  });

  it('reads a fault, and accepts nothing else as an answer', () => {
    const fault =
      '<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><e:Fault><faultcode>e:Client</faultcode><faultstring>Codigo[4104].NIF</faultstring></e:Fault></e:Body></e:Envelope>';
    expect(parseConsulta(fault)).toMatchObject({ kind: 'fault', code: 4104 });
    expect(parseConsulta('<html/>')).toEqual({ kind: 'no-soap' });
    expect(parseConsulta(answer(''))).toEqual({ kind: 'no-soap' });
  });

  it('admits that an invoice typed into the AEAT’s form has no huella, but not that one of ours has none', () => {
    const typed = registro('Correcto').replace(`<c:Huella>${HUELLA}</c:Huella>`, '');
    expect(parseConsulta(answer(result('ConDatos') + typed))).toMatchObject({
      registros: [{ NumSerieFactura: '00001/LO', Huella: '' }],
    });
    const ours = typed.replace(
      '<c:FechaHora',
      '<c:SistemaInformatico><tik:IdSistemaInformatico>HU</tik:IdSistemaInformatico></c:SistemaInformatico><c:FechaHora',
    );
    expect(parseConsulta(answer(result('ConDatos') + ours))).toEqual({ kind: 'no-soap' });
  });
});
