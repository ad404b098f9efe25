import type { IssuedInvoice, IssuedLine } from '../../../../domain/invoice.ts';
import { isRectificativa, isSimplified } from '../../../../domain/invoice.ts';
import { decimalToEs, divRound, parseDecimal } from '../../../../domain/money.ts';
import { fecha } from '../../../lib/format.ts';

const MINUS = '\u2212';
const NBSP = '\u00a0';

/** `'-1234.5'` → `−1.234,50`: decimal text of the domain as it is printed. */
export function importeOf(text: string, minDecimals = 2): string {
  const decimals = Math.max(minDecimals, text.split('.')[1]?.length ?? 0);
  const value = parseDecimalText(text, decimals);
  return decimalToEs(value, decimals, minDecimals).replace('-', MINUS);
}

export function eurosOf(text: string): string {
  return `${importeOf(text)}${NBSP}€`;
}

/** One row of the table of the paper, in the words and figures that are printed. */
export interface PaperRow {
  readonly description: string;
  readonly quantity: string;
  readonly price: string;
  readonly tax: string;
  readonly amount: string;
}

/** A simplified invoice shows prices and amounts with the tax in; the others without. */
export function paperRow(line: IssuedLine, invoice: IssuedInvoice): PaperRow {
  const withTax = isSimplified(invoice.tipoFactura);
  const sign = isNegative(line.base) ? '-' : '';
  return {
    description: line.description,
    quantity: [importeOf(`${sign}${line.quantity}`, 0), line.unit?.toLowerCase()]
      .filter(Boolean)
      .join(NBSP),
    price: importeOf(withTax ? priceWithTax(line) : line.price),
    tax: rateOf(line),
    amount: importeOf(withTax ? line.total : line.base),
  };
}

/** `21 %`, `21 % + 5,2 %`, or in words why there is no rate. */
export function rateOf(
  line: Pick<IssuedLine, 'vatRate' | 'recargoRate' | 'CalificacionOperacion' | 'OperacionExenta'>,
): string {
  if (line.OperacionExenta) return 'Exenta';
  if (line.CalificacionOperacion === 'S2') return 'ISP';
  if (line.vatRate === null) return line.CalificacionOperacion ? 'No sujeta' : '';
  const rate = percentOf(line.vatRate);
  return line.recargoRate && line.recargoRate !== '0'
    ? `${rate} + ${percentOf(line.recargoRate)}`
    : rate;
}

export function percentOf(text: string): string {
  return `${text.replace('.', ',')}${NBSP}%`;
}

/** The heading word and the second one under it. */
export function headingOf({ tipoFactura }: IssuedInvoice): readonly [string, string?] {
  if (isRectificativa(tipoFactura)) return ['Factura', 'rectificativa'];
  return tipoFactura === 'F2' ? ['Factura', 'simplificada'] : ['Factura'];
}

/** `50500 Zaragoza`, `28043 Madrid`, or the country's code outside Spain. */
export function placeOf(postCode: string, provincia: string, pais: string): string {
  return [postCode, provincia || (pais === 'ES' ? '' : pais)].filter(Boolean).join(' ');
}

/** «Factura 00041/LO de 20/11/2026», one per invoice that is rectified or replaced. */
export function referenceOf({ numSerie, fecha: dia }: { numSerie: string; fecha: string }): string {
  return dia ? `Factura ${numSerie} de ${fecha(dia)}` : `Factura ${numSerie}`;
}

const REASONS: Readonly<Record<string, string>> = {
  R1: 'error fundado en derecho y art. 80.Uno, Dos y Seis de la Ley 37/1992',
  R2: 'concurso de acreedores, art. 80.Tres de la Ley 37/1992',
  R3: 'crédito incobrable, art. 80.Cuatro de la Ley 37/1992',
  R4: 'resto de rectificaciones, art. 15 del RD 1619/2012',
  R5: 'factura simplificada, art. 15 del RD 1619/2012',
};

/** «Rectificación por diferencias: …», with its article. */
export function reasonOf({ tipoFactura, tipoRectificativa }: IssuedInvoice): string {
  if (tipoRectificativa === null) return 'Sustituye a las facturas simplificadas.';
  const method = tipoRectificativa === 'S' ? 'por sustitución' : 'por diferencias';
  return `Rectificación ${method}: ${REASONS[tipoFactura] ?? ''}.`;
}

function priceWithTax(line: IssuedLine): string {
  const addedBps = bps(line.vatRate) + bps(line.recargoRate);
  const priceE6 = parseDecimalText(line.price, 6);
  const cents = divRound(priceE6 * (10_000n + addedBps), 10_000n * 10_000n);
  return decimalToEs(cents, 2, 2).replaceAll('.', '').replace(',', '.');
}

function bps(rate: string | null): bigint {
  return rate === null ? 0n : parseDecimalText(rate, 2);
}

/** The domain's own decimal text: `1.234` is one and a bit here, never a thousand. */
function parseDecimalText(text: string, decimals: number): bigint {
  return parseDecimal(text.replace('.', ','), decimals) ?? 0n;
}

function isNegative(text: string): boolean {
  return text.startsWith('-');
}
