import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SetFacturasAnswer } from '../../src/contract/invoices.ts';
import type {
  ExtraerFacturaAnswer,
  LecturaAnswer,
  SubidasAnswer,
} from '../../src/contract/reading.ts';
import { isoDateIn } from '../../src/domain/dates.ts';
import { READING_WARNINGS } from '../../src/domain/reading-warnings.ts';
import { urlQr } from '../../src/domain/verifactu/qr.ts';
import { forgetExpired } from '../../src/operations/forget-expired.ts';
import { holdOpen } from '../../src/store/companies.ts';
import { attachUploads } from '../../src/store/uploads.ts';
import { drawPdf } from '../reading/draw.ts';
import { dashed, type Sample, sampleOf } from '../reading/invoice-sample.ts';
import { XML_FORMATS } from '../reading/invoice-xml.ts';
import { LAYOUTS } from '../reading/layouts.ts';
import { qrPng } from '../reading/qr-png.ts';
import { untilWaiting } from '../support/meanwhile.ts';
import {
  type Answer,
  expectOk,
  openWorld,
  type TestCompany,
  untilTrue,
  type World,
} from '../support/world.ts';

const NIF = 'B12345674';

let world: World;
let company: TestCompany;
let stranger: TestCompany;
let today: string;
beforeAll(async () => {
  world = await openWorld();
  today = isoDateIn(world.deps.clock(), 'Europe/Madrid');
  company = await world.signUp(NIF);
  stranger = await world.signUp('B76543214', 'Otra Empresa, S.L.');
});
afterAll(() => world.close());

/** An invoice issued by the company itself, to its existing client. */
function ownSample(seed: number): Sample {
  const sample = sampleOf(seed);
  const { date, issuer } = sample;
  return { ...sample, date: `2025${date.slice(4)}`, issuer: { ...issuer, nif: NIF } };
}

const draw = (sample: Sample, layout = 'clasica') => drawPdf(LAYOUTS[layout] as never, sample);

const extract = (file: Buffer, who = company): Promise<Answer<ExtraerFacturaAnswer>> =>
  who.call('POST', '/api/PostData/ExtraerFactura', { File: file.toString('base64') });

async function refusalOf(file: Buffer): Promise<string> {
  const { status, body } = await extract(file);
  expect(status).toBe(400);
  return (body as unknown as { message: string }).message;
}

/** What a scanner makes of a sheet: an image with 150 dots per inch, with the QR at the top if given. */
async function scanned(sample: Sample, url?: string): Promise<Buffer> {
  const { drawPages } = await import('../../src/reading/pdf.ts');
  const layout = LAYOUTS.clasica as NonNullable<(typeof LAYOUTS)[string]>;
  const qr = url ? await qrPng(url) : null;
  const pdf = await drawPdf((sheet, given) => {
    layout(sheet, given);
    if (qr) sheet.image(qr, 200, 30, 90);
  }, sample);
  for await (const { data, width, height } of drawPages(pdf, 150)) {
    return sharp(data, { raw: { width, height, channels: 1 } })
      .png()
      .toBuffer();
  }
  throw new Error('The sheet has no page.');
}

/** Two kilobytes: a form that draws another ten times, which draws another ten times, nine levels deep. */
function pageWithoutEnd(): Buffer {
  const stream = (dictionary: string, content: string) =>
    `<<${dictionary}/Length ${content.length}>>stream\n${content}\nendstream`;
  const form = (resources: string, content: string) =>
    stream(`/Type/XObject/Subtype/Form/BBox[0 0 595 842]/Resources<<${resources}>>`, content);
  const font = '/Font<</F 4 0 R>>';
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 5 0 R/Resources<</XObject<</X 6 0 R>>>>>>',
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    stream('', '/X Do'),
    ...Array.from({ length: 8 }, (_, i) =>
      form(`/XObject<</X ${7 + i} 0 R>>`, '/X Do '.repeat(10)),
    ),
    form(font, 'BT /F 8 Tf 50 50 Td (hola) Tj ET'),
  ];
  const body = objects.map((object, i) => `${i + 1} 0 obj\n${object}\nendobj\n`).join('');
  return Buffer.from(
    `%PDF-1.7\n${body}trailer <</Size ${objects.length + 1}/Root 1 0 R>>\n%%EOF\n`,
  );
}

