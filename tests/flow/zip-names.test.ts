import { afterAll, beforeAll, expect, it } from 'vitest';
import { addDays } from '../../src/domain/dates.ts';
import { expectOk, openWorld, type TestCompany, type World } from '../support/world.ts';

/** Half an hour before the day ends in UTC: in the peninsula the next one has begun, at any time of the year. */
const HALF_PAST_ELEVEN = 23.5 * 3600;
const DAY = 24 * 3600;

let world: World;
let company: TestCompany;
let tomorrow: string;
beforeAll(async () => {
  world = await openWorld();
  const ofToday = (world.deps.clock().getTime() / 1000) % DAY;
  world.advanceClock((DAY + HALF_PAST_ELEVEN - ofToday) % DAY);
  tomorrow = addDays(world.deps.clock().toISOString().slice(0, 10), 1);
  company = await world.signUp('B12345674');
});
afterAll(() => world.close());

const fileNameOf = async (method: 'GET' | 'POST', url: string, payload?: object) => {
  const { headers } = await world.app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${company.token}` },
    ...(payload && { payload }),
  });
  return /filename="(.*)"/.exec(String(headers['content-disposition']))?.[1];
};

const lastExport = async () => {
  const [event] = await world.sql`
    select detail from security_events where kind = 'exportacion' order by id desc limit 1`;
  return event?.detail;
};

it('a ZIP is named by the day where the company is', async () => {
  const { DocNo } = expectOk(await company.register());
  expect(await fileNameOf('POST', '/api/PostData/DescargarFacturas', { Nos: [DocNo] })).toBe(
    `facturas-${tomorrow}.zip`,
  );
  expect(await fileNameOf('GET', '/api/GetData/ExportarRegistros')).toBe(
    `registros-B12345674-${tomorrow}.zip`,
  );
  expect(await lastExport()).toBe('Todos');
  expectOk(await company.call('POST', '/api/PostData/PrepararCopiaDatos', {}));
  expect(await world.sql`select file_name from data_copies`).toEqual([
    { file_name: `datos-B12345674-${tomorrow}.zip` },
  ]);
});

it.each([
  ['?desde=2026-10-01&hasta=2026-12-31', '2026-4T', 'Del 01/10/2026 al 31/12/2026'],
  ['?desde=2026-10-02', 'desde-2026-10-02', 'Desde el 02/10/2026'],
  ['?hasta=2026-10-02', 'hasta-2026-10-02', 'Hasta el 02/10/2026'],
])('an export is named by its days, and told with them: «%s»', async (days, name, told) => {
  expect(await fileNameOf('GET', `/api/GetData/ExportarRegistros${days}`)).toBe(
    `registros-B12345674-${name}.zip`,
  );
  expect(await lastExport()).toBe(told);
});
