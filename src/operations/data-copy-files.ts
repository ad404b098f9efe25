import { ALL_DAYS } from '../contract/evidence.ts';
import type { Deps } from '../deps.ts';
import { medioLabel } from '../domain/cobros.ts';
import { cutToEnd } from '../domain/cut.ts';
import { DIR3_ROLES } from '../domain/dir3.ts';
import { withComma } from '../domain/money.ts';
import { NIL_UUID } from '../domain/nil-uuid.ts';
import { findPlan } from '../domain/plans.ts';
import { shortPrice } from '../domain/product.ts';
import { securityEventText } from '../domain/security-events.ts';
import { CSV_MARK, csvLine } from '../domain/spreadsheet-text.ts';
import { cobrosAfter, type PlaceOfCobro } from '../store/cobros.ts';
import type { Company } from '../store/companies.ts';
import { findCompanyPicture } from '../store/company-pictures.ts';
import { listCustomers } from '../store/customers.ts';
import { enviosAfter } from '../store/envios.ts';
import { invoicesAfter, invoicesNamedAlike, type StoredInvoice } from '../store/invoices.ts';
import { unpackMessage } from '../store/packed-message.ts';
import { listPaymentsOf } from '../store/payments.ts';
import { listProducts } from '../store/products.ts';
import { findSeqRange } from '../store/registros.ts';
import { listSecurityEvents } from '../store/security-events.ts';
import { uploadAfter } from '../store/uploads.ts';
import { type ListedFile, registroFiles } from './export-registros.ts';
import { place } from './pack-registros.ts';
import { drawInvoice, fileStem, type RenderedInvoice } from './render-invoice.ts';
import { Spool } from './spool.ts';
import type { PackedMembers, ZipEntry } from './zip-writer.ts';

const INVOICES_PER_READ = 50;
const ENVIOS_PER_READ = 4;
const EVENTS_PER_READ = 500;
const COBROS_PER_READ = 500;

/**
 * All the data that Huella holds for a company, one file after another in constant memory: PDFs of its invoices, what
 * was sent to the AEAT and what it answered, clients, products, uploads, payments and activity. No secrets: neither
 * certificate nor password is in it.
 *
 * @param onInvoice called after each invoice
 */
export async function* dataFiles(
  deps: Deps,
  company: Company,
  onInvoice: () => void,
): AsyncGenerator<ZipEntry | PackedMembers> {
  const { sql } = deps;
  yield { name: 'LEEME.txt', content: Buffer.from(leeme(company)) };
  yield table('empresa.csv', ['Dato', 'Valor'], companyRows(company));
  const logo = await findCompanyPicture(sql, company.id);
  if (logo) yield { name: 'logotipo.png', content: logo };
  yield table('clientes.csv', CUSTOMER_HEAD, await customerRows(deps, company.id));
  yield table('productos.csv', PRODUCT_HEAD, await productRows(deps, company.id));
  yield table('pagos.csv', PAYMENT_HEAD, await paymentRows(deps, company.id));
  yield* invoiceFiles(deps, company.id, onInvoice);
  const range = await findSeqRange(sql, company.id, ALL_DAYS);
  if (range) {
    const envios = envioFiles(sql, company.id, range.toSeq);
    yield* registroFiles(deps, company, range, deps.clock(), envios);
  }
  yield { name: 'cobros.csv', content: cobros(sql, company.id) };
  yield* uploadFiles(sql, company.id);
  yield { name: 'actividad.csv', content: activity(sql, company.id) };
}

function table(
  name: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): ZipEntry {
  return { name, content: Buffer.from(CSV_MARK + [head, ...rows].map(csvLine).join('')) };
}

