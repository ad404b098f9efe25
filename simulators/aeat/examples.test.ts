import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestService, testService } from '../testing/service.ts';

/** Example messages of the AEAT's documentation; they are not part of this repository. */
const DIR = process.env.AEAT_EJEMPLOS ?? '../shared/aeat/ejemplos';
const isThere = existsSync(DIR);
if (!isThere) console.warn(`Sin ejemplos de la AEAT en ${DIR} (AEAT_EJEMPLOS): se saltan.`);

const read = (name: string) => readFileSync(join(DIR, name), 'utf8');
const files = isThere
  ? readdirSync(DIR)
      .filter((name) => /^\d\d-.*\.xml$/.test(name))
      .sort()
  : [];

describe.skipIf(!isThere)('official examples, in order over an empty store', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await testService();
  });
  afterAll(() => service.close());

  /** The registros carry their time: each is sent three seconds after its last one. */
  const sendOnTime = (xml: string) => {
    const times = [...xml.matchAll(/<sum1:FechaHoraHusoGenRegistro>([^<]+)</g)].map(([, at]) => at);
    service.setNow(new Date(Date.parse(times.at(-1) ?? '') + 3000));
    return service.send(xml);
  };

  it('09 before 08 has nothing to annul', async () => {
    expect(await sendOnTime(read('09-anulacion.xml'))).toEqual(['Incorrecto 3002']);
  });

  it.each(files)('%s', async (name) => {
    const xml = read(name);
    const count = xml.split('<sum:RegistroFactura>').length - 1;
    expect(await sendOnTime(xml)).toEqual(Array(count).fill('Correcto'));
  });

  it('01 again is a duplicate of the one that 07 put right', async () => {
    const answer = await service.answer(read('01-alta-F1-primer-registro.xml'));
    expect(answer).toMatch(
      /<tikR:CodigoErrorRegistro>3000<.*<tik:EstadoRegistroDuplicado>Correcta</s,
    );
    expect(answer).not.toContain('<tikR:CSV>');
  });

  it('the first of 12 again is a duplicate of an annulled one', async () => {
    const lote = read('12-lote-alta-anulacion-alta-con-incidencia.xml');
    const [first] = /<sum:RegistroFactura>.*?<\/sum:RegistroFactura>/s.exec(lote) ?? [];
    const all = /<sum:RegistroFactura>.*<\/sum:RegistroFactura>/s;
    const answer = await service.answer(lote.replace(all, first ?? ''));
    expect(answer).toMatch(
      /<tikR:CodigoErrorRegistro>3000<.*<tik:EstadoRegistroDuplicado>Anulada</s,
    );
  });
});
