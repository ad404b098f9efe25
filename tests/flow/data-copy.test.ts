import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Unzipped, unzipSync } from 'fflate';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openZip } from '../../src/cli/zip-reader.ts';
import type { CopiaDatos, CopiaEnlazada } from '../../src/contract/company.ts';
import type { ConexionAEAT } from '../../src/contract/invoices.ts';
import { composeMail } from '../../src/mail/compose.ts';
import { WAITS } from '../../src/mail/retry.ts';
import { dataCopyLink } from '../../src/operations/data-copy.ts';
import { forgetExpired } from '../../src/operations/forget-expired.ts';
import { makeDataCopies } from '../../src/operations/make-data-copy.ts';
import { projectRoot } from '../../src/platform/project-root.ts';
import { claimMail, findDueMails } from '../../src/store/mail-jobs.ts';
import {
  expectOk,
  openWorldWithCompany,
  type TestCompany,
  untilTrue,
  type World,
} from '../support/world.ts';

const PASSWORD = 'una frase larga cualquiera';
const DAY = 24 * 3600;

let world: World;
let company: TestCompany;
/** In UTC, which is never ahead of Spain. */
const collectedOn = new Date().toISOString().slice(0, 10);

beforeEach(async () => {
  ({ world, company } = await openWorldWithCompany());
});
afterEach(() => world.close());

const ask = (body: object = {}, who = company) =>
  who.call<CopiaDatos>('POST', '/api/PostData/PrepararCopiaDatos', body);
const state = async (who = company) =>
  expectOk(await who.call<CopiaDatos>('GET', '/api/GetData/GetCopiaDatos'));
const linkOf = async (who = company) =>
  expectOk(await who.call<{ enlace: string }>('POST', '/api/PostData/EnlaceCopiaDatos', {})).enlace;
const make = (signal = new AbortController().signal) => makeDataCopies(world.deps, signal);
const look = (Enlace: string) =>
  world.call<CopiaEnlazada & { message: string }>('POST', '/api/Copia/Estado', {
    body: { Enlace },
  });
const kinds = async () =>
  expectOk(
    await company.call<{ rows: { tipo: string }[] }>(
      'GET',
      '/api/GetData/GetEventosSeguridad?pageSize=50',
    ),
  ).rows.map(({ tipo }) => tipo);

/** As the form of a page posts it. */
function download(Enlace: string) {
  return world.app.inject({
    method: 'POST',
    url: '/api/Copia/Descargar',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ Enlace }).toString(),
  });
}

/**
 * Two invoices answered by the AEAT, a draft with prices including tax, a client, a product, a logo and an uploaded
 * file.
 */
async function fill(): Promise<void> {
  const png = await sharp({
    create: { width: 40, height: 20, channels: 3, background: '#205040' },
  })
    .png()
    .toBuffer();
  await world.app.inject({
    method: 'POST',
    url: '/api/PostData/SetCompanyPicture',
    headers: { authorization: `Bearer ${company.token}`, 'content-type': 'application/json' },
    payload: JSON.stringify(png.toString('base64')),
  });
  await company.call('POST', '/api/PostData/SetClientes', {
    Name: '=Ñandú, S.L.',
    Email: 'a@b.es',
  });
  await company.call('POST', '/api/PostData/SetDatosEmpresa3', {
    RetencionPorDefecto: '2,8',
    ImpuestoPorDefecto: 'IVA10',
    DatosRegistrales: 'Inscrita en el R. M. de Zaragoza',
  });
  await company.call('POST', '/api/PostData/SetProductos', { Name: 'Pan', UnitPrice: '1,25' });
  expectOk(await company.register());
  expectOk(await company.register());
  const dispatcher = world.startDispatcher();
  await untilTrue(
    async () => expectOk(await company.call<ConexionAEAT>('GET', '/api/GetData/GetConexionAEAT')),
    ({ aceptadas }) => aceptadas === 2,
  );
  await dispatcher.stop(0);
  const { rows } = expectOk(
    await company.call<{ rows: { DocNo: string }[] }>(
      'GET',
      '/api/GetData/GetInvoices?page=1&sort=DocNo',
    ),
  );
  const cobro = { No: rows[0]?.DocNo, Fecha: collectedOn, Importe: '21,50', Medio: '05' };
  expectOk(await company.call('POST', '/api/PostData/AnotarCobro', cobro));
  const back = { No: rows[1]?.DocNo, Fecha: collectedOn, Importe: 1, Medio: '04' };
  expectOk(await company.call('POST', '/api/PostData/AnotarCobro', back));
  // As if the second one were the credit of the first one.
  await world.sql`
    update cobros c set importe = case when c.importe = 1 then -o.importe else c.importe end,
                        settled_with = o.id
      from cobros o
     where c.company_id = ${company.id} and o.company_id = c.company_id and o.id <> c.id`;
  await world.sql`
    insert into invoices (company_id, doc_no, status, tipo_factura, posting_date, customer_no)
    select company_id, 'B-77', 'Borrador', tipo_factura, posting_date, customer_no
      from invoices where company_id = ${company.id} limit 1`;
  await world.sql`
    insert into invoice_documents (company_id, invoice_id, draft)
    select b.company_id, b.id, jsonb_set(d.draft::jsonb, '{ivaIncluido}', 'true')
      from invoices b, invoice_documents d where b.doc_no = 'B-77' and d.company_id = b.company_id limit 1`;
  await world.sql`
    insert into uploads (company_id, id, invoice_id, file_name, media_type, content, uploaded_at)
    select company_id, gen_random_uuid(), id, ${`${'𝐟'.repeat(80)} ticket ñ/1.pdf`}, 'application/pdf', '%PDF-1.7 ticket', now()
      from invoices where doc_no = 'B-77'`;
}

