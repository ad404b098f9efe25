import type { EditInvoice } from '../../../../contract/invoices.ts';
import type { Cliente, Producto } from '../../../../contract/parties.ts';
import { signOf, tipoFacturaOf } from '../../../../domain/invoice.ts';
import type { Situacion } from '../../../../domain/situaciones.ts';
import { isEmptyLine, taxBpsOf } from '../../../../domain/totals.ts';
import type { VatGroup } from '../../../../domain/vat.ts';
import {
  type DraftLine,
  emptyLine,
  inSituation,
  type LineChange,
  moveLine,
  nextTax,
  pricedWithoutTax,
  productPrice,
  taxForClient,
  taxWithProduct,
  tidyPrice,
  tidyQuantity,
  turnedBack,
  turnedUp,
  writtenLines,
} from './lines.ts';
import type { PastedLine } from './pasted-lines.ts';

/** The invoice form while it is being filled in. Codes are positions, as in the contract. */
export interface DraftState {
  readonly type: 'factura' | 'abono';
  readonly invoiceDate: string;
  readonly invoiceType: number;
  readonly crmemoType: number;
  readonly invoiceClient: string;
  /** The client proposed for simplified invoices. While it is the chosen one, the user has not chosen any. */
  readonly clientProposed: string;
  readonly typeClient: string;
  readonly isSimplificada: boolean;
  readonly claveRegimen: string;
  readonly invoiceToRectify: string;
  readonly invoiceToRectifyDate: string;
  readonly tipoRectificativa: 'I' | 'S';
  readonly fechaOperacion: string;
  readonly retencionIRPF: string;
  /**
   * Nobody chose the retention: the company's usual one comes and goes with the client. Never true for saved invoices.
   */
  readonly isRetencionHabitual: boolean;
  readonly notas: string;
  readonly suplidos: string;
  readonly suplidosConcepto: string;
  /** The prices include the tax. */
  readonly ivaIncluido: boolean;
  /** How the client is identified (list L7), if different from its card. */
  readonly tipoIdentificacion: NonNullable<EditInvoice['tipoIdentificacion']>;
  /** The amounts of an invoice of another program, when this one replaces it. */
  readonly baseRectificada: string;
  readonly cuotaRectificada: string;
  readonly recargoRectificado: string;
  /** Always ends in one empty line. */
  readonly lines: readonly DraftLine[];
  /** Number for the key of the next line. */
  readonly nextLine: number;
}

/** Fields that can simply be assigned. The others have side effects and an action of their own. */
export type PlainField =
  | 'type'
  | 'invoiceDate'
  | 'claveRegimen'
  | 'invoiceToRectify'
  | 'invoiceToRectifyDate'
  | 'fechaOperacion'
  | 'retencionIRPF'
  | 'notas'
  | 'suplidos'
  | 'suplidosConcepto'
  | 'ivaIncluido'
  | 'tipoIdentificacion'
  | 'baseRectificada'
  | 'cuotaRectificada'
  | 'recargoRectificado';

export type DraftAction =
  | { readonly kind: 'set'; readonly change: Partial<Pick<DraftState, PlainField>> }
  | { readonly kind: 'invoice-type'; readonly code: number; readonly usual: UsualTicket }
  | { readonly kind: 'crmemo-type'; readonly code: number; readonly usual: UsualTicket }
  | { readonly kind: 'simplificada'; readonly on: boolean; readonly usual: UsualTicket }
  | { readonly kind: 'client'; readonly client: Cliente | null }
  /** Empty when there is none. Does nothing once the user has chosen another. */
  | { readonly kind: 'usual-retention'; readonly percent: string }
  | {
      readonly kind: 'situation';
      readonly situacion: Situacion;
      /** Rate of the client's country, for the OSS. */
      readonly tipoDestino: string;
    }
  | { readonly kind: 'line'; readonly id: string; readonly change: LineChange }
  | { readonly kind: 'line-product'; readonly id: string; readonly product: Producto }
  | { readonly kind: 'line-move'; readonly id: string; readonly step: -1 | 1 }
  /** Adds lines after that one, or in its place if it is empty. Their ids follow from `nextLine`. */
  | { readonly kind: 'lines-paste'; readonly id: string; readonly pasted: readonly PastedLine[] }
  /** Puts the discount of that line in all the written ones. */
  | { readonly kind: 'share-discount'; readonly id: string }
  | { readonly kind: 'line-remove'; readonly id: string }
  | { readonly kind: 'line-restore'; readonly line: DraftLine; readonly index: number }
  | { readonly kind: 'fill'; readonly original: EditInvoice }
  | {
      readonly kind: 'method';
      readonly method: DraftState['tipoRectificativa'];
      /** What it rectifies gave money back. */
      readonly isOfAbono: boolean;
    }
  | { readonly kind: 'prices-without-tax' }
  | { readonly kind: 'replace'; readonly state: DraftState };

