import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BUSINESS_CENTRAL_SETTINGS } from '../fixtures/business-central.ts';
import { drawPdf } from '../reading/draw.ts';
import { sampleOf } from '../reading/invoice-sample.ts';
import { LAYOUTS } from '../reading/layouts.ts';
import { meanwhile } from '../support/meanwhile.ts';
import { openWorld, type TestCompany, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const close = (company: TestCompany) => company.call('POST', '/api/PostData/DeleteAccount');
const rowsOf = async (table: string, company: TestCompany) => {
  const rows = await world.sql`select 1 from ${world.sql(table)} where company_id = ${company.id}`;
  return rows.length;
};

const PAN = { No: 'P1', Name: 'Pan', UnitOfMeasure: 'UD', UnitPrice: 1 };

/** What a call sends, by the table in which it is saved. */
const CALLS: Record<string, { call: string; body: (nif: string) => Promise<object | string> }> = {
  certificates: {
    call: 'UpdateCertificate',
    body: async (nif) => {
      const issued = await world.control(`/desarrollo/certificado?nif=${nif}&nombre=Ana`);
      const Certificate = Buffer.from(await issued.arrayBuffer()).toString('base64');
      return { Certificate, Password: 'prueba' };
    },
  },
  company_pictures: {
    call: 'SetCompanyPicture',
    body: async () => {
      const create = { width: 2, height: 2, channels: 3, background: 'red' } as const;
      const png = await sharp({ create }).png().toBuffer();
      return JSON.stringify(png.toString('base64'));
    },
  },
  uploads: {
    call: 'ExtraerFactura',
    body: async () => {
      const file = await drawPdf(LAYOUTS.clasica as never, sampleOf(1));
      return { File: file.toString('base64') };
    },
  },
  bc_connections: { call: 'SetBusinessCentral', body: async () => BUSINESS_CENTRAL_SETTINGS },
  data_copies: { call: 'PrepararCopiaDatos', body: async () => ({}) },
  products: { call: 'SaveData', body: async () => ({ Items: [PAN] }) },
};

describe('an account that is closed while a call of it is under way', () => {
  it.each(Object.entries(CALLS))('keeps nothing in %s', async (table, { call, body }) => {
    const company = await world.signUp();
    const payload = await body(company.nif);
    const send = async () => {
      const { statusCode } = await world.app.inject({
        method: 'POST',
        url: `/api/PostData/${call}`,
        headers: {
          authorization: `Bearer ${company.token}`,
          'content-type': 'application/json',
        },
        payload,
      });
      return statusCode;
    };
    const [closed, sent] = await meanwhile(
      world.sql,
      (tx) => tx`lock table import_readings in exclusive mode`, // The last thing that closing deletes.
      () => close(company),
      send,
    );
    expect([closed.status, sent, await rowsOf(table, company)]).toEqual([200, 401, 0]);
  });

  it('keeps nothing of an import that it waited for', async () => {
    const company = await world.signUp();
    const [imported, closed] = await meanwhile(
      world.sql,
      (tx) => tx`lock table imported_files in exclusive mode`, // The last thing that an import writes.
      () =>
        company.call('POST', '/api/PostData/SaveData', {
          importId: 'x'.repeat(43),
          Items: [PAN],
        }),
      () => close(company),
    );
    expect([imported.status, closed.status]).toEqual([200, 200]);
    expect([await rowsOf('products', company), await rowsOf('imported_files', company)]).toEqual([
      0, 0,
    ]);
  });
});