function companyRows(company: Company): string[][] {
  return [
    ['Nombre', company.name],
    ['NIF', company.nif],
    ['Correo electrónico', company.email],
    ['Dirección', company.address],
    ['Código postal', company.postCode],
    ['Municipio', company.municipio],
    ['País', company.countryCode],
    ['Teléfono', company.phone],
    ['IBAN', company.iban],
    ['Forma de pago', company.paymentMethod],
    ['Términos de pago', company.paymentTerms],
    ['Grupo contable de los clientes', company.customerPostingGroup],
    ['Cliente de las simplificadas', company.defaultCustomerNo],
    ['Retención habitual', company.defaultRetention && `${company.defaultRetention} %`],
    ['Impuesto habitual', company.defaultTax],
    ['Datos registrales', company.registryData],
    ['Suscripción', findPlan(company.subscriptionType)?.name ?? company.subscriptionType],
    ['Suscripción hasta', company.subscriptionEndsAt.toISOString()],
    ['Número de instalación', company.numeroInstalacion],
    ['Alta de la cuenta', company.createdAt.toISOString()],
    ['Términos aceptados', company.termsAcceptedAt.toISOString()],
    ['Versión de los términos', company.termsVersion ?? ''],
  ];
}

const CUSTOMER_HEAD = [
  ...['Código', 'Nombre', 'NIF', 'Identificación', 'Dirección', 'Código postal', 'País'],
  ...['Correo electrónico', 'Forma de pago', 'Términos de pago', 'Grupo contable', 'Municipio'],
  ...DIR3_ROLES.map(({ label }) => label),
];

async function customerRows({ sql }: Deps, companyId: number): Promise<string[][]> {
  const customers = await listCustomers(sql, companyId);
  return customers.map((one) => [
    ...[one.No, one.Name, one.VATRegistrationNo, one.tipoIdentificacion ?? '', one.Address],
    ...[one.postCode, one.countryCode, one.Email, one.PaymentMethod, one.PaymentTerms],
    ...[one.CustomerPostingGroup, one.municipio ?? ''],
    ...DIR3_ROLES.map(({ field }) => one[field] ?? ''),
  ]);
}

const PRODUCT_HEAD = ['Código', 'Nombre', 'Unidad de medida', 'Precio', 'Impuesto'];

async function productRows({ sql }: Deps, companyId: number): Promise<string[][]> {
  const products = await listProducts(sql, companyId);
  return products.map(({ no, name, unitOfMeasure, unitPrice, tax }) => {
    return [no, name, unitOfMeasure, withComma(shortPrice(unitPrice)), tax];
  });
}

const PAYMENT_HEAD = ['Fecha', 'Pedido', 'Plan', 'Importe', 'Estado', 'Factura'];

async function paymentRows({ sql }: Deps, companyId: number): Promise<string[][]> {
  const payments = await listPaymentsOf(sql, companyId);
  return payments.map((one) => [
    ...[one.createdAt.toISOString(), one.orderId, findPlan(one.plan)?.name ?? one.plan],
    ...[withComma(one.amount), PAYMENT_WORDS[one.status], one.invoiceNo ?? ''],
  ]);
}

const PAYMENT_WORDS = {
  pending: 'Pendiente',
  paid: 'Pagado',
  denied: 'Denegado',
  mismatch: 'No coincide',
  expired: 'Sin respuesta',
  conflict: 'Por devolver',
  refunded: 'Devuelto',
} as const;

const INVOICE_HEAD = [
  ...['Número', 'Fecha', 'Tipo', 'Estado', 'NIF del cliente', 'Cliente', 'Base imponible', 'IVA'],
  ...['Recargo', 'Total', 'Retención', 'A pagar', 'Huella', 'CSV', 'Registrada', 'Archivo'],
];
const LINE_HEAD = [
  ...['Factura', 'Línea', 'Descripción', 'Cantidad', 'Unidad', 'Precio', 'Descuento (%)'],
  ...['Impuesto', 'Tipo (%)', 'Base', 'Total', 'Producto', 'Precio con impuestos'],
];

