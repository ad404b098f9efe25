/**
 * The rules twice: ours, over the draft, and the simulator's, over the XML, each written from the AEAT's document
 * independently of the other. For each of our rules, an invoice that breaks only that one goes to the simulator as if
 * it had been registered anyway, and both must give the same code.
 */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CODES } from '../simulators/aeat/codes.ts';
import { type TestService, testService } from '../simulators/testing/service.ts';
import { REGLAS } from '../src/domain/verifactu/validaciones/validar.ts';
import { registroXml } from '../src/domain/verifactu/xml.ts';
import { BROKEN, factura } from './fixtures/verifactu/broken.ts';
import { NEVER_BROKEN } from './fixtures/verifactu/never-broken.ts';
import { registroOf } from './fixtures/verifactu/registro-of.ts';
import { SITUATION_CASES } from './fixtures/verifactu/situaciones.ts';
import { regFactuXml } from './support/verifactu.ts';

let service: TestService;
beforeAll(async () => {
  service = await testService();
});
beforeEach(async () => {
  await service.store.clear();
  // VIES does not know a number whose control digits are wrong.
  service.behaviour.change({ nifsNoCensados: ['DE136695975'] });
});
afterAll(() => service.close());

describe('each rule with a code of the AEAT', () => {
  it.each(
    REGLAS.filter(({ codigo }) => codigo !== undefined).map(({ id, codigo }) => [id, codigo]),
  )('%s: the simulator says %s', async (id, codigo) => {
    const [, broken] = BROKEN[id as string] ?? ['', {}];
    const invoice = factura(broken);
    const xml = regFactuXml(
      { ObligadoEmision: { NombreRazon: invoice.emisor.nombre, NIF: invoice.emisor.nif } },
      [registroXml(registroOf(invoice))],
    );
    service.setNow(new Date(`${invoice.today}T09:00:37Z`));
    expect(await service.send(xml)).toEqual([answerOf(codigo as string)]);
  });
});

describe('each tax situation', () => {
  it.each(SITUATION_CASES)('$name: the simulator accepts it without errors', async (row) => {
    const invoice = factura(row);
    const xml = regFactuXml(
      { ObligadoEmision: { NombreRazon: invoice.emisor.nombre, NIF: invoice.emisor.nif } },
      [registroXml(registroOf(invoice))],
    );
    service.setNow(new Date(`${invoice.today}T09:00:37Z`));
    expect(await service.send(xml)).toEqual(['Correcto']);
  });
});

describe('all the codes of the simulator', () => {
  it('belong to one of our rules, or to something that our registros cannot break', () => {
    const ours = new Set(REGLAS.flatMap(({ codigo }) => (codigo ? [Number(codigo)] : [])));
    const never = new Set(Object.values(NEVER_BROKEN).flat());
    expect(CODES.filter((code) => !ours.has(code) && !never.has(code))).toEqual([]);
    // Entries that a rule of ours has made obsolete are removed.
    expect([...never].filter((code) => !CODES.includes(code))).toEqual([]);
    expect([...never].filter((code) => ours.has(code))).toEqual([]);
  });
});

/** Codes of the section for whole submissions come as a Fault, except 4109, which also appears in lines. */
function answerOf(codigo: string): string {
  if (codigo.startsWith('2')) return `AceptadoConErrores ${codigo}`;
  return /^41(?!09)/.test(codigo) ? `Fault ${codigo}` : `Incorrecto ${codigo}`;
}
