import sharp from 'sharp';
import { z } from 'zod';
import { fillTemplate, line } from '../support/fill-template.ts';
import type { CallName, CallStage, Payload } from './call-stage.ts';

/** What a call sends, made on the stage when its turn comes. */
type Make = (stage: CallStage) => Payload | Promise<Payload>;

export interface Refusal {
  readonly what: string;
  readonly status: 400 | 401 | 403 | 404 | 409 | 413 | 415;
  readonly send: Make;
  /** Text contained in the answer. */
  readonly says: string | RegExp;
  /** Who asks, unless it is the company that can do everything. */
  readonly as?: (stage: CallStage) => Promise<string>;
}

export interface CallCase {
  readonly call: CallName;
  /** Fields of the payload, letter for letter as other programs send them. */
  readonly fields?: readonly string[];
  readonly isPublic?: true;
  readonly send?: Make;
  /**
   * Whose session it is, unless it is that of the company that can do everything: calls that end sessions use their
   * own.
   */
  readonly as?: (stage: CallStage) => Promise<string>;
  /** The answer, with exactly these fields. Null for a file. */
  readonly answers: z.ZodType | null;
  /** What `{No}` names: the call must then answer 404 for one that does not exist and for another company's. */
  readonly byNo?: 'invoice' | 'customer' | 'product';
  /** It registers something: refused with 403 without a certificate and with an expired subscription. */
  readonly isGated?: true;
  readonly refuses?: readonly Refusal[];
}

const text = z.string();
const filled = z.string().min(1);
const euros = z.number();
const nothing = z.strictObject({});
const filaPorTipo = z.looseObject({
  trimestre: z.string().regex(/^\d{4}-[1-4]T$/),
  impuesto: filled,
  base: euros,
  cuota: euros,
  cuotaRecargo: euros,
  facturas: z.number(),
});
const message = (sentence: string) => z.strictObject({ message: z.literal(sentence) });
const options = z.array(z.strictObject({ value: text, label: text })).min(1);
const base64 = z.base64().min(100);

const datosEmpresa = z.strictObject({
  Email: filled,
  Name: filled,
  VATRegistrationNo: filled,
  Address: filled,
  countryCode: filled,
  postCode: filled,
  PaymentTerms: filled,
  PaymentMethod: filled,
  CustomerPostingGroup: filled,
  Customer: text,
  NoSerie: filled,
  IBAN: z.string(),
  Telefono: z.string(),
  Municipio: z.string(),
  RetencionPorDefecto: z.string(),
  ImpuestoPorDefecto: z.string(),
  DatosRegistrales: z.string(),
});
const cliente = z.strictObject({
  No: filled,
  Name: filled,
  VATRegistrationNo: text,
  Address: text,
  postCode: text,
  countryCode: text,
  Email: text,
  PaymentMethod: text,
  PaymentTerms: text,
  CustomerPostingGroup: filled,
});
const producto = z.strictObject({
  No: filled,
  Name: filled,
  UnitOfMeasure: filled,
  UnitPrice: euros,
});
const certificate = z.strictObject({
  hasValue: z.literal(true),
  FileName: filled,
  titular: filled,
  nif: filled,
  emisor: filled,
  validoDesde: z.iso.date(),
  validoHasta: z.iso.date(),
  caducado: z.literal(false),
  tipo: z.enum(['persona', 'representante', 'sello']),
});
const status = z.enum([
  'Borrador',
  'En espera',
  'Rechazado',
  'Aceptado con errores',
  'Registrada',
  'Anulada',
]);
const row = z.strictObject({
  PostingDate: z.iso.date(),
  DocNo: filled,
  CIF: text,
  Name: text,
  Status: status,
  Amount: euros,
  VatAmount: euros,
  AmountIncludingVat: euros,
  ErrorMessage: text.optional(),
  Tipo: z.enum(['F1', 'F2', 'F3', 'F4', 'R1', 'R2', 'R3', 'R4', 'R5']),
  Huella: text.optional(),
});
/** Other fields may come in addition: these are the required ones. */
const editInvoice = z.looseObject({
  type: z.enum(['factura', 'abono']),
  invoiceNumber: text,
  invoiceDate: z.iso.date(),
  invoiceType: z.int(),
  crmemoType: z.int(),
  invoiceClient: text,
  typeClient: filled,
  isSimplificada: z.boolean(),
  claveRegimen: z.literal('01'),
  invoiceItems: z
    .array(
      z.looseObject({
        description: text,
        quantity: text,
        price: z.literal('100,50'),
        tax: z.literal('IVA21'),
        linetype: z.int(),
      }),
    )
    .length(1),
  invoiceToRectify: text,
  tipoRectificativa: z.enum(['I', 'S']),
  Status: status,
  ErrorMessage: text,
});
/** In UTC, which is never ahead of Spain. */
const today = () => new Date().toISOString().slice(0, 10);
const cobro = {
  Fecha: today(),
  Importe: '21,61',
  Medio: '01',
  Identificacion: '',
  Abono: '',
} as const;
const cobros = z.strictObject({
  DocNo: filled,
  aCobrar: z.literal(121),
  cobrado: euros,
  pendiente: euros,
  vence: z.iso.date().optional(),
  criterioDeCaja: z.literal(false),
  lista: z.array(
    z.strictObject({
      id: z.uuid(),
      Fecha: z.iso.date(),
      Importe: euros,
      Medio: z.literal('01'),
    }),
  ),
});
const gatewayForm = z.strictObject({
  modoTest: z.boolean(),
  urlTPV: z.url(),
  ds_SignatureVersion: filled,
  ds_MerchantParameters: base64,
  ds_Signature: filled,
});

const WRONG_PASSWORD = 'El correo o la contraseña no son correctos.';
const INVALID_PLAN = 'Plan de suscripción inválido';

const newcomerToken = async (stage: CallStage) => (await stage.newcomer()).token;

