import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import forge from 'node-forge';
import { createTransport } from 'nodemailer';
import { Agent, type Dispatcher, request } from 'undici';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Simulators, startSimulators } from './simulators.ts';
import { altaXml, anulacionXml, EMISOR, message, NOW } from './testing/messages.ts';
import { outcomesOf } from './testing/service.ts';

const PASSWORD = 'prueba';
const ENTIDAD = 'B12345674';

let dir: string;
let simulators: Simulators;
const agents: Agent[] = [];

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'simuladores-'));
  simulators = await start();
});
afterAll(async () => {
  await Promise.all(agents.map((agent) => agent.destroy()));
  await simulators.close();
  await rm(dir, { recursive: true });
});

/** Over the same folder, on other ports, with the clock at the registros' time. */
function start(): Promise<Simulators> {
  const ports = { aeat: 0, sello: 0, control: 0, smtp: 0 };
  return startSimulators({ dir, ports, tiempoEspera: 60 }, () => NOW);
}

const control = (path: string, init?: RequestInit) => fetch(simulators.controlUrl + path, init);
const read = async <T = unknown>(path: string) => (await (await control(path)).json()) as T;
const tell = (path: string, body: unknown) =>
  control(path, { method: 'POST', body: JSON.stringify(body) });
const behave = (change: unknown) => tell('/desarrollo/aeat/comportamiento', change);

