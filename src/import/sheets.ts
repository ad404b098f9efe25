/**
 * The sheets of the official template, in one place: the template, its instructions and the reader of uploaded files
 * are all generated from these tables.
 */

import { MAX_CUSTOMER_NAME } from '../domain/customer.ts';
import { MAX_PRODUCT_NAME } from '../domain/product.ts';
import { DISCOUNT_DECIMALS, PRICE_DECIMALS, QUANTITY_DECIMALS } from '../domain/totals.ts';
import { MAX_TOWN } from '../domain/town.ts';
import type { VatGroup } from '../domain/vat.ts';
import {
  CUSTOMER_TITLES,
  INVOICE_TITLES,
  MORE_CUSTOMER_TITLES,
  PRODUCT_TITLES,
} from './other-titles.ts';

/**
 * Changes whenever a column does. An older template is read without the columns that it lacks; a newer one is
 * refused.
 */
export const TEMPLATE_ID = 'huella-plantilla-importacion';
export const TEMPLATE_VERSION = 3;

/** Rows of a sheet before its data: header, help and example. */
export const HEAD_ROWS = 3;
/** After this many blank rows, nothing counts as data. */
export const MAX_BLANK = 200;
/** First cell of the example row, which is never imported. */
export const EXAMPLE = 'EJEMPLO';

export type ListName =
  | 'paises'
  | 'terminosPago'
  | 'formasPago'
  | 'gruposContables'
  | 'unidades'
  | 'impuestos'
  | 'impuestosDeProducto'
  | 'clavesRegimen'
  | 'tiposFactura';

export interface Choice {
  readonly value: string;
  readonly label: string;
  /** Other spellings that people and programs use. */
  readonly also?: readonly string[];
  /** The company's usual tax. */
  readonly isUsual?: true;
}

/** The options of the drop-downs, from the company's catalogs. */
export type Lists = Readonly<Record<ListName, readonly Choice[]>>;

export interface Column {
  readonly key: string;
  readonly header: string;
  readonly isRequired?: boolean;
  /** Key of another column: one of the two is mandatory. */
  readonly orElse?: string;
  /** The first version of the template with this column, if not all have it. */
  readonly since?: number;
  /** When empty in a line that names a product, it is taken from the product. */
  readonly isOfProduct?: boolean;
  readonly kind: 'text' | 'decimal' | 'date' | 'list';
  readonly list?: ListName;
  /** A percentage: a cell that shows «10%» means 10, whatever the file stores. */
  readonly isPercent?: boolean;
  /** Maximum number of characters, or of decimals. */
  readonly max?: number;
  readonly help: string;
  readonly example: string;
  readonly width: number;
  /** Titles that other programs use for it, as normalised by `plain`. */
  readonly aliases: readonly string[];
  /** A text that is none of the options is only left out, with a warning: the default is used. */
  readonly isOptional?: true;
  /** A file without this column may use one value for all rows: this one, unless another is chosen. */
  readonly fixed?: string;
  /** What other programs write in columns of their own, and is added to this one. The template has none of it. */
  readonly more?: More;
}

/** The columns that go on where another one ends. */
interface More {
  readonly joint: string;
  readonly fields: readonly { readonly key: string; readonly header: string }[];
  readonly help: string;
  readonly aliases: readonly string[];
  /** Titles of something else too: only a column right behind the one before is meant. */
  readonly aliasesBehind: readonly string[];
  /** Titles of the column itself that it may go on from; all of them if not given. */
  readonly after?: readonly string[];
}

export interface SheetSpec {
  readonly name: 'Clientes' | 'Productos' | 'Facturas';
  readonly maxRows: number;
  readonly columns: readonly Column[];
}