const auth: readonly CallCase[] = [
  {
    call: 'POST /api/Auth/login',
    fields: ['Email', 'password'],
    isPublic: true,
    send: async (stage) => ({
      json: { Email: (await stage.newcomer()).email, password: stage.password },
    }),
    answers: z.strictObject({ tokenJWT: z.jwt() }),
    refuses: [
      {
        what: 'a wrong password',
        status: 401,
        send: async (stage) => ({
          json: { Email: (await stage.newcomer()).email, password: 'otra' },
        }),
        says: WRONG_PASSWORD,
      },
      {
        what: 'an unknown e-mail, in the same words',
        status: 401,
        send: () => ({ json: { Email: 'nadie@ejemplo.es', password: 'otra' } }),
        says: WRONG_PASSWORD,
      },
      {
        what: 'an e-mail that is no text',
        status: 400,
        send: () => ({ json: { Email: 7, password: 'otra' } }),
        says: /Email/,
      },
      {
        what: 'what no account could have as e-mail, like one that none has',
        status: 401,
        send: () => ({ json: { Email: 'nadie', password: 'otra' } }),
        says: WRONG_PASSWORD,
      },
      {
        what: 'no e-mail',
        status: 400,
        send: () => ({ json: { Email: ' ', password: 'otra' } }),
        says: 'Escribe tu correo.',
      },
      {
        what: 'no password',
        status: 400,
        send: async (stage) => ({ json: { Email: (await stage.newcomer()).email } }),
        says: 'Escribe tu contraseña.',
      },
    ],
  },
  {
    call: 'POST /api/Auth/ForgotPassword',
    fields: ['Email', 'Code', 'NewPassword'],
    isPublic: true,
    send: () => ({ json: { Email: 'nadie@ejemplo.es', Code: '', NewPassword: '' } }),
    answers: message('Te hemos enviado un código al correo.'),
  },
  {
    call: 'POST /api/Auth/ValidarRecoveryCode',
    fields: ['Email', 'Code', 'NewPassword'],
    isPublic: true,
    send: async (stage) => {
      const who = await stage.newcomer();
      const Code = await stage.recoveryCode(who);
      return { json: { Email: who.email, Code, NewPassword: '' } };
    },
    answers: message('El código es válido. Introduce nueva contraseña'),
    refuses: [
      {
        what: 'a code that was not sent',
        status: 400,
        send: () => ({ json: { Email: 'nadie@ejemplo.es', Code: '000000', NewPassword: '' } }),
        says: /código/i,
      },
    ],
  },
  {
    call: 'POST /api/Auth/ValidacionPassword',
    fields: ['Email', 'Password'],
    isPublic: true,
    send: () => ({ json: { Email: 'yo@ejemplo.es', Password: 'cuatro nubes y un tejado' } }),
    answers: nothing,
    refuses: [
      {
        what: 'a short one, in `errores`',
        status: 400,
        send: () => ({ json: { Email: 'yo@ejemplo.es', Password: 'corta' } }),
        says: /8/,
      },
    ],
  },
  {
    call: 'POST /api/Auth/ResetPassword',
    fields: ['Email', 'Code', 'NewPassword'],
    isPublic: true,
    send: async (stage) => {
      const who = await stage.newcomer();
      const Code = await stage.recoveryCode(who);
      return { json: { Email: who.email, Code, NewPassword: 'cuatro nubes y un tejado' } };
    },
    answers: message('Contraseña cambiada con éxito.'),
    refuses: [
      {
        what: 'a code that was not sent',
        status: 400,
        send: () => ({
          json: { Email: 'nadie@ejemplo.es', Code: '000000', NewPassword: 'cuatro nubes y sol' },
        }),
        says: /código/i,
      },
    ],
  },
  {
    call: 'POST /api/Auth/ValidacionesCreacion',
    fields: ['email', 'cifNif'],
    isPublic: true,
    send: () => ({ form: { email: 'nueva@ejemplo.es', cifNif: 'A58818501' } }),
    answers: nothing,
    refuses: [
      {
        what: 'a wrong control character',
        status: 400,
        send: () => ({ form: { email: 'nueva@ejemplo.es', cifNif: 'A58818502' } }),
        says: /NIF/,
      },
      {
        what: 'a NIF with an account',
        status: 400,
        send: ({ company }) => ({ form: { email: 'nueva@ejemplo.es', cifNif: company.nif } }),
        says: 'Ya existe una cuenta con estos datos. Inicia sesión o recupera tu contraseña.',
      },
    ],
  },
  {
    call: 'POST /api/Auth/NewRegisterDemo',
    fields: [
      'email',
      'password',
      'fullName',
      'cifNif',
      'address',
      'countryCode',
      'postCode',
      'subscriptionType',
    ],
    isPublic: true,
    send: ({ signUpForm }) => ({ form: signUpForm() }),
    answers: z.strictObject({ message: filled }),
    refuses: [
      {
        what: 'a form with nothing in it',
        status: 400,
        send: () => ({ form: { email: '', password: '' } }),
        says: /correo/i,
      },
    ],
  },
  {
    call: 'POST /api/Auth/logout',
    as: newcomerToken,
    send: () => ({}),
    answers: nothing,
  },
  {
    call: 'POST /api/Auth/RefreshToken',
    send: () => ({ json: {} }),
    answers: z.strictObject({ tokenJWT: z.jwt() }),
  },
];

const payments: readonly CallCase[] = [
  {
    call: 'POST /api/Redsys/InitPayment',
    fields: ['orderId', 'totalCents', 'userData'],
    isPublic: true,
    send: ({ newOrderId, signUpForm }) => ({
      json: {
        orderId: newOrderId(),
        totalCents: 5399,
        userData: JSON.stringify({ ...signUpForm(), subscriptionType: 'semiannual' }),
      },
    }),
    answers: gatewayForm,
    refuses: [
      {
        what: 'an amount that is not the plan’s',
        status: 400,
        send: ({ newOrderId, signUpForm }) => ({
          json: {
            orderId: newOrderId(),
            totalCents: 1,
            userData: JSON.stringify({ ...signUpForm(), subscriptionType: 'semiannual' }),
          },
        }),
        says: INVALID_PLAN,
      },
      {
        what: 'an order that is not one',
        status: 400,
        send: ({ signUpForm }) => ({
          json: {
            orderId: 'X1',
            totalCents: 5399,
            userData: JSON.stringify({ ...signUpForm(), subscriptionType: 'semiannual' }),
          },
        }),
        says: /pedido/,
      },
    ],
  },
  {
    call: 'POST /api/Redsys/InitRenewPayment',
    fields: ['orderId', 'totalCents', 'datosEmpresa', 'subscriptionType'],
    send: ({ newOrderId }) => ({
      json: {
        orderId: newOrderId(),
        totalCents: 999,
        datosEmpresa: '{}',
        subscriptionType: 'monthly',
      },
    }),
    answers: gatewayForm,
    refuses: [
      {
        what: 'a plan that is not sold',
        status: 400,
        send: ({ newOrderId }) => ({
          json: {
            orderId: newOrderId(),
            totalCents: 999,
            datosEmpresa: '{}',
            subscriptionType: 'eternal',
          },
        }),
        says: INVALID_PLAN,
      },
    ],
  },
  {
    call: 'GET /api/Redsys/Estado',
    isPublic: true,
    send: async (stage) => {
      const orderId = stage.newOrderId();
      await stage.send(
        'POST /api/Redsys/InitRenewPayment',
        { json: { orderId, totalCents: 999, datosEmpresa: '{}', subscriptionType: 'monthly' } },
        stage.company.token,
      );
      return { query: { orderId } };
    },
    answers: z.strictObject({ estado: z.literal('pendiente'), tipo: z.literal('renovacion') }),
    refuses: [
      {
        what: 'an order that nobody began',
        status: 404,
        send: ({ newOrderId }) => ({ query: { orderId: newOrderId() } }),
        says: /pedido|pago/i,
      },
    ],
  },
];

