import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  altaXml,
  anulacionXml,
  CLIENTE,
  EMISOR,
  message,
  NOW,
  SISTEMA,
  type Values,
} from '../testing/messages.ts';
import { type TestService, testService } from '../testing/service.ts';

let service: TestService;
beforeEach(async () => {
  service = await testService();
});
afterEach(() => service.close());

const send = (...registros: string[]) => service.send(message(registros));
const primero = { Encadenamiento: { PrimerRegistro: 'S' } };

describe('what exists decides what is taken', () => {
  const ALTA: Values = {};
  const POR_RECHAZO = { Subsanacion: 'S', RechazoPrevio: 'X' };
  const SUBSANACION = { Subsanacion: 'S' };
  const SUBSANACION_POR_RECHAZO = { Subsanacion: 'S', RechazoPrevio: 'S' };
  const alta = (changes: Values) => altaXml('A', changes);
  const anulacion = (changes: Values) => anulacionXml('A', changes);

  const situations = {
    nothing: [],
    alta: [altaXml('A')],
    anulacion: [altaXml('A'), anulacionXml('A')],
  };
  // Operation → outcome over nothing, over an alta, over an anulación (Validaciones 1.2.2).
  const matrix: [name: string, xml: string, ...outcomes: [string, string, string]][] = [
    ['alta', alta(ALTA), 'ok', '3000', '3000'],
    ['alta with N and N', alta({ Subsanacion: 'N', RechazoPrevio: 'N' }), 'ok', '3000', '3000'],
    ['alta por rechazo', alta(POR_RECHAZO), 'ok', '3000', '3000'],
    ['subsanación', alta(SUBSANACION), '3002', 'ok', 'ok'],
    ['rechazo de subsanación', alta(SUBSANACION_POR_RECHAZO), '3002', 'ok', 'ok'],
    ['anulación', anulacion({}), '3002', 'ok', 'ok'],
    ['anulación por rechazo', anulacion({ RechazoPrevio: 'S' }), '3002', 'ok', 'ok'],
    ['anulación sin registro', anulacion({ SinRegistroPrevio: 'S' }), 'ok', '3000', '3000'],
    [
      'anulación sin registro por rechazo',
      anulacion({ SinRegistroPrevio: 'S', RechazoPrevio: 'S' }),
      'ok',
      '3000',
      '3000',
    ],
  ];
  const cases = matrix.flatMap(([name, xml, ...outcomes]) =>
    (['nothing', 'alta', 'anulacion'] as const).map(
      (situation, at) => [name, situation, xml, outcomes[at]] as const,
    ),
  );

  it.each(cases)('%s over %s', async (_, situation, xml, outcome) => {
    for (const before of situations[situation]) await send(before);
    expect(await send(xml)).toEqual([outcome === 'ok' ? 'Correcto' : `Incorrecto ${outcome}`]);
  });

  it('sees what the earlier registros of the same message did', async () => {
    expect(await send(alta({}), anulacion({}), alta({}), alta(SUBSANACION))).toEqual([
      'Correcto',
      'Correcto',
      'Incorrecto 3000',
      'Correcto',
    ]);
  });

  it('takes the same number with another date for another invoice', async () => {
    const other = {
      IDFactura: {
        IDEmisorFactura: EMISOR,
        NumSerieFactura: 'A',
        FechaExpedicionFactura: '19-11-2026',
      },
    };
    expect(await send(alta({}), alta(other))).toEqual(['Correcto', 'Correcto']);
  });

  it('tells of a duplicate the petition, the state and the error it had', async () => {
    await send(alta({ Huella: 'B'.repeat(64) }));
    const answer = await service.answer(message([alta({})]));
    expect(answer).toMatch(
      /<tik:IdPeticionRegistroDuplicado>20261120100037\d{6}<\/tik:IdPeticionRegistroDuplicado><tik:EstadoRegistroDuplicado>AceptadaConErrores<\/tik:EstadoRegistroDuplicado><tik:CodigoErrorRegistro>2000</,
    );
  });
});

describe('the first registro of a cadena', () => {
  it('is only one for each installation', async () => {
    const other = { SistemaInformatico: { ...SISTEMA, NumeroInstalacion: '2' } };
    const newVersion = { SistemaInformatico: { ...SISTEMA, Version: '2.0' } };
    expect(await send(altaXml('1', primero))).toEqual(['Correcto']);
    expect(await send(altaXml('2', primero))).toEqual(['AceptadoConErrores 2007']);
    expect(await send(altaXml('3', { ...primero, ...other }))).toEqual(['Correcto']);
    expect(await send(altaXml('4', { ...primero, ...newVersion }))).toEqual([
      'AceptadoConErrores 2007',
    ]);
  });

  it('does not count a rejected one', async () => {
    await send(altaXml('1', { ...primero, Destinatarios: undefined }));
    expect(await send(altaXml('2', primero))).toEqual(['Correcto']);
  });
});