export const CLIENTES: SheetSpec = {
  name: 'Clientes',
  maxRows: 5_000,
  columns: [
    {
      key: 'No',
      header: 'Código',
      kind: 'text',
      max: 20,
      help: 'Vacío: lo pone Huella.',
      example: EXAMPLE,
      width: 12,
      aliases: CUSTOMER_TITLES.No,
    },
    {
      key: 'Name',
      header: 'Nombre o razón social',
      isRequired: true,
      kind: 'text',
      max: MAX_CUSTOMER_NAME,
      help: 'Como en su tarjeta fiscal.',
      example: 'Ferretería Muñoz, S.L.',
      width: 32,
      aliases: CUSTOMER_TITLES.Name,
      more: {
        joint: ' ',
        fields: [
          { key: 'Name2', header: 'Apellidos' },
          { key: 'Name3', header: 'Segundo apellido' },
        ],
        help: 'Lo que va en otra columna se junta con el nombre.',
        ...MORE_CUSTOMER_TITLES.Name,
      },
    },
    {
      key: 'VATRegistrationNo',
      header: 'NIF/CIF',
      kind: 'text',
      max: 20,
      help: 'Por él se reconoce al cliente que ya tienes.',
      example: 'B12345674',
      width: 14,
      aliases: CUSTOMER_TITLES.VATRegistrationNo,
    },
    {
      key: 'Address',
      header: 'Dirección',
      kind: 'text',
      max: 250,
      help: 'Hace falta para registrar una factura completa.',
      example: 'C/ Mayor, 3, 2.º',
      width: 30,
      aliases: CUSTOMER_TITLES.Address,
      more: {
        joint: ', ',
        fields: [
          { key: 'Address2', header: 'Número o piso' },
          { key: 'Address3', header: 'Piso o puerta' },
          { key: 'Address4', header: 'Puerta u otros' },
        ],
        help: 'Lo que va en otra columna se junta con la dirección.',
        ...MORE_CUSTOMER_TITLES.Address,
      },
    },
    {
      key: 'postCode',
      header: 'Código postal',
      kind: 'text',
      max: 10,
      help: 'Con su cero delante: 01001.',
      example: '28013',
      width: 14,
      aliases: CUSTOMER_TITLES.postCode,
    },
    {
      key: 'municipio',
      header: 'Población',
      since: 2,
      kind: 'text',
      max: MAX_TOWN,
      help: 'La pide la factura electrónica de las administraciones.',
      example: 'Madrid',
      width: 20,
      aliases: CUSTOMER_TITLES.municipio,
    },
    {
      key: 'countryCode',
      header: 'País',
      kind: 'list',
      list: 'paises',
      help: 'Nombre o código de dos letras. Vacío: España.',
      example: 'España',
      width: 18,
      aliases: CUSTOMER_TITLES.countryCode,
    },
    {
      key: 'Email',
      header: 'Email',
      kind: 'text',
      max: 254,
      help: 'Para enviarle sus facturas. Varios, con «;»: se usa el primero.',
      example: 'admin@ejemplo.es',
      width: 26,
      aliases: CUSTOMER_TITLES.Email,
    },
    {
      key: 'PaymentTerms',
      header: 'Término de pago',
      kind: 'list',
      isOptional: true,
      list: 'terminosPago',
      help: 'Vacío: el de tu perfil.',
      example: '30 días fecha factura',
      width: 24,
      aliases: CUSTOMER_TITLES.PaymentTerms,
    },
    {
      key: 'PaymentMethod',
      header: 'Forma de pago',
      kind: 'list',
      isOptional: true,
      list: 'formasPago',
      help: 'Vacía: la de tu perfil.',
      example: 'Transferencia bancaria',
      width: 26,
      aliases: CUSTOMER_TITLES.PaymentMethod,
    },
    {
      key: 'CustomerPostingGroup',
      header: 'Grupo contable',
      kind: 'list',
      list: 'gruposContables',
      help: 'Vacío: según su país y su código postal.',
      example: 'Nacional',
      width: 28,
      aliases: CUSTOMER_TITLES.CustomerPostingGroup,
    },
  ],
};

const PRODUCTOS: SheetSpec = {
  name: 'Productos',
  maxRows: 5_000,
  columns: [
    {
      key: 'No',
      header: 'Código',
      kind: 'text',
      max: 20,
      help: 'Vacío: lo pone Huella.',
      example: EXAMPLE,
      width: 14,
      aliases: PRODUCT_TITLES.No,
    },
    {
      key: 'Name',
      header: 'Nombre',
      isRequired: true,
      kind: 'text',
      max: MAX_PRODUCT_NAME,
      help: 'Lo que saldrá en la factura.',
      example: 'Hora de consultoría',
      width: 40,
      aliases: PRODUCT_TITLES.Name,
    },
    {
      key: 'UnitPrice',
      header: 'Precio sin IVA',
      orElse: 'priceWithTax',
      kind: 'decimal',
      max: PRICE_DECIMALS,
      help: 'En euros: 45,00. Este o el precio con IVA.',
      example: '45,00',
      width: 16,
      aliases: PRODUCT_TITLES.UnitPrice,
    },
    {
      key: 'UnitOfMeasure',
      header: 'Unidad',
      kind: 'list',
      isOptional: true,
      list: 'unidades',
      help: 'Nombre o código. Vacía: Unidad.',
      example: 'Hora',
      width: 20,
      aliases: PRODUCT_TITLES.UnitOfMeasure,
    },
    {
      key: 'VATProdPostingGroup',
      header: 'Tipo de IVA',
      since: 3,
      kind: 'list',
      list: 'impuestosDeProducto',
      isPercent: true,
      help: 'Con el que se vende. Vacío: el habitual de tu perfil.',
      example: 'IVA21',
      width: 16,
      aliases: PRODUCT_TITLES.VATProdPostingGroup,
    },
    {
      key: 'priceWithTax',
      header: 'Precio con IVA',
      since: 3,
      kind: 'decimal',
      max: PRICE_DECIMALS,
      help: 'Si no sabes el precio sin IVA: se quita el de su tipo.',
      example: '',
      width: 16,
      aliases: PRODUCT_TITLES.priceWithTax,
    },
  ],
};

