/**
 * A plausible Spanish company: industrial supplies, with clients in the Peninsula, the Canaries, the Union and
 * outside, items at the three rates, and invoices of this year. It is always generated identically.
 */

import { createHash } from 'node:crypto';

export type Row = Record<string, unknown> & {
  readonly id: string;
  readonly number: string;
  lastModifiedDateTime: string;
};

export interface Sizes {
  readonly clientes: number;
  readonly productos: number;
  readonly facturas: number;
  readonly abonos: number;
}

export interface Tables {
  readonly customers: Row[];
  readonly items: Row[];
  readonly salesInvoices: Row[];
  readonly salesCreditMemos: Row[];
}

export const EMPRESAS = [
  { id: guid('empresa', 1), name: 'ARGA', displayName: 'Suministros Industriales Arga, S.L.' },
  { id: guid('empresa', 2), name: 'ARGA-FORMACION', displayName: 'Arga (formación)' },
];

export const TERMINOS = [
  { id: guid('termino', 1), code: 'CONTADO', dueDateCalculation: '0D' },
  { id: guid('termino', 2), code: '30 DÍAS', dueDateCalculation: '30D' },
  { id: guid('termino', 3), code: '60 DÍAS', dueDateCalculation: '60D' },
];
export const METODOS = [
  { id: guid('metodo', 1), code: 'TRANSF' },
  { id: guid('metodo', 2), code: 'DOMIC' },
];

const APELLIDOS = [
  'Ruiz',
  'Muñoz',
  'Iturralde',
  'Ferrer',
  'Castaño',
  'Olmedo',
  'Vidal',
  'Echevarría',
];
const OFICIOS = ['Talleres', 'Ferretería', 'Carpintería', 'Montajes', 'Fontanería', 'Cerrajería'];
const CALLES = [
  'Calle Mayor',
  'Avenida de la Paz',
  'Polígono El Balconcillo',
  'Gran Vía',
  'Calle Real',
];
const PLAZAS = [
  ['31002', 'Pamplona'],
  ['28013', 'Madrid'],
  ['08025', 'Barcelona'],
  ['46001', 'Valencia'],
  ['50004', 'Zaragoza'],
  ['35001', 'Las Palmas de Gran Canaria'],
] as const;
const GENEROS = [
  'Tornillo',
  'Broca',
  'Guante',
  'Disco de corte',
  'Taladro',
  'Llave fija',
  'Manual',
];
const IVAS = [
  ['IVA21', 21],
  ['IVA21', 21],
  ['IVA10', 10],
  ['IVA4', 4],
] as const;

/** @param today the last of the 28 days over which the invoices are spread */
export function makeTables({ clientes, productos, facturas, abonos }: Sizes, today: Date): Tables {
  const customers = range(clientes).map(customer);
  const items = range(productos).map(item);
  const salesInvoices = range(facturas).map((n) => invoice(n, customers, items, today));
  const salesCreditMemos = range(Math.min(abonos, facturas)).map((n) =>
    creditMemo(n, salesInvoices[n] as Row),
  );
  return { customers, items, salesInvoices, salesCreditMemos };
}

function customer(n: number): Row {
  const name = `${pick(OFICIOS, n)} ${pick(APELLIDOS, Math.floor(n / 6))} ${n + 1}`;
  const [postalCode, city] = pick(PLAZAS, n);
  const abroad = n % 20 === 19 ? pick(ABROAD, Math.floor(n / 20)) : null;
  return {
    id: guid('cliente', n),
    number: `C${String(n + 1).padStart(5, '0')}`,
    displayName: abroad ? `${abroad.name} ${n + 1}` : `${name}, S.L.`,
    type: 'Company',
    addressLine1: `${pick(CALLES, n)}, ${1 + (n % 90)}`,
    addressLine2: '',
    city: abroad?.city ?? city,
    country: abroad?.country ?? 'ES',
    postalCode: abroad?.postalCode ?? postalCode,
    email: `administracion@cliente${n + 1}.example`,
    taxRegistrationNumber: abroad ? abroad.vat(n) : cif(n),
    paymentTermsId: pick(TERMINOS, n).id,
    paymentMethodId: pick(METODOS, n).id,
    lastModifiedDateTime: modified(n),
  };
}

const ABROAD = [
  {
    name: 'Atelier Dubois',
    city: 'Bayonne',
    country: 'FR',
    postalCode: '64100',
    vat: () => 'FR40303265045',
  },
  {
    name: 'Porto Ferragens',
    city: 'Porto',
    country: 'PT',
    postalCode: '4000-322',
    vat: () => 'PT501964843',
  },
  {
    name: 'Andes Trading',
    city: 'Santiago',
    country: 'CL',
    postalCode: '8320000',
    vat: (n: number) => `76${n}-K`,
  },
];