/** The twenty calls of the panel's start, in order. */
const startUp: readonly CallCase[] = [
  { call: 'GET /api/GetData/GetCompanyPicture', answers: text },
  { call: 'GET /api/GetData/GetDatosEmpresa', answers: datosEmpresa },
  {
    call: 'GET /api/GetData/GetProductos',
    send: async (stage) => {
      await stage.newProduct();
      return {};
    },
    answers: z.array(producto).min(1),
  },
  {
    call: 'GET /api/GetData/GetInvoices',
    answers: z.array(row),
    refuses: [
      {
        what: 'a page that is not a number',
        status: 400,
        send: () => ({ query: { page: 'dos' } }),
        says: /page/,
      },
      {
        what: 'more rows than a page may have',
        status: 400,
        send: () => ({ query: { page: '1', pageSize: '201' } }),
        says: /pageSize/,
      },
      {
        what: 'a range that there is not',
        status: 400,
        send: () => ({ query: { range: 'siglo' } }),
        says: /range/,
      },
    ],
  },
  {
    call: 'GET /api/GetData/GetPendingInvoices',
    send: async (stage) => {
      await stage.newDraft();
      return { query: { page: '1', sort: '-PostingDate', search: '', range: 'all' } };
    },
    answers: z.strictObject({
      rows: z.array(row).min(1),
      total: z.int().min(1),
      page: z.literal(1),
      pageSize: z.literal(8),
    }),
    refuses: [
      {
        what: 'a column that there is not',
        status: 400,
        send: () => ({ query: { sort: 'password' } }),
        says: /sort/,
      },
    ],
  },
  { call: 'GET /api/GetData/GetClientes', answers: z.array(cliente).min(1) },
  { call: 'GET /api/GetData/GetTerminosPago', answers: options },
  { call: 'GET /api/GetData/GetFormasPago', answers: options },
  { call: 'GET /api/GetData/GetGrupoContable', answers: options },
  {
    call: 'GET /api/GetData/GetGrupoIVA',
    answers: z
      .array(
        z.looseObject({
          VATProdPostingGroup: filled,
          VATBusPostingGroup: filled,
          VATCalculationType: filled,
          VATPercentage: z.number(),
        }),
      )
      .min(1),
  },
  { call: 'GET /api/GetData/GetCertificate', answers: certificate },
  { call: 'GET /api/GetData/GetUnitOfMeasure', answers: options },
  { call: 'GET /api/GetData/GetDataBaseDemo', answers: z.literal(true) },
  { call: 'GET /api/GetData/GetSubscriptionExpired', answers: z.literal(false) },
  {
    call: 'GET /api/GetData/GetDatosSubscripcion',
    answers: z.strictObject({
      type: z.literal('Demo'),
      enabled: z.literal(true),
      expirationdate: z.iso.date(),
    }),
  },
  { call: 'GET /api/GetData/GetPaises', isPublic: true, answers: options },
  { call: 'GET /api/GetData/GetTemplateExcel', answers: base64 },
  { call: 'GET /api/GetData/GetClavesRegimen', answers: options },
  { call: 'GET /api/GetData/GetEnableMantenimiento', answers: z.boolean() },
  { call: 'GET /api/GetData/GetTextMantenimiento', answers: text },
];

const DRAFT_FIELDS = [
  'type',
  'invoiceNumber',
  'invoiceDate',
  'invoiceType',
  'crmemoType',
  'invoiceClient',
  'typeClient',
  'isSimplificada',
  'claveRegimen',
  'invoiceItems',
  'accionFactura',
  'invoiceToRectify',
] as const;

const setFacturas = z.looseObject({ DocNo: filled, Status: status, message: filled });
const wrongDraft = (stage: CallStage, change: Readonly<Record<string, string>>) => ({
  form: { ...stage.draftFields(), accionFactura: '0', ...change },
});

/** A blank image: it is read, and nothing is found in it. */
const blankPage = async () =>
  new Blob([
    new Uint8Array(
      await sharp({ create: { width: 600, height: 800, channels: 3, background: '#fff' } })
        .png()
        .toBuffer(),
    ),
  ]);

/** A draft that was read from an image, one for each stage because reading takes a while. */
const readDraft = (stage: CallStage): Promise<{ No: string; archivo: string }> => {
  const known = readDrafts.get(stage) ?? makeReadDraft(stage);
  readDrafts.set(stage, known);
  return known;
};
const readDrafts = new WeakMap<CallStage, Promise<{ No: string; archivo: string }>>();

async function makeReadDraft(stage: CallStage) {
  const { token } = stage.company;
  const form = { File: await blankPage() };
  const read = await stage.send('POST /api/PostData/ExtraerFactura', { form }, token);
  const { archivo } = read.body as { archivo: string };
  const draft = { ...stage.draftFields(), accionFactura: '0', archivo };
  const saved = await stage.send('POST /api/PostData/SetFacturas', { form: draft }, token);
  return { No: (saved.body as { DocNo: string }).DocNo, archivo };
}

const OF_NOBODY = '00000000-0000-4000-8000-000000000000';