async function certificate(query: string): Promise<Buffer> {
  const response = await control(`/desarrollo/certificado?${query}`);
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

function agentOf(connect: { pfx?: Buffer; passphrase?: string }): Agent {
  const agent = new Agent({ connect: { ...connect, ca: simulators.aeatCa } });
  agents.push(agent);
  return agent;
}

/** Keys take a while to make: the same certificate serves every test that asks for it. */
const files = new Map<string, Promise<Buffer>>();

async function clientOf(query: string): Promise<Agent> {
  const file = files.get(query) ?? certificate(query);
  files.set(query, file);
  return agentOf({ pfx: await file, passphrase: PASSWORD });
}

async function post(dispatcher: Dispatcher, body: string, url = simulators.aeatUrl) {
  const {
    statusCode,
    headers,
    body: answer,
  } = await request(url, {
    method: 'POST',
    dispatcher,
    body,
    headers: { 'content-type': 'text/xml; charset=utf-8' },
  });
  return { statusCode, headers, text: await answer.text() };
}

describe('certificates', () => {
  it.each(['moderno', 'antiguo'])('%s: key, certificate and authority', async (formato) => {
    const file = await certificate(`nif=${EMISOR}&nombre=Ana Gil Ñu&formato=${formato}`);
    const open = () => createSecureContext({ pfx: file, passphrase: PASSWORD });
    if (formato === 'moderno') {
      expect(open).not.toThrow();
      return;
    }
    // What makes it old is that today's OpenSSL does not take it.
    expect(open).toThrow();
    const asn1 = forge.asn1.fromDer(file.toString('binary'));
    const { safeContents } = forge.pkcs12.pkcs12FromAsn1(asn1, PASSWORD);
    const bags = safeContents.flatMap((content) => content.safeBags);
    expect(bags.filter(({ cert }) => cert)).toHaveLength(2);
    expect(bags.filter(({ key }) => key)).toHaveLength(1);
    expect(() => forge.pkcs12.pkcs12FromAsn1(asn1, 'otra')).toThrow(/MAC/);
  });

  it('come with a name for the file', async () => {
    const response = await control(
      `/desarrollo/certificado?nif=${ENTIDAD}&nombre=X&tipo=sello&caducado=1`,
    );
    expect(response.headers.get('content-disposition')).toBe(
      'attachment; filename="certificado-B12345674-sello-caducado.p12"',
    );
  });

  it.each(['nif=123', `nif=${EMISOR}&tipo=sello`, `nif=${EMISOR}&formato=raro`])(
    'are refused for %s',
    async (query) => {
      expect((await control(`/desarrollo/certificado?${query}`)).status).toBe(400);
    },
  );
});

describe('over mutual TLS', () => {
  const entity = (NIF: string) => ({ ObligadoEmision: { NombreRazon: 'X', NIF } });

  it.each([
    ['person', `nif=${EMISOR}&nombre=Ana`, EMISOR],
    ['representative', `nif=${ENTIDAD}&nombre=Empresa`, ENTIDAD],
    ['seal', `nif=${ENTIDAD}&nombre=Empresa&tipo=sello`, ENTIDAD],
  ])('knows the holder of the certificate of a %s', async (kind, query, nif) => {
    const client = await clientOf(query);
    const { aeatUrl, aeatSelloUrl } = simulators;
    const [own, foreign] = kind === 'seal' ? [aeatSelloUrl, aeatUrl] : [aeatUrl, aeatSelloUrl];
    // The registro is of somebody else: only the header matters here.
    const { statusCode, text, headers } = await post(
      client,
      message([altaXml('1')], entity(nif)),
      own,
    );
    expect(statusCode).toBe(200);
    expect(text).toContain('RespuestaLinea');
    expect(headers['content-type']).toBe('text/xml; charset=utf-8');
    expect(new Date(String(headers.date))).toEqual(NOW);
    const other = await post(client, message([altaXml('1')], entity('A58818501')), own);
    expect(other.statusCode).toBe(500);
    expect(other.text).toContain('<faultcode>env:Client</faultcode>');
    expect(other.text).toContain('Codigo[4112]');
    const elsewhere = await post(client, message([altaXml('1')], entity(nif)), foreign);
    expect(elsewhere.statusCode).toBe(401);
  });

  it('answers a page with 403 without a certificate, or with an expired one', async () => {
    const nobody = agentOf({});
    const expired = await clientOf(`nif=${EMISOR}&nombre=Ana&caducado=1`);
    for (const client of [nobody, expired]) {
      const { statusCode, headers } = await post(client, message([altaXml('1')]));
      expect(statusCode).toBe(403);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
    }
  });

  it('does not take GET', async () => {
    const dispatcher = await clientOf(`nif=${EMISOR}&nombre=Ana`);
    const { statusCode, body } = await request(simulators.aeatUrl, { dispatcher });
    expect(statusCode).toBe(500);
    expect(await body.text()).toContain('Codigo[4135]');
  });
});

describe('when the service fails', () => {
  let client: Agent;
  let number = 0;
  const next = () => `FALLO-${++number}`;
  const stored = async () =>
    (await read<{ NumSerieFactura: string }[]>(`/desarrollo/aeat/registros?nif=${EMISOR}`)).map(
      ({ NumSerieFactura }) => NumSerieFactura,
    );

  beforeAll(async () => {
    client = await clientOf(`nif=${EMISOR}&nombre=Ana`);
  });
  beforeEach(() => tell('/desarrollo/aeat/vaciar', {}));
  afterEach(() => behave({ modo: 'normal', fallos: null, latenciaMs: 0 }));

  it.each([
    ['cortar-antes', false],
    ['cortar-despues', true],
  ])('%s', async (modo, isStored) => {
    const numero = next();
    await behave({ modo, fallos: 1 });
    await expect(post(client, message([altaXml(numero)]))).rejects.toThrow();
    expect(await stored()).toEqual(isStored ? [numero] : []);
    const { text } = await post(client, message([altaXml(numero)]));
    expect(outcomesOf(text)).toEqual([isStored ? 'Incorrecto 3000' : 'Correcto']);
    expect(await read(`/desarrollo/aeat/peticiones?nif=${EMISOR}`)).toMatchObject([
      { conexionCortada: false, estadoHttp: 200, respuesta: text },
      { conexionCortada: true, estadoHttp: null, respuesta: null },
    ]);
  });

  it.each([
    ['http-403', 403, /<html/],
    ['http-503', 503, /<html/],
    ['fault', 500, /env:Server.*Codigo\[20009\]/],
    ['xml-roto', 200, /^<\?xml.*[^>]$/],
  ])('%s, twice, and nothing is stored', async (modo, status, body) => {
    await behave({ modo, fallos: 2 });
    for (let call = 0; call < 2; call++) {
      const { statusCode, text } = await post(client, message([altaXml(next())]));
      expect(statusCode).toBe(status);
      expect(text).toMatch(body);
    }
    expect(await stored()).toEqual([]);
    expect(outcomesOf((await post(client, message([altaXml(next())]))).text)).toEqual(['Correcto']);
  });

  it('silencio never answers', async () => {
    await behave({ modo: 'silencio', fallos: 1 });
    const impatient = request(simulators.aeatUrl, {
      method: 'POST',
      dispatcher: client,
      body: message([altaXml(next())]),
      headersTimeout: 150,
    });
    await expect(impatient).rejects.toThrow(/Headers Timeout/);
    expect(await stored()).toEqual([]);
  });

  it('latenciaMs is waited after storing, until it is another', async () => {
    await behave({ latenciaMs: 60_000 });
    let isAnswered = false;
    const answer = post(client, message([altaXml('LENTA')])).finally(() => {
      isAnswered = true;
    });
    await expect.poll(stored, { interval: 20, timeout: 10_000 }).toEqual(['LENTA']);
    expect(isAnswered).toBe(false);
    await behave({ latenciaMs: 0 });
    expect((await answer).statusCode).toBe(200);
  });

  it('refuses in Spanish what it does not know', async () => {
    const refused = async (change: unknown) => (await (await behave(change)).json()) as unknown;
    expect(await refused({ modo: 'dormir', otro: 1 })).toEqual({
      message: [
        expect.stringMatching(/^modo: Opción inválida/),
        expect.stringMatching(/^Llave desconocida/),
      ],
    });
  });

  it('goes back to normal when told, whatever was left', async () => {
    await behave({ modo: 'http-503', fallos: 5 });
    await behave({ modo: 'normal' });
    expect((await post(client, message([altaXml(next())]))).statusCode).toBe(200);
    await behave({ modo: 'fault' });
    for (let call = 0; call < 7; call++) {
      expect((await post(client, message([altaXml(next())]))).statusCode).toBe(500);
    }
    expect(await read('/desarrollo/aeat/comportamiento')).toMatchObject({ fallos: null });
  });

  it('keeps its own clock', async () => {
    await behave({ reloj: 600, relojMundo: 86_400 });
    const { text, headers } = await post(client, message([altaXml(next())]));
    expect(outcomesOf(text)).toEqual(['AceptadoConErrores 2004']);
    expect(headers.date).toBe(new Date(NOW.getTime() + 87_000_000).toUTCString());
    expect(text).toContain('2026-11-21T10:10:37+01:00');
    await behave({ reloj: 0, relojMundo: 0 });
  });

  it.each(['registros', 'peticiones'])('asks whose %s, if that is not said', async (what) => {
    const response = await control(`/desarrollo/aeat/${what}`);
    expect([response.status, await response.json()]).toEqual([
      400,
      { message: 'Falta el parámetro nif.' },
    ]);
  });

  it('says what is wrong with an order it does not understand', async () => {
    const response = await behave({ modo: 'explotar', fallo: 1 });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ message: [expect.any(String), expect.any(String)] });
  });
});

