/** The part of a JSON Schema that an example is made from. */
export interface ExampleSchema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly ExampleSchema[];
  readonly items?: ExampleSchema;
  readonly prefixItems?: readonly ExampleSchema[];
  readonly properties?: Readonly<Record<string, ExampleSchema>>;
  readonly required?: readonly string[];
  readonly default?: unknown;
}

const DAY = '2026-11-20';
const MOMENT = '2026-11-20T10:15:00.000Z';
const UUID = '0b9f5a1e-6d3c-4a57-9c1e-2f8a7b64d310';
const HUELLA = '3C464DAF61ACB827C65FDA19F352A4E3BDC2C640E9E97FC4CB2C2E6A3A55B1F0';
const CLIENTE = {
  No: 'C00001',
  Name: 'Hotel Miramar, S.A.',
  VATRegistrationNo: 'A58818501',
  Address: 'Paseo Marítimo, 3',
  postCode: '07014',
  countryCode: 'ES',
  Email: 'facturas@ejemplo.es',
};
const INCOMPLETE = `En la ficha de ${CLIENTE.Name} falta el NIF. Complétala para registrar la factura.`;
const PRODUCTO = { No: 'P00001', Name: 'Pan de hogaza' };
const LINEA = { description: 'Pan de hogaza', quantity: '10', price: '2,50', tax: 'IVA4' };
const ALTA = {
  email: 'ana@ejemplo.es',
  password: 'cuatro gatos en el tejado',
  fullName: 'Panadería Ejemplo, S.L.',
  cifNif: 'B12345674',
  address: 'Calle Mayor, 1',
  countryCode: 'ES',
  postCode: '28013',
};
const ARCHIVO = 'UEsDBBQAAAAIAA==';

/** What is sent, by call: of those not here, one that needs no more than its required fields. */
const REQUESTS: Readonly<Record<string, unknown>> = {
  login: { Email: ALTA.email, password: ALTA.password },
  ValidacionPassword: { Email: ALTA.email, Password: ALTA.password },
  ValidacionesCreacion: { email: ALTA.email, cifNif: ALTA.cifNif },
  NewRegisterDemo: { ...ALTA, subscriptionType: '10' },
  ForgotPassword: { Email: ALTA.email },
  ValidarRecoveryCode: { Email: ALTA.email, Code: '481516' },
  ResetPassword: { Email: ALTA.email, Code: '481516', NewPassword: ALTA.password },
  SetDatosEmpresa1: { Email: ALTA.email, Password: '', PasswordActual: ALTA.password },
  SetDatosEmpresa3: { PaymentTerms: '30D', IBAN: 'ES9121000418450200051332' },
  SetCompanyPicture: 'iVBORw0KGgo=',
  UpdateCertificate: { Certificate: 'MIIKXAIBAzCC', Password: 'la del archivo' },
  SetClientes: { ...CLIENTE, No: '' },
  UpdateClientes: { No: CLIENTE.No, Email: CLIENTE.Email },
  DeleteCliente: { No: CLIENTE.No },
  SetProductos: { Name: LINEA.description, UnitPrice: LINEA.price, VATProdPostingGroup: 'IVA4' },
  UpdateProductos: { No: 'P00001', UnitPrice: '2,60' },
  DeleteProducto: { No: 'P00001' },
  SetFacturas: {
    invoiceDate: DAY,
    invoiceClient: CLIENTE.No,
    invoiceItems: [LINEA],
    accionFactura: 1,
  },
  ValidarFactura: { invoiceDate: DAY, invoiceClient: CLIENTE.No, invoiceItems: [LINEA] },
  EnviarFactura: { No: '00001/26', Email: CLIENTE.Email },
  GetEditInvoice: { No: 'B-1' },
  GetInvoiceDetail: { No: 'B-1' },
  DeleteInvoice: { No: 'B-1' },
  EliminarBorradores: { Nos: ['B-1', 'B-2'] },
  RegistrarBorradores: { Nos: ['B-1', 'B-2'] },
  ImportExcel: { File: ARCHIVO },
  LeerColumnas: { File: ARCHIVO },
  ImportExcelErrores: { File: ARCHIVO },
  SaveData: {
    Items: [{ No: '', Name: LINEA.description, UnitOfMeasure: 'UD', UnitPrice: 2.5 }],
  },
  ExtraerFactura: { File: 'JVBERi0xLjcK' },
  ActivarBusinessCentral: { verifactuApagado: true },
  SincronizarBusinessCentral: { reintentar: true },
  sendMailSupport: { Asunto: 'Una factura rechazada', Body: '¿Qué significa el error 1104?' },
  InitPayment: {
    orderId: 'O7K2M9Q4X1ZB',
    totalCents: 9999,
    userData: JSON.stringify({ ...ALTA, subscriptionType: 'annual' }),
  },
  InitRenewPayment: {
    orderId: 'O7K2M9Q4X1ZB',
    totalCents: 9999,
    datosEmpresa: '{}',
    subscriptionType: 'annual',
  },
};