/** The PDF of each invoice, by month, and two tables that list them. */
async function* invoiceFiles(
  deps: Deps,
  companyId: number,
  onInvoice: () => void,
): AsyncGenerator<ZipEntry> {
  const alike = await invoicesNamedAlike(deps.sql, companyId);
  const invoices = await Spool.open(`${CSV_MARK}${csvLine(INVOICE_HEAD)}`);
  const lines = await Spool.open(`${CSV_MARK}${csvLine(LINE_HEAD)}`);
  try {
    let afterId = 0n;
    for (;;) {
      const batch = await invoicesAfter(deps.sql, companyId, afterId, INVOICES_PER_READ);
      if (batch.length === 0) break;
      for (const stored of batch) {
        const drawn = await drawInvoice(deps, companyId, stored);
        const name = pdfPath(stored, { isAlike: alike.has(stored.id) });
        yield { name, content: drawn.pdf };
        await invoices.add(invoiceLine(stored, drawn, name));
        await lines.add(linesOf(stored, drawn));
        afterId = stored.id;
        onInvoice();
      }
    }
    yield { name: 'facturas.csv', content: await invoices.read() };
    yield { name: 'lineas.csv', content: await lines.read() };
  } finally {
    await Promise.all([invoices.remove(), lines.remove()]);
  }
}

/** `facturas/2026-11/00001-26.pdf`; when two would have the same name, each also carries its identifier. */
function pdfPath(
  { id, docNo, postingDate, registeredAt }: StoredInvoice,
  { isAlike }: { readonly isAlike: boolean },
) {
  const folder = registeredAt ? `facturas/${postingDate.slice(0, 7)}` : 'borradores';
  return `${folder}/${fileStem(docNo)}${isAlike ? ` (${id})` : ''}.pdf`;
}

function invoiceLine(stored: StoredInvoice, { invoice }: RenderedInvoice, name: string): string {
  return csvLine([
    ...[stored.docNo, stored.postingDate, stored.tipoFactura, stored.status],
    ...[invoice.cliente?.nif ?? invoice.cliente?.idOtro?.ID ?? '', invoice.cliente?.nombre ?? ''],
    ...[invoice.base, invoice.vat, invoice.recargo, invoice.total].map(withComma),
    ...[invoice.retencion, invoice.payable].map(withComma),
    ...[stored.Huella ?? '', stored.CSV ?? '', stored.registeredAt?.toISOString() ?? '', name],
  ]);
}

function linesOf(stored: StoredInvoice, { invoice }: RenderedInvoice): string {
  return invoice.lines
    .map((line, index) =>
      csvLine([
        ...[stored.docNo, String(index + 1), line.description, withComma(line.quantity)],
        ...[line.unit ?? '', withComma(line.price), withComma(line.discount), line.impuesto],
        ...[withComma(line.vatRate ?? ''), withComma(line.base), withComma(line.total)],
        ...[line.productNo ?? '', invoice.ivaIncluido ? 'Sí' : ''],
      ]),
    )
    .join('');
}

/** Each message to the AEAT with its exact bytes, and its answer. */
async function* envioFiles(
  sql: Deps['sql'],
  companyId: number,
  lastSeq: bigint,
): AsyncGenerator<ListedFile> {
  let afterId = 0n;
  for (;;) {
    const batch = await enviosAfter(sql, companyId, afterId, ENVIOS_PER_READ);
    if (batch.length === 0) return;
    for (const { id, fromSeq, toSeq, peticion, respuesta } of batch) {
      const name = `${place(fromSeq, lastSeq)}-${place(toSeq, lastSeq)}-envio-${id}.xml`;
      yield { name: `envios/${name}`, tipo: 'Envio', content: await unpackMessage(peticion) };
      if (respuesta) {
        yield {
          name: `respuestas/${name}`,
          tipo: 'Respuesta',
          content: await unpackMessage(respuesta),
        };
      }
      afterId = id;
    }
  }
}

async function* uploadFiles(sql: Deps['sql'], companyId: number): AsyncGenerator<ZipEntry> {
  let id = NIL_UUID;
  for (;;) {
    const upload = await uploadAfter(sql, companyId, id);
    if (!upload) return;
    id = upload.id;
    const of = upload.docNo === null ? '' : `${fileStem(upload.docNo)}-`;
    const name = upload.fileName.replace(/[^\p{L}\p{N}._ -]+/gu, '-');
    yield { name: `subidas/${of}${id.slice(0, 8)}-${cutToEnd(name, 80)}`, content: upload.content };
  }
}