/** Each file is opened by a process that has to start first, however slow the machine is. */
const PATIENCE = { timeout: 240_000 };

describe('ExtraerFactura', PATIENCE, () => {
  it('answers a repeated request with the same key like the first one, without reading the file again', async () => {
    const file = (await draw(ownSample(14))).toString('base64');
    const send = (File: string) =>
      company.call<ExtraerFacturaAnswer>('POST', '/api/PostData/ExtraerFactura', { File }, 'una');
    const first = expectOk(await send(file));
    expect(expectOk(await send(file))).toEqual(first);
    const [kept] = await world.sql`
      select k.xmin::text = u.xmin::text as "inOne" from idempotency_keys k, uploads u
       where k.company_id = ${company.id} and k.key = 'una' and u.company_id = k.company_id and u.id = ${first.archivo}`;
    expect(kept).toEqual({ inOne: true });
    const other = (await draw(ownSample(16))).toString('base64');
    expect((await send(other)).status).toBe(409);
  });

  it('reads a PDF with text into a draft, keeps it, and returns it once registered', async () => {
    const sample = ownSample(6);
    const file = await draw(sample);
    const read = expectOk(await extract(file));
    expect(read.campos).toMatchObject({
      numero: { valor: sample.number, origen: 'texto', pagina: 1 },
      fecha: { valor: sample.date },
      nifEmisor: { valor: NIF },
      nifCliente: { valor: sample.client.nif },
      nombreCliente: { valor: sample.client.name },
      baseImponible: { valor: sample.baseCents / 100, confianza: 0.95 },
      cuotaIVA: { valor: sample.quotaCents / 100 },
      total: { valor: sample.totalCents / 100 },
    });
    expect(read.campos.lineas.map(({ description, total }) => [description, total])).toEqual(
      sample.lines.map(({ description, totalCents }) => [description, totalCents / 100]),
    );
    expect(read.campos.lineas[0]).toMatchObject({ confianza: 0.95, origen: 'texto', pagina: 1 });
    expect(read.avisos).toEqual([]);
    expect(read.borrador).toMatchObject({ invoiceDate: sample.date, Status: 'Borrador' });

    const { Status: _status, version: _version, ...draft } = read.borrador;
    const saved = expectOk(
      await company.call<SetFacturasAnswer>('POST', '/api/PostData/SetFacturas', {
        ...draft,
        invoiceDate: today,
        invoiceClient: company.customerNo,
        archivo: read.archivo,
      }),
    );
    const registered = expectOk(
      await company.register({
        ...draft,
        invoiceDate: today,
        invoiceClient: company.customerNo,
        draftNo: saved.DocNo,
      } as never),
    ) as SetFacturasAnswer;
    // Twice with the same key: a file is not an answer that is stored, so it is sent again.
    for (let times = 0; times < 2; times++) {
      const original = await world.app.inject({
        method: 'POST',
        url: '/api/PostData/GetOriginal',
        headers: { authorization: `Bearer ${company.token}`, 'idempotency-key': 'original' },
        payload: { No: registered.DocNo },
      });
      expect(original.headers['content-type']).toBe('application/pdf');
      expect(original.rawPayload.equals(file)).toBe(true);
    }
    const others = await stranger.call('POST', '/api/PostData/GetOriginal', {
      No: registered.DocNo,
    });
    expect(others.status).toBe(404);
    const { original: name } = expectOk(
      await company.call<{ original?: string }>('POST', '/api/PostData/GetInvoiceDetail', {
        No: registered.DocNo,
      }),
    );
    expect(name).toBe('factura');
  });

  it('leaves it to the user to choose the tax of what is printed at 0 %, and says so', async () => {
    const file = await drawPdf((sheet) => {
      const rows = [
        ['Academia Lienzos, S.L.', 'FACTURA'],
        [`NIF ${NIF}`, 'Número: F25-0007'],
        ['Calle Mayor, 1, 28013 Madrid', 'Fecha: 04/03/2025'],
        ['Cliente: María Núñez, NIF 12345678Z'],
      ];
      rows.forEach(([left = '', right = ''], i) => {
        sheet.text(left, 40, 40 + 16 * i);
        sheet.text(right, 380, 40 + 16 * i);
      });
      const table = [
        ['Concepto', 'Cantidad', 'Precio', 'IVA', 'Importe'],
        ['Clase de piano', '2', '50,00', '0 %', '100,00'],
        ['Clase de violín', '1', '60,00', '0 %', '60,00'],
      ];
      table.forEach(([what = '', ...figures], i) => {
        sheet.text(what, 40, 160 + 16 * i);
        figures.forEach((figure, j) => {
          sheet.text(figure, 0, 160 + 16 * i, { right: 280 + 80 * j });
        });
      });
      const sums = [
        ['Base imponible', '160,00 €'],
        ['IVA 0 %', '0,00 €'],
        ['TOTAL FACTURA', '160,00 €'],
      ];
      sums.forEach(([what = '', figure = ''], i) => {
        sheet.text(what, 340, 240 + 16 * i);
        sheet.text(figure, 0, 240 + 16 * i, { right: 520 });
      });
      sheet.text('Operación exenta, artículo 20.Uno.9.º de la Ley 37/1992', 40, 320);
    }, ownSample(1));
    const { borrador, campos, avisos } = expectOk(await extract(file));
    expect(borrador.invoiceItems.map(({ description, tax }) => [description, tax])).toEqual([
      ['Clase de piano', ''],
      ['Clase de violín', ''],
    ]);
    expect(campos.lineas.map(({ tax }) => tax)).toEqual(['', '']);
    expect(avisos).toEqual([READING_WARNINGS.zeroRate]);
    // Saved like that, it may not be registered until somebody has chosen.
    const { Status: _status, version: _version, ...draft } = borrador;
    const { status, body } = await company.register({
      ...draft,
      invoiceDate: today,
      invoiceClient: company.customerNo,
    } as never);
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain('Elige el impuesto de la línea 1.');
  });

  it.each(['UBL', 'Factur-X', 'Facturae'])(
    'chooses no tax for a line of %s without a rate',
    async (format) => {
      const whole = ownSample(3);
      const lines = whole.lines.map((line) => ({ ...line, rate: 0 }));
      const base = whole.baseCents;
      const groups = [{ rate: 0, baseCents: base, quotaCents: 0, recargo: 0, recargoCents: 0 }];
      const none = { quotaCents: 0, recargoCents: 0, irpf: 0, irpfCents: 0, totalCents: base };
      const sample: Sample = { ...whole, ...none, lines, groups };
      const { name = '', write } = XML_FORMATS[format] ?? {};
      const files = [{ name, content: Buffer.from(write?.(sample) ?? '') }];
      const file = await drawPdf(LAYOUTS.clasica as never, sample, { files });
      const { borrador, avisos } = expectOk(await extract(file));
      expect(borrador.invoiceItems).toHaveLength(lines.length);
      expect(borrador.invoiceItems.every(({ tax }) => tax === '')).toBe(true);
      expect(avisos).toContain(READING_WARNINGS.zeroRate);
    },
  );

  it('keeps the extracted data and the page images beside the draft, for its company only', async () => {
    const file = await draw(ownSample(9));
    const read = expectOk(await extract(file));
    const { Status: _status, version: _version, ...draft } = read.borrador;
    const { DocNo } = expectOk(
      await company.call<SetFacturasAnswer>('POST', '/api/PostData/SetFacturas', {
        ...draft,
        archivo: read.archivo,
      }),
    );
    const opened = expectOk(
      await company.call<{ archivo?: string }>('POST', '/api/PostData/GetEditInvoice', {
        No: DocNo,
      }),
    );
    expect(opened.archivo).toBe(read.archivo);
    const url = `/api/GetData/GetLectura?archivo=${read.archivo}`;
    const lectura = expectOk(await company.call<LecturaAnswer>('GET', url));
    expect(lectura).toMatchObject({ campos: read.campos, avisos: read.avisos });
    const [first] = lectura.paginas;
    expect(first?.ancho).toBeGreaterThan(1_100);
    expect((await stranger.call('GET', url)).status).toBe(404);

    const page = (token: string) =>
      world.app.inject({
        url: `/api/GetData/GetPaginaLeida?archivo=${read.archivo}&pagina=1`,
        headers: { authorization: `Bearer ${token}` },
      });
    const { rawPayload } = await page(company.token);
    expect(await sharp(rawPayload).metadata()).toMatchObject({
      format: 'webp',
      width: first?.ancho,
      height: first?.alto,
    });
    expect((await page(stranger.token)).statusCode).toBe(404);

    const listed = async (who: TestCompany) =>
      expectOk(await who.call<SubidasAnswer>('GET', '/api/GetData/GetSubidas')).subidas;
    expect(await listed(company)).toMatchObject([{ DocNo, nombre: 'factura' }]);
    expect(await listed(stranger)).toEqual([]);

    const again = expectOk(await extract(file));
    expect(again.avisos[0]).toBe(
      `Ya subiste este mismo archivo: es el borrador ${DocNo}. No registres dos veces la misma factura.`,
    );
    expect(expectOk(await extract(file, stranger)).avisos[0]).not.toContain('Ya subiste');
  });

  it('links the original in the transaction that registers', async () => {
    const { borrador, archivo } = expectOk(await extract(await draw(ownSample(12))));
    const { Status: _status, version: _version, ...draft } = borrador;
    const invoice = { ...draft, invoiceDate: today, invoiceClient: company.customerNo, archivo };
    const { DocNo } = expectOk(await company.register(invoice as never)) as SetFacturasAnswer;
    const linked = async () => {
      const [row] = await world.sql<{ docNo: string; same: boolean }[]>`
        select i.doc_no as "docNo", u.xmin = i.xmin as same
          from uploads u join invoices i on i.company_id = u.company_id and i.id = u.invoice_id
         where u.id = ${archivo}`;
      return row;
    };
    expect(await linked()).toEqual({ docNo: DocNo, same: true });
    // Another invoice with the same original does not take it away.
    const other = { companyId: company.id, uploadId: archivo, invoiceId: 0n };
    await attachUploads(world.sql, [other]);
    expect((await linked())?.docNo).toBe(DocNo);

    // Whoever corrects what the AEAT rejected compares it with the original again.
    const pagesWhen = async (status: string) => {
      await world.sql`update invoices set status = ${status} where doc_no = ${DocNo}`;
      await forgetExpired(world.deps);
      return world.sql`select page from upload_pages where upload_id = ${archivo}`;
    };
    for (const status of ['En espera', 'Rechazado', 'Aceptado con errores']) {
      expect(await pagesWhen(status), status).toHaveLength(1);
    }
    expect(await pagesWhen('Registrada')).toHaveLength(0);
  });

  it('refuses an invoice that, by its QR, the company has already registered', async () => {
    const sample = ownSample(2);
    const { DocNo } = expectOk(await company.register()) as SetFacturasAnswer;
    const refused = async (numSerie: string) => {
      const datos = { nif: NIF, numSerie, importe: '10.00', fecha: dashed(sample.date) };
      const { status, body } = await extract(await scanned(sample, urlQr('pruebas', datos)));
      expect(status).toBe(409);
      return body as unknown as { message: string; DocNo?: string };
    };
    // The one in this company is named in a field of its own, to link to it; one of another program is not.
    expect(await refused(DocNo)).toMatchObject({
      DocNo,
      message: expect.stringContaining('ya consta en la AEAT'),
    });
    expect(await refused('OTRO-7')).not.toHaveProperty('DocNo');
  });

  it('keeps a limited amount that is not registered, less for a demo, and says how to make room', async () => {
    const file = await draw(ownSample(21));
    const { DocNo } = expectOk(
      await stranger.call<SetFacturasAnswer>('POST', '/api/PostData/SetFacturas', {
        invoiceDate: today,
        invoiceClient: stranger.customerNo,
        invoiceItems: [{ description: 'Pan', quantity: '1', price: '10' }],
      }),
    );
    // Four of about fifty megabytes: two with a draft, and two without one.
    await world.sql`
      insert into uploads (company_id, id, file_name, media_type, content, uploaded_at, invoice_id)
      select ${stranger.id}, gen_random_uuid(), 'a.pdf', 'application/pdf',
             convert_to(repeat('x', ${50 * 1024 * 1024 - 1}), 'UTF8'), now(), case when n < 3 then i.id end
        from invoices i, generate_series(1, 4) as n
       where i.company_id = ${stranger.id} and i.doc_no = ${DocNo}`;
    const demo = await extract(file, stranger);
    expect(demo).toMatchObject({
      status: 429,
      body: { message: expect.stringContaining('los 200 MB de una cuenta de prueba') },
    });
    expect((demo.body as unknown as { message: string }).message).toContain('Registra o elimina');

    const plan = (type: string) => world.sql`
      update companies set subscription_type = ${type} where id = ${stranger.id}`;
    await plan('monthly');
    expectOk(await extract(file, stranger));
    await plan('Demo');
    expect((await extract(file, stranger)).status).toBe(429);
    expectOk(await stranger.call('POST', '/api/PostData/DeleteInvoice', { No: DocNo }));
    expectOk(await extract(file, stranger));
    await world.sql`delete from uploads where company_id = ${stranger.id}`;
  });

  it('waits for what another process is storing, and counts it', async () => {
    const file = await draw(ownSample(22));
    const { answered } = await world.sql.begin(async (tx) => {
      await holdOpen(tx, stranger.id);
      await tx`
        insert into uploads (company_id, id, file_name, media_type, content, uploaded_at)
        select ${stranger.id}, gen_random_uuid(), 'a.pdf', 'application/pdf',
               convert_to(repeat('x', ${200 * 1024 * 1024 - 1}), 'UTF8'), now()`;
      const answer = extract(file, stranger);
      await untilWaiting(tx, 1, { patienceMs: PATIENCE.timeout });
      return { answered: answer };
    });
    expect((await answered).status).toBe(429);
    await world.sql`delete from uploads where company_id = ${stranger.id}`;
  });

  it('fetches no address mentioned in a document', async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end();
    }).listen(0, '127.0.0.1');
    try {
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const layout = LAYOUTS.clasica as NonNullable<(typeof LAYOUTS)[string]>;
      const qr = await qrPng(`http://127.0.0.1:${port}/wlpl/TIKE-CONT/ValidarQR?nif=${NIF}`);
      const file = await drawPdf((sheet, given) => {
        layout(sheet, given);
        sheet.image(qr, 200, 30, 90);
      }, sampleOf(3));
      expectOk(await extract(file));
      expect(asked).toEqual([]);
    } finally {
      server.close();
    }
  });

  it('reads a scan, and warns about an invoice that somebody else issued', async () => {
    const sample = sampleOf(7);
    const importe = (sample.totalCents / 100).toFixed(2);
    const datos = { nif: sample.issuer.nif, numSerie: sample.number, importe };
    const url = urlQr('produccion', { ...datos, fecha: dashed(sample.date) });
    const { campos, avisos } = expectOk(await extract(await scanned(sample, url)));
    expect(avisos[0]).toContain('Es una factura recibida');
    expect(campos).toMatchObject({
      numero: { valor: sample.number, origen: 'qr', confianza: 0.99 },
      total: { valor: sample.totalCents / 100, origen: 'qr' },
      baseImponible: { valor: sample.baseCents / 100, origen: 'ocr' },
    });
  });

  it('warns about an invoice that the company received, or may have received', async () => {
    const other = [
      'Fibra del Norte, S.L.',
      'Avda. de Arteixo, 40',
      '15008 A Coruña',
      'CIF B82472127',
    ];
    const own = ['Panadería Soto, S.L.', 'Calle Real, 22', '15401 Ferrol', `NIF ${NIF}`];
    const sums = ['Factura 26/118', 'Base imponible 100,00', 'IVA 21 % 21,00', 'Total 121,00'];
    const warningOf = async (...texts: string[]) => {
      const file = await drawPdf((sheet) => {
        for (const [i, text] of [...texts, ...sums].entries()) sheet.text(text, 40, 40 + 14 * i);
      }, sampleOf(1));
      return expectOk(await extract(file)).avisos[0];
    };
    expect(await warningOf(...other, '', '', '', 'Cliente', ...own, '', '')).toBe(
      'Parece una factura recibida: la emite Fibra del Norte, S.L. (B82472127). Comprueba que es tuya antes de registrarla.',
    );
    expect(await warningOf('Cliente', ...own, '', '')).toContain('el cliente eres tú');
    expect(await warningOf(...other, '', '', '', ...own, '', '')).toContain('No está claro quién');
  });

  it('explains what is wrong with a file that is no invoice, and goes on', async () => {
    expect(await refusalOf(Buffer.from('hola'))).toBe(
      'Ese archivo no es una factura en PDF, JPG o PNG.',
    );
    expect(await refusalOf(Buffer.from('....ftypheic'))).toContain('Convierte la foto a JPG');
    expect(await refusalOf(Buffer.from('%PDF-1.7 nada más'))).toContain('dañado');
    expect(await refusalOf(Buffer.from('\x89PNG\r\n\x1a\nx', 'latin1'))).toContain('dañada');
    const pages = await drawPdf((sheet) => {
      for (let page = 0; page < 10; page += 1) sheet.addPage();
    }, sampleOf(1));
    expect(await refusalOf(pages)).toContain('11 páginas');
  });

  it('gives up a page that needs more work than any invoice, and says what to do instead', async () => {
    expect(await refusalOf(pageWithoutEnd())).toBe(
      'La factura es demasiado grande o compleja para leerla. Súbela como foto (JPG o PNG) o con menos páginas, o escríbela a mano.',
    );
  });

  it.skipIf(process.platform !== 'linux')(
    'is ended by the system if its server has died and can no longer give it up',
    async () => {
      const refused = refusalOf(pageWithoutEnd());
      const granted = await untilTrue(processorLimit, (seconds) => seconds !== undefined);
      expect(Number(granted)).toBeGreaterThan(60);
      await refused;
    },
  );
});

/** Seconds of processor time that the system grants to the process that is reading; undefined without a reader. */
async function processorLimit(): Promise<string | undefined> {
  const numbers = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const read = (pid: string, what: string) =>
    readFile(`/proc/${pid}/${what}`, 'utf8').catch(() => '');
  for (const pid of numbers) {
    if (!(await read(pid, 'cmdline')).includes('reading-worker')) continue;
    if (!(await read(pid, 'status')).includes(`PPid:\t${process.pid}\n`)) continue;
    return /^Max cpu time +(\d+)/m.exec(await read(pid, 'limits'))?.[1];
  }
  return undefined;
}