it('goes on where it was after a restart', async () => {
  await tell('/desarrollo/aeat/vaciar', {});
  const query = `nif=${EMISOR}&nombre=Ana`;
  const registros = [altaXml('R1'), altaXml('R2'), anulacionXml('R1')];
  const first = await post(await clientOf(query), message(registros));
  expect(outcomesOf(first.text)).toEqual(['Correcto', 'Correcto', 'Correcto']);
  const rows = await read<unknown[]>(`/desarrollo/aeat/registros?nif=${EMISOR}`);
  const calls = await read(`/desarrollo/aeat/peticiones?nif=${EMISOR}`);
  expect(rows[0]).toEqual({
    IDEmisorFactura: EMISOR,
    NumSerieFactura: 'R1',
    FechaExpedicionFactura: '20-11-2026',
    TipoRegistro: 'Alta',
    EstadoRegistro: 'Correcto',
    CodigoErrorRegistro: null,
    Huella: expect.stringMatching(/^[0-9A-F]{64}$/),
    HuellaAnterior: 'A'.repeat(64),
    Subsanacion: null,
    RechazoPrevio: null,
    Incidencia: null,
    TimestampPresentacion: '2026-11-20T10:00:37+01:00',
    CSV: expect.stringMatching(/^A-[A-Z0-9]{14}$/),
  });
  const client = await clientOf(query);

  const { aeatCa } = simulators;
  await simulators.close();
  simulators = await start();

  expect(simulators.aeatCa).toBe(aeatCa);
  expect(await read(`/desarrollo/aeat/registros?nif=${EMISOR}`)).toEqual(rows);
  expect(await read(`/desarrollo/aeat/peticiones?nif=${EMISOR}`)).toEqual(calls);
  // The certificate given before is still good.
  const again = await post(client, message([altaXml('R2'), altaXml('R3')]));
  expect(outcomesOf(again.text)).toEqual(['Incorrecto 3000', 'Correcto']);
});