const invoices: readonly CallCase[] = [
  {
    call: 'GET /api/GetData/GetLectura',
    send: async (stage) => ({ query: { archivo: (await readDraft(stage)).archivo } }),
    answers: z.strictObject({
      archivo: z.uuid(),
      nombre: filled,
      campos: z.strictObject({ lineas: z.array(z.never()) }),
      avisos: z.array(filled).min(1),
      paginas: z.tuple([z.strictObject({ ancho: z.literal(600), alto: z.literal(800) })]),
    }),
    refuses: [
      {
        what: 'what is of nobody',
        status: 404,
        send: () => ({ query: { archivo: OF_NOBODY } }),
        says: 'No existe ese archivo.',
      },
    ],
  },
  {
    call: 'GET /api/GetData/GetSubidas',
    send: async (stage) => {
      await readDraft(stage);
      return {};
    },
    answers: z.strictObject({
      subidas: z
        .array(
          z.strictObject({
            DocNo: z.string().regex(/^B-\d+$/),
            nombre: filled,
            cliente: z.string(),
            total: z.number(),
            subida: z.iso.datetime(),
          }),
        )
        .min(1),
      hayMas: z.boolean(),
    }),
  },
  {
    call: 'GET /api/GetData/GetPaginaLeida',
    send: async (stage) => ({ query: { archivo: (await readDraft(stage)).archivo, pagina: '1' } }),
    answers: null,
    refuses: [
      {
        what: 'a page that there is not',
        status: 404,
        send: async (stage) => ({
          query: { archivo: (await readDraft(stage)).archivo, pagina: '2' },
        }),
        says: 'No existe esa página.',
      },
    ],
  },
  {
    call: 'POST /api/PostData/GetOriginal',
    fields: ['No'],
    byNo: 'invoice',
    send: async (stage) => ({ json: { No: (await readDraft(stage)).No } }),
    answers: null,
  },
  {
    call: 'POST /api/PostData/ExtraerFactura',
    fields: ['File'],
    send: async () => ({ form: { File: await blankPage() } }),
    answers: z.strictObject({
      borrador: z.looseObject({ Status: z.literal('Borrador'), invoiceItems: z.array(z.never()) }),
      campos: z.strictObject({ lineas: z.array(z.never()) }),
      avisos: z.array(filled).min(1),
      archivo: z.uuid(),
    }),
    refuses: [
      {
        what: 'a file that is no invoice',
        status: 400,
        send: () => ({ form: { File: new Blob(['hola']) } }),
        says: 'Ese archivo no es una factura en PDF, JPG o PNG.',
      },
      {
        what: 'no file',
        status: 400,
        send: () => ({ json: {} }),
        says: 'Elige la factura: un PDF, un JPG o un PNG.',
      },
    ],
  },
  {
    call: 'POST /api/PostData/SetFacturas',
    fields: DRAFT_FIELDS,
    isGated: true,
    send: ({ draftFields }) => ({ form: { ...draftFields(), accionFactura: '1' } }),
    answers: setFacturas.extend({
      DocNo: z.string().regex(/^0*\d+\/\d\d$/),
      Status: z.literal('En espera'),
      Huella: z.string().regex(/^[0-9A-F]{64}$/),
      qr: z.url(),
    }),
    refuses: [
      {
        what: 'a day that does not exist',
        status: 400,
        send: (stage) => wrongDraft(stage, { invoiceDate: '2026-02-30' }),
        says: /invoiceDate/,
      },
      {
        what: 'lines that are no JSON',
        status: 400,
        send: (stage) => wrongDraft(stage, { invoiceItems: 'una línea' }),
        says: /invoiceItems/,
      },
      {
        what: 'an action that there is not',
        status: 400,
        send: (stage) => wrongDraft(stage, { accionFactura: '3' }),
        says: /accionFactura/,
      },
      {
        what: 'registering without a client',
        status: 400,
        send: (stage) => wrongDraft(stage, { accionFactura: '1', invoiceClient: '' }),
        says: /cliente/i,
      },
      {
        what: 'registering an F4, which VERI*FACTU has not',
        status: 400,
        send: (stage) => wrongDraft(stage, { accionFactura: '1', invoiceType: '3' }),
        says: /F1/,
      },
      {
        what: 'a draft of nobody',
        status: 404,
        send: (stage) => wrongDraft(stage, { draftNo: 'B-999' }),
        says: /B-999/,
      },
      {
        what: 'registering for a client that does not exist',
        status: 404,
        send: (stage) => wrongDraft(stage, { accionFactura: '1', invoiceClient: 'NADIE' }),
        says: 'El cliente «NADIE» no existe. Elige en «Cliente» uno de los tuyos, o créalo.',
      },
      {
        what: 'a draft for another company’s client, in the same words',
        status: 404,
        send: async (stage) => {
          for (let i = 0; i < 3; i++) await stage.newCustomer(stage.stranger);
          const invoiceClient = await stage.newCustomer(stage.stranger);
          return wrongDraft(stage, { invoiceClient });
        },
        says: /^El cliente «\S+» no existe\. Elige en «Cliente» uno de los tuyos, o créalo\.$/,
      },
      {
        what: 'a draft saved over for a client that does not exist',
        status: 404,
        send: async (stage) =>
          wrongDraft(stage, { draftNo: await stage.newDraft(), invoiceClient: 'NADIE' }),
        says: /«NADIE» no existe/,
      },
      {
        what: 'another company’s draft',
        status: 404,
        send: async (stage) => {
          for (let i = 0; i < 3; i++) await stage.newDraft();
          const draftNo = await stage.newDraft();
          return { form: { ...stage.draftFields(stage.stranger), draftNo, accionFactura: '0' } };
        },
        as: async ({ stranger }) => stranger.token,
        says: /No existe/,
      },
      ...(['0', '1'] as const).map((accionFactura) => ({
        what: `a draft that somebody saved meanwhile, with accionFactura ${accionFactura}`,
        status: 409 as const,
        send: async (stage: CallStage) => {
          const draftNo = await stage.newDraft();
          const form = { ...stage.draftFields(), draftNo, version: '1' };
          await stage.send(
            'POST /api/PostData/SetFacturas',
            { form: { ...form, accionFactura: '0' } },
            stage.company.token,
          );
          return { form: { ...form, accionFactura } };
        },
        says: /^El borrador B-\d+ ha cambiado en otra pestaña o en otro dispositivo. Ábrelo de nuevo/,
      })),
    ],
  },
  {
    call: 'POST /api/PostData/GetEditInvoice',
    fields: ['No'],
    byNo: 'invoice',
    send: async ({ newDraft }) => ({ json: { No: await newDraft() } }),
    answers: editInvoice,
  },
  {
    call: 'POST /api/PostData/DownloadInvoice',
    fields: ['No'],
    byNo: 'invoice',
    send: async ({ registered }) => ({ json: { No: await registered() } }),
    answers: z.base64().startsWith('JVBERi0'), // %PDF-
  },
  {
    call: 'POST /api/PostData/DescargarFacturaElectronica',
    byNo: 'invoice',
    send: async ({ registered }) => ({ json: { No: await registered(), formato: 'ubl' } }),
    answers: null,
    refuses: [
      {
        what: 'another format',
        status: 400,
        send: async ({ registered }) => ({ json: { No: await registered(), formato: 'pdf' } }),
        says: /formato/,
      },
    ],
  },
  {
    call: 'POST /api/PostData/DescargarFacturas',
    send: async ({ registered }) => ({ json: { Nos: [await registered()] } }),
    answers: null,
    refuses: [
      {
        what: 'an invoice that does not exist among those that do',
        status: 404,
        send: async ({ registered }) => ({ json: { Nos: [await registered(), 'NO-EXISTE/1'] } }),
        says: /No existe la factura NO-EXISTE\/1/,
      },
      {
        what: 'more than five hundred',
        status: 400,
        send: () => ({ json: { Nos: Array.from({ length: 501 }, (_, i) => `B-${i}`) } }),
        says: /500 facturas/,
      },
    ],
  },
  {
    call: 'POST /api/PostData/DeleteInvoice',
    fields: ['No'],
    byNo: 'invoice',
    send: async ({ newDraft }) => ({ json: { No: await newDraft() } }),
    answers: nothing,
    refuses: [
      {
        what: 'a registered invoice',
        status: 409,
        send: async ({ registered }) => ({ json: { No: await registered() } }),
        says: /está registrada y no se puede eliminar/,
      },
    ],
  },
  {
    call: 'POST /api/PostData/EliminarBorradores',
    send: async ({ newDraft }) => ({ json: { Nos: [await newDraft(), await newDraft()] } }),
    answers: z.strictObject({ eliminados: z.literal(2) }),
    refuses: [
      {
        what: 'none',
        status: 400,
        send: () => ({ json: { Nos: [] } }),
        says: /elige al menos un borrador/,
      },
      {
        what: 'more than five hundred',
        status: 400,
        send: () => ({ json: { Nos: Array.from({ length: 501 }, (_, i) => `B-${i}`) } }),
        says: /500 borradores/,
      },
    ],
  },
  {
    call: 'POST /api/PostData/RegistrarBorradores',
    fields: ['Nos'],
    send: async ({ newDraft }) => ({ json: { Nos: [await newDraft()] } }),
    answers: z.looseObject({ total: z.literal(1) }),
    isGated: true,
    // Whatever happens to the list on its way, it never means all of them.
    refuses: [{}, { Nos: null }, { nos: ['B-1'] }, { No: 'B-1' }, { Nos: [] }].map((json) => ({
      what: `${JSON.stringify(json)}`,
      status: 400,
      send: () => ({ json }),
      says: /Nos|elige al menos un borrador/,
    })),
  },
  {
    call: 'POST /api/PostData/ValidarFactura',
    fields: DRAFT_FIELDS,
    send: ({ draftFields }) => ({
      form: { ...draftFields(), accionFactura: '1', invoiceClient: '' },
    }),
    answers: z.strictObject({
      errores: z
        .array(
          z.strictObject({
            campo: filled,
            codigo: filled.optional(),
            mensaje: filled,
            gravedad: z.enum(['bloquea', 'avisa']),
          }),
        )
        .min(1),
    }),
    refuses: [
      {
        what: 'a draft of nobody',
        status: 404,
        send: (stage) => wrongDraft(stage, { draftNo: 'B-999' }),
        says: 'No existe el borrador B-999.',
      },
      {
        what: 'what is registered and not to be corrected',
        status: 409,
        send: async (stage) => wrongDraft(stage, { draftNo: await stage.accepted() }),
        says: /ya está registrada y no se puede cambiar/,
      },
    ],
  },
  {
    call: 'POST /api/PostData/AnularFactura',
    fields: ['No', 'motivo'],
    byNo: 'invoice',
    isGated: true,
    send: async ({ accepted }) => ({ json: { No: await accepted(), motivo: 'Prueba' } }),
    answers: z.strictObject({ DocNo: filled, Status: status }),
    refuses: [
      {
        what: 'a draft',
        status: 409,
        send: async ({ newDraft }) => ({ json: { No: await newDraft(), motivo: 'Prueba' } }),
        says: /borrador|registrad/i,
      },
      {
        what: 'one without its reason',
        status: 400,
        send: async ({ newDraft }) => ({ json: { No: await newDraft() } }),
        says: 'El campo «motivo»: escribe por qué anulas la factura.',
      },
      {
        what: 'a reason of blanks',
        status: 400,
        send: async ({ newDraft }) => ({ json: { No: await newDraft(), motivo: '  ' } }),
        says: 'El campo «motivo»: escribe por qué anulas la factura.',
      },
      {
        what: 'a reason that is too long',
        status: 400,
        send: async ({ newDraft }) => ({ json: { No: await newDraft(), motivo: 'a'.repeat(501) } }),
        says: 'El campo «motivo»: tiene que tener 500 caracteres como mucho.',
      },
    ],
  },
];

