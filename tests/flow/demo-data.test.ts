/** What `npm run demo-data` leaves to collect. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { collect } from '../../src/cli/demo/collect.ts';
import { fillCompany } from '../../src/cli/demo/fill.ts';
import { openOutside } from '../../src/cli/demo/outside.ts';
import { Dice } from '../../src/cli/demo/people.ts';
import type { InvoiceListQuery } from '../../src/contract/invoices.ts';
import { expectOk, openWorld, type World } from '../support/world.ts';

const FACTURAS = 300;

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

it('notes down cobros of most invoices, and the filter of what is owed finds the others', async () => {
  const outside = await openOutside(world.deps, world.runtime);
  const dice = new Dice(7);
  const { companyId, email, password } = await fillCompany(
    world.deps,
    outside,
    FACTURAS,
    undefined,
    dice,
  );
  await outside.close();
  await collect(world.deps, companyId, dice);

  const { tokenJWT: token } = expectOk(
    await world.call<{ tokenJWT: string }>('POST', '/api/Auth/login', {
      body: { Email: email, Password: password },
    }),
  );
  const history = async (cobro?: InvoiceListQuery['cobro']) =>
    expectOk(
      await world.call<{
        rows: { DocNo: string; Cobro?: string }[];
        total: number;
        pendiente?: number;
      }>('GET', `/api/GetData/GetInvoices?page=1&pageSize=200${cobro ? `&cobro=${cobro}` : ''}`, {
        token,
      }),
    );
  const owed = await history('pendiente');
  const overdue = await history('vencida');
  const all = await history();

  expect(overdue.total).toBeGreaterThan(0);
  expect(owed.total).toBeGreaterThan(overdue.total);
  expect(all.total).toBeGreaterThan(4 * owed.total);
  const states = new Set(all.rows.map(({ Cobro }) => Cobro));
  expect([...states].sort()).toEqual(['Cobrada', 'Cobrada en parte', undefined]);
  // Added up without the mark of what is settled.
  const [left] = await world.sql<{ count: number; sum: string }[]>`
    select count(*)::int, sum(payable - collected) as sum
      from (select (r.issued ->> 'payable')::numeric as payable, coalesce(c.collected, 0) as collected
              from invoices i
              join registros r on r.company_id = i.company_id and r.seq = i.seq
              left join lateral (select sum(importe) as collected from cobros
                                  where company_id = i.company_id and invoice_id = i.id) as c on true
             where i.company_id = ${companyId} and i.status not in ('Borrador', 'Anulada')
               and i.tipo_factura not in ('F2', 'R5')) as o
     where payable <> collected`;
  expect([owed.total, owed.pendiente]).toEqual([left?.count, Number(left?.sum)]);
});