describe('cotejo of a QR', () => {
  const cotejar = async (query: string) =>
    (await control(`/wlpl/TIKE-CONT/ValidarQR?formato=json&${query}`)).json();

  it('finds what was registered, with its amount, and not what was annulled', async () => {
    await tell('/desarrollo/aeat/vaciar', {});
    const client = await clientOf(`nif=${EMISOR}&nombre=Ana`);
    await post(client, message([altaXml('Q&1'), altaXml('Q2'), anulacionXml('Q2')]));
    const query = (numero: string, importe: string) =>
      `nif=${EMISOR}&numserie=${encodeURIComponent(numero)}&fecha=20-11-2026&importe=${importe}`;

    expect(await cotejar(query('Q&1', '121'))).toEqual({
      status: 'OK',
      mensaje: 'Encontrada',
      visible: 'N',
      crashlytics: 'N',
      respuesta: {
        resultado: '00',
        nif: EMISOR,
        numserie: 'Q&1',
        fecha: '20-11-2026',
        importe: '121.00',
      },
    });
    for (const missing of [query('Q&1', '121.01'), query('Q2', '121.00'), query('Q3', '121.00')]) {
      expect(await cotejar(missing)).toMatchObject({ respuesta: { resultado: '01' } });
    }
    const page = await control(`/wlpl/TIKE-CONT/ValidarQR?${query('Q&1', '121')}`);
    expect(await page.text()).toContain('<h1>Encontrada</h1>');
  });

  it.each([
    [`nif=${EMISOR}&numserie=1`, '1003.1004'],
    [`nif=1&numserie=1&fecha=20-11-2026&importe=1`, '2001'],
    [`nif=${EMISOR}&numserie=${'1'.repeat(61)}&fecha=20-11-2026&importe=1`, '2002'],
    [`nif=${EMISOR}&numserie=%3C&fecha=20-11-2026&importe=1`, '2003'],
    [`nif=${EMISOR}&numserie=1&fecha=2026-11-20&importe=241,40`, '2004.2005'],
    [`nif=${EMISOR}&numserie=1&fecha=20-11-2026&importe=241.400`, '2006'],
  ])('%s → %s', async (query, codigo_error) => {
    expect(await cotejar(query)).toMatchObject({ status: 'KO', codigo_error });
  });
});