function item(n: number): Row {
  const [taxGroupCode] = pick(IVAS, n);
  return {
    id: guid('producto', n),
    number: `P-${String(n + 1).padStart(5, '0')}`,
    displayName: `${pick(GENEROS, n)} ref. ${n + 1}`,
    type: n % 7 === 6 ? 'Service' : 'Inventory',
    unitPrice: (100 + ((n * 37) % 9900)) / 100,
    priceIncludesTax: false,
    baseUnitOfMeasureCode: n % 7 === 6 ? 'HORA' : 'UDS',
    taxGroupCode,
    lastModifiedDateTime: modified(n),
  };
}

function invoice(n: number, customers: readonly Row[], items: readonly Row[], today: Date): Row {
  const client = customers[n % customers.length] as Row;
  const isAbroad = client.country !== 'ES' || String(client.postalCode).startsWith('35');
  const lines = range(1 + (n % 3)).map((at) => {
    const index = (n * 3 + at) % items.length;
    const [taxCode, percent] = pick(IVAS, index);
    const article = items[index] as Row;
    return line(article, {
      sequence: (at + 1) * 10_000,
      quantity: 1 + ((n + at) % 12),
      taxCode,
      percent: isAbroad ? 0 : percent,
    });
  });
  return {
    ...documentHead(client, n),
    id: guid('factura', n),
    number: `FV${today.getUTCFullYear() % 100}-${String(n + 1).padStart(5, '0')}`,
    externalDocumentNumber: n % 4 === 0 ? `PED-${1000 + n}` : '',
    invoiceDate: dayOf(today, n),
    postingDate: dayOf(today, n),
    status: n % 3 === 0 ? 'Paid' : 'Open',
    salesInvoiceLines: lines,
    ...totalsOf(lines),
  };
}

function creditMemo(n: number, original: Row): Row {
  const lines = (original.salesInvoiceLines as Row[]).slice(0, 1);
  return {
    ...original,
    id: guid('abono', n),
    number: `AB-${String(n + 1).padStart(5, '0')}`,
    creditMemoDate: original.invoiceDate,
    invoiceId: original.id,
    invoiceNumber: original.number,
    status: 'Open',
    salesCreditMemoLines: lines,
    lastModifiedDateTime: modified(n),
    ...totalsOf(lines),
  };
}

function documentHead(client: Row, n: number) {
  return {
    customerId: client.id,
    customerNumber: client.number,
    customerName: client.displayName,
    billToCustomerId: client.id,
    billToCustomerNumber: client.number,
    billToName: client.displayName,
    currencyCode: 'EUR',
    pricesIncludeTax: false,
    discountAmount: 0,
    lastModifiedDateTime: modified(n),
  };
}

function line(
  article: Row,
  given: { sequence: number; quantity: number; taxCode: string; percent: number },
): Row {
  const cents = Math.round(Number(article.unitPrice) * 100) * given.quantity;
  return {
    id: guid('linea', `${article.id}${given.sequence}${given.quantity}`),
    number: '',
    sequence: given.sequence,
    lineType: 'Item',
    lineObjectNumber: article.number,
    description: article.displayName,
    unitOfMeasureCode: article.baseUnitOfMeasureCode,
    quantity: given.quantity,
    unitPrice: article.unitPrice,
    discountPercent: 0,
    taxCode: given.taxCode,
    taxPercent: given.percent,
    netAmount: cents / 100,
    lastModifiedDateTime: '',
  };
}

/** The tax of each rate over its summed base, as Business Central posts it. */
function totalsOf(lines: readonly Row[]) {
  const bases = new Map<number, number>();
  for (const { taxPercent, netAmount } of lines) {
    const percent = Number(taxPercent);
    bases.set(percent, (bases.get(percent) ?? 0) + Math.round(Number(netAmount) * 100));
  }
  let base = 0;
  let tax = 0;
  for (const [percent, cents] of bases) {
    base += cents;
    tax += Math.round((cents * percent) / 100 + 1e-9);
  }
  return {
    totalAmountExcludingTax: base / 100,
    totalTaxAmount: tax / 100,
    totalAmountIncludingTax: (base + tax) / 100,
  };
}

/** One row each second, long ago, so that pages have an order. */
function modified(n: number): string {
  return new Date(Date.UTC(2026, 0, 2, 8, 0, n)).toISOString();
}

function dayOf(today: Date, n: number): string {
  return new Date(today.getTime() - (27 - (n % 28)) * 86_400_000).toISOString().slice(0, 10);
}

/** A CIF of a limited company with its control digit. */
function cif(n: number): string {
  const digits = String(3_100_000 + n * 7).padStart(7, '0');
  let sum = 0;
  [...digits].forEach((char, index) => {
    const digit = Number(char);
    const doubled = digit * 2;
    sum += index % 2 === 0 ? Math.floor(doubled / 10) + (doubled % 10) : digit;
  });
  return `B${digits}${(10 - (sum % 10)) % 10}`;
}

/** A sequential GUID, as SQL Server gives them there: not a UUID of RFC 9562, whose version is never `e`. */
export function guid(kind: string, key: string | number): string {
  const hex = createHash('sha256').update(`${kind}:${key}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-ea11-bb${hex.slice(12, 14)}-000d3a${hex.slice(14, 20)}`;
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index);
const pick = <T>(list: readonly T[], n: number): T => list[n % list.length] as T;
