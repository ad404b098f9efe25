import { describe, expect, it } from 'vitest';
import { parseRespuesta } from './respuesta.ts';

const WS =
  'https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws/';

/** An answer of the AEAT, with the prefixes that it uses unless others are given. */
function respuesta(inner: string, { r = 'tikR', sf = 'tik' } = {}): string {
  const xmlns = `xmlns:${r}="${WS}RespuestaSuministro.xsd" xmlns:${sf}="${WS}SuministroInformacion.xsd"`;
  return `<?xml version="1.0" encoding="UTF-8"?>
    <env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/"><env:Header/><env:Body Id="Body">
    <${r}:RespuestaRegFactuSistemaFacturacion ${xmlns}>${inner}</${r}:RespuestaRegFactuSistemaFacturacion>
    </env:Body></env:Envelope>`;
}

const linea = (estado: string, rest = '', operacion = 'Alta') => `
  <tikR:RespuestaLinea>
    <tikR:IDFactura>
      <tik:IDEmisorFactura>89890001K</tik:IDEmisorFactura>
      <tik:NumSerieFactura>A &amp; B/1</tik:NumSerieFactura>
      <tik:FechaExpedicionFactura>20-11-2026</tik:FechaExpedicionFactura>
    </tikR:IDFactura>
    <tikR:Operacion><tik:TipoOperacion>${operacion}</tik:TipoOperacion></tikR:Operacion>
    <tikR:EstadoRegistro>${estado}</tikR:EstadoRegistro>${rest}
  </tikR:RespuestaLinea>`;
const envio = (estado: string, espera = '60') =>
  `<tikR:TiempoEsperaEnvio>${espera}</tikR:TiempoEsperaEnvio><tikR:EstadoEnvio>${estado}</tikR:EstadoEnvio>`;
const PRESENTACION = `<tikR:CSV>A-7KQ2M9X4TBH3ZD</tikR:CSV><tikR:DatosPresentacion>
  <tik:NIFPresentador>89890001K</tik:NIFPresentador>
  <tik:TimestampPresentacion>2026-11-20T10:00:52+01:00</tik:TimestampPresentacion>
  </tikR:DatosPresentacion>`;
const fault = (code: string, text: string) =>
  `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><e:Fault><faultcode>${code}</faultcode><faultstring>${text}</faultstring></e:Fault></e:Body></e:Envelope>`;

