import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EventosSeguridad } from '../../src/contract/security.ts';
import {
  expectOk,
  openWorldWithCompany,
  type TestCompany,
  untilTrue,
  type World,
} from '../support/world.ts';

let world: World;
let company: TestCompany;

beforeEach(async () => {
  ({ world, company } = await openWorldWithCompany());
});
afterEach(() => world.close());

const log = async (query = ''): Promise<EventosSeguridad> =>
  expectOk(await company.call('GET', `/api/GetData/GetEventosSeguridad?pageSize=50${query}`));

async function written(): Promise<number> {
  const [row] = await world.sql<{ count: number }[]>`
    select count(*)::int as count from security_events where company_id = ${company.id}`;
  return row?.count ?? 0;
}

describe('what the company reads of its invoices', () => {
  it('contains each registro and each message to the AEAT, without a row written for them', async () => {
    const before = await written();
    const first = expectOk(await company.register()).DocNo;
    const second = expectOk(await company.register()).DocNo;
    const dispatcher = world.startDispatcher();
    await untilTrue(
      () => log('&parte=facturas'),
      ({ rows }) => rows.some(({ detalle }) => detalle.includes('aceptado')),
    );
    expectOk(
      await company.call('POST', '/api/PostData/AnularFactura', { No: first, motivo: 'Doble' }),
    );
    const { rows, total } = await untilTrue(
      () => log('&parte=facturas'),
      ({ rows: all }) =>
        all.filter(({ tipo, detalle }) => tipo === 'envio-aeat' && detalle.includes('CSV')).length >
        1,
    );
    await dispatcher.stop(0);

    expect(total).toBe(rows.length);
    expect(rows.map(({ fecha }) => fecha)).toEqual(
      rows
        .map(({ fecha }) => fecha)
        .sort()
        .reverse(),
    );
    const registros = rows.filter(({ tipo }) => tipo !== 'envio-aeat');
    expect(registros.map(({ texto, detalle }) => [texto, detalle])).toEqual([
      ['Factura anulada', first],
      ['Factura registrada', second],
      ['Factura registrada', first],
    ]);
    const sent = rows.filter(({ tipo }) => tipo === 'envio-aeat').map(({ detalle }) => detalle);
    for (const words of sent) expect(words).toMatch(/^\d+ registros? · aceptado · CSV \S+$/);
    expect(sent.reduce((sum, words) => sum + Number.parseInt(words, 10), 0)).toBe(3);
    expect(await written()).toBe(before);
  });

  it('says from which session each invoice was registered, even once that session is deleted', async () => {
    await company.register();
    const one = async () => (await log('&parte=facturas')).rows[0];
    const seen = await one();
    expect(seen).toMatchObject({ tipo: 'factura-registrada', direccion: 'este equipo' });
    const [registro] = await world.sql<{ sid: string | null }[]>`select sid from registros`;
    const [session] = await world.sql<{ sid: string }[]>`
      select sid from sessions where company_id = ${company.id}`;
    expect(registro?.sid).toBe(session?.sid);
    await world.sql`delete from sessions where company_id = ${company.id}`;
    const { tokenJWT: token } = expectOk(
      await world.call<{ tokenJWT: string }>('POST', '/api/Auth/login', {
        body: { Email: 'b12345674@ejemplo.es', password: 'una frase larga cualquiera' },
      }),
    );
    const { rows } = expectOk(
      await world.call<EventosSeguridad>('GET', '/api/GetData/GetEventosSeguridad?parte=facturas', {
        token,
      }),
    );
    expect(rows[0]).toEqual(seen);
  });

  it('separates account events from invoices, and pages through all of it without losing any', async () => {
    for (let i = 0; i < 5; i++) await company.register();
    const [all, account, invoices] = await Promise.all([
      log(),
      log('&parte=cuenta'),
      log('&parte=facturas'),
    ]);
    expect(account.rows.every(({ tipo }) => !/^(factura|envio)-/.test(tipo))).toBe(true);
    expect(account.rows.map(({ tipo }) => tipo)).toContain('sesion-iniciada');
    expect(invoices.total).toBe(5);
    expect(all.total).toBe(account.total + invoices.total);
    const paged: EventosSeguridad['rows'] = [];
    for (let page = 1; paged.length < all.total; page++) {
      const { rows } = expectOk(
        await company.call<EventosSeguridad>(
          'GET',
          `/api/GetData/GetEventosSeguridad?pageSize=3&page=${page}`,
        ),
      );
      if (rows.length === 0) break;
      paged.push(...rows);
    }
    expect(paged).toEqual(all.rows);
  });
});