/** Our own additional calls, which the panel needs. */
const ours: readonly CallCase[] = [
  {
    call: 'POST /api/PostData/DejarFactura',
    fields: ['No'],
    byNo: 'invoice',
    as: async ({ notAnnulled }) => (await notAnnulled()).token,
    send: async ({ notAnnulled }) => ({ json: { No: (await notAnnulled()).No } }),
    answers: z.strictObject({ DocNo: filled, Status: z.literal('Registrada') }),
    refuses: [
      {
        what: 'what was never refused',
        status: 409,
        send: async ({ accepted }) => ({ json: { No: await accepted() } }),
        says: /no ha rechazado ningún cambio/,
      },
    ],
  },
  {
    call: 'POST /api/PostData/DejarSinEfecto',
    fields: ['No'],
    byNo: 'invoice',
    as: async ({ numberTaken }) => (await numberTaken()).token,
    send: async ({ numberTaken }) => ({ json: { No: (await numberTaken()).No } }),
    answers: z.strictObject({ DocNo: filled, Status: z.literal('Anulada') }),
    refuses: [
      {
        what: 'what was never refused',
        status: 409,
        send: async ({ accepted }) => ({ json: { No: await accepted() } }),
        says: /no ha rechazado la factura .* porque su número sea de otra/,
      },
    ],
  },
  {
    call: 'POST /api/PostData/AnotarCobro',
    fields: ['No', 'Fecha', 'Importe', 'Medio', 'Identificacion', 'Abono'],
    byNo: 'invoice',
    send: async (stage) => ({ json: { ...cobro, No: await stage.accepted() } }),
    answers: cobros,
    refuses: [
      {
        what: 'a draft',
        status: 409,
        send: async ({ newDraft }) => ({ json: { ...cobro, No: await newDraft() } }),
        says: 'Un borrador no se cobra: registra antes la factura.',
      },
      {
        what: 'more than is left',
        status: 400,
        send: async ({ accepted }) => ({
          json: { ...cobro, No: await accepted(), Importe: '121,01' },
        }),
        says: 'El importe no puede pasar de 121,00 €: es lo que queda.',
      },
      {
        what: 'what is settled against no credit of its own',
        status: 400,
        send: async ({ accepted }) => {
          const [No, Abono] = [await accepted(), await accepted()];
          return { json: { ...cobro, No, Abono } };
        },
        says: /no es un abono de la/,
      },
      {
        what: 'a medio that the AEAT does not know',
        status: 400,
        send: async ({ accepted }) => ({ json: { ...cobro, No: await accepted(), Medio: '06' } }),
        says: /El campo «Medio»/,
      },
      {
        what: 'a day that does not exist',
        status: 400,
        send: async ({ accepted }) => ({
          json: { ...cobro, No: await accepted(), Fecha: '2026-02-29' },
        }),
        says: /El campo «Fecha»/,
      },
    ],
  },
  {
    call: 'POST /api/PostData/EliminarCobro',
    fields: ['No', 'id'],
    byNo: 'invoice',
    send: async ({ notedCobro }) => ({ json: await notedCobro() }),
    answers: cobros,
    refuses: [
      {
        what: 'one that is not there',
        status: 404,
        send: async ({ accepted }) => ({
          json: { No: await accepted(), id: '00000000-0000-4000-8000-000000000000' },
        }),
        says: /ya no existe/,
      },
    ],
  },
  {
    call: 'POST /api/PostData/EnviarFactura',
    fields: ['No', 'Email'],
    byNo: 'invoice',
    send: async ({ accepted }) => ({
      json: { No: await accepted(), Email: 'otra@ejemplo.es' },
    }),
    answers: z.strictObject({ DocNo: filled, Email: z.literal('otra@ejemplo.es') }),
    refuses: [
      {
        what: 'a draft',
        status: 409,
        send: async ({ newDraft }) => ({ json: { No: await newDraft() } }),
        says: 'Un borrador no se envía: registra antes la factura.',
      },
      {
        what: 'an address that is none',
        status: 400,
        send: async ({ accepted }) => ({ json: { No: await accepted(), Email: 'a@b' } }),
        says: /correo/i,
      },
    ],
  },
  {
    call: 'POST /api/PostData/GetInvoiceDetail',
    fields: ['No'],
    byNo: 'invoice',
    send: async ({ newDraft }) => ({ json: { No: await newDraft() } }),
    answers: z.looseObject({ fila: row, borrador: editInvoice, historia: z.array(z.unknown()) }),
  },
  {
    call: 'GET /api/GetData/GetResumen',
    answers: z.looseObject({
      meses: z.array(z.strictObject({ mes: text, base: euros })).length(12),
    }),
  },
  {
    call: 'GET /api/GetData/GetTrimestrePorTipo',
    answers: z.strictObject({ filas: z.array(filaPorTipo).min(1) }),
  },
  {
    call: 'GET /api/GetData/GetSumasPorTipo',
    send: () => ({ query: { range: 'year', desde: '2024-10-29' } }),
    answers: z.strictObject({ filas: z.array(filaPorTipo).min(1), facturas: z.number() }),
    refuses: [
      {
        what: 'a day that does not exist',
        status: 400,
        send: () => ({ query: { hasta: '2026-02-30' } }),
        says: /hasta/,
      },
      {
        what: 'a place that no part ended at',
        status: 400,
        send: () => ({ query: { despues: '12' } }),
        says: /siguiente/,
      },
    ],
  },
  {
    call: 'GET /api/GetData/GetLibroExpedidas',
    send: async (stage) => {
      await stage.registered();
      return { query: { range: 'year', desde: '2024-10-29' } };
    },
    answers: null,
    refuses: [
      {
        what: 'a day that does not exist',
        status: 400,
        send: () => ({ query: { hasta: '2026-02-30' } }),
        says: /hasta/,
      },
    ],
  },
  {
    call: 'POST /api/PostData/ReintentarEnvio',
    answers: z.looseObject({ estado: filled, enEspera: z.number() }),
  },
  {
    call: 'GET /api/GetData/GetInstalacion',
    answers: z.strictObject({ numeroInstalacion: filled }),
  },
  {
    call: 'GET /api/GetData/GetDeclaracionResponsable',
    isPublic: true,
    answers: z.looseObject({ titulo: filled, version: filled, versiones: z.array(filled).min(1) }),
    refuses: [
      {
        what: 'a version that never was',
        status: 404,
        send: () => ({ query: { version: '0.0.0' } }),
        says: /./,
      },
    ],
  },
  {
    call: 'GET /api/GetData/GetDeclaracionResponsablePdf',
    isPublic: true,
    answers: null,
  },
  {
    call: 'GET /api/GetData/GetNovedades',
    answers: z.strictObject({ facturas: filled, cuenta: filled }),
  },
  {
    call: 'GET /api/GetData/GetMasUsados',
    answers: z.strictObject({ clientes: z.array(filled), productos: z.array(filled) }),
  },
  {
    call: 'GET /api/GetData/GetProximosNumeros',
    answers: z.strictObject({
      F: filled,
      S: filled,
      R: filled,
      RS: filled,
      G: filled,
      M: filled,
    }),
  },
];

