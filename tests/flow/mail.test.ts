import { SMTPServer } from 'smtp-server';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Finding } from '../../src/contract/invoices.ts';
import { type MailWorker, startMailWorker } from '../../src/mail/worker.ts';
import { CUSTOMER_MAILS } from '../../src/operations/attempts.ts';
import { forgetExpired } from '../../src/operations/forget-expired.ts';
import { requeueNotTakenMails } from '../../src/store/administration.ts';
import {
  claimMail,
  enqueueMails,
  listInvoiceMails,
  markMailFailed,
  markMailSent,
  NOBODY,
  postponeMail,
} from '../../src/store/mail-jobs.ts';
import { takeAttempt } from '../../src/store/rate-limits.ts';
import { readServiceState } from '../../src/store/service-state.ts';
import { administer } from '../support/admin.ts';
import { untilWaiting } from '../support/meanwhile.ts';
import {
  draftOf,
  expectOk,
  openWorld,
  type TestCompany,
  untilTrue,
  type World,
} from '../support/world.ts';

interface Captured {
  readonly de: string;
  readonly para: string;
  readonly asunto: string;
  readonly texto: string;
  readonly html: string;
  readonly adjuntos: readonly { nombre: string; tipo: string; base64: string }[];
}

const HERE = { areDemosApart: false };

let world: World;
const workers = new Set<MailWorker>();

beforeAll(async () => {
  world = await openWorld({ MAIL_REBOTES: 'rebotes@huella.example' });
});
afterAll(() => world.close());
afterEach(async () => {
  await Promise.all([...workers].map((worker) => worker.stop()));
  workers.clear();
  await world.sql`delete from mail_jobs`;
});

function startWorker(smtpUrl = world.runtime.smtpUrl, leaseSeconds?: number): MailWorker {
  const worker = startMailWorker(world.deps, { smtpUrl }, leaseSeconds);
  workers.add(worker);
  return worker;
}

async function mailbox(para: string): Promise<Captured[]> {
  const answer = await world.control(`/desarrollo/correo?para=${encodeURIComponent(para)}`);
  return (await answer.json()) as Captured[];
}

const delivered = (para: string, count = 1) =>
  untilTrue(
    () => mailbox(para),
    (messages) => messages.length >= count,
  );

const signUp = () => world.signUp(world.newNif(), 'Obrador Candela, S.L.');

/** The last e-mail entry in the story on an invoice's page. */
async function lastMailOf(company: TestCompany, docNo: string) {
  const { historia } = await company.detailOf(docNo);
  return historia.findLast(({ tipo }) => tipo === 'correo');
}

const jobs = () =>
  world.sql<
    { attempts: number; sent_at: Date | null; failed_at: Date | null; last_error: string | null }[]
  >`select attempts, sent_at, failed_at, last_error from mail_jobs order by id`;

async function anyCompany() {
  const [company] = await world.sql<{ id: number; email: string }[]>`
    select id, email from companies order by id limit 1`;
  if (!company) throw new Error('Nobody has signed up yet.');
  return company;
}