/** What is answered as it is, by call: the rest is put together from its fields. */
const ANSWERS: Readonly<Record<string, unknown>> = {
  GetCompanyPicture: 'iVBORw0KGgo=',
  DownloadInvoice: 'JVBERi0xLjcK',
  GetTemplateExcel: ARCHIVO,
  ImportExcelErrores: ARCHIVO,
};

/** The fields of several things that hold the same. */
const inEach = (holders: readonly string[], fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    holders.flatMap((holder) =>
      Object.entries(fields).map(([name, value]) => [`${holder}.${name}`, value]),
    ),
  );

/**
 * Values of fields, by what they are in and their name, or by their name. A field that need not be there is only where
 * its place is named.
 */
const VALUES: Readonly<Record<string, unknown>> = {
  // What is sent
  Reto: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0.c2ltdWxhZG8',
  Codigo: '481516',
  NoSerie: '00001/26',
  Enlace: 'q3Zt8Yb2Lw6Jx0Rk4Vn1Pd7Sg5Hm9Cf',
  Nos: ['00001/26', '00002/26'],
  motivo: 'Emitida por error.',
  Fecha: DAY,
  Importe: 26,
  id: UUID,
  Ejercicio: '2026',
  Periodo: '11',
  tenant: 'ejemplo.onmicrosoft.com',
  entorno: 'Production',
  clientId: UUID,
  empresaId: UUID,
  codigos: ['7K2M9-Q4XBT', 'B3NDX-5T8WH'],
  'SetBusinessCentralIVA.codigos': [
    { grupo: 'NAC', codigo: 'IVA REDUCIDO', porcentaje: '10', tax: 'IVA10' },
  ],
  Ds_SignatureVersion: 'HMAC_SHA256_V1',
  Ds_MerchantParameters: 'eyJEc19PcmRlciI6IjI2MTE5MEhRQzEyMyJ9',
  Ds_Signature: 'SvmI1wLVeM15FTqNMsabz1QBD6EbqVzh1qUMpJcXEf4=',

  // Access, the company and the service
  mensaje: 'El último carácter del NIF B12345670 no corresponde a su número. Revísalo.',
  'NewRegisterDemo.message':
    'Tu cuenta está lista. Te hemos enviado un correo con los datos de acceso.',
  'ForgotPassword.message': 'Te hemos enviado un código al correo.',
  'ValidarRecoveryCode.message': 'El código es válido. Introduce nueva contraseña',
  'ResetPassword.message': 'Contraseña cambiada con éxito.',
  'sendMailSupport.message': 'Hemos recibido tu consulta. Te responderemos por correo.',
  tokenJWT: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0.c2ltdWxhZG8',
  value: 'ES',
  label: 'España',
  ...inEach(['GetTerminosPago'], { value: '30D', label: '30 días fecha factura' }),
  ...inEach(['GetFormasPago'], { value: 'TRANSF', label: 'Transferencia bancaria' }),
  ...inEach(['GetGrupoContable'], { value: 'NAC', label: 'Nacional' }),
  ...inEach(['GetUnitOfMeasure'], { value: 'UD', label: 'Unidad' }),
  ...inEach(['GetClavesRegimen'], { value: '01', label: '01 - Operación de régimen general' }),
  ...inEach(['BusinessCentralEmpresas'], { value: UUID, label: 'CRONUS España, S.A.' }),
  ...inEach(['opciones'], { value: 'IVA10', label: 'IVA reducido 10 %' }),
  uri: 'otpauth://totp/Huella:ana%40ejemplo.es?secret=JBSWY3DPEHPK3PXP&issuer=Huella',
  secreto: 'JBSWY3DPEHPK3PXP',
  dispositivo: 'Firefox en Windows',
  'rows.direccion': '192.0.2.0',
  'GetSesiones.direccion': '192.0.2.0',
  inicio: MOMENT,
  ultimoUso: MOMENT,
  fecha: MOMENT,
  texto: 'Inicio de sesión',
  'rows.tipo': 'sesion-iniciada',
  detalle: '',
  Email: ALTA.email,
  Name: CLIENTE.Name,
  ...inEach(['GetDatosEmpresa', 'SetDatosEmpresa2', 'SetDatosEmpresa3', 'reiniciarContador'], {
    Name: ALTA.fullName,
  }),
  VATRegistrationNo: ALTA.cifNif,
  Address: ALTA.address,
  countryCode: 'ES',
  postCode: ALTA.postCode,
  PaymentTerms: '30D',
  PaymentMethod: 'TRANSF',
  CustomerPostingGroup: 'NAC',
  Customer: '',
  ...inEach(['GetDatosSubscripcion'], { type: 'annual', enabled: true }),
  expirationdate: '2027-11-20',
  hasValue: true,
  ...inEach(['GetCertificate', 'UpdateCertificate'], {
    FileName: 'ejemplo.p12',
    titular: ALTA.fullName,
    nif: ALTA.cifNif,
    validoHasta: '2028-11-20',
  }),
  version: '0.1.0',
  'SetFacturas.version': 1,
  'GetEditInvoice.version': 1,
  'borrador.version': 1,
  numeroInstalacion: '20260102-0A1B2C3D4E5F',
  nombre: 'Huella',
  identificador: '77',
  razonSocial: 'Huella Software, S.L.',
  nif: 'B12345674',
  direccion: 'Calle Mayor, 1, 28013 Madrid',
  telefono: '910 000 000',
  correo: 'hola@ejemplo.es',
  comoFunciona: '/como-funciona',
  avisoLegal: '/aviso-legal',
  privacidad: '/privacidad',
  terminos: '/terminos',
  pagos: '/pagos',
  archivo: UUID,
  'Estado.archivo': 'huella-B12345674-2026-11-20.zip',
  'PrepararCopiaDatos.estado': 'preparando',
  hasta: MOMENT,
  desde: DAY,
  enlace: 'q3Zt8Yb2Lw6Jx0Rk4Vn1Pd7Sg5Hm9Cf',
  facturas: 12,
  'GetNovedades.facturas': '184',
  'GetNovedades.cuenta': '7',

  // Clients, products and taxes
  No: '00001/26',
  ...inEach(['GetClientes', 'SetClientes', 'UpdateClientes', 'clientes'], CLIENTE),
  ...inEach(['GetProductos', 'SetProductos', 'UpdateProductos', 'items'], PRODUCTO),
  UnitOfMeasure: 'UD',
  UnitPrice: 2.5,
  'UpdateProductos.UnitPrice': 2.6,
  VATProdPostingGroup: 'IVA4',
  VATBusPostingGroup: 'NAC',
  VATCalculationType: 'Normal',
  VATPercentage: 4,
  Description: 'IVA superreducido 4 %',
  RecargoEquivalencia: null,

  // Invoices
  PostingDate: DAY,
  DocNo: '00001/26',
  CIF: CLIENTE.VATRegistrationNo,
  Status: 'Registrada',
  pageSize: 8,
  ...inEach(['GetInvoices', 'GetPendingInvoices', 'GetEventosSeguridad'], {
    total: 1,
  }),
  ...inEach(['GetEditInvoice', 'borrador', 'facturas'], { invoiceNumber: '' }),
  ...inEach(['GetEditInvoice', 'borrador', 'fila'], { Status: 'Borrador' }),
  'fila.DocNo': 'B-1',
  'GetPendingInvoices.rows': [
    {
      PostingDate: DAY,
      DocNo: '00001/26',
      CIF: CLIENTE.VATRegistrationNo,
      Name: CLIENTE.Name,
      Status: 'En espera',
      Amount: 25,
      VatAmount: 1,
      AmountIncludingVat: 26,
      Tipo: 'F1',
    },
  ],
  'DejarSinEfecto.Status': 'Anulada',
  'SetFacturas.Status': 'En espera',
  'AnularFactura.Status': 'En espera',
  Amount: 25,
  VatAmount: 1,
  AmountIncludingVat: 26,
  'SetFacturas.message': 'Factura 00001/26 registrada. Se envía a la AEAT en su turno.',
  'SetFacturas.Huella': HUELLA,
  'VerificarCadena.Huella': HUELLA,
  'VerificarCadena.correcta': true,
  'ProbarBusinessCentral.correcta': true,
  invoiceDate: DAY,
  invoiceClient: CLIENTE.No,
  typeClient: 'NAC',
  claveRegimen: '01',
  invoiceToRectify: '',
  description: LINEA.description,
  invoiceType: 0,
  crmemoType: 0,
  linetype: 0,
  quantity: '10',
  price: '2,50',
  tax: 'IVA4',
  mensajes: [INCOMPLETE],
  'ValidarFactura.errores': [{ campo: 'invoiceClient', mensaje: INCOMPLETE, gravedad: 'bloquea' }],
  correoCliente: CLIENTE.Email,
  'EnviarFactura.Email': CLIENTE.Email,
  'EliminarBorradores.eliminados': 2,
  titulo: 'Declaración responsable del sistema informático de facturación',
  ...inEach(['historia'], { tipo: 'borrador', titulo: 'Borrador creado' }),
  'columnas.titulo': 'NIF',
  base: 25,
  cuota: 1,
  recargo: 0,
  total: 26,
  F: '00002/26',
  S: '00001/26S',
  R: '00001/26R',
  RS: '00001/26RS',
  G: '00001/26G',
  M: '00001/26M',
  aCobrar: 26,
  cobrado: 0,
  pendiente: 26,
  'lista.Importe': 26,
  'AnotarCobro.cobrado': 26,
  'AnotarCobro.pendiente': 0,
  'EliminarCobro.lista': [],
  'mes.base': 25,
  'meses.mes': '2026-11',
  iva: 1,
  trimestre: '2026-4T',
  'filas.tipo': 4,
  cuotaRecargo: 0,

  // The AEAT
  NumSerieFactura: '00001/26',
  FechaExpedicionFactura: '20-11-2026',
  'distintos.motivo': 'La AEAT tiene otra huella.',
  'soloAqui.motivo': 'Consta aquí como aceptada, pero la AEAT no la tiene.',
  'soloAEAT.motivo': 'La registró otro programa.',
  ...inEach(['GetConexionAEAT', 'ReintentarEnvio', 'ExtraerFactura', 'GetLectura'], { avisos: [] }),
  sinEfecto: ['00003/26'],
  sinEnviar: [],
  letra: 'a',
  epigrafe: 'Nombre del sistema informático',
  parrafos: ['Huella'],
  versiones: ['0.1.0'],

  // Files
  referencia: 'A-1',
  cliente: CLIENTE.Name,
  hoja: 'Clientes',
  columna: 'NIF',
  celda: 'C7',
  valor: 'B12345670',
  clave: 'C00001',
  importId: 'q3Zt8Yb2Lw6Jx0Rk4Vn1Pd7Sg5Hm9CfA2Bs8Du5Eo1',
  fila: 7,
  empezada: MOMENT,
  ejemplos: ['B12345674'],
  'GetMasUsados.clientes': [CLIENTE.No],
  'GetMasUsados.productos': [PRODUCTO.No],
  ...inEach(['SaveData'], { clientes: 0, items: 1, facturas: 0 }),
  ...inEach(['GetImportacion'], { estado: 'terminada', hechas: 3, total: 3 }),
  ...inEach(['RegistrarTodas', 'RegistrarBorradores', 'GetRegistrarTodas'], {
    estado: 'en-marcha',
    total: 12,
  }),
  ...inEach(['GetLectura', 'subidas'], { nombre: 'factura-103.pdf' }),
  ...inEach(['subidas', 'fallos'], { DocNo: 'B-1' }),
  'filas.nombre': CLIENTE.Name,
  ...inEach(['lineas'], { quantity: 10, price: 2.5, total: 25 }),
  'campos.numero': { valor: 'A-103', confianza: 0.98, origen: 'texto', pagina: 1 },
  'campos.total': { valor: 26, confianza: 0.98, origen: 'texto', pagina: 1 },
  'paginas.ancho': 1240,
  'paginas.alto': 1754,
  bytes: 1_482_133,
  subida: MOMENT,
  confianza: 0.98,

  // Business Central
  ...inEach(['GetBusinessCentral', 'ActivarBusinessCentral', 'SincronizarBusinessCentral'], {
    estado: 'activa',
  }),
  'SetBusinessCentral.estado': 'preparada',
  'PausarBusinessCentral.estado': 'pausada',
  'historial.estado': 'terminada',
  'pasos.texto': 'Microsoft nos deja entrar y existe el entorno',
  'GetBusinessCentralProblemas.total': 1,
  'problemas.tipo': 'factura',
  'problemas.nombre': CLIENTE.Name,
  fase: 'facturas',
  cuentas: { facturasNuevas: 3 },
  grupo: 'NAC',
  grupoNombre: 'Nacional',
  codigo: 'IVA REDUCIDO',
  porcentaje: '10',
  propuesta: 'IVA10',
  'GetBusinessCentralIVA.tax': 'IVA10',
  'SetBusinessCentralIVA.tax': 'IVA10',
  numero: '103001',
  motivos: ['Falta decir a qué IVA de Huella corresponde «IVA REDUCIDO» al 10 %.'],

  // Payments
  modoTest: true,
  urlTPV: 'https://sis-t.redsys.es:25443/sis/realizarPago',
  ds_SignatureVersion: 'HMAC_SHA256_V1',
  ds_MerchantParameters: 'eyJEU19NRVJDSEFOVF9PUkRFUiI6IjI2MTE5MEhRQzEyMyJ9',
  ds_Signature: 'SvmI1wLVeM15FTqNMsabz1QBD6EbqVzh1qUMpJcXEf4=',
};

