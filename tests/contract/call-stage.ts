import { randomUUID } from 'node:crypto';
import type { Cobros } from '../../src/contract/cobros.ts';
import type { GatewayForm } from '../../src/contract/payments.ts';
import { dataCopyLink } from '../../src/operations/data-copy.ts';
import { makeDataCopies } from '../../src/operations/make-data-copy.ts';
import { openSealedCode } from '../../src/operations/recover-password.ts';
import { findDataCopy, openDataCopy } from '../../src/store/data-copies.ts';
import type { TestDatabase } from '../support/database.ts';
import { newOrderId, parametersOf } from '../support/gateway.ts';
import { expectOk, openWorld, type TestCompany, untilTrue } from '../support/world.ts';

export interface CallAnswer {
  readonly status: number;
  /** Parsed when it is JSON; otherwise the bytes. */
  readonly body: unknown;
  readonly type: string;
}

/** What a call sends: a JSON value, the fields of a multipart form, or nothing but the query. */
export interface Payload {
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string | Blob>>;
  readonly query?: Readonly<Record<string, string>>;
}

/** `POST /api/PostData/SetClientes` */
export type CallName = `${'GET' | 'POST'} /api/${string}`;

const PASSWORD = 'una frase larga cualquiera';

/**
 * Three companies on one server: one that can do everything, a stranger to it, and one whose certificate and
 * subscription are gone.
 */