const COBRO_HEAD = [
  ...['Factura', 'Fecha', 'Importe', 'Medio', 'Cuenta o referencia', 'Anotado'],
  'Compensado con',
];

/** What was noted down as collected, by day. */
async function* cobros(sql: Deps['sql'], companyId: number): AsyncGenerator<Buffer> {
  yield Buffer.from(CSV_MARK + csvLine(COBRO_HEAD));
  let after: PlaceOfCobro | null = null;
  for (;;) {
    const batch = await cobrosAfter(sql, companyId, after, COBROS_PER_READ);
    const last = batch.at(-1);
    if (!last) return;
    const lines = batch.map(({ docNo, fecha, importe, medio, ...cobro }) =>
      csvLine([
        ...[docNo, fecha, withComma(importe), medioLabel(medio), cobro.identificacion],
        ...[cobro.notedAt.toISOString(), cobro.settledAgainst ?? ''],
      ]),
    );
    yield Buffer.from(lines.join(''));
    after = last;
  }
}

const EVENT_HEAD = ['Fecha (UTC)', 'Qué pasó', 'Detalle', 'Dirección', 'Navegador', 'Sesión'];

/** The security log, newest first. What was registered and sent has files of its own. */
async function* activity(sql: Deps['sql'], companyId: number): AsyncGenerator<Buffer> {
  yield Buffer.from(CSV_MARK + csvLine(EVENT_HEAD));
  for (let offset = 0; ; offset += EVENTS_PER_READ) {
    const page = { limit: EVENTS_PER_READ, offset, part: 'cuenta' as const };
    const { events } = await listSecurityEvents(sql, companyId, page);
    if (events.length === 0) return;
    const lines = events.map(({ at, kind, detail, address, userAgent, sid }) =>
      csvLine([
        ...[at.toISOString(), securityEventText(kind), detail, address],
        ...[userAgent, sid ?? ''],
      ]),
    );
    yield Buffer.from(lines.join(''));
  }
}

function leeme({ name, nif }: Company): string {
  return [
    `Los datos de ${name} (${nif}) en Huella`,
    '',
    'facturas/        Tus facturas registradas en PDF, por meses.',
    'borradores/      Tus borradores, como saldrían hoy.',
    'facturas.csv     Una línea por factura: cliente, importes, estado, huella y su archivo.',
    'lineas.csv       Una línea por cada línea de factura.',
    'cobros.csv       Lo que has anotado como cobrado de cada factura.',
    'clientes.csv     Tus clientes.',
    'productos.csv    Tus productos y servicios.',
    'empresa.csv      Los datos de tu empresa y de tu cuenta. Tu logotipo es logotipo.png.',
    'pagos.csv        Los pagos de tu suscripción.',
    'actividad.csv    Lo que ha pasado con la seguridad de tu cuenta.',
    'subidas/         Los archivos que subiste para leerlos, con el número de su factura delante.',
    'registros/       Los registros de facturación tal como se generaron, en el orden de su cadena.',
    'manifiesto.csv   Una línea por registro: su huella, la del anterior, lo que dijo la AEAT, el',
    '                 código seguro de verificación (CSV) y el SHA-256 de su archivo. Detrás, el',
    '                 SHA-256 de cada mensaje y de cada respuesta.',
    'envios/          Cada mensaje que se envió a la AEAT, byte a byte.',
    'respuestas/      Lo que respondió la AEAT a cada envío.',
    '',
    'No están tu contraseña ni tu certificado digital: no se entregan a nadie.',
    'Para comprobar los registros sin Huella: npm run verificar -- este-archivo.zip, o la página',
    '/verificar de Huella, que funciona sin conexión.',
    'Los CSV separan las columnas con punto y coma y los decimales con coma, en UTF-8. En las celdas',
    'de texto que empiezan por =, +, - o @ va delante un apóstrofo, para que ninguna hoja de cálculo',
    'las tome por una fórmula.',
    '',
  ].join('\r\n');
}