/** What a call is sent, as an example; undefined of a body that says nothing. */
export function exampleRequest(call: string, schema: ExampleSchema): unknown {
  if (Object.hasOwn(REQUESTS, call)) return REQUESTS[call];
  return isAnything(schema) ? undefined : exampleOf(schema, call);
}

/** What a call answers, as an example. */
export function exampleAnswer(call: string, schema: ExampleSchema): unknown {
  return Object.hasOwn(ANSWERS, call) ? ANSWERS[call] : exampleOf(schema, call);
}

function isAnything({ type, anyOf, properties, enum: values }: ExampleSchema): boolean {
  return !(type || anyOf || properties || values);
}

function exampleOf(schema: ExampleSchema, holder: string): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum.find((value) => value !== '') ?? '';
  if (schema.anyOf) {
    const [first = {}] = schema.anyOf.filter(({ type }) => type !== 'null');
    return exampleOf(first, holder);
  }
  if (schema.prefixItems) return schema.prefixItems.map((item) => exampleOf(item, holder));
  if (schema.items) return [exampleOf(schema.items, holder)];
  if (schema.properties) return fieldsOf(schema, holder);
  const [type] = [schema.type ?? []].flat();
  switch (type) {
    case 'object':
      return {};
    case 'boolean':
      return false;
    case 'integer':
    case 'number':
      return 1;
    default:
      return schema.format === 'date' ? DAY : '';
  }
}

function fieldsOf({ properties = {}, required = [] }: ExampleSchema, holder: string): object {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, field]) => {
      const within = `${holder}.${name}`;
      if (Object.hasOwn(VALUES, within)) return [[name, VALUES[within]]];
      if (!required.includes(name)) return [];
      const isPlain = !isComposed(field);
      if (isPlain && Object.hasOwn(VALUES, name)) return [[name, VALUES[name]]];
      return [[name, exampleOf(field, name)]];
    }),
  );
}

/** A list or an object of fields, which are exemplified one by one. */
function isComposed({ items, properties, anyOf = [] }: ExampleSchema): boolean {
  return Boolean(items?.properties ?? properties) || anyOf.some(isComposed);
}