describe('parseRespuesta', () => {
  it('reads what was accepted', () => {
    expect(parseRespuesta(respuesta(PRESENTACION + envio('Correcto') + linea('Correcto')))).toEqual(
      {
        kind: 'respuesta',
        CSV: 'A-7KQ2M9X4TBH3ZD',
        NIFPresentador: '89890001K',
        TimestampPresentacion: '2026-11-20T10:00:52+01:00',
        TiempoEsperaEnvio: 60,
        EstadoEnvio: 'Correcto',
        lineas: [
          {
            IDEmisorFactura: '89890001K',
            NumSerieFactura: 'A & B/1',
            FechaExpedicionFactura: '20-11-2026',
            TipoOperacion: 'Alta',
            EstadoRegistro: 'Correcto',
          },
        ],
      },
    );
  });

  it('reads it line by line, in order, with the code of each', () => {
    const error = (code: number) =>
      `<tikR:CodigoErrorRegistro>${code}</tikR:CodigoErrorRegistro><tikR:DescripcionErrorRegistro>Texto ${code}</tikR:DescripcionErrorRegistro>`;
    const parsed = parseRespuesta(
      respuesta(
        envio('ParcialmenteCorrecto') +
          linea('Correcto') +
          linea('Correcto', '', 'Anulacion') +
          linea('AceptadoConErrores', error(2001)) +
          linea('Incorrecto', error(1118)),
      ),
    );
    expect(parsed).toMatchObject({
      lineas: [
        { TipoOperacion: 'Alta', EstadoRegistro: 'Correcto' },
        { TipoOperacion: 'Anulacion', EstadoRegistro: 'Correcto' },
        { EstadoRegistro: 'AceptadoConErrores', CodigoErrorRegistro: 2001 },
        { CodigoErrorRegistro: 1118, DescripcionErrorRegistro: 'Texto 1118' },
      ],
    });
    expect(parsed).not.toHaveProperty('CSV');
    const empty = parseRespuesta(respuesta(`<tikR:CSV> </tikR:CSV>${envio('Incorrecto')}`));
    expect(empty).not.toHaveProperty('CSV');
  });

  it('reads the state of the registro that a duplicate refers to', () => {
    const duplicado = `<tikR:CodigoErrorRegistro>3000</tikR:CodigoErrorRegistro><tikR:RegistroDuplicado>
      <tik:IdPeticionRegistroDuplicado>20261120100052360242</tik:IdPeticionRegistroDuplicado>
      <tik:EstadoRegistroDuplicado>AceptadaConErrores</tik:EstadoRegistroDuplicado>
      <tik:CodigoErrorRegistro>2004</tik:CodigoErrorRegistro></tikR:RegistroDuplicado>`;
    expect(
      parseRespuesta(respuesta(envio('Incorrecto') + linea('Incorrecto', duplicado))),
    ).toMatchObject({
      lineas: [
        {
          CodigoErrorRegistro: 3000,
          RegistroDuplicado: {
            IdPeticionRegistroDuplicado: '20261120100052360242',
            EstadoRegistroDuplicado: 'AceptadaConErrores',
            CodigoErrorRegistro: 2004,
          },
        },
      ],
    });
  });

  it('reads by namespace, whatever the prefixes, CDATA or blanks', () => {
    const other = (envio('Correcto') + linea('Correcto'))
      .replaceAll('tikR:', 'a:')
      .replaceAll('tik:', 'b:')
      .replace('>Correcto<', '><![CDATA[ Correcto ]]><');
    expect(parseRespuesta(respuesta(other, { r: 'a', sf: 'b' }))).toMatchObject({
      kind: 'respuesta',
      EstadoEnvio: 'Correcto',
    });
    const foreign = respuesta(envio('Correcto')).replace('RespuestaSuministro.xsd', 'Otra.xsd');
    expect(parseRespuesta(foreign)).toEqual({ kind: 'no-soap' });
  });

  it.each(['', '60 s', 'PT60', '-1', '1234567890'])('has no wait if the AEAT says %j', (wait) => {
    expect(parseRespuesta(respuesta(envio('Correcto', wait)))).not.toHaveProperty(
      'TiempoEsperaEnvio',
    );
  });

  it('has a wait of zero', () => {
    expect(parseRespuesta(respuesta(envio('Correcto', '0')))).toMatchObject({
      TiempoEsperaEnvio: 0,
    });
  });

  it.each([
    ['env:Client', 'Codigo[4102].El XML no cumple el esquema.: Desglose', 4102, 'Client'],
    ['soapenv:Server', 'Codigo[20009].Error interno en el servidor', 20009, 'Server'],
    ['Server', 'Error sin código', undefined, 'Server'],
  ])('reads a fault %s %s', (faultcode, faultstring, code, expected) => {
    expect(parseRespuesta(fault(faultcode, faultstring))).toEqual({
      kind: 'fault',
      ...(code && { code }),
      faultcode: expected,
      faultstring,
    });
  });

  const whole = respuesta(PRESENTACION + envio('Correcto') + linea('Correcto'));
  it.each([
    ['nothing', ''],
    ['blanks', '  \n'],
    [
      'HTML',
      '<!DOCTYPE html><html><head><title>403</title></head><body>Acceso<br>denegado</body></html>',
    ],
    ['well-formed HTML', '<html><body><p>403</p></body></html>'],
    ['text', 'Service Unavailable'],
    ['JSON', '{"status":"KO"}'],
    ['an answer cut short', whole.slice(0, whole.length - 40)],
    ['an unclosed element', whole.replace('</tikR:CSV>', '')],
    ['an undeclared prefix', whole.replace('xmlns:tik=', 'xmlns:otro=')],
    [
      'an empty body',
      '<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body/></e:Envelope>',
    ],
    [
      'another envelope',
      whole.replace('schemas.xmlsoap.org/soap/envelope', 'www.w3.org/2003/05/soap-envelope'),
    ],
    ['another root', whole.replaceAll('env:Envelope', 'env:Sobre')],
    ['a state that does not exist', respuesta(envio('Regular'))],
    ['a line with another state', respuesta(envio('Correcto') + linea('Quizá'))],
    [
      'a line without its invoice',
      respuesta(
        envio('Correcto') +
          linea('Correcto').replace(/<tikR:IDFactura>[\s\S]*<\/tikR:IDFactura>/, ''),
      ),
    ],
    ...['IDEmisorFactura', 'NumSerieFactura', 'FechaExpedicionFactura'].map((field) => [
      `a line without ${field}`,
      respuesta(
        envio('Correcto') +
          linea('Correcto').replace(new RegExp(`<tik:${field}>.*</tik:${field}>`), ''),
      ),
    ]),
    ['a query’s answer', whole.replaceAll('RespuestaRegFactu', 'RespuestaConsultaFactu')],
    [
      'a line of an unknown operation',
      respuesta(envio('Correcto') + linea('Correcto', '', 'Baja')),
    ],
  ])('is no-soap for %s', (_what, body) => {
    expect(parseRespuesta(body)).toEqual({ kind: 'no-soap' });
  });

  it('reads a thousand lines', () => {
    const lines = Array.from({ length: 1000 }, () => linea('Correcto')).join('');
    expect(parseRespuesta(respuesta(envio('Correcto') + lines))).toMatchObject({
      lineas: { length: 1000 },
    });
  });
});