describe('the answer', () => {
  it('keeps the order, names the operation and sums up', async () => {
    const answer = await service.answer(
      message([
        altaXml('1', { RefExterna: 'pedido <7>' }),
        anulacionXml('2', { SinRegistroPrevio: 'S' }),
        altaXml('3', { Destinatarios: undefined, Subsanacion: 'S', RechazoPrevio: 'X' }),
      ]),
    );
    expect(answer).toContain('<tikR:EstadoEnvio>ParcialmenteCorrecto</tikR:EstadoEnvio>');
    expect(answer).toMatch(/<tikR:CSV>A-[A-Z0-9]{14}<\/tikR:CSV>/);
    expect(answer).toContain(
      '<tik:TimestampPresentacion>2026-11-20T10:00:37+01:00</tik:TimestampPresentacion>',
    );
    expect(answer).toContain('<tikR:RefExterna>pedido &lt;7&gt;</tikR:RefExterna>');
    const operations = [...answer.matchAll(/<tikR:Operacion>(.*?)<\/tikR:Operacion>/g)];
    expect(
      operations.map(([, xml]) => xml?.replace(/<\/[^>]*>/g, '').replace(/<tik:/g, ' ')),
    ).toEqual([
      ' TipoOperacion>Alta',
      ' TipoOperacion>Anulacion SinRegistroPrevio>S',
      ' TipoOperacion>Alta Subsanacion>S RechazoPrevio>X',
    ]);
  });

  it('is partial with a single warning', async () => {
    const answer = await service.answer(message([altaXml('1', { Huella: 'B'.repeat(64) })]));
    expect(answer).toContain('<tikR:EstadoEnvio>ParcialmenteCorrecto</tikR:EstadoEnvio>');
  });

  it('has neither CSV nor presentation when all is rejected', async () => {
    const answer = await service.answer(message([altaXml('1', { Destinatarios: undefined })]));
    expect(answer).toContain('<tikR:EstadoEnvio>Incorrecto</tikR:EstadoEnvio>');
    expect(answer).not.toMatch(/CSV|DatosPresentacion/);
  });
});

describe('messages refused whole', () => {
  const good = altaXml('1');
  const faults: [code: number, why: string, xml: string][] = [
    [4102, 'missing element', message([good.replace(/<s:TipoFactura>.*?<\/s:TipoFactura>/, '')])],
    [4102, 'empty Desglose', message([good.replace(/<s:Detalle.*?<\/s:DetalleDesglose>/, '')])],
    [4102, 'unknown element', message([good.replace('<s:TipoHuella>', '<s:Otro/><s:TipoHuella>')])],
    [
      4102,
      'wrong order',
      message([
        good.replace(
          '<s:CuotaTotal>21.00</s:CuotaTotal><s:ImporteTotal>121.00</s:ImporteTotal>',
          '<s:ImporteTotal>121.00</s:ImporteTotal><s:CuotaTotal>21.00</s:CuotaTotal>',
        ),
      ]),
    ],
    [4102, 'twice', message([good.replace(/(<s:TipoHuella>.*?<\/s:TipoHuella>)/, '$1$1')])],
    [4102, 'wrong namespace', message([good]).replace('SuministroInformacion', 'Otro')],
    [
      4102,
      'recipient with NIF and IDOtro',
      message([
        good.replace(
          '<s:NIF>89890002E</s:NIF>',
          '<s:NIF>89890002E</s:NIF><s:IDOtro><s:IDType>02</s:IDType><s:ID>FR40303265045</s:ID></s:IDOtro>',
        ),
      ]),
    ],
    [4102, 'no registro', message([])],
    [4102, 'no Cabecera', message([good]).replace(/<l:Cabecera>.*<\/l:Cabecera>/, '')],
    [4102, 'not SOAP', '<hola/>'],
    [4103, 'not well formed', message([good]).slice(0, -1)],
    [4103, 'DOCTYPE', `<!DOCTYPE e [<!ENTITY a "b">]>${message([good])}`],
    [4113, '1,001 registros', message(Array(1001).fill(good))],
    [
      4113,
      '13 lines',
      message([good.replace(/(<s:DetalleD.*<\/s:DetalleDesglose>)/, '$1'.repeat(13))]),
    ],
    [4136, 'a registro of no kind', message(['<l:RegistroFactura/>'])],
    [4138, 'nothing', ''],
    [
      4116,
      'NIF of the obligado',
      message([good], { ObligadoEmision: { NombreRazon: 'X', NIF: '89890001A' } }),
    ],
    [4116, 'short NIF', message([good], { ObligadoEmision: { NombreRazon: 'X', NIF: '8989' } })],
    [
      4117,
      'NIF of the Representante',
      message([good], { Representante: { NombreRazon: 'X', NIF: '89890001A' } }),
    ],
    [
      4105,
      'Representante out of the census',
      message([good], { Representante: { NombreRazon: 'X', NIF: 'A58818501' } }),
    ],
    [
      4120,
      'FechaFinVeriFactu',
      message([good], { RemisionVoluntaria: { FechaFinVeriFactu: '31-02-2026' } }),
    ],
    [4121, 'Incidencia', message([good], { RemisionVoluntaria: { Incidencia: 'X' } })],
    [
      4126,
      'block of the other service',
      message([good], { RemisionRequerimiento: { RefRequerimiento: 'R' } }),
    ],
    [
      4112,
      'certificate of another',
      message([good], { ObligadoEmision: { NombreRazon: 'X', NIF: CLIENTE } }),
    ],
  ];

  it.each(faults)('%i: %s', async (code, _, xml) => {
    service.behaviour.change({ nifsNoCensados: ['A58818501'] });
    expect(await service.send(xml)).toEqual([`Fault ${code}`]);
    expect(service.store.entries(EMISOR)).toEqual([]);
  });

  it('4124: a Representante, natural person, with another name than the census has', async () => {
    const asesor = { NIF: '00000010X', NombreRazon: 'ANA ASESORA GIL' };
    service.behaviour.change({ censo: { [asesor.NIF]: 'Asesora Gil Ana' } });
    expect(await service.send(message([good], { Representante: asesor }))).toEqual(['Fault 4124']);
    service.behaviour.change({ censo: { [asesor.NIF]: 'Ana Asesora Gil' } });
    expect(await service.send(message([good], { Representante: asesor }))).toEqual(['Correcto']);
  });

  it('4112: only the obligado presents, and whom it has given power', async () => {
    const GESTORIA = 'B12345674';
    expect(await service.send(message([good]), { nif: GESTORIA })).toEqual(['Fault 4112']);
    // To have made the registros is no power to present them.
    const Representante = { NIF: GESTORIA, NombreRazon: 'Gestoría' };
    expect(await service.send(message([good], { Representante }), { nif: GESTORIA })).toEqual([
      'Fault 4112',
    ]);
    service.behaviour.change({ apoderados: { [EMISOR]: [GESTORIA] } });
    const answer = await service.answer(message([good], { Representante }), GESTORIA);
    expect(answer).toContain(`<tik:NIFPresentador>${GESTORIA}</tik:NIFPresentador>`);
    expect(answer).toMatch(/<tik:Representante>.*Gestoría.*<\/tik:Representante>/s);
    service.behaviour.change({ apoderados: {} });
  });

  it('4119: not UTF-8', async () => {
    const { readEnvelope } = await import('./soap.ts');
    expect(() =>
      readEnvelope(Buffer.from(message([good]).replace('Servicios', 'ñ'), 'latin1')),
    ).toThrow(/UTF-8/);
  });

  it('4104: an obligado out of the census', async () => {
    service.behaviour.change({ nifsNoCensados: [EMISOR] });
    expect(await send(good)).toEqual(['Fault 4104']);
  });

  it('4120: from 2027 the end of VERI*FACTU is a 31-12 of this year or the last', async () => {
    service.setNow(new Date('2027-03-01T09:00:00Z'));
    const ending = (FechaFinVeriFactu: string) =>
      service.send(message([altaXml('x')], { RemisionVoluntaria: { FechaFinVeriFactu } }));
    expect(await ending('30-06-2027')).toEqual(['Fault 4120']);
    expect(await ending('31-12-2028')).toEqual(['Fault 4120']);
    expect(await ending('31-12-2026')).not.toEqual(['Fault 4120']);
    service.setNow(NOW);
  });
});