/** What a simplified invoice starts with until the user changes it. */
export interface UsualTicket {
  readonly client?: Cliente | undefined;
  readonly ivaIncluido: boolean;
}

/** Codes of `invoiceType`. */
export const F1 = 0;
export const F2 = 1;
const R1 = 0;
const R5 = 4;

/** Values for what few invoices have. */
const NO_OPTIONS = {
  clientProposed: '',
  suplidos: '',
  suplidosConcepto: '',
  ivaIncluido: false,
  isRetencionHabitual: false,
  tipoIdentificacion: '',
  baseRectificada: '',
  cuotaRectificada: '',
  recargoRectificado: '',
} as const;

/** A form stored by an earlier version of the product, completed with the fields that it did not have. */
export function upToDate(state: DraftState): DraftState {
  return { ...NO_OPTIONS, ...state };
}

/** An empty form. */
export function freshDraft(today: string, groups: readonly VatGroup[] = []): DraftState {
  return {
    type: 'factura',
    invoiceDate: today,
    invoiceType: F1,
    crmemoType: R1,
    invoiceClient: '',
    typeClient: 'NAC',
    isSimplificada: false,
    claveRegimen: '01',
    invoiceToRectify: '',
    invoiceToRectifyDate: '',
    tipoRectificativa: 'I',
    fechaOperacion: '',
    retencionIRPF: '',
    notas: '',
    ...NO_OPTIONS,
    isRetencionHabitual: true,
    lines: [emptyLine('l1', nextTax(groups, 'NAC', undefined).tax)],
    nextLine: 2,
  };
}

/** The form of a saved draft, or of a registered invoice. */
export function draftFromEdit(edit: EditInvoice, groups: readonly VatGroup[]): DraftState {
  const lines = linesFromItems(edit.invoiceItems, 1);
  return withEmptyLast(groups, {
    type: edit.type,
    invoiceDate: edit.invoiceDate,
    invoiceType: edit.invoiceType,
    crmemoType: edit.crmemoType,
    invoiceClient: edit.invoiceClient,
    clientProposed: '',
    typeClient: edit.typeClient,
    isSimplificada: edit.isSimplificada,
    claveRegimen: edit.claveRegimen,
    invoiceToRectify: edit.invoiceToRectify,
    invoiceToRectifyDate: edit.invoiceToRectifyDate ?? '',
    tipoRectificativa: edit.tipoRectificativa,
    fechaOperacion: edit.fechaOperacion ?? '',
    retencionIRPF: plainText(edit.retencionIRPF),
    isRetencionHabitual: false,
    notas: edit.notas ?? '',
    suplidos: plainText(edit.suplidos),
    suplidosConcepto: edit.suplidosConcepto ?? '',
    ivaIncluido: edit.ivaIncluido ?? false,
    tipoIdentificacion: edit.tipoIdentificacion ?? '',
    baseRectificada: plainText(edit.baseRectificada),
    cuotaRectificada: plainText(edit.cuotaRectificada),
    recargoRectificado: plainText(edit.recargoRectificado),
    lines,
    nextLine: lines.length + 1,
  });
}

/** The same invoice on another day: everything except its dates is kept. */
export function duplicatedDraft(
  edit: EditInvoice,
  groups: readonly VatGroup[],
  invoiceDate: string,
): DraftState {
  return { ...draftFromEdit(edit, groups), invoiceDate, fechaOperacion: '' };
}