describe('captured mail', () => {
  const send = (mail: object) => createTransport(simulators.smtpUrl).sendMail(mail);

  beforeEach(() => tell('/desarrollo/correo/vaciar', {}));

  it('keeps what was sent, newest first, and finds it by address', async () => {
    const pdf = Buffer.from('%PDF-1.7 ñ');
    await send({
      from: 'Huella <hola@huella.es>',
      to: 'Ana <Ana@Empresa.es>',
      cc: 'luis@empresa.es',
      subject: 'Tu factura nº 1',
      text: 'Adjunta.',
      html: '<b>Adjunta.</b>',
      attachments: [{ filename: 'factura ñ.pdf', content: pdf, contentType: 'application/pdf' }],
    });
    await send({ from: 'hola@huella.es', to: 'eva@otra.es', subject: 'Otra', text: 'Hola' });

    const all = await read<{ asunto: string }[]>('/desarrollo/correo');
    expect(all.map(({ asunto }) => asunto)).toEqual(['Otra', 'Tu factura nº 1']);
    expect(await read('/desarrollo/correo?para=luis@empresa.es')).toHaveLength(1);
    expect(await read('/desarrollo/correo?para=ana@empresa.es')).toEqual([
      {
        de: '"Huella" <hola@huella.es>',
        para: '"Ana" <Ana@empresa.es>',
        asunto: 'Tu factura nº 1',
        texto: 'Adjunta.',
        html: '<b>Adjunta.</b>',
        adjuntos: [
          { nombre: 'factura ñ.pdf', tipo: 'application/pdf', base64: pdf.toString('base64') },
        ],
        fecha: NOW.toISOString(),
      },
    ]);
  });

  it('puts off the messages it is told to', async () => {
    await tell('/desarrollo/correo/comportamiento', { rechazar: 1 });
    const mail = { from: 'a@b.es', to: 'c@d.es', subject: 'x', text: 'y' };
    await expect(send(mail)).rejects.toMatchObject({ responseCode: 451 });
    await send(mail);
    expect(await read('/desarrollo/correo')).toHaveLength(1);
  });

  it('shows it as a page where nothing of a message is taken for the page', async () => {
    const evil = '<script>alert(1)</script>"\'';
    await send({ from: 'a@b.es', to: 'c@d.es', subject: evil, text: evil, html: evil });
    const response = await control('/desarrollo/buzon');
    const page = await response.text();
    expect(page).toContain('&#60;script&#62;');
    expect(page).not.toMatch(/<script/);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  it('gives an attachment back as it was', async () => {
    const content = Buffer.from([0, 255, 1]);
    await send({
      from: 'a@b.es',
      to: 'c@d.es',
      text: 'y',
      attachments: [{ filename: 'a.bin', content }],
    });
    const page = await (await control('/desarrollo/buzon')).text();
    const href = /href="([^"]*adjunto[^"]*)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const response = await control(href);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(content);
  });
});

describe('the process', () => {
  it('says where it is and goes when its parent does', async () => {
    const own = await mkdtemp(join(tmpdir(), 'proceso-'));
    const child = fork('simulators/main.ts', {
      execArgv: ['--import', 'tsx'],
      env: { ...process.env, SIMULADORES_DIR: own },
    });
    const [ready] = await once(child, 'message');
    expect(ready).toEqual({
      tipo: 'listo',
      aeatUrl: expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+\/wlpl\/.*VerifactuSOAP$/),
      aeatSelloUrl: expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+\/wlpl\/.*VerifactuSOAP$/),
      aeatCa: expect.stringContaining('BEGIN CERTIFICATE'),
      redsysUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      businessCentralUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      controlUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      smtpUrl: expect.stringMatching(/^smtp:\/\/127\.0\.0\.1:\d+$/),
    });
    // A connection left open does not keep it.
    const { hostname, port } = new URL((ready as { aeatUrl: string }).aeatUrl);
    const idle = connect(Number(port), hostname);
    idle.on('error', () => {});
    await once(idle, 'connect');

    child.disconnect();
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
    idle.destroy();
    await rm(own, { recursive: true });
  });

  it('goes without a word when its parent ended before it was ready', async () => {
    const own = await mkdtemp(join(tmpdir(), 'proceso-'));
    const child = fork('simulators/main.ts', {
      execArgv: ['--import', 'tsx'],
      env: { ...process.env, SIMULADORES_DIR: own },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    const said: string[] = [];
    child.stderr?.on('data', (chunk) => said.push(String(chunk)));
    child.disconnect();
    const [code] = await once(child, 'exit');
    expect({ code, said }).toEqual({ code: 0, said: [] });
    await rm(own, { recursive: true });
  });

  it('names the variable that is wrong', async () => {
    const child = fork('simulators/main.ts', {
      execArgv: ['--import', 'tsx'],
      env: { ...process.env, SIMULADORES_DIR: dir, SIMULADORES_PUERTOS: '{"aeat":"x"}' },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let said = '';
    child.stderr?.on('data', (chunk) => {
      said += chunk;
    });
    const [code] = await once(child, 'exit');
    expect(code).toBe(1);
    expect(said).toContain('SIMULADORES_PUERTOS');
  });
});
