import type { InvoiceItem } from '../../../../contract/invoices.ts';
import { PRICE_DECIMALS, QUANTITY_DECIMALS } from '../../../../domain/totals.ts';
import { type DraftState, refersToOthers } from './draft-state.ts';
import { contractDecimal, withoutPercent, writtenLines } from './lines.ts';

/** accionFactura: 0 saves the draft, 1 registers, 2 registers and sends the PDF to the client. */
export type AccionFactura = 0 | 1 | 2;

export interface DraftTarget {
  readonly accionFactura: AccionFactura;
  /** DocNo of the draft to save over, or of the invoice to correct; absent the first time. */
  readonly draftNo?: string | undefined;
  /** The version that the form knows: if the server has a newer one, it answers 409. */
  readonly version?: number | undefined;
}

/** The multipart fields of SetFacturas and ValidarFactura (`src/contract/invoices.ts`). */
export function draftFields(state: DraftState, target: DraftTarget): Record<string, string> {
  const { draftNo, version } = target;
  return {
    type: state.type,
    invoiceNumber: '',
    invoiceDate: state.invoiceDate,
    invoiceType: String(state.invoiceType),
    crmemoType: String(state.crmemoType),
    invoiceClient: state.invoiceClient,
    typeClient: state.typeClient,
    isSimplificada: String(state.isSimplificada),
    claveRegimen: state.claveRegimen,
    invoiceItems: JSON.stringify(draftItems(state)),
    accionFactura: String(target.accionFactura),
    ...rectification(state),
    fechaOperacion: state.fechaOperacion,
    retencionIRPF: state.retencionIRPF,
    notas: state.notas,
    suplidos: state.suplidos.trim() && contractDecimal(state.suplidos, 2),
    suplidosConcepto: state.suplidosConcepto.trim(),
    tipoIdentificacion: state.tipoIdentificacion,
    ...(state.ivaIncluido ? { ivaIncluido: 'true' } : {}),
    ...(draftNo === undefined ? {} : { draftNo }),
    ...(version === undefined ? {} : { version: String(version) }),
  };
}

/** The lines with content, in the contract's terms; the empty one at the end is left out. */
export function draftItems(state: DraftState): InvoiceItem[] {
  return writtenLines(state.lines).map(({ description, quantity, price, tax, ...line }) => ({
    description: description.trim(),
    quantity: contractDecimal(quantity.trim() || '1', QUANTITY_DECIMALS),
    price: contractDecimal(price.trim() || '0', PRICE_DECIMALS),
    discount: line.discount?.trim() ? contractDecimal(withoutPercent(line.discount), 2) : '',
    tax,
    linetype: line.linetype,
    ...(line.productNo ? { productNo: line.productNo } : {}),
    ...(line.unit ? { unit: line.unit } : {}),
    ...(line.coste?.trim() ? { coste: contractDecimal(line.coste, 2) } : {}),
    ...(line.tipoDestino?.trim() ? { tipoDestino: contractDecimal(line.tipoDestino, 2) } : {}),
  }));
}

/** The amounts of the replaced invoice, if it was made with another program. */
function replacedAmounts(state: DraftState): Record<string, string> {
  const { baseRectificada, cuotaRectificada, recargoRectificado } = state;
  const amounts = { baseRectificada, cuotaRectificada, recargoRectificado };
  return Object.fromEntries(
    Object.entries(amounts).map(([field, text]) => [
      field,
      text.trim() && contractDecimal(text, 2),
    ]),
  );
}

/** An ordinary invoice keeps no trace of having been an abono a moment ago. An F3 names other invoices too. */
function rectification(state: DraftState): Record<string, string> {
  if (!refersToOthers(state)) return { invoiceToRectify: '', tipoRectificativa: 'I' };
  return {
    invoiceToRectify: state.invoiceToRectify.trim(),
    invoiceToRectifyDate: state.invoiceToRectifyDate,
    tipoRectificativa: state.type === 'abono' ? state.tipoRectificativa : 'I',
    ...(state.type === 'abono' && state.tipoRectificativa === 'S' && replacedAmounts(state)),
  };
}