/** The reducer of the form. `groups` are the company's VAT groups: a client's limits its taxes. */
export function draftReducer(
  groups: readonly VatGroup[],
): (state: DraftState, action: DraftAction) => DraftState {
  return (state, action) => {
    const next = reduce(groups, state, action);
    return next === state ? state : withEmptyLast(groups, next);
  };
}

/** True for invoices that name others: an abono names those it rectifies, an F3 those it replaces. */
export function refersToOthers(state: DraftState): boolean {
  return state.type === 'abono' || tipoFacturaOf(state) === 'F3';
}

/** True once there is something worth keeping: autosave and the findings wait for it. */
export function hasContent(state: DraftState): boolean {
  return (
    (state.invoiceClient !== '' && state.invoiceClient !== state.clientProposed) ||
    state.invoiceToRectify.trim() !== '' ||
    state.notas.trim() !== '' ||
    writtenLines(state.lines).length > 0
  );
}

function reduce(groups: readonly VatGroup[], state: DraftState, action: DraftAction): DraftState {
  switch (action.kind) {
    case 'set':
      return chosen(state, action.change);
    case 'invoice-type':
      if (action.code === F2) return simplified(groups, state, action.usual);
      return { ...full(groups, state), invoiceType: action.code };
    case 'crmemo-type':
      if (action.code === R5) return simplified(groups, state, action.usual);
      return { ...full(groups, state), crmemoType: action.code };
    case 'simplificada':
      return action.on ? simplified(groups, state, action.usual) : full(groups, state);
    case 'situation':
      return withSituation(groups, state, action);
    case 'client':
      return withClient(groups, state, action.client);
    case 'usual-retention':
      if (!state.isRetencionHabitual) return state;
      return { ...state, retencionIRPF: action.percent };
    case 'line':
      return withLine(state, action.id, action.change);
    case 'line-product':
      return withProduct(groups, state, action);
    case 'line-move':
      return { ...state, lines: moveLine(state.lines, action.id, action.step) };
    case 'lines-paste':
      return withPasted(groups, state, action);
    case 'share-discount':
      return withSharedDiscount(state, action.id);
    case 'line-remove':
      return { ...state, lines: state.lines.filter((line) => line.id !== action.id) };
    case 'line-restore':
      return { ...state, lines: withInserted(state.lines, action.index, action.line) };
    case 'fill':
      return filledFrom(state, action.original);
    case 'method':
      return withMethod(state, action);
    case 'prices-without-tax':
      return withoutTaxInPrices(groups, state);
    case 'replace':
      return action.state;
  }
}

/** Once the user has chosen a retention, even none, it is not changed automatically. */
function chosen(state: DraftState, change: Partial<Pick<DraftState, PlainField>>): DraftState {
  const isRetencionHabitual = state.isRetencionHabitual && change.retencionIRPF === undefined;
  return { ...state, ...change, isRetencionHabitual };
}

/** Checking «Factura simplificada», or choosing F2 or R5: each implies the other. */
function simplified(
  groups: readonly VatGroup[],
  state: DraftState,
  usual: UsualTicket,
): DraftState {
  // The meaning of the prices never changes once some are typed.
  const isOpen = !state.isSimplificada && !hasPrices(state);
  const ivaIncluido = isOpen ? usual.ivaIncluido : state.ivaIncluido;
  const forced = { ...state, isSimplificada: true, ivaIncluido, invoiceType: F2, crmemoType: R5 };
  if (state.invoiceClient !== '' || !usual.client) return forced;
  return { ...withClient(groups, forced, usual.client), clientProposed: usual.client.No };
}

/** No longer simplified. A client whom nobody has chosen goes with it. */
function full(groups: readonly VatGroup[], state: DraftState): DraftState {
  if (!state.isSimplificada) return state;
  const isProposed = state.invoiceClient !== '' && state.invoiceClient === state.clientProposed;
  return unsimplified(isProposed ? withClient(groups, state, null) : state);
}