describe('what the control page asks for', () => {
  it('rejects, or warns, by number, by issuer and by recipient', async () => {
    service.behaviour.change({ rechazar: { MALA: 1100, RARA: 2005, [CLIENTE]: 1239 } });
    expect(await send(altaXml('MALA'), altaXml('RARA'), altaXml('OTRA'))).toEqual([
      'Incorrecto 1100',
      'AceptadoConErrores 2005',
      'Incorrecto 1239',
    ]);
    service.behaviour.change({ rechazar: { MALA: 0, RARA: 0, [CLIENTE]: 0 } });
    expect(await send(altaXml('MALA'))).toEqual(['Correcto']);
  });

  it('refuses whole with a code of 41xx under the NIF of the issuer', async () => {
    service.behaviour.change({ rechazar: { [EMISOR]: 4141 } });
    expect(await send(altaXml('1'))).toEqual(['Fault 4141']);
  });

  it('accepts with errors', async () => {
    service.behaviour.change({ aceptarConErrores: { RARA: 2001 } });
    expect(await send(altaXml('RARA'))).toEqual(['AceptadoConErrores 2001']);
  });

  it('waits what it is told to', async () => {
    service.behaviour.change({ tiempoEspera: 0 });
    const answer = await service.answer(message([altaXml('1')]));
    expect(answer).toContain('<tikR:TiempoEsperaEnvio>0</tikR:TiempoEsperaEnvio>');
  });
});

it('remembers everything after a restart', async () => {
  await send(altaXml('1', primero), altaXml('2'), anulacionXml('2'));
  const before = service.store.entries(EMISOR);
  await service.reopen();
  expect(service.store.entries(EMISOR)).toEqual(before);
  expect(before).toHaveLength(3);
  expect(await send(altaXml('1'), altaXml('2'), altaXml('3', primero))).toEqual([
    'Incorrecto 3000',
    'Incorrecto 3000',
    'AceptadoConErrores 2007',
  ]);
});
