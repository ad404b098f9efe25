/**
 * The sheets of the official template, in one place: the template is drawn, its instructions are
 * written and an uploaded file is read from these tables.
 */

import type { VatGroup } from '../domain/vat.ts';

/** Changes when a column does: a file filled in from another version is refused. */
export const TEMPLATE_ID = 'huella-plantilla-importacion';
export const TEMPLATE_VERSION = 1;

/** Rows of a sheet before its data: header, help and example. */
export const HEAD_ROWS = 3;
/** First cell of the example row, which is never imported. */
export const EXAMPLE = 'EJEMPLO';

export type ListName =
  | 'paises'
  | 'terminosPago'
  | 'formasPago'
  | 'gruposContables'
  | 'unidades'
  | 'impuestos'
  | 'clavesRegimen'
  | 'tiposFactura';

export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** What the drop-downs offer, from the catalogs of the company. */
export type Lists = Readonly<Record<ListName, readonly Choice[]>>;

export interface Column {
  readonly key: string;
  readonly header: string;
  readonly isRequired?: boolean;
  readonly kind: 'text' | 'decimal' | 'date' | 'list';
  readonly list?: ListName;
  /** Characters, or decimals of a number. */
  readonly max?: number;
  readonly help: string;
  readonly example: string;
  readonly width: number;
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
    },
    {
      key: 'Name',
      header: 'Nombre o razón social',
      isRequired: true,
      kind: 'text',
      max: 120,
      help: 'Como en su tarjeta fiscal.',
      example: 'Ferretería Muñoz, S.L.',
      width: 32,
    },
    {
      key: 'VATRegistrationNo',
      header: 'NIF/CIF',
      kind: 'text',
      max: 20,
      help: 'Por él se reconoce al cliente que ya tienes.',
      example: 'B12345674',
      width: 14,
    },
    {
      key: 'Address',
      header: 'Dirección',
      kind: 'text',
      max: 250,
      help: 'Hace falta para registrar una factura completa.',
      example: 'C/ Mayor, 3, 2.º',
      width: 30,
    },
    {
      key: 'postCode',
      header: 'Código postal',
      kind: 'text',
      max: 10,
      help: 'Con su cero delante: 01001.',
      example: '28013',
      width: 14,
    },
    {
      key: 'countryCode',
      header: 'País',
      kind: 'list',
      list: 'paises',
      help: 'Nombre o código de dos letras. Vacío: España.',
      example: 'España',
      width: 18,
    },
    {
      key: 'Email',
      header: 'Email',
      kind: 'text',
      max: 254,
      help: 'Para enviarle sus facturas. Varios, con «;»: se usa el primero.',
      example: 'admin@ejemplo.es',
      width: 26,
    },
    {
      key: 'PaymentTerms',
      header: 'Término de pago',
      kind: 'list',
      list: 'terminosPago',
      help: 'Vacío: el de tu perfil.',
      example: '30 días fecha factura',
      width: 24,
    },
    {
      key: 'PaymentMethod',
      header: 'Forma de pago',
      kind: 'list',
      list: 'formasPago',
      help: 'Vacía: la de tu perfil.',
      example: 'Transferencia bancaria',
      width: 26,
    },
    {
      key: 'CustomerPostingGroup',
      header: 'Grupo contable',
      kind: 'list',
      list: 'gruposContables',
      help: 'Vacío: según su país y su código postal.',
      example: 'Nacional',
      width: 28,
    },
  ],
};