function unsimplified(state: DraftState): DraftState {
  return {
    ...state,
    isSimplificada: false,
    ivaIncluido: state.ivaIncluido && hasPrices(state),
    invoiceType: state.invoiceType === F2 ? F1 : state.invoiceType,
    crmemoType: state.crmemoType === R5 ? R1 : state.crmemoType,
  };
}

function hasPrices({ lines }: DraftState): boolean {
  return lines.some(({ price }) => price.trim() !== '');
}

/** The same lines with prices without tax. */
function withoutTaxInPrices(groups: readonly VatGroup[], state: DraftState): DraftState {
  const lines = state.lines.map((line) =>
    pricedWithoutTax(line, taxBpsOf(line, { ...state, groups })),
  );
  return { ...state, ivaIncluido: false, lines };
}

function withClient(
  groups: readonly VatGroup[],
  state: DraftState,
  client: Cliente | null,
): DraftState {
  const typeClient = client?.CustomerPostingGroup || 'NAC';
  // A line that nobody has edited starts again.
  const begun = nextTax(groups, state.typeClient, undefined).tax;
  const taxOf = (line: DraftLine) =>
    isEmptyLine(line) && line.tax === begun
      ? nextTax(groups, typeClient, undefined).tax
      : taxForClient(groups, typeClient, line.tax);
  const lines =
    typeClient === state.typeClient
      ? state.lines
      : state.lines.map((line) => ({ ...line, tax: taxOf(line) }));
  return { ...state, invoiceClient: client?.No ?? '', typeClient, lines };
}

/** Puts every line in the situation. Without a client, the kind of client follows from it too. */
function withSituation(
  groups: readonly VatGroup[],
  state: DraftState,
  { situacion, tipoDestino }: Extract<DraftAction, { kind: 'situation' }>,
): DraftState {
  const admits = (situacion.clientes as readonly string[]).includes(state.typeClient);
  const typeClient = admits ? state.typeClient : (situacion.clientes[0] ?? state.typeClient);
  const context = { groups, typeClient, tipoDestino };
  return {
    ...state,
    typeClient,
    // From now on each line has its own key.
    claveRegimen: '01',
    lines: state.lines.map((line) => inSituation(line, situacion, context)),
  };
}

function withLine(state: DraftState, id: string, change: LineChange): DraftState {
  return {
    ...state,
    lines: state.lines.map((line) => (line.id === id ? { ...line, ...change } : line)),
  };
}

function withPasted(
  groups: readonly VatGroup[],
  state: DraftState,
  { id, pasted }: Extract<DraftAction, { kind: 'lines-paste' }>,
): DraftState {
  const at = state.lines.findIndex((line) => line.id === id);
  const target = state.lines[at];
  if (!target) return state;
  const isReplaced = isEmptyLine(target);
  const before = state.lines.slice(0, isReplaced ? at : at + 1);
  const next = nextTax(groups, state.typeClient, before.at(-1));
  const lines = pasted.map(({ product, ...cells }, index) => {
    const line = { ...emptyLine(`l${state.nextLine + index}`), ...next };
    const named = { ...state, lines: [line] };
    const [begun = line] = product
      ? withProduct(groups, named, { kind: 'line-product', id: line.id, product }).lines
      : [line];
    return { ...begun, ...cells };
  });
  return {
    ...state,
    lines: [...before, ...lines, ...state.lines.slice(at + 1)],
    nextLine: state.nextLine + lines.length,
  };
}

function withSharedDiscount(state: DraftState, id: string): DraftState {
  const discount = state.lines.find((line) => line.id === id)?.discount ?? '';
  const lines = state.lines.map((line) => (isEmptyLine(line) ? line : { ...line, discount }));
  return { ...state, lines };
}

function withInserted(lines: readonly DraftLine[], index: number, line: DraftLine): DraftLine[] {
  return [...lines.slice(0, index), line, ...lines.slice(index)];
}

/** A product's price is without tax: where the prices of the lines include it, it is added. */
function withProduct(
  groups: readonly VatGroup[],
  state: DraftState,
  { id, product }: Extract<DraftAction, { kind: 'line-product' }>,
): DraftState {
  const line = state.lines.find((candidate) => candidate.id === id);
  if (!line) return state;
  const tax = taxWithProduct(groups, state.typeClient, line.tax, product);
  const taxBps = state.ivaIncluido ? taxBpsOf({ ...line, tax }, { ...state, groups }) : 0n;
  return withLine(state, id, { ...productChange(product, taxBps), tax });
}