const CLIENT_FIELDS = [
  'No',
  'Name',
  'VATRegistrationNo',
  'Address',
  'postCode',
  'countryCode',
  'Email',
  'PaymentMethod',
  'PaymentTerms',
  'CustomerPostingGroup',
] as const;
const clientForm = (No: string, change: Readonly<Record<string, string>> = {}) => ({
  form: {
    No,
    Name: 'Ferretería Muñoz, S.L.',
    VATRegistrationNo: 'B-12.345.674',
    Address: 'Calle Mayor, 3',
    postCode: '28013',
    countryCode: 'ES',
    Email: 'compras@ejemplo.es',
    PaymentMethod: '',
    PaymentTerms: '',
    CustomerPostingGroup: 'NAC',
    ...change,
  },
});
const PRODUCT_FIELDS = ['No', 'Name', 'UnitOfMeasure', 'UnitPrice'] as const;
const productForm = (No: string, change: Readonly<Record<string, string>> = {}) => ({
  form: { No, Name: 'Montaje', UnitOfMeasure: 'HORA', UnitPrice: '38,50', ...change },
});
const noName: Refusal = {
  what: 'one without a name',
  status: 400,
  send: async ({ newCustomer }) => clientForm(await newCustomer(), { Name: ' ' }),
  says: /nombre/i,
};
const wrongPrice: Refusal = {
  what: 'a price that is not one',
  status: 400,
  send: async ({ newProduct }) => productForm(await newProduct(), { UnitPrice: 'gratis' }),
  says: /precio/i,
};