export const PRODUCTOS: SheetSpec = {
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
    },
    {
      key: 'Name',
      header: 'Nombre',
      isRequired: true,
      kind: 'text',
      max: 250,
      help: 'Lo que saldrá en la factura.',
      example: 'Hora de consultoría',
      width: 40,
    },
    {
      key: 'UnitPrice',
      header: 'Precio sin IVA',
      isRequired: true,
      kind: 'decimal',
      max: 6,
      help: 'En euros, con coma o con punto: 45,00.',
      example: '45,00',
      width: 16,
    },
    {
      key: 'UnitOfMeasure',
      header: 'Unidad',
      kind: 'list',
      list: 'unidades',
      help: 'Nombre o código. Vacía: Unidad.',
      example: 'Hora',
      width: 20,
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
      help: 'Junta las líneas de una factura. No es su número: ese se pone al registrarla.',
      example: EXAMPLE,
      width: 16,
    },
    {
      key: 'invoiceDate',
      header: 'Fecha',
      isRequired: true,
      kind: 'date',
      help: 'dd/mm/aaaa. No puede ser futura.',
      example: '15/01/2026',
      width: 12,
    },
    {
      key: 'tipo',
      header: 'Tipo',
      kind: 'list',
      list: 'tiposFactura',
      help: 'Vacío: F1, factura completa.',
      example: 'F1',
      width: 8,
    },
    {
      key: 'cliente',
      header: 'NIF o código de cliente',
      kind: 'text',
      max: 40,
      help: 'De la hoja Clientes o de los que ya tienes. En una F2 puede faltar.',
      example: 'B12345674',
      width: 24,
    },
    {
      key: 'description',
      header: 'Concepto',
      isRequired: true,
      kind: 'text',
      max: 500,
      help: 'Una fila por línea de la factura.',
      example: 'Hora de consultoría',
      width: 40,
    },
    {
      key: 'productNo',
      header: 'Código de producto',
      kind: 'text',
      max: 20,
      help: 'Si la línea es de un producto guardado.',
      example: 'P001',
      width: 20,
    },
    {
      key: 'quantity',
      header: 'Cantidad',
      isRequired: true,
      kind: 'decimal',
      max: 4,
      help: 'Distinta de 0.',
      example: '2',
      width: 12,
    },
    {
      key: 'price',
      header: 'Precio unitario sin IVA',
      isRequired: true,
      kind: 'decimal',
      max: 6,
      help: 'En euros.',
      example: '45,00',
      width: 22,
    },
    {
      key: 'discount',
      header: 'Descuento %',
      kind: 'decimal',
      max: 2,
      help: 'De 0 a 100.',
      example: '10',
      width: 14,
    },
    {
      key: 'tax',
      header: 'Tipo de IVA',
      isRequired: true,
      kind: 'list',
      list: 'impuestos',
      help: 'El código de la lista.',
      example: 'IVA21',
      width: 14,
    },
    {
      key: 'claveRegimen',
      header: 'Clave de régimen',
      kind: 'list',
      list: 'clavesRegimen',
      help: 'Vacía: 01, régimen general.',
      example: '01',
      width: 18,
    },
    {
      key: 'invoiceToRectify',
      header: 'Factura rectificada',
      kind: 'text',
      max: 60,
      help: 'El número de la factura que corrige. Solo en R1 a R5.',
      example: '',
      width: 20,
    },
    {
      key: 'fechaOperacion',
      header: 'Fecha de operación',
      kind: 'date',
      help: 'Si es otra que la de la factura.',
      example: '',
      width: 18,
    },
    {
      key: 'total',
      header: 'Total factura (control)',
      kind: 'decimal',
      max: 2,
      help: 'Si lo escribes, comprobamos que cuadra con las líneas.',
      example: '98,01',
      width: 22,
    },
  ],
};

export const SHEETS: readonly SheetSpec[] = [CLIENTES, PRODUCTOS, FACTURAS];

/** F4 cannot be registered: there is no use in importing one. */
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

/** The taxes that a company offers, each once whoever the customer is. */
export function offeredTaxes(groups: readonly VatGroup[]): Choice[] {
  const taxes = new Map<string, string>();
  for (const { VATProdPostingGroup, Description, activo } of groups) {
    if (activo !== false && !taxes.has(VATProdPostingGroup)) {
      taxes.set(VATProdPostingGroup, Description);
    }
  }
  return [...taxes].map(([value, label]) => ({ value, label }));
}

/** Lists whose drop-down offers codes, because two of their names may read alike. */
const BY_CODE: readonly ListName[] = ['impuestos', 'clavesRegimen', 'tiposFactura'];

/** What a drop-down writes into the cell. */
export function shown(list: ListName, choice: Choice): string {
  return BY_CODE.includes(list) ? choice.value : choice.label;
}

/** `0` → `A`. The template has fewer than 27 columns. */
export function columnLetter(index: number): string {
  return String.fromCharCode(65 + index);
}

/** Header as it is written: required ones carry an asterisk. */
export function headerText({ header, isRequired }: Column): string {
  return isRequired ? `${header}*` : header;
}

/** Text to compare by: without accents, case, asterisk and doubled spaces. */
export function folded(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[*\u00a0\s]+/g, ' ')
    .trim()
    .toLowerCase();
}

/** `5000` → `5.000`. */
export function withPoints(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, '.');
}
