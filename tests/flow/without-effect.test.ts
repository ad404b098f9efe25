/**
 * «Dejarla sin efecto»: an invoice whose number another program had declared lets the others pass, and does not count.
 */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ConciliarRegistrosAnswer } from '../../src/contract/evidence.ts';
import type { Resumen } from '../../src/contract/invoices.ts';
import { sendFromOtherProgram } from '../support/other-program.ts';
import { recountFigures } from '../support/recount-figures.ts';
import { expectOk, monthOf, openWorld, type TestCompany, type World } from '../support/world.ts';

let world: World;
let company: TestCompany;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  company = await world.signUp();
});

const HUELLA_AJENA = 'F'.repeat(64);

const register = async (draftNo?: string) => expectOk(await company.register({ draftNo })).DocNo;
const leave = (No: string, key?: string) =>
  company.call<{ DocNo: string; Status: string; message: string }>(
    'POST',
    '/api/PostData/DejarSinEfecto',
    { No },
    key,
  );
const invoiced = async () => {
  const { mes } = expectOk(await company.call<Resumen>('GET', '/api/GetData/GetResumen'));
  return [mes.base, mes.facturas];
};
const registrosHere = () => world.sql`
  select seq, huella, xml from registros where company_id = ${company.id} order by seq`;

/** An invoice of ours that the AEAT refuses because another program has used its number and date. */
async function registerTaken(): Promise<string> {
  const docNo = await register();
  const [row] = await world.sql<{ xml: string }[]>`
    select xml from registros where company_id = ${company.id} and num_serie_factura = ${docNo}`;
  await sendFromOtherProgram(world, company, row?.xml ?? '', { Huella: HUELLA_AJENA });
  await company.sendAll();
  return docNo;
}

describe('an invoice whose number is another program’s', () => {
  it('is left without effect: nothing is declared, the other one stays, and what waits is sent', async () => {
    const taken = await registerTaken();
    const behind = await register();
    expect(await company.sendAll()).toMatchObject({
      estado: 'parado',
      enEspera: 1,
      teNecesitan: 1,
    });
    expect((await company.detailOf(taken)).rechazo).toEqual({
      TipoRegistro: 'Alta',
      enAeat: 'ajena',
    });
    expect(await invoiced()).toEqual([200, 2]);
    const cadena = await registrosHere();

    // The former ways out: annulling it, or leaving it as it was; both are refused and point to this one.
    for (const call of ['AnularFactura', 'DejarFactura']) {
      const { status, body } = await company.call<{ message: string }>(
        'POST',
        `/api/PostData/${call}`,
        { No: taken, motivo: 'Prueba' },
      );
      expect([status, body.message]).toEqual([409, expect.stringMatching(/[Dd]éjala sin efecto/)]);
    }

    const answer = { DocNo: taken, Status: 'Anulada' };
    expect(expectOk(await leave(taken, 'una-vez'))).toEqual(answer);
    expect(expectOk(await leave(taken, 'una-vez'))).toEqual(answer);
    const { fila, historia, rechazo } = await company.detailOf(taken);
    expect(fila).toMatchObject({
      Status: 'Anulada',
      ErrorMessage: expect.stringContaining('haz otra con los mismos datos'),
    });
    expect(rechazo).toBeUndefined();
    expect(historia.at(-1)).toMatchObject({ tipo: 'dejada', titulo: 'Dejada sin efecto' });
    expect(await registrosHere()).toEqual(cadena);
    expect(await invoiced()).toEqual([100, 1]);
    await world.sql.begin((tx) => recountFigures(tx, company.id));
    expect(await invoiced()).toEqual([100, 1]);

    expect(await company.sendAll()).toMatchObject({ enEspera: 0, teNecesitan: 0 });
    expect((await company.detailOf(behind)).fila.Status).toBe('Registrada');
    const held = await world.held(company.nif);
    expect(held.map((r) => [r.NumSerieFactura, r.Huella === HUELLA_AJENA])).toEqual([
      [taken, true],
      [behind, false],
    ]);
    expect(expectOk(await company.call('GET', '/api/GetData/VerificarCadena'))).toMatchObject({
      registros: 2,
      correcta: true,
    });

    // The sale is invoiced with the next number.
    const again = await register();
    await company.sendAll();
    expect((await company.detailOf(again)).fila.Status).toBe('Registrada');
    expect(await invoiced()).toEqual([200, 2]);
  });

  it('is recorded, and explained in the comparison with the AEAT', async () => {
    const taken = await registerTaken();
    expectOk(await leave(taken));
    const { rows } = expectOk(
      await company.call<{ rows: { tipo: string; detalle: string }[] }>(
        'GET',
        '/api/GetData/GetEventosSeguridad?page=1&parte=facturas',
      ),
    );
    expect(rows[0]).toMatchObject({ tipo: 'factura-sin-efecto', detalle: taken });
    const compared = expectOk(
      await company.call<ConciliarRegistrosAnswer>(
        'POST',
        '/api/PostData/ConciliarRegistros',
        monthOf(world.deps.clock()),
      ),
    );
    expect(compared).toMatchObject({ soloAqui: [], soloAEAT: [], enEspera: 0 });
    expect(compared.distintos).toMatchObject([
      { NumSerieFactura: taken, motivo: expect.stringContaining('otro programa') },
    ]);
  });

  it('can be left without effect after its correction was refused too, but not after it was accepted', async () => {
    const taken = await registerTaken();
    await world.behave({ rechazar: { [taken]: 1100 } });
    await register(taken);
    await company.sendAll();
    await world.behave({ rechazar: { [taken]: 0 } });
    expectOk(await leave(taken));
    expect((await leave(taken)).status).toBe(409);

    const other = await registerTaken();
    await register(other);
    await company.sendAll();
    expect((await company.detailOf(other)).fila.Status).toBe('Registrada');
    expect((await leave(other)).body.message).toContain('no ha rechazado');
  });

  it('cannot be left without effect if it was refused for another reason', async () => {
    await world.behave({ rechazar: { [company.nif]: 1239 } });
    const docNo = await register();
    await company.sendAll();
    await world.behave({ rechazar: { [company.nif]: 0 } });
    const { status, body } = await leave(docNo);
    expect([status, body.message]).toEqual([409, expect.stringContaining('anúlala')]);
    expect((await leave('NADA-1')).status).toBe(404);
    const stranger = await world.signUp();
    const theirs = await stranger.call('POST', '/api/PostData/DejarSinEfecto', { No: docNo });
    expect(theirs.status).toBe(404);
  });
});