const parties: readonly CallCase[] = [
  {
    call: 'POST /api/PostData/SetClientes',
    fields: CLIENT_FIELDS,
    send: () => clientForm(''),
    answers: cliente.extend({ VATRegistrationNo: z.literal('B12345674') }),
    refuses: [noName],
  },
  {
    call: 'POST /api/PostData/UpdateClientes',
    fields: CLIENT_FIELDS,
    byNo: 'customer',
    send: async ({ newCustomer }) => clientForm(await newCustomer()),
    answers: cliente,
    refuses: [noName],
  },
  {
    call: 'POST /api/PostData/DeleteCliente',
    fields: ['No'],
    byNo: 'customer',
    send: async ({ newCustomer }) => ({ json: { No: await newCustomer() } }),
    answers: nothing,
    refuses: [
      {
        what: 'the one that simplified invoices start with',
        status: 409,
        send: async (stage) => {
          const No = await stage.newCustomer(stage.stranger);
          await stage.send(
            'POST /api/PostData/SetDatosEmpresa3',
            {
              form: {
                PaymentTerms: '30D',
                PaymentMethod: 'TRANSF',
                CustomerPostingGroup: 'NAC',
                Customer: No,
              },
            },
            stage.stranger.token,
          );
          return { json: { No } };
        },
        as: async ({ stranger }) => stranger.token,
        says: /simplificadas/,
      },
    ],
  },
  {
    call: 'POST /api/PostData/SetProductos',
    fields: PRODUCT_FIELDS,
    send: () => productForm(''),
    answers: producto.extend({ UnitPrice: z.literal(38.5) }),
    refuses: [wrongPrice],
  },
  {
    call: 'POST /api/PostData/UpdateProductos',
    fields: PRODUCT_FIELDS,
    byNo: 'product',
    send: async ({ newProduct }) => productForm(await newProduct()),
    answers: producto,
    refuses: [wrongPrice],
  },
  {
    call: 'POST /api/PostData/DeleteProducto',
    fields: ['No'],
    byNo: 'product',
    send: async ({ newProduct }) => ({ json: { No: await newProduct() } }),
    answers: nothing,
  },
];