export const FACTURAS: SheetSpec = {
  name: 'Facturas',
  maxRows: 20_000,
  columns: [
    {
      key: 'referencia',
      header: 'Nº referencia',
      isRequired: true,
      kind: 'text',
      max: 30,
      help: 'Junta las líneas de una factura, y no se usa en otra. No es su número: ese se pone al registrarla.',
      example: EXAMPLE,
      width: 16,
      aliases: INVOICE_TITLES.referencia,
    },
    {
      key: 'invoiceDate',
      header: 'Fecha',
      isRequired: true,
      kind: 'date',
      help: 'dd/mm/aaaa. No puede ser futura.',
      example: '15/01/2026',
      width: 12,
      aliases: INVOICE_TITLES.invoiceDate,
    },
    {
      key: 'tipo',
      header: 'Tipo',
      kind: 'list',
      list: 'tiposFactura',
      help: 'Vacío: F1, factura completa.',
      example: 'F1',
      width: 8,
      aliases: INVOICE_TITLES.tipo,
    },
    {
      key: 'cliente',
      header: 'NIF o código de cliente',
      kind: 'text',
      max: MAX_CUSTOMER_NAME,
      help: 'De la hoja Clientes o de los que ya tienes; también su nombre, si no lo lleva otro. En una F2 puede faltar.',
      example: 'B12345674',
      width: 24,
      aliases: INVOICE_TITLES.cliente,
    },
    {
      key: 'description',
      isOfProduct: true,
      header: 'Concepto',
      isRequired: true,
      kind: 'text',
      max: 500,
      help: 'Una fila por línea de la factura.',
      example: 'Hora de consultoría',
      width: 40,
      aliases: INVOICE_TITLES.description,
      fixed: '',
    },
    {
      key: 'productNo',
      header: 'Código de producto',
      kind: 'text',
      max: 20,
      help: 'Si la línea es de un producto guardado: el concepto y el precio vacíos son los suyos.',
      example: 'P001',
      width: 20,
      aliases: INVOICE_TITLES.productNo,
    },
    {
      key: 'quantity',
      header: 'Cantidad',
      isRequired: true,
      kind: 'decimal',
      max: QUANTITY_DECIMALS,
      help: 'Distinta de 0. En una rectificativa, lo que se devuelve.',
      example: '2',
      width: 12,
      aliases: INVOICE_TITLES.quantity,
      fixed: '1',
    },
    {
      key: 'price',
      isOfProduct: true,
      header: 'Precio unitario sin IVA',
      isRequired: true,
      kind: 'decimal',
      max: PRICE_DECIMALS,
      help: 'En euros.',
      example: '45,00',
      width: 22,
      aliases: INVOICE_TITLES.price,
    },
    {
      key: 'discount',
      header: 'Descuento %',
      kind: 'decimal',
      isPercent: true,
      max: DISCOUNT_DECIMALS,
      help: 'De 0 a 100: 10 o 10 %.',
      example: '10',
      width: 14,
      aliases: INVOICE_TITLES.discount,
    },
    {
      key: 'tax',
      header: 'Tipo de IVA',
      isRequired: true,
      kind: 'list',
      list: 'impuestos',
      isPercent: true,
      help: 'El código de la lista.',
      example: 'IVA21',
      width: 14,
      aliases: INVOICE_TITLES.tax,
      fixed: 'IVA21',
    },
    {
      key: 'claveRegimen',
      header: 'Clave de régimen',
      kind: 'list',
      list: 'clavesRegimen',
      help: 'Vacía: 01, régimen general.',
      example: '01',
      width: 18,
      aliases: INVOICE_TITLES.claveRegimen,
    },
    {
      key: 'invoiceToRectify',
      header: 'Factura rectificada',
      kind: 'text',
      max: 60,
      help: 'El número de la factura que corrige. Solo en R1 a R5.',
      example: '',
      width: 20,
      aliases: INVOICE_TITLES.invoiceToRectify,
    },
    {
      key: 'fechaOperacion',
      header: 'Fecha de operación',
      kind: 'date',
      help: 'Si es otra que la de la factura.',
      example: '',
      width: 18,
      aliases: INVOICE_TITLES.fechaOperacion,
    },
    {
      key: 'total',
      header: 'Total factura (control)',
      kind: 'decimal',
      max: 2,
      help: 'Si lo escribes, comprobamos que cuadra con las líneas.',
      example: '98,01',
      width: 22,
      aliases: INVOICE_TITLES.total,
    },
  ],
};