export async function openCallStage(database?: TestDatabase) {
  const world = await openWorld({}, undefined, database);
  const company = await world.signUp('B12345674');
  const stranger = await world.signUp('B76543214', 'Otra Empresa, S.L.');
  let next = 60_000_000;

  const newDni = () => {
    const number = next++;
    return `${number}${'TRWAGMYFPDXBNJZSQVHLCKE'.charAt(number % 23)}`;
  };

  async function send(call: CallName, payload: Payload = {}, token?: string): Promise<CallAnswer> {
    const [method, path] = call.split(' ') as ['GET' | 'POST', string];
    const query = payload.query ? `?${new URLSearchParams(payload.query)}` : '';
    const response = await world.app.inject({
      method,
      url: `${path}${query}`,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...('json' in payload && { 'content-type': 'application/json' }),
      },
      ...('json' in payload && { payload: JSON.stringify(payload.json) }),
      ...(payload.form && { payload: formData(payload.form) as never }),
    });
    const type = String(response.headers['content-type'] ?? '');
    const isJson = type.startsWith('application/json');
    return {
      status: response.statusCode,
      body: isJson ? response.json() : response.rawPayload,
      type,
    };
  }

  const signUpForm = () => {
    const cifNif = newDni();
    return {
      email: `${cifNif.toLowerCase()}@ejemplo.es`,
      password: PASSWORD,
      fullName: 'Obrador Candela, S.L.',
      cifNif,
      address: 'Calle Mayor, 1',
      countryCode: 'ES',
      postCode: '28013',
      subscriptionType: '10',
    };
  };

  /** A company that has just signed up, without certificate. */
  async function newcomer() {
    const form = signUpForm();
    expectOk((await send('POST /api/Auth/NewRegisterDemo', { form })) as never);
    const { tokenJWT } = expectOk(
      (await send('POST /api/Auth/login', {
        json: { Email: form.email, password: PASSWORD },
      })) as { status: number; body: { tokenJWT: string } },
    );
    const [row] = await world.sql<{ id: number }[]>`
      select id from companies where email = ${form.email} and deleted_at is null`;
    return { ...form, token: tokenJWT, id: Number(row?.id) };
  }

  /** A session that has just begun, of the company that can do everything: it is not asked for its password again. */
  async function freshToken(): Promise<string> {
    const [row] = await world.sql<{ email: string }[]>`
      select email from companies where id = ${company.id}`;
    const { body } = await send('POST /api/Auth/login', {
      json: { Email: row?.email, password: PASSWORD },
    });
    return (body as { tokenJWT: string }).tokenJWT;
  }

  const draftFields = (who: TestCompany = company) => ({
    type: 'factura',
    invoiceNumber: '',
    invoiceDate: world.deps.clock().toLocaleDateString('sv-SE', { timeZone: 'Europe/Madrid' }),
    invoiceType: '0',
    crmemoType: '0',
    invoiceClient: who.customerNo,
    typeClient: 'NAC',
    isSimplificada: 'false',
    claveRegimen: '01',
    invoiceItems: JSON.stringify([
      {
        description: 'Revisión de frenos',
        quantity: '1',
        price: '100,50',
        discount: '',
        tax: 'IVA21',
        total: '121,61',
        linetype: 0,
      },
    ]),
    invoiceToRectify: '',
  });

  async function newDraft(who: TestCompany = company): Promise<string> {
    const form = { ...draftFields(who), accionFactura: '0' };
    const answer = await send('POST /api/PostData/SetFacturas', { form }, who.token);
    return (answer.body as { DocNo: string }).DocNo;
  }

  async function newCustomer(who: TestCompany = company): Promise<string> {
    const form = { No: '', Name: 'Clienta de Paso' };
    const answer = await send('POST /api/PostData/SetClientes', { form }, who.token);
    return (answer.body as { No: string }).No;
  }

  async function newProduct(who: TestCompany = company): Promise<string> {
    const form = { No: '', Name: 'Hora de taller', UnitOfMeasure: 'HORA', UnitPrice: '38,00' };
    const answer = await send('POST /api/PostData/SetProductos', { form }, who.token);
    return (answer.body as { No: string }).No;
  }

  let madeCopy: string | null = null;

  /** Makes the data copy of the company that can do everything. @returns what opens it */
  async function dataCopy(): Promise<string> {
    if (madeCopy) return madeCopy;
    const { sql, clock, config } = world.deps;
    await openDataCopy(sql, company.id, {
      id: randomUUID(),
      fileName: 'datos.zip',
      requestedAt: clock(),
    });
    await makeDataCopies(world.deps, new AbortController().signal);
    const copy = await findDataCopy(sql, company.id);
    madeCopy = dataCopyLink(config, { companyId: company.id, copyId: copy?.id ?? '' });
    return madeCopy;
  }

  /** A registered invoice. There is no dispatcher here: it stays «En espera». */
  async function registered(who: TestCompany = company): Promise<string> {
    return expectOk(await who.register()).DocNo;
  }

  /** A registered invoice that the AEAT has accepted. */
  async function accepted(who: TestCompany = company): Promise<string> {
    const DocNo = await registered(who);
    await answered(who, DocNo, 'Registrada');
    return DocNo;
  }

  /** What was noted down as collected of an invoice, and its number. */
  async function notedCobro(who: TestCompany = company) {
    const No = await accepted(who);
    const { lista } = expectOk(
      await who.call<Cobros>('POST', '/api/PostData/AnotarCobro', {
        No,
        // In UTC, which is never ahead of Spain.
        Fecha: new Date().toISOString().slice(0, 10),
        Importe: 1,
        Medio: '01',
      }),
    );
    return { No, id: lista[0]?.id };
  }

  let refusedAnulacion: { readonly No: string; readonly token: string } | null = null;

  /** An invoice that the AEAT has and refuses to annul, in a company of its own, because it holds all others back. */
  async function notAnnulled() {
    if (refusedAnulacion) return refusedAnulacion;
    const who = await world.signUp('B87654323', 'Empresa Parada, S.L.');
    const No = await accepted(who);
    await world.behave({ rechazar: { [No]: 1100 } });
    expectOk(await who.call('POST', '/api/PostData/AnularFactura', { No, motivo: 'Prueba' }));
    await answered(who, No, 'Rechazado');
    await world.behave({ rechazar: { [No]: 0 } });
    refusedAnulacion = { No, token: who.token };
    return refusedAnulacion;
  }

  let taken: { readonly No: string; readonly token: string } | null = null;

  /** An invoice whose number belongs to another program at the AEAT, in a company of its own. */
  async function numberTaken() {
    if (taken) return taken;
    const who = await world.signUp('B46103834', 'Empresa Repetida, S.L.');
    const No = await registered(who);
    await world.behave({ rechazar: { [who.nif]: 3000 } });
    await answered(who, No, 'Rechazado');
    await world.behave({ rechazar: { [who.nif]: 0 } });
    taken = { No, token: who.token };
    return taken;
  }

  async function answered({ id }: TestCompany, docNo: string, status: string): Promise<void> {
    const dispatcher = world.startDispatcher();
    try {
      await untilTrue(
        () => world.sql`
          select 1 from invoices
           where company_id = ${id} and doc_no = ${docNo} and status = ${status}`,
        ({ length }) => length > 0,
      );
    } finally {
      await dispatcher.stop();
    }
  }

  async function certificate(nif: string): Promise<Blob> {
    const file = await world.control(`/desarrollo/certificado?nif=${nif}&nombre=Prueba`);
    return new Blob([await file.arrayBuffer()], { type: 'application/x-pkcs12' });
  }

  /** The recovery code that the message would contain. */
  async function recoveryCode(who: { readonly email: string; readonly id: number }) {
    await send('POST /api/Auth/ForgotPassword', {
      json: { Email: who.email, Code: '', NewPassword: '' },
    });
    const [row] = await world.sql<{ payload: { sealedCode: string } }[]>`
      select payload from mail_jobs
       where company_id = ${who.id} and kind = 'codigo' order by id desc limit 1`;
    return openSealedCode(world.deps.config, who.id, row?.payload.sealedCode ?? '');
  }

  const orderOf = (form: unknown) => parametersOf(form as GatewayForm).DS_MERCHANT_ORDER ?? '';

  return {
    world,
    company,
    stranger,
    send,
    signUpForm,
    newcomer,
    freshToken,
    draftFields,
    newDraft,
    newCustomer,
    newProduct,
    registered,
    dataCopy,
    accepted,
    notAnnulled,
    notedCobro,
    numberTaken,
    certificate,
    recoveryCode,
    newOrderId,
    orderOf,
    password: PASSWORD,
    /** Removes the limits on attempts, which do not matter here. */
    forgetRates: () => world.sql`delete from rate_limits`,
    close: () => world.close(),
  };
}

export type CallStage = Awaited<ReturnType<typeof openCallStage>>;

function formData(fields: Readonly<Record<string, string | Blob>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}