const textOf = (files: Unzipped, name: string): string => Buffer.from(files[name] ?? []).toString();
const linesOf = (files: Unzipped, name: string): string[][] =>
  textOf(files, name)
    .replace('\ufeff', '')
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(';'));

describe('the copy of everything', () => {
  it('contains everything of the company, as read with a third-party tool', async () => {
    await fill();
    expect(await state()).toEqual({ estado: 'ninguna' });
    expect(expectOk(await ask())).toEqual({ estado: 'preparando', facturas: 0, total: 3 });
    await make();
    const ready = await state();
    expect(ready).toMatchObject({ estado: 'lista', hasta: expect.any(String) });

    const answer = await download(await linkOf());
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-length': String(ready.bytes),
      'cache-control': 'no-store',
      'content-disposition': expect.stringMatching(
        /^attachment; filename="datos-B12345674-.*\.zip"$/,
      ),
    });
    const files = unzipSync(answer.rawPayload);
    const [first, second] = await world.sql<{ doc_no: string; month: string; huella: string }[]>`
      select doc_no, to_char(posting_date, 'YYYY-MM') as month, huella
        from invoices where company_id = ${company.id} and status = 'Registrada' order by id`;
    const pdf = (row = first) => `facturas/${row?.month}/${row?.doc_no.replace('/', '-')}.pdf`;
    const names = Object.keys(files);
    expect(
      names.filter((name) => !/^(registros|envios|respuestas|subidas)\//.test(name)).sort(),
    ).toEqual(
      [
        ...['LEEME.txt', 'actividad.csv', 'borradores/B-77.pdf', 'clientes.csv', 'empresa.csv'],
        ...['facturas.csv', pdf(), pdf(second), 'lineas.csv', 'logotipo.png', 'manifiesto.csv'],
        ...['cobros.csv', 'pagos.csv', 'productos.csv'],
      ].sort(),
    );
    for (const name of [pdf(), pdf(second), 'borradores/B-77.pdf']) {
      expect(textOf(files, name).slice(0, 5), name).toBe('%PDF-');
    }
    expect((await sharp(files['logotipo.png']).metadata()).width).toBe(40);

    const invoices = linesOf(files, 'facturas.csv');
    expect(invoices).toHaveLength(4);
    expect(
      Object.fromEntries((invoices[0] ?? []).map((head, i) => [head, invoices[1]?.[i]])),
    ).toMatchObject({
      Número: first?.doc_no,
      Estado: 'Registrada',
      'Base imponible': '100,00',
      Total: '121,00',
      Huella: first?.huella,
      Archivo: pdf(),
    });
    expect(linesOf(files, 'lineas.csv')[1]?.slice(0, 2)).toEqual([first?.doc_no, '1']);
    // A price says whether it includes the tax: 100.00 / 1.21 = 82.64.
    expect(linesOf(files, 'lineas.csv').map((line) => line.slice(9))).toEqual([
      ['Base', 'Total', 'Producto', 'Precio con impuestos'],
      ['100,00', '121,00', '', ''],
      ['100,00', '121,00', '', ''],
      ['82,64', '100,00', '', 'Sí'],
    ]);
    const [head, ...cobros] = linesOf(files, 'cobros.csv').map((line) => line.toSpliced(5, 1));
    expect(head).toEqual([
      ...['Factura', 'Fecha', 'Importe', 'Medio', 'Cuenta o referencia', 'Compensado con'],
    ]);
    expect(cobros.sort()).toEqual([
      [first?.doc_no, collectedOn, '21,50', 'Domiciliación bancaria', '', second?.doc_no],
      [second?.doc_no, collectedOn, '-21,50', 'Efectivo, tarjeta u otro', '', first?.doc_no],
    ]);
    expect(textOf(files, 'clientes.csv')).toContain(`;"'=Ñandú, S.L."`.replaceAll('"', ''));
    expect(textOf(files, 'productos.csv')).toContain(';Pan;');
    expect(textOf(files, 'productos.csv')).toContain(';1,25;\r\n');
    expect(textOf(files, 'empresa.csv')).toContain('NIF;B12345674');
    expect(textOf(files, 'empresa.csv')).toContain('Retención habitual;2,8 %');
    expect(textOf(files, 'empresa.csv')).toContain('Impuesto habitual;IVA10');
    expect(textOf(files, 'empresa.csv')).toContain('Inscrita en el R. M. de Zaragoza');
    expect(textOf(files, 'actividad.csv')).toContain('Copia de todos tus datos pedida');
    const upload = names.find((name) => name.startsWith('subidas/'));
    expect(upload).toMatch(/^subidas\/B-77-[0-9a-f]{8}-𝐟{65} ticket ñ-1\.pdf$/u);
    expect(textOf(files, upload ?? '')).toBe('%PDF-1.7 ticket');

    const registros = names.filter((name) => name.startsWith('registros/'));
    expect(registros).toEqual(['registros/000001-000002.xml']);
    const listed = new Set<string>();
    for (const line of linesOf(files, 'manifiesto.csv').slice(1)) {
      const [name = '', sha256] = line.slice(-2);
      listed.add(name);
      expect(
        createHash('sha256')
          .update(files[name] ?? '')
          .digest('hex'),
      ).toBe(sha256);
    }
    const bodies = (await world.requests(company.nif)).map(({ peticion }) => peticion);
    const envios = names.filter((name) => name.startsWith('envios/'));
    expect(envios.length).toBeGreaterThan(0);
    for (const name of envios) expect(bodies).toContain(textOf(files, name));
    const answers = names.filter((name) => name.startsWith('respuestas/'));
    expect(answers).toHaveLength(envios.length);
    for (const name of answers) expect(textOf(files, name)).toContain('EstadoEnvio');
    expect([...listed].toSorted()).toEqual([...envios, ...registros, ...answers].toSorted());

    const secret = [PASSWORD, world.deps.config.jwtSecret];
    const [hash] = await world.sql<{ password_hash: string }[]>`
      select password_hash from companies where id = ${company.id}`;
    for (const name of names) {
      for (const word of [...secret, hash?.password_hash ?? '?']) {
        expect(textOf(files, name).includes(word), name).toBe(false);
      }
    }
    expect(await kinds()).toEqual(expect.arrayContaining(['copia-pedida', 'copia-descargada']));
  });

  it('proves as much as an export: npm run verificar finds its cadena intact', async () => {
    await fill();
    await ask();
    await make();
    const { rawPayload } = await download(await linkOf());
    const folder = await mkdtemp(join(tmpdir(), 'huella-copia-'));
    try {
      const path = join(folder, 'datos.zip');
      await writeFile(path, rawPayload);
      const output = await new Promise<string>((resolve, reject) => {
        const args = ['scripts/run.mjs', 'src/cli/verificar.ts', path];
        execFile(process.execPath, args, { cwd: projectRoot }, (error, stdout) =>
          error ? reject(error) : resolve(stdout),
        );
      });
      expect(output).toContain('BIEN  B12345674: 2 registros');
      expect(output).not.toContain('AVISO');
      const zip = await openZip(path);
      expect(zip.files.length).toBeGreaterThan(15);
      await zip.close();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('can also be made for a company with no data', async () => {
    await ask();
    await make();
    const files = unzipSync((await download(await linkOf())).rawPayload);
    expect(linesOf(files, 'facturas.csv')).toHaveLength(1);
    expect(Object.keys(files)).not.toContain('manifiesto.csv');
  });

  it('keeps PDFs apart whose numbers give the same file name', async () => {
    await fill();
    const [row] = await world.sql<{ id: bigint; doc_no: string }[]>`
      select id, doc_no from invoices where company_id = ${company.id} and status = 'Registrada' limit 1`;
    await world.sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`;
      await tx`
        update invoices set doc_no = ${row?.doc_no.replace('/', '-') ?? ''} where doc_no = 'B-77'`;
      await tx`update invoices set registered_at = now() where doc_no like '%-%' and status = 'Borrador'`;
    });
    await ask();
    await make();
    const files = unzipSync((await download(await linkOf())).rawPayload);
    expect(Object.keys(files).filter((name) => name.startsWith('facturas/'))).toHaveLength(3);
  });
});

describe('asking for it', () => {
  it('requires the password when the sign-in is old, and allows one at a time and five a day', async () => {
    world.advanceClock(11 * 60);
    expect(await ask()).toMatchObject({ status: 400, body: { codigo: 'REAUTHENTICATE' } });
    expect((await ask({ PasswordActual: 'otra cosa' })).status).toBe(400);
    expectOk(await ask({ PasswordActual: PASSWORD }));
    expectOk(await ask());
    expect((await kinds()).filter((kind) => kind === 'copia-pedida')).toHaveLength(1);
    for (let i = 0; i < 4; i++) {
      await make();
      expectOk(await ask());
    }
    await make();
    expect((await ask()).status).toBe(429);
    world.advanceClock(11 * 60);
    const link = await company.call('POST', '/api/PostData/EnlaceCopiaDatos', {});
    expect(link).toMatchObject({ status: 400, body: { codigo: 'REAUTHENTICATE' } });
  });

  it('is answered by e-mail, with a link that opens it and whose secret no server sees', async () => {
    await ask();
    await make();
    const due = await findDueMails(world.sql, { now: world.deps.clock(), waits: WAITS, limit: 50 });
    const jobs = await Promise.all(
      due.map(({ companyId, id }) => claimMail(world.sql, companyId, id, 60)),
    );
    const job = jobs.find((one) => one?.content.kind === 'copia-lista');
    if (!job) throw new Error('No message tells of the copy.');
    const message = await composeMail(world.deps, job);
    const link = /\/copia#([\w.-]+)/.exec(JSON.stringify(message))?.[1] ?? '';
    expect(link).toBe(await linkOf());
    expect((await look(link)).status).toBe(200);
    expect(JSON.stringify(job.content)).not.toContain(link.split('.').at(-1));
  });
});

describe('the link', () => {
  it('opens for seven days, only its own copy, which is then destroyed', async () => {
    const other = await world.signUp('B76543214', 'Otra Empresa, S.L.');
    await ask();
    await ask({}, other);
    await make();
    const link = await linkOf();
    const [id, copyId, signature] = link.split('.');
    const foreign = await linkOf(other);
    for (const wrong of [
      'nada',
      `${other.id}.${copyId}.${signature}`,
      `${id}.${foreign.split('.')[1]}.${signature}`,
      `${id}.${copyId}.${'0'.repeat(64)}`,
      dataCopyLink({ jwtSecret: 'otra clave' }, { companyId: Number(id), copyId: copyId ?? '' }),
    ]) {
      expect((await look(wrong)).status, wrong).toBe(404);
      expect((await download(wrong)).statusCode, wrong).toBe(404);
    }
    world.advanceClock(7 * DAY - 60);
    expect((await look(link)).body).toMatchObject({
      archivo: expect.stringContaining('B12345674'),
    });
    world.advanceClock(61);
    expect((await look(link)).body.message).toMatch(/^Este enlace ya no sirve/);
    expect((await download(link)).statusCode).toBe(404);
    await forgetExpired(world.deps);
    const [left] = await world.sql<{ copies: number; pieces: number }[]>`
      select (select count(*)::int from data_copies) as copies,
             (select count(*)::int from data_copy_pieces) as pieces`;
    expect(left).toEqual({ copies: 0, pieces: 0 });
  });

  it('stops working once another copy has replaced it', async () => {
    await ask();
    await make();
    const before = await linkOf();
    await ask();
    expect((await look(before)).status).toBe(404);
    await make();
    expect((await look(before)).status).toBe(404);
    expect((await look(await linkOf())).status).toBe(200);
  });

  it('stops working when the password or the e-mail is changed', async () => {
    await fill();
    await ask();
    await make();
    const first = await linkOf();
    const change = async (body: object) => {
      const { tokenJWT } = expectOk(
        await company.call<{ tokenJWT?: string }>('POST', '/api/PostData/SetDatosEmpresa1', body),
      );
      return tokenJWT;
    };
    await change({ Email: 'nueva@ejemplo.es', Password: '' });
    expect((await look(first)).status).toBe(404);
    const [copy] = await world.sql<{ id: string; status: string }[]>`
      select id, status from data_copies where company_id = ${company.id}`;
    expect(copy?.status).toBe('lista');
    expect(first).not.toContain(copy?.id);
  });

  it('is sent to the e-mail address in force when the copy is ready', async () => {
    await fill();
    await ask();
    // The e-mail changes while the copy is being written.
    await world.sql.unsafe(`
      create function move_house() returns trigger language plpgsql as $$
      begin
        update companies set email = 'otra@ejemplo.es' where id = new.company_id;
        return new;
      end $$;
      create trigger move_house after insert on data_copy_pieces
        for each row execute function move_house()`);
    await make();
    const [mail] = await world.sql`select recipient from mail_jobs where kind = 'copia-lista'`;
    expect(mail).toEqual({ recipient: 'otra@ejemplo.es' });
  });

  it('still opens it after the account is closed, which waits for a copy in progress', async () => {
    await fill();
    await ask();
    const refused = await company.call<{ message: string }>(
      'POST',
      '/api/PostData/DeleteAccount',
      {},
    );
    expect(refused).toMatchObject({ status: 409 });
    expect(refused.body.message).toContain('Espera a que esté lista');
    await make();
    const link = await linkOf();
    expectOk(await company.call('POST', '/api/PostData/DeleteAccount', {}));
    const files = unzipSync((await download(link)).rawPayload);
    expect(Object.keys(files)).toEqual(
      expect.arrayContaining(['logotipo.png', 'borradores/B-77.pdf']),
    );
    const [mail] = await world.sql`select from mail_jobs where kind = 'copia-lista'`;
    expect(mail).toBeDefined();
    await forgetExpired(world.deps);
    expect((await look(link)).status).toBe(200);
  });
});

describe('making it', () => {
  it('starts again when its process ended, and gives up after three attempts', async () => {
    await fill();
    await ask();
    const ending = new AbortController();
    ending.abort();
    await make(ending.signal);
    expect(await state()).toMatchObject({ estado: 'preparando' });
    // A process that was killed half way: its part is thrown away.
    await world.sql`
      insert into data_copy_pieces (company_id, piece, content) values (${company.id}, 0, 'medio')`;
    await make();
    expect(unzipSync((await download(await linkOf())).rawPayload)).toHaveProperty('LEEME.txt');

    await ask();
    await world.sql`update data_copies set attempts = 3`;
    await make();
    expect(await state()).toEqual({ estado: 'fallida' });
    expectOk(await ask());
    await make();
    expect(await state()).toMatchObject({ estado: 'lista' });
  });

  it('survives a failure, and tries again later', async () => {
    await fill();
    await ask();
    await world.sql`update invoice_documents set draft = '{}' where invoice_id in (
      select id from invoices where doc_no = 'B-77')`;
    await make();
    const [copy] = await world.sql<{ status: string; attempts: number; later: boolean }[]>`
      select status, attempts, lease_until > now() as later from data_copies`;
    expect(copy).toEqual({ status: 'preparando', attempts: 1, later: true });
  });
});