/** Refuses every recipient, as a server does for a mailbox that does not exist; or us, the sender. */
async function refusingServer(
  responseCode: number,
  words = 'No such user here',
  command: 'onRcptTo' | 'onMailFrom' = 'onRcptTo',
) {
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    closeTimeout: 200,
    [command]: (_address: unknown, _session: unknown, callback: (error: Error) => void) =>
      callback(Object.assign(new Error(words), { responseCode })),
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.server.address() as { port: number };
  return {
    url: `smtp://127.0.0.1:${port}`,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** Accepts everything, and remembers the envelope sender. */
async function takingServer() {
  const senders: string[] = [];
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    closeTimeout: 200,
    onMailFrom({ address }, _session, callback) {
      senders.push(address);
      callback();
    },
    onData(stream, _session, callback) {
      stream.on('end', () => callback()).resume();
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.server.address() as { port: number };
  return {
    url: `smtp://127.0.0.1:${port}`,
    senders,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** A report of delivery to that address (RFC 3464). */
const dsn = (to: string, action: string) =>
  [
    'From: MAILER-DAEMON@mx.example',
    `To: ${to}`,
    'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
    '',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example',
    '',
    'Final-Recipient: rfc822; cliente@ejemplo.es',
    `Action: ${action}`,
    'Status: 5.1.1',
    'Diagnostic-Code: smtp; 550 5.1.1 User unknown',
    '',
    '--b--',
    '',
  ].join('\r\n');

describe('the mail worker', () => {
  it('delivers the welcome: how to sign in, and what to do first', async () => {
    const company = await signUp();
    const email = `${company.nif.toLowerCase()}@ejemplo.es`;
    startWorker();
    const [message] = await delivered(email);
    expect(message).toMatchObject({
      de: expect.stringMatching(/^"?Huella"? <no-responder@/),
      para: email,
      asunto: 'Tu cuenta de Huella está lista',
      adjuntos: [],
    });
    for (const part of [message?.texto, message?.html]) {
      expect(part).toContain(email);
      expect(part).toContain('/iniciosesion');
      expect(part).toContain('Sube tu certificado digital.');
      expect(part).not.toContain('una frase larga cualquiera');
    }
  });

  it('delivers an invoice to its client with its PDF, once although two workers are at it', async () => {
    const company = await signUp();
    const answer = expectOk(
      await company.call<{ DocNo: string }>('POST', '/api/PostData/SetFacturas', {
        ...draftOf(company.customerNo, world.deps.clock()),
        accionFactura: 2,
      }),
    );
    startWorker();
    startWorker();
    const messages = await delivered('cliente@ejemplo.es');
    expect(messages).toHaveLength(1);
    const [message] = messages;
    expect(message).toMatchObject({
      de: expect.stringContaining('Obrador Candela, S.L. (con Huella)'),
      asunto: `Factura ${answer.DocNo} de Obrador Candela, S.L.`,
    });
    expect(message?.texto).toContain('Hola, Cliente de Prueba, S.A.:');
    expect(message?.texto).toMatch(
      /Base imponible: 100,00\s€\nIVA: 21,00\s€\nTotal factura: 121,00\s€/,
    );
    const [pdf, ...others] = message?.adjuntos ?? [];
    expect(others).toEqual([]);
    expect(pdf).toMatchObject({
      nombre: `${answer.DocNo.replace('/', '-')}.pdf`,
      tipo: 'application/pdf',
    });
    expect(
      Buffer.from(pdf?.base64 ?? '', 'base64')
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-');
  });

  it('requires a recipient, which the form says before registering', async () => {
    const company = await signUp();
    const { No } = expectOk(
      await company.call<{ No: string }>('POST', '/api/PostData/SetClientes', {
        Name: 'Sin Correo, S.L.',
        VATRegistrationNo: 'A58818501',
        Address: 'Gran Vía, 2',
        postCode: '08013',
        countryCode: 'ES',
      }),
    );
    const draft = { ...draftOf(No, world.deps.clock()), accionFactura: 2 };
    const ticket = { ...draft, invoiceClient: '', invoiceType: 1 };
    for (const [form, mensaje] of [
      [draft, 'Sin Correo, S.L. no tiene correo.'],
      [ticket, 'Sin cliente no hay a quién enviar la factura.'],
    ] as const) {
      const { errores } = expectOk(
        await company.call<{ errores: Finding[] }>('POST', '/api/PostData/ValidarFactura', form),
      );
      expect(errores).toEqual([
        {
          campo: 'invoiceClient',
          gravedad: 'bloquea',
          mensaje: expect.stringMatching(new RegExp(`^${mensaje} `)),
        },
      ]);
      const refused = await company.call('POST', '/api/PostData/SetFacturas', form);
      expect([refused.status, refused.body]).toEqual([
        400,
        expect.objectContaining({ message: errores.map((one) => one.mensaje) }),
      ]);
    }
  });

  it('does not count a repeated request with the same key against the daily limit', async () => {
    const company = await signUp();
    const ask = (key: string) =>
      company.call<{ DocNo: string }>(
        'POST',
        '/api/PostData/SetFacturas',
        { ...draftOf(company.customerNo, world.deps.clock()), accionFactura: 2 },
        key,
      );
    const first = expectOk(await ask('una'));
    const key = `correo-clientes:${company.id}`;
    const hits = () => world.sql`select hits from rate_limits where key = ${key}`;
    expect(expectOk(await ask('una'))).toEqual(first);
    expect(await hits()).toEqual([{ hits: 1 }]);
    for (let time = 1; time < 100; time++) {
      expect(await takeAttempt(world.sql, key, CUSTOMER_MAILS, world.deps.clock())).toBe(0);
    }
    expect((await ask('otra')).status).toBe(429);
    expect(expectOk(await ask('una'))).toEqual(first);
  });

  it('sends each of forty messages once, whichever of three workers gets it', async () => {
    const company = await signUp();
    const now = world.deps.clock();
    const recipients = Array.from({ length: 40 }, (_, i) => `reparto${i}@ejemplo.es`);
    await enqueueMails(
      world.sql,
      company.id,
      recipients.map((recipient) => ({ content: { kind: 'bienvenida' }, recipient, now })),
    );
    for (let i = 0; i < 3; i++) startWorker();
    for (const recipient of recipients) await delivered(recipient);
    for (const recipient of recipients) expect(await mailbox(recipient)).toHaveLength(1);
  });

  it('tries again a minute after the server defers it, and meanwhile says so', async () => {
    const company = await signUp();
    await world.sql`delete from mail_jobs`;
    expectOk(
      await company.call('POST', '/api/PostData/SetFacturas', {
        ...draftOf(company.customerNo, world.deps.clock()),
        accionFactura: 2,
      }),
    );
    const before = (await mailbox('cliente@ejemplo.es')).length;
    await world.control('/desarrollo/correo/comportamiento', { rechazar: 1 });
    const worker = startWorker();
    const [job] = await untilTrue(jobs, ([job]) => job?.last_error != null);
    expect(job).toMatchObject({ attempts: 1, sent_at: null, failed_at: null });
    const [{ invoice_id: id } = { invoice_id: 0n }] = await world.sql<{ invoice_id: bigint }[]>`
      select invoice_id from mail_jobs`;
    const [shown] = await listInvoiceMails(world.sql, company.id, id);
    expect(shown).toMatchObject({ recipient: 'cliente@ejemplo.es', sentAt: null, attempts: 1 });

    world.advanceClock(59);
    worker.wake();
    world.advanceClock(2);
    worker.wake();
    await delivered('cliente@ejemplo.es', before + 1);
    const [sent] = await untilTrue(jobs, ([job]) => job?.sent_at != null);
    expect(sent).toMatchObject({ attempts: 2, last_error: null });
  });

  it('sends a message once although it cannot be recorded at once that it was sent', async () => {
    const { id } = await anyCompany();
    const recipient = 'sin-base@ejemplo.es';
    const now = world.deps.clock();
    await enqueueMails(world.sql, id, [{ content: { kind: 'bienvenida' }, recipient, now }]);
    await world.sql.unsafe(`
      create sequence refusals; -- What it counts is not rolled back.
      create function refuse() returns trigger language plpgsql as $$
      begin perform nextval('refusals'); raise exception 'no room' using errcode = '53100'; end $$;
      create trigger refuse before update of sent_at on mail_jobs for each row execute function refuse()`);
    startWorker();
    await untilTrue(
      () => world.sql<{ is_called: boolean }[]>`select is_called from refusals`,
      ([refusals]) => refusals?.is_called === true,
    );
    await world.sql`drop function refuse cascade`;
    const [job] = await untilTrue(jobs, ([row]) => row?.sent_at != null);
    expect(job).toMatchObject({ attempts: 1, failed_at: null });
    expect(await mailbox(recipient)).toHaveLength(1);
  });

  it('ignores the failure of a process whose message another one has taken over', async () => {
    const { id } = await anyCompany();
    const now = world.deps.clock();
    const recipient = 'dos-veces@ejemplo.es';
    await enqueueMails(world.sql, id, [{ content: { kind: 'bienvenida' }, recipient, now }]);
    const [{ mailId } = { mailId: 0n }] = await world.sql<{ mailId: bigint }[]>`
      select id as "mailId" from mail_jobs`;
    const claim = async (leaseSeconds: number) => {
      const job = await claimMail(world.sql, id, mailId, leaseSeconds);
      if (!job) throw new Error('Somebody else has it.');
      return job;
    };
    const stoodStill = await claim(-1);
    const taken = await claim(60);
    const failure = { now, error: 'La conexión se ha cortado.', isOurs: true };
    await postponeMail(world.sql, stoodStill, { ...failure, runAt: now });
    expect(await claimMail(world.sql, id, mailId, 60), 'it is being sent').toBeNull();
    await markMailSent(world.sql, taken, now);
    await postponeMail(world.sql, taken, { ...failure, runAt: now });
    await markMailFailed(world.sql, stoodStill, failure);
    expect(await jobs()).toEqual([
      { attempts: 2, sent_at: now, failed_at: null, last_error: null },
    ]);
  });

  it('tries a message again whose last attempt was interrupted by chance', async () => {
    const { id } = await anyCompany();
    const now = world.deps.clock();
    const recipient = 'con-mala-suerte@ejemplo.es';
    await enqueueMails(world.sql, id, [{ content: { kind: 'bienvenida' }, recipient, now }]);
    await world.sql`update mail_jobs set attempts = 9`;
    startWorker();
    const [job] = await untilTrue(jobs, ([row]) => row?.sent_at != null || row?.failed_at != null);
    expect(job).toMatchObject({ attempts: 10, sent_at: expect.any(Date), failed_at: null });
  });

  it('gives up a message whose sending has killed the process each time', async () => {
    const { id } = await anyCompany();
    const now = world.deps.clock();
    const recipient = 'mortal@ejemplo.es';
    await enqueueMails(world.sql, id, [{ content: { kind: 'bienvenida' }, recipient, now }]);
    await world.sql`update mail_jobs set attempts = 11`;
    startWorker();
    const [job] = await untilTrue(jobs, ([row]) => row?.sent_at != null || row?.failed_at != null);
    expect(job).toEqual({
      attempts: 12,
      sent_at: null,
      failed_at: expect.any(Date),
      last_error: 'El envío se ha interrumpido las últimas veces que se ha intentado.',
    });
  });

  it('sends what a clock that was ahead scheduled for later than any retry', async () => {
    const { id } = await anyCompany();
    const now = world.deps.clock();
    const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);
    const queued = (recipient: string, at: Date, notBefore = at) => ({
      content: { kind: 'bienvenida' } as const,
      recipient,
      now: at,
      notBefore,
    });
    await enqueueMails(world.sql, id, [
      queued('nunca-probado@ejemplo.es', later(7200)),
      queued('luego@ejemplo.es', now, later(590)),
      queued('probado@ejemplo.es', later(7200)),
      queued('segunda-vez@ejemplo.es', now, later(290)),
    ]);
    await world.sql`
      update mail_jobs set attempts = 2 where recipient in ('probado@ejemplo.es', 'segunda-vez@ejemplo.es')`;
    startWorker();
    await Promise.all(
      ['nunca-probado@ejemplo.es', 'probado@ejemplo.es'].map((to) => delivered(to)),
    );
    // A message is there a moment before it is recorded as sent.
    const waiting = await untilTrue(
      () => world.sql<{ recipient: string }[]>`
        select recipient from mail_jobs where sent_at is null order by id`,
      (rows) => rows.length <= 2,
    );
    expect(waiting.map(({ recipient }) => recipient)).toEqual([
      'luego@ejemplo.es',
      'segunda-vez@ejemplo.es',
    ]);
  });

  it('waits for a server that is down, without losing anything', async () => {
    await signUp();
    const down = startWorker('smtp://127.0.0.1:9');
    const [job] = await untilTrue(jobs, ([job]) => job?.last_error != null);
    expect(job).toMatchObject({
      sent_at: null,
      failed_at: null,
      last_error: 'El servidor de correo no responde.',
    });
    await down.stop();
    const mailsAt = async () => (await readServiceState(world.sql, world.deps.clock(), HERE)).mails;
    const { stuckSince } = await mailsAt();
    expect(stuckSince).not.toBeNull();
    world.advanceClock(61);
    expect((await mailsAt()).stuckSince).toEqual(stuckSince);
    startWorker();
    await untilTrue(jobs, ([job]) => job?.sent_at != null);
    expect(await mailsAt()).toEqual({ waiting: 0, stuckSince: null, failed: 0 });
  });

  it('waits for a server that rejects our sender, without blaming the recipient', async () => {
    await signUp();
    const server = await refusingServer(550, '5.4.5 Sending quota exceeded', 'onMailFrom');
    const refused = startWorker(server.url);
    const [job] = await untilTrue(jobs, ([job]) => job?.last_error != null);
    expect(job).toMatchObject({ attempts: 1, sent_at: null, failed_at: null });
    expect(job?.last_error).toMatch(/^El servidor de correo no admite ahora envíos de Huella/);
    const { mails } = await readServiceState(world.sql, world.deps.clock(), HERE);
    expect(mails).toMatchObject({ waiting: 1, stuckSince: expect.any(Date) });
    await refused.stop();
    await server.close();
    world.advanceClock(61);
    startWorker();
    await untilTrue(jobs, ([job]) => job?.sent_at != null);
  });

  it('requeues what our server never accepted, and nothing that would be wrong to send', async () => {
    const { id } = await anyCompany();
    const now = world.deps.clock();
    const mailTo = (recipient: string, invoiceId = '1') => ({
      content: { kind: 'factura' as const, invoiceId },
      recipient,
      now,
    });
    const recipients = ['tomado-nunca', 'hace-un-mes', 'no-existe', 'salio-despues', 'salio'];
    await enqueueMails(
      world.sql,
      id,
      recipients.map((name, i) =>
        mailTo(`${name}@ejemplo.es`, name.startsWith('salio') ? '7' : `${i}`),
      ),
    );
    const failed = (name: string, { at = now, isOurs = true } = {}) => world.sql`
      update mail_jobs set failed_at = ${at}, not_taken_since = ${isOurs ? at : null}
       where recipient = ${`${name}@ejemplo.es`}`;
    await failed('tomado-nunca');
    await failed('hace-un-mes', { at: new Date(now.getTime() - 30 * 86_400_000) });
    await failed('no-existe', { isOurs: false });
    await failed('salio-despues');
    await world.sql`update mail_jobs set sent_at = ${now} where recipient = 'salio@ejemplo.es'`;
    expect((await readServiceState(world.sql, now, HERE)).mails.failed).toBe(2);

    const retry = async (...args: string[]) => {
      const { text } = await administer(world.deps, ['correo', '--reintentar', ...args]);
      return /Devueltos a la cola: (\d+)/.exec(text)?.[1];
    };
    expect(await retry()).toBe('1');
    expect(await retry('--desde', '2000-01-01')).toBe('1');
    const waiting = await world.sql<{ recipient: string }[]>`
      select recipient from mail_jobs where failed_at is null and sent_at is null order by id`;
    expect(waiting.map(({ recipient }) => recipient)).toEqual([
      'tomado-nunca@ejemplo.es',
      'hace-un-mes@ejemplo.es',
    ]);
  });

  it('gives up at once on an address that does not exist, quoting the server', async () => {
    await signUp();
    const server = await refusingServer(550);
    startWorker(server.url);
    const [job] = await untilTrue(jobs, ([job]) => job?.failed_at != null);
    expect(job).toMatchObject({ attempts: 1, sent_at: null });
    expect(job?.last_error).toContain('550 No such user here');
    await server.close();
  });

  it('shows on the invoice what did not arrive, and sends it again to the address that the user gives', async () => {
    const company = await signUp();
    await world.sql`delete from mail_jobs`;
    const { DocNo } = expectOk(
      await company.call<{ DocNo: string }>('POST', '/api/PostData/SetFacturas', {
        ...draftOf(company.customerNo, world.deps.clock()),
        accionFactura: 1,
      }),
    );
    const send = (Email: string) =>
      company.call('POST', '/api/PostData/EnviarFactura', { No: DocNo, Email });
    const lastMail = () => lastMailOf(company, DocNo);

    expectOk(await send('no-existe@ejemplo.es'));
    // While it is on its way, pressing again sends no second message.
    expect(await send('no-existe@ejemplo.es')).toMatchObject({
      status: 409,
      body: { message: 'Ya va en camino a no-existe@ejemplo.es.' },
    });
    const worker = startWorker();
    const failed = await untilTrue(lastMail, (step) => step?.titulo !== 'Correo en camino');
    expect(failed).toMatchObject({
      titulo: 'El correo no se ha podido entregar',
      detalle: expect.stringContaining('Esa dirección de correo no existe.'),
    });

    expectOk(await send('si-existe@ejemplo.es'));
    worker.wake();
    const [message] = await delivered('si-existe@ejemplo.es');
    expect(message?.adjuntos[0]?.tipo).toBe('application/pdf');
    await untilTrue(lastMail, (step) => step?.titulo === 'Enviada por correo');
  });

  it('is sent to the client’s current address if none was given', async () => {
    const company = await signUp();
    const { DocNo } = expectOk(await company.register());
    await world.sql`delete from mail_jobs`;
    const send = () => company.call('POST', '/api/PostData/EnviarFactura', { No: DocNo });
    const change = (Email: string) =>
      world.sql`update customers set email = ${Email} where company_id = ${company.id}`;
    await change('de-hoy@ejemplo.es');
    expect(expectOk(await send())).toEqual({ DocNo, Email: 'de-hoy@ejemplo.es' });
    await change('');
    expect(await send()).toMatchObject({
      status: 400,
      body: { message: 'Este cliente no tiene correo en su ficha. Escribe uno.' },
    });
  });

  it('asked for by several users at once, sends the invoice once', async () => {
    const company = await signUp();
    const { DocNo } = expectOk(await company.register());
    await world.sql`delete from mail_jobs`;
    const held = await world.sql.reserve();
    await held`begin`;
    await held`lock table mail_jobs in share row exclusive mode`; // Nobody queues until all have looked.
    const sending = [1, 2].map(() =>
      company.call('POST', '/api/PostData/EnviarFactura', {
        No: DocNo,
        Email: 'una-vez@ejemplo.es',
      }),
    );
    await untilWaiting(world.sql, 2);
    await held`commit`;
    held.release();
    const sent = await Promise.all(sending);
    expect(sent.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await jobs()).toHaveLength(1);
  });

  it('says how many go in an hour, and when there are more', async () => {
    const company = await signUp();
    const { DocNo } = expectOk(await company.register());
    const end = new Date(world.deps.clock().getTime() + 54 * 60_000);
    await world.sql`
      insert into rate_limits (key, hits, resets_at, blocked_until)
      values (${`correo-clientes:${company.id}`}, 100, ${end}, ${end})`;
    expect(await company.call('POST', '/api/PostData/EnviarFactura', { No: DocNo })).toMatchObject({
      status: 429,
      body: {
        message:
          'En una hora salen 100 correos a clientes como mucho. Inténtalo de nuevo en 54 minutos.',
      },
    });
  });

  it('does not send an invoice that was annulled after it was queued', async () => {
    const company = await signUp();
    const { DocNo } = expectOk(await company.register());
    const dispatcher = world.startDispatcher();
    const status = async () =>
      (
        await world.sql<{ status: string }[]>`
          select status from invoices where company_id = ${company.id} and doc_no = ${DocNo}`
      )[0]?.status;
    await untilTrue(status, (now) => now === 'Registrada');
    await dispatcher.stop();
    await world.sql`delete from mail_jobs`;
    const send = (Email: string) =>
      company.call('POST', '/api/PostData/EnviarFactura', { No: DocNo, Email });
    expectOk(await send('antes@ejemplo.es'));
    expectOk(
      await company.call('POST', '/api/PostData/AnularFactura', { No: DocNo, motivo: 'Repetida' }),
    );

    startWorker();
    const [job] = await untilTrue(jobs, ([job]) => job?.last_error != null);
    expect(job).toMatchObject({
      sent_at: null,
      failed_at: expect.any(Date),
      last_error: 'La factura se ha anulado.',
    });
    expect(await mailbox('antes@ejemplo.es')).toEqual([]);
    expect(await send('despues@ejemplo.es')).toMatchObject({ status: 409 });
  });

  it('shows on the invoice what was returned after a server accepted it', async () => {
    const company = await signUp();
    await world.sql`delete from mail_jobs`;
    const { DocNo } = expectOk(
      await company.call<{ DocNo: string }>('POST', '/api/PostData/SetFacturas', {
        ...draftOf(company.customerNo, world.deps.clock()),
        accionFactura: 2,
      }),
    );
    const server = await takingServer();
    startWorker(server.url);
    await untilTrue(jobs, ([job]) => job?.sent_at != null);
    await server.close();
    const [returnPath = ''] = server.senders;
    expect(returnPath).toMatch(
      new RegExp(`^rebotes\\+${company.id}\\.\\d+\\.[0-9a-f]{16}@huella\\.example$`),
    );

    const rebote = async (source: string, args: readonly string[] = []) => {
      const input = async () => Buffer.from(source);
      const { code, text } = await administer(world.deps, ['rebote', ...args], { input });
      return `${code} ${text}`;
    };

    // None of these counts: a forged report, a holiday notice, a report of a delay.
    const forged = returnPath.replace(/\.[0-9a-f]{16}@/, '.0000000000000000@');
    expect(await rebote(dsn(forged, 'failed'))).toMatch(/^0 No lleva una dirección/);
    expect(await rebote(`To: ${returnPath}\r\nSubject: Vacaciones\r\n\r\nHasta el lunes`)).toMatch(
      /^0 No es un aviso/,
    );
    expect(await rebote(dsn(returnPath, 'delayed'))).toMatch(/^0 El aviso no dice/);
    expect(await lastMailOf(company, DocNo)).toMatchObject({ titulo: 'Enviada por correo' });

    // The address may come apart from the headers, as postfix passes it to a pipe.
    expect(await rebote(dsn('otra@huella.example', 'failed'), ['--para', returnPath])).toMatch(
      /^0 Anotado/,
    );
    expect(await lastMailOf(company, DocNo)).toMatchObject({
      titulo: 'El correo ha vuelto sin entregar',
      detalle: expect.stringMatching(/^cliente@ejemplo\.es: Esa dirección de correo no existe\./),
      tono: 'rojo',
    });
    expect(await rebote(dsn(returnPath, 'failed'))).toMatch(/^0 Ese mensaje ya constaba/);

    // There is a way out, and returned mail is not sent again automatically.
    expectOk(
      await company.call('POST', '/api/PostData/EnviarFactura', {
        No: DocNo,
        Email: 'si@ejemplo.es',
      }),
    );
    const now = world.deps.clock();
    expect(await requeueNotTakenMails(world.sql, { since: new Date(0), now })).toBe(0);
  });

  it('does not send a code that has expired', async () => {
    const { email } = await anyCompany();
    await world.call('POST', '/api/Auth/ForgotPassword', { body: { Email: email } });
    world.advanceClock(10 * 60 + 1);
    startWorker();
    const [job] = await untilTrue(jobs, ([job]) => job?.failed_at != null);
    expect(job?.last_error).toBe('El código ha caducado.');
  });

  it('does not write on behalf of an account that was deleted meanwhile', async () => {
    const { id } = await anyCompany();
    const now = world.deps.clock();
    await enqueueMails(world.sql, id, [
      { content: { kind: 'bienvenida' }, recipient: 'tarde@ejemplo.es', now },
    ]);
    await world.sql`update companies set deleted_at = ${now} where id = ${id}`;
    startWorker();
    const [job] = await untilTrue(jobs, ([job]) => job?.failed_at != null);
    expect(job?.last_error).toBe('La cuenta se ha eliminado.');
    await world.sql`update companies set deleted_at = null where id = ${id}`;
  });

  it('keeps only the refusal of a payment for those without an account, for a month', async () => {
    const now = world.deps.clock();
    const denial = {
      kind: 'pago-denegado',
      companyName: 'Nadie, S.L.',
      plan: 'monthly',
      amountCents: '999',
      orderId: 'O1',
      motivo: 'x',
      codigo: '0190',
      endsAt: null,
    } as const;
    const mail = { recipient: 'nadie@ejemplo.es', now };
    await enqueueMails(world.sql, NOBODY, [{ ...mail, content: denial }]);
    await expect(
      enqueueMails(world.sql, NOBODY, [{ ...mail, content: { kind: 'bienvenida' } }]),
    ).rejects.toThrow('mail_jobs_owner');
    const inDays = (days: number) => ({
      sql: world.sql,
      clock: () => new Date(now.getTime() + days * 86_400_000),
    });
    await forgetExpired(inDays(29));
    expect(await jobs()).toHaveLength(1);
    await forgetExpired(inDays(31));
    expect(await jobs()).toEqual([]);
  });

  it('keeps what it sent for a year, and a private text that could not be sent for a month', async () => {
    const { id: companyId } = await anyCompany();
    const now = world.deps.clock();
    await enqueueMails(world.sql, companyId, [
      { content: { kind: 'bienvenida' }, recipient: 'enviado@ejemplo.es', now },
      { content: { kind: 'bienvenida' }, recipient: 'fallido@ejemplo.es', now },
      {
        content: { kind: 'soporte', asunto: 'a', body: 'b', version: '1' },
        recipient: 'soporte@ejemplo.es',
        now,
      },
      { content: { kind: 'bienvenida' }, recipient: 'en-espera@ejemplo.es', now },
    ]);
    await world.sql`update mail_jobs set sent_at = ${now} where recipient like 'enviado%'`;
    await world.sql`
      update mail_jobs set failed_at = ${now}
       where recipient like 'fallido%' or recipient like 'soporte%'`;
    const leftAfter = async (days: number) => {
      const clock = () => new Date(now.getTime() + days * 86_400_000);
      await forgetExpired({ sql: world.sql, clock });
      const rows = await world.sql<{ name: string }[]>`
        select split_part(recipient, '@', 1) as name from mail_jobs
         where company_id = ${companyId} and recipient like '%@ejemplo.es' order by id`;
      return rows.map(({ name }) => name);
    };
    expect(await leftAfter(29)).toEqual(['enviado', 'fallido', 'soporte', 'en-espera']);
    expect(await leftAfter(31)).toEqual(['enviado', 'fallido', 'en-espera']);
    expect(await leftAfter(367)).toEqual(['en-espera']);
  });

  it('stops marking what it sent when its lease is over, as another process may be sending it', async () => {
    const { id: companyId } = await signUp();
    await world.sql`delete from mail_jobs`;
    // What is refused is undone, except that the sequence counted it.
    await world.sql`create sequence marks_refused`;
    await world.sql.unsafe(`
      create function refuse_mark() returns trigger language plpgsql security definer as $$
      begin
        perform nextval('marks_refused');
        raise exception 'The database is away.';
      end $$;
      create trigger refuse_mark before update of sent_at on mail_jobs
        for each row execute function refuse_mark();`);
    const content = { kind: 'bienvenida' } as const;
    const recipient = 'dos-veces@ejemplo.es';
    await enqueueMails(world.sql, companyId, [{ content, recipient, now: world.deps.clock() }]);
    const worker = startWorker(undefined, 0);
    await untilTrue(
      () => world.sql`select from marks_refused where is_called`,
      (rows) => rows.length === 1,
    );
    await world.sql`drop trigger refuse_mark on mail_jobs`;
    await world.sql`drop function refuse_mark`;
    await world.sql`drop sequence marks_refused`;
    worker.wake();
    await delivered(recipient, 2);
    await untilTrue(jobs, ([job]) => job?.sent_at !== null);
  });

  it('leaves alone what another process is sending, until its lease is over', async () => {
    const { id: companyId } = await anyCompany();
    const now = world.deps.clock();
    await enqueueMails(world.sql, companyId, [
      { content: { kind: 'bienvenida' }, recipient: 'lento@ejemplo.es', now },
      { content: { kind: 'bienvenida' }, recipient: 'rapido@ejemplo.es', now },
    ]);
    const [first] = await world.sql<{ id: bigint }[]>`
      select id from mail_jobs where recipient = 'lento@ejemplo.es'`;
    await claimMail(world.sql, companyId, first?.id ?? 0n, 300);
    const worker = startWorker();
    await delivered('rapido@ejemplo.es');
    expect(await mailbox('lento@ejemplo.es')).toEqual([]);
    await world.sql`update mail_jobs set lease_until = now() - interval '1 second'`;
    worker.wake();
    await delivered('lento@ejemplo.es');
  });
});