function productChange(product: Producto, taxBps: bigint): LineChange {
  return {
    description: product.Name,
    price: productPrice(product, taxBps),
    linetype: 1,
    productNo: product.No,
    unit: product.UnitOfMeasure,
  };
}

/** Por diferencias, what comes back is typed positive. What replaces an abono is typed with the abono's signs. */
function withMethod(
  state: DraftState,
  { method, isOfAbono }: Extract<DraftAction, { kind: 'method' }>,
): DraftState {
  if (method === state.tipoRectificativa) return state;
  const lines =
    method === 'S' && !isOfAbono
      ? state.lines
      : turnedLines(state.lines, method === 'I' ? turnedUp : turnedBack);
  return { ...state, tipoRectificativa: method, lines };
}

/** The lines of an invoice, as the starting point of the one that rectifies it. */
export function rectifiedLines(
  lines: readonly DraftLine[],
  original: Pick<EditInvoice, 'type' | 'tipoRectificativa'>,
  method: DraftState['tipoRectificativa'],
): readonly DraftLine[] {
  if (method === 'I') return turnedLines(lines, turnedUp);
  return signOf(original) < 0n ? turnedLines(lines, turnedBack) : lines;
}

function turnedLines(
  lines: readonly DraftLine[],
  turned: (line: DraftLine) => DraftLine,
): readonly DraftLine[] {
  return lines.map((line) => (isEmptyLine(line) ? line : turned(line)));
}

/** «Rellenar datos?»: fills in the data of the invoice to correct, as far as they apply to the one that corrects it. */
function filledFrom(state: DraftState, original: EditInvoice): DraftState {
  const lines = rectifiedLines(
    linesFromItems(original.invoiceItems, state.nextLine),
    original,
    state.tipoRectificativa,
  );
  const filled = {
    ...state,
    invoiceClient: original.invoiceClient,
    typeClient: original.typeClient,
    claveRegimen: original.claveRegimen,
    retencionIRPF: plainText(original.retencionIRPF),
    isRetencionHabitual: false,
    tipoIdentificacion: original.tipoIdentificacion ?? '',
    ivaIncluido: original.ivaIncluido ?? false,
    lines,
    nextLine: state.nextLine + lines.length,
  };
  return original.isSimplificada
    ? { ...filled, isSimplificada: true, invoiceType: F2, crmemoType: R5 }
    : unsimplified(filled);
}

function linesFromItems(items: EditInvoice['invoiceItems'], firstKey: number): DraftLine[] {
  return items.map((item, index) => ({
    id: `l${firstKey + index}`,
    description: item.description,
    quantity: tidyQuantity(plainText(item.quantity)),
    price: tidyPrice(plainText(item.price)),
    tax: item.tax,
    linetype: item.linetype === 1 ? 1 : 0,
    ...(item.productNo ? { productNo: item.productNo } : {}),
    ...(item.unit ? { unit: item.unit } : {}),
    ...(item.coste === undefined ? {} : { coste: tidyPrice(plainText(item.coste)) }),
    ...(plainText(item.discount) === '' ? {} : { discount: plainText(item.discount) }),
    ...(item.tipoDestino === undefined ? {} : { tipoDestino: plainText(item.tipoDestino) }),
  }));
}

/** Numbers of the contract may come as JSON numbers; in the form they are texts in Spanish format. */
function plainText(value: string | number | undefined): string {
  return typeof value === 'number' ? String(value).replace('.', ',') : (value ?? '');
}

function withEmptyLast(groups: readonly VatGroup[], state: DraftState): DraftState {
  const last = state.lines.at(-1);
  if (last && isEmptyLine(last)) return state;
  const { tax, ...rest } = nextTax(groups, state.typeClient, last);
  const line = { ...emptyLine(`l${state.nextLine}`, tax), ...rest };
  return { ...state, lines: [...state.lines, line], nextLine: state.nextLine + 1 };
}