/** One pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const companyForm = (change: Readonly<Record<string, string>> = {}) => ({
  form: {
    Name: 'Talleres Prueba, S.L.',
    VATRegistrationNo: 'B12345674',
    Address: 'Calle Mayor, 1',
    countryCode: 'ES',
    postCode: '28013',
    ...change,
  },
});

const profile: readonly CallCase[] = [
  {
    call: 'POST /api/PostData/sendMailSupport',
    fields: ['Asunto', 'Body'],
    send: () => ({ form: { Asunto: 'Una duda', Body: '¿Cómo rectifico una factura?' } }),
    answers: message('Hemos recibido tu consulta. Te responderemos por correo.'),
    refuses: [
      {
        what: 'one that says nothing',
        status: 400,
        send: () => ({ form: { Asunto: '', Body: '' } }),
        says: /./,
      },
    ],
  },
  {
    call: 'POST /api/PostData/SetCompanyPicture',
    send: () => ({ json: PNG }),
    answers: nothing,
    refuses: [
      {
        what: 'what is no picture',
        status: 415,
        send: () => ({ json: Buffer.from('<svg/>').toString('base64') }),
        says: /PNG/,
      },
      {
        what: 'what is no text',
        status: 400,
        send: () => ({ json: { base64: PNG } }),
        says: /./,
      },
    ],
  },
  {
    call: 'POST /api/PostData/UpdateCertificate',
    fields: ['Certificate', 'Password'],
    send: async (stage) => ({
      form: { Certificate: await stage.certificate(stage.company.nif), Password: 'prueba' },
    }),
    answers: certificate,
    refuses: [
      {
        what: 'a wrong password',
        status: 400,
        send: async (stage) => ({
          form: { Certificate: await stage.certificate(stage.company.nif), Password: 'otra' },
        }),
        says: /contraseña/,
      },
      {
        what: 'what is no certificate',
        status: 400,
        send: () => ({ form: { Certificate: new Blob(['hola']), Password: 'prueba' } }),
        says: /certificado/i,
      },
      {
        what: 'no file',
        status: 400,
        send: () => ({ form: { Password: 'prueba' } }),
        says: 'Elige el archivo de tu certificado (.p12 o .pfx).',
      },
      {
        what: 'another company’s',
        status: 400,
        send: async (stage) => ({
          form: { Certificate: await stage.certificate(stage.stranger.nif), Password: 'prueba' },
        }),
        says: /B76543214/,
      },
    ],
  },
  {
    call: 'POST /api/PostData/SetDatosEmpresa1',
    fields: ['Email', 'Password'],
    as: newcomerToken,
    send: ({ newOrderId }) => ({
      form: { Email: `${newOrderId().toLowerCase()}@ejemplo.es`, Password: '' },
    }),
    answers: z.strictObject({ tokenJWT: z.jwt() }),
    refuses: [
      {
        what: 'an e-mail that is not one',
        status: 400,
        send: () => ({ form: { Email: 'yo', Password: '' } }),
        says: /correo/i,
      },
      {
        what: 'a sign-in that is not recent, without the password',
        status: 400,
        as: async (stage) => {
          const { token, id } = await stage.newcomer();
          await stage.world.sql`
          update sessions set authenticated_at = now() - interval '11 minutes' where company_id = ${id}`;
          return token;
        },
        send: () => ({ form: { Email: 'nueva.direccion@ejemplo.es', Password: '' } }),
        says: /contraseña/,
      },
    ],
  },
  {
    call: 'POST /api/PostData/SetDatosEmpresa2',
    fields: ['Name', 'VATRegistrationNo', 'Address', 'countryCode', 'postCode'],
    send: () => companyForm(),
    answers: datosEmpresa,
    refuses: [
      {
        what: 'a wrong NIF',
        status: 400,
        send: () => companyForm({ VATRegistrationNo: 'B12345670' }),
        says: /NIF/,
      },
    ],
  },
  {
    call: 'POST /api/PostData/SetDatosEmpresa3',
    fields: ['PaymentTerms', 'PaymentMethod', 'CustomerPostingGroup', 'Customer'],
    send: async ({ company }) => {
      const { body } = await company.call<Record<string, string>>(
        'GET',
        '/api/GetData/GetDatosEmpresa',
      );
      const { PaymentTerms = '', PaymentMethod = '' } = body;
      return { form: { PaymentTerms, PaymentMethod, CustomerPostingGroup: 'NAC', Customer: '' } };
    },
    answers: datosEmpresa,
    refuses: [
      {
        what: 'what is not in the lists',
        status: 400,
        send: () => ({
          form: {
            PaymentTerms: 'NUNCA',
            PaymentMethod: 'NADA',
            CustomerPostingGroup: 'NADIE',
            Customer: '',
          },
        }),
        says: /./,
      },
      {
        what: 'a usual client that does not exist',
        status: 404,
        send: () => ({ form: { Customer: 'NADIE' } }),
        says: 'El cliente «NADIE» no existe. Elige en «Cliente de las simplificadas» uno de los tuyos.',
      },
    ],
  },
  {
    call: 'POST /api/PostData/reiniciarContador',
    fields: ['NoSerie'],
    as: newcomerToken,
    send: () => ({ form: { NoSerie: '00001/LO' } }),
    answers: datosEmpresa.extend({ NoSerie: z.literal('00001/LO') }),
    refuses: [
      {
        what: 'one without digits',
        status: 400,
        send: () => ({ form: { NoSerie: 'LO' } }),
        says: /./,
      },
    ],
  },
  {
    call: 'POST /api/PostData/DeleteAccount',
    as: newcomerToken,
    send: () => ({}),
    answers: nothing,
  },
];

const spreadsheet = async () =>
  new Blob([
    new Uint8Array(
      await fillTemplate({
        Clientes: [['', 'Ferretería Muñoz', 'A58818501', 'C/ Mayor, 3', '28013']],
        Facturas: [line('REF-1', 'A58818501')],
      }),
    ),
  ]);
const previewed = async (stage: CallStage) =>
  (
    await stage.send(
      'POST /api/PostData/ImportExcel',
      { form: { File: await spreadsheet() } },
      stage.company.token,
    )
  ).body as Record<'clientes' | 'items' | 'facturas', unknown[]>;

const importing: readonly CallCase[] = [
  {
    call: 'POST /api/PostData/ImportExcel',
    fields: ['File'],
    send: async () => ({ form: { File: await spreadsheet() } }),
    answers: z.looseObject({
      clientes: z.array(z.looseObject({ Name: filled })).length(1),
      items: z.array(z.unknown()).length(0),
      facturas: z.array(z.looseObject({ invoiceItems: z.array(z.unknown()).length(1) })).length(1),
      errores: z.array(z.unknown()).length(0),
    }),
    refuses: [
      {
        what: 'what is not the template',
        status: 400,
        send: () => ({ form: { File: new Blob(['nombre;nif']) } }),
        says: 'El archivo no es la plantilla oficial. Descárgala de nuevo.',
      },
      {
        what: 'no file',
        status: 400,
        send: () => ({ json: {} }),
        says: 'Elige el archivo de la plantilla rellena.',
      },
      {
        what: 'an empty file',
        status: 400,
        send: () => ({ form: { File: new Blob([]) } }),
        says: 'El archivo está vacío. Vuelve a guardarlo o a descargarlo.',
      },
    ],
  },
  {
    call: 'POST /api/PostData/SaveData',
    fields: ['Clientes', 'Items', 'Facturas'],
    send: async (stage) => {
      const { clientes, items, facturas } = await previewed(stage);
      return { json: { Clientes: clientes, Items: items, Facturas: facturas } };
    },
    answers: z.strictObject({ clientes: z.int(), items: z.int(), facturas: z.literal(1) }),
    refuses: [
      {
        what: 'rows that are not rows',
        status: 400,
        send: () => ({ json: { Clientes: 'todos', Items: [], Facturas: [] } }),
        says: /Clientes/,
      },
      {
        what: 'a list in two spellings',
        status: 400,
        send: () => ({ json: { Clientes: [], clientes: [] } }),
        says: 'El campo «Clientes» está dos veces. Deja uno.',
      },
    ],
  },
];

const evidence: readonly CallCase[] = [
  {
    call: 'GET /api/GetData/VerificarCadena',
    send: async (stage) => {
      await stage.registered();
      return {};
    },
    answers: z.looseObject({ registros: z.int().min(1), correcta: z.literal(true) }),
  },
  {
    call: 'GET /api/GetData/ExportarRegistros',
    send: async (stage) => {
      await stage.registered();
      return {};
    },
    answers: null,
    refuses: [
      {
        what: 'a day that does not exist',
        status: 400,
        send: () => ({ query: { desde: '2026-02-30' } }),
        says: /desde/,
      },
    ],
  },
];

const wrongLink: Refusal = {
  what: 'what opens nothing',
  status: 404,
  send: () => ({ json: { Enlace: '1.nada.nada' } }),
  says: /ya no sirve/,
};

const dataCopy: readonly CallCase[] = [
  {
    call: 'GET /api/GetData/GetCopiaDatos',
    answers: z.looseObject({ estado: z.enum(['ninguna', 'preparando', 'lista']) }),
  },
  {
    call: 'POST /api/PostData/PrepararCopiaDatos',
    fields: [],
    as: newcomerToken,
    send: () => ({ json: {} }),
    answers: z.strictObject({
      estado: z.literal('preparando'),
      facturas: z.literal(0),
      total: z.literal(0),
    }),
    refuses: [
      {
        what: 'a wrong password',
        status: 400,
        send: () => ({ json: { PasswordActual: 'otra' } }),
        says: 'La contraseña actual no es correcta.',
      },
    ],
  },
  {
    call: 'POST /api/PostData/EnlaceCopiaDatos',
    fields: [],
    as: (stage) => stage.freshToken(),
    send: async (stage) => {
      await stage.dataCopy();
      return { json: {} };
    },
    answers: z.strictObject({ enlace: z.string().regex(/^\d+\.[0-9a-f-]{36}\.[0-9a-f]{64}$/) }),
    refuses: [
      {
        what: 'a company that has none',
        status: 404,
        as: newcomerToken,
        send: () => ({ json: {} }),
        says: /ya no sirve/,
      },
    ],
  },
  {
    call: 'POST /api/Copia/Estado',
    fields: ['Enlace'],
    isPublic: true,
    send: async (stage) => ({ json: { Enlace: await stage.dataCopy() } }),
    answers: z.strictObject({ archivo: filled, bytes: z.int().min(1000), hasta: z.iso.datetime() }),
    refuses: [wrongLink],
  },
  {
    call: 'POST /api/Copia/Descargar',
    fields: ['Enlace'],
    isPublic: true,
    send: async (stage) => ({ json: { Enlace: await stage.dataCopy() } }),
    answers: null,
    refuses: [wrongLink],
  },
];

/** Every call of the API. */
export const CALLS: readonly CallCase[] = [
  ...auth,
  ...payments,
  ...startUp,
  ...invoices,
  ...parties,
  ...profile,
  ...importing,
  ...evidence,
  ...dataCopy,
  ...ours,
];

/** Makes every call once, with the rights that it needs. @returns the refused ones */
export async function makeEveryCall(stage: CallStage): Promise<CallName[]> {
  const refused: CallName[] = [];
  for (const { call, send, as, isPublic } of CALLS) {
    const token = isPublic ? undefined : ((await as?.(stage)) ?? stage.company.token);
    const { status } = await stage.send(call, (await send?.(stage)) ?? {}, token);
    if (status !== 200) refused.push(call);
    await stage.forgetRates();
  }
  return refused;
}