export const SHEETS: readonly SheetSpec[] = [CLIENTES, PRODUCTOS, FACTURAS];

/** F4 cannot be registered, so importing it would be pointless. */
export const TIPOS_FACTURA: readonly Choice[] = [
  { value: 'F1', label: 'Factura' },
  { value: 'F2', label: 'Factura simplificada' },
  { value: 'F3', label: 'Sustitutiva de simplificadas' },
  { value: 'R1', label: 'Rectificativa' },
  { value: 'R2', label: 'Rectificativa (art. 80.3)' },
  { value: 'R3', label: 'Rectificativa (art. 80.4)' },
  { value: 'R4', label: 'Rectificativa (otros)' },
  { value: 'R5', label: 'Rectificativa de simplificadas' },
];

/** The taxes that a company offers, each once whatever the customer; a rate refers to the first tax with it. */
export function offeredTaxes(groups: readonly VatGroup[]): Choice[] {
  const taxes = new Map<string, Choice>();
  const rates = new Set<number>();
  for (const group of groups) {
    const { VATProdPostingGroup: value, Description: label, VATPercentage: rate, activo } = group;
    if (activo === false || taxes.has(value)) continue;
    const isRate = group.VATCalculationType === 'Normal' && rate > 0 && !rates.has(rate);
    if (isRate) rates.add(rate);
    taxes.set(value, { value, label, ...(isRate && { also: [String(rate)] }) });
  }
  return [...taxes.values()];
}

/** Lists whose drop-down offers codes, because two of their names may look alike. */
const BY_CODE: ReadonlySet<ListName> = new Set([
  'impuestos',
  'impuestosDeProducto',
  'clavesRegimen',
  'tiposFactura',
]);

/** The text that a drop-down writes into the cell. */
export function shown(list: ListName, choice: Choice): string {
  return BY_CODE.has(list) ? choice.value : choice.label;
}

/** `0` → `A`, `26` → `AA`. */
export function columnLetter(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : columnLetter(Math.floor(index / 26) - 1) + last;
}

/** The header as written: mandatory columns have an asterisk. */
export function headerText({ header, isRequired }: Column): string {
  return isRequired ? `${header}*` : header;
}

/** Text for comparison: without accents, case, asterisk and repeated spaces. */
export function folded(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[*\u00a0\s]+/g, ' ')
    .trim()
    .toLowerCase();
}

/** Title for comparison: only letters and digits. `Nº Factura` → `n factura`. */
export function plain(title: string): string {
  return folded(title.replace(/[ºª°]/g, ''))
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
}

/** Odoo names a column by its path: `Líneas de factura/Cantidad`, `Empresa/NIF`. */
const PATH =
  /^(?:líneas? de factura|invoice lines|empresa|contacto|partner|customer|producto|product)\/(?:.*\/)?/i;

/** The title of a column without the path to it. */
export function bareTitle(title: string): string {
  return plain(title.replace(PATH, ''));
}

/** What a column may be called, best first. */
export function namesOf({ header, aliases }: Column): string[] {
  return [plain(header), ...aliases];
}

const KNOWN_TITLES = new Set(SHEETS.flatMap(({ columns }) => columns.flatMap(namesOf)));

export function isKnownTitle(text: string): boolean {
  return KNOWN_TITLES.has(plain(text)) || KNOWN_TITLES.has(bareTitle(text));
}

/** `5000` → `5.000`. */
export function withPoints(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, '.');
}
