import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  altaXml,
  CLIENTE,
  desglose,
  destinatarios,
  detalle,
  extranjero,
  idFactura,
  message,
} from '../testing/messages.ts';
import { type TestService, testService } from '../testing/service.ts';
import { cotejar } from './cotejo.ts';

let service: TestService;
beforeEach(async () => {
  service = await testService();
});
afterEach(() => service.close());

const send = (numero: string, changes = {}) => service.send(message([altaXml(numero, changes)]));

describe('the simulated AEAT can be told', () => {
  it('waits that change from one answer to the next', async () => {
    service.behaviour.change({ tiempoEspera: 60, tiemposEspera: [5, 9999] });
    const waits: (string | undefined)[] = [];
    for (const numero of ['1', '2', '3']) {
      const answer = await service.answer(message([altaXml(numero)]));
      waits.push(/TiempoEsperaEnvio>(\d+)</.exec(answer)?.[1]);
    }
    expect(waits).toEqual(['5', '9999', '60']);
  });

  it('names of its census: a natural person is identified by NIF and name', async () => {
    service.behaviour.change({ censo: { [CLIENTE]: 'Peña Ruíz  Ana' } });
    const named = (NombreRazon: string) => destinatarios({ NombreRazon, NIF: CLIENTE });
    expect(await send('1', named('PENA RUIZ ANA'))).toEqual(['Correcto']);
    expect(await send('2', named('OTRA PERSONA'))).toEqual(['AceptadoConErrores 2001']);
  });

  it('the name of the obligado, without which the message is refused', async () => {
    service.behaviour.change({ censo: { '89890001K': 'Otro Nombre' } });
    expect(await send('1')).toEqual(['Fault 4104']);
  });

  it('which registros spoil the message that they are in', async () => {
    const [one, two] = [altaXml('1'), altaXml('2')];
    service.behaviour.change({ defectuosos: ['2'] });
    expect(await service.send(message([one, two]))).toEqual(['Fault 4102']);
    service.behaviour.change({ defectuosos: [] });
    expect(await service.send(message([one, two]))).toEqual(['Correcto', 'Correcto']);
  });

  it('who is in VIES', async () => {
    const aleman = destinatarios(extranjero({ IDType: '02', ID: 'DE136695976' }));
    service.behaviour.change({ vies: ['FR40303265045'] });
    expect(await send('1', aleman)).toEqual(['Incorrecto 1121']);
    service.behaviour.change({ vies: null });
    expect(await send('1', aleman)).toEqual(['Correcto']);
  });

  it('to have the rules of 2027 in force, or not yet', async () => {
    const ipsi = desglose(detalle({ Impuesto: '02', ClaveRegimen: undefined }));
    expect(await send('1', ipsi)).toEqual(['AceptadoConErrores 2009']);
    service.behaviour.change({ reglas2027: true });
    expect(await send('2', ipsi)).toEqual(['Incorrecto 1245']);
    const renounces = (FechaFinVeriFactu: string) =>
      service.send(message([altaXml('3')], { RemisionVoluntaria: { FechaFinVeriFactu } }));
    expect(await renounces('30-11-2026')).toEqual(['Fault 4120']);
    expect(await renounces('31-12-2026')).toEqual(['Correcto']);
    service.setNow(new Date('2027-01-02T09:00:37Z'));
    service.behaviour.change({ reglas2027: false });
    const dated = { FechaHoraHusoGenRegistro: '2027-01-02T10:00:37+01:00' };
    expect(await send('4', { ...ipsi, ...dated })).toEqual(['AceptadoConErrores 2009']);
  });

  it('changes of its own rules on 1 January 2027, on the peninsular clock', async () => {
    const ipsi = desglose(detalle({ Impuesto: '02', ClaveRegimen: undefined }));
    const at = (instant: string, local: string) => {
      service.setNow(new Date(instant));
      return { ...ipsi, ...idFactura('1'), FechaHoraHusoGenRegistro: local };
    };
    expect(await send('1', at('2026-12-31T22:59:59Z', '2026-12-31T23:59:59+01:00'))).toEqual([
      'AceptadoConErrores 2009',
    ]);
    await service.store.clear();
    expect(await send('1', at('2026-12-31T23:00:00Z', '2027-01-01T00:00:00+01:00'))).toEqual([
      'Incorrecto 1245',
    ]);
  });

  it('invoices that cannot be checked, of programs that do not send', () => {
    const query = { nif: '89890001K', numserie: 'N/1', fecha: '20-11-2026', importe: '121' };
    const resultado = (numbers: readonly string[]) => {
      const answer = cotejar(query, service.store, new Set(numbers));
      return answer.status === 'OK' && answer.respuesta.resultado;
    };
    expect([resultado([]), resultado(['N/1'])]).toEqual(['01', '02']);
  });
});
