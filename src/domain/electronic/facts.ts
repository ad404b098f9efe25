/**
 * What both formats of electronic invoice say of an invoice, read from the frozen document: nothing is reckoned that
 * the document has. Amounts are cents with the sign of the document.
 */

import { gruposIva } from '../catalogs/catalogs.ts';
import type { IssuedDesglose, IssuedInvoice, IssuedLine } from '../invoice.ts';
import { absCents, divRound } from '../money.ts';
import { scaled } from '../paper/amounts.ts';
import { printedLines } from '../paper/gross.ts';
import { oneLine } from '../paper/text.ts';
import { territoryOf } from '../postal-code.ts';
import { grupoDeCodigos, type Impuesto, isMargen, isOss } from '../situaciones.ts';
import { netCentsOf } from '../totals.ts';
import { findVatGroup } from '../vat.ts';

/** Either the document, or why there can be none: a sentence for each reason, all of them at once. */
export type Exported =
  | { readonly ok: true; readonly xml: string }
  | { readonly ok: false; readonly sentences: readonly string[] };

/**
 * How an amount is taxed. `margen`: the tax is inside the price and may not be shown apart (RD 1619/2012 arts. 6.1.n
 * and 16.2.c). `destino`: the tax of another State (OSS).
 */
export type Kind = 'sujeta' | 'isp' | 'exenta' | 'no-sujeta' | 'margen' | 'destino';

export interface TaxFacts {
  readonly impuesto: Impuesto;
  readonly kind: Kind;
  /** `E1` to `E8`, `N1`, `N2`, or the key `03` or `05` of a margin; empty where there is nothing to add. */
  readonly code: string;
  /** Hundredths of a per cent; zero where no tax is charged. */
  readonly rateBps: bigint;
  readonly recargoBps: bigint | null;
}

/** A line of the desglose, as the customer may see it. */
export interface TaxRow extends TaxFacts {
  readonly baseCents: bigint;
  readonly quotaCents: bigint;
  readonly recargoCents: bigint;
  /** Why no tax is charged. */
  readonly reason: string;
}

export interface LineFacts extends TaxFacts {
  readonly line: IssuedLine;
  readonly description: string;
  /** With the sign of the amount; the price has none. */
  readonly quantityE4: bigint;
  readonly priceE6: bigint;
  /**
   * Zero without one, and where its amount, which is what is left to the base, is not that part of the cost to the
   * cent.
   */
  readonly discountBps: bigint;
  /** Quantity by price, to the cent; less the discount, it is the base. */
  readonly costCents: bigint;
  readonly discountCents: bigint;
  readonly baseCents: bigint;
  readonly reason: string;
}

/** The key of a margin of travel agencies. */
export const AGENCIAS = '05';

const IMPUESTO: Readonly<Record<string, Impuesto>> = { IVA: '01', IPSI: '02', IGIC: '03' };

export function linesOf(invoice: IssuedInvoice): LineFacts[] {
  const printed = printedLines(invoice, { taxIn: false });
  return invoice.lines.map((line, index) => {
    const baseCents = scaled(line.base, 2);
    const priceE6 = printed[index]?.priceE6 ?? scaled(line.price, 6);
    return {
      ...taxOfLine(line),
      ...figuresOf(invoice, line, { baseCents, priceE6 }),
      line,
      description: oneLine(line.description),
      baseCents,
      reason: reasonOf(invoice, line),
    };
  });
}

type Figures = Pick<
  LineFacts,
  'quantityE4' | 'priceE6' | 'discountBps' | 'costCents' | 'discountCents'
>;

/**
 * Quantity, price and discount that make the base. Por diferencias, what comes back is the quantity. A price below
 * zero, which EN 16931 does not admit (BR-27), gives its sign to the quantity. Of prices with the tax in, a line's base
 * may be a cent from what its price comes to (decision 0261): then the price is that of the base. Where nothing makes
 * the base, one unit of it.
 *
 * @param priceE6 without tax, as on paper
 */
function figuresOf(
  invoice: IssuedInvoice,
  line: IssuedLine,
  { baseCents, priceE6 }: { readonly baseCents: bigint; readonly priceE6: bigint },
): Figures {
  const isBack = (invoice.tipoRectificativa === 'I') !== priceE6 < 0n;
  const quantityE4 = (isBack ? -1n : 1n) * scaled(line.quantity, 4);
  const discountBps = scaled(line.discount, 2);
  const price = [absCents(priceE6), priceOfBase(line, baseCents)].find(
    (one) => netCentsOf(quantityE4, one, discountBps) === baseCents,
  );
  if (price === undefined) {
    return {
      quantityE4: baseCents < 0n ? -10_000n : 10_000n,
      priceE6: absCents(baseCents) * 10_000n,
      discountBps: 0n,
      costCents: baseCents,
      discountCents: 0n,
    };
  }
  const costCents = netCentsOf(quantityE4, price, 0n);
  const discountCents = costCents - baseCents;
  const isExact = divRound(costCents * discountBps, 10_000n) === discountCents;
  return {
    quantityE4,
    priceE6: price,
    discountBps: isExact ? discountBps : 0n,
    costCents,
    discountCents,
  };
}

/** Millionths of a euro of each unit, before the discount; zero where there is nothing to share it among. */
function priceOfBase(line: IssuedLine, baseCents: bigint): bigint {
  const shares = absCents(scaled(line.quantity, 4)) * (10_000n - scaled(line.discount, 2));
  return shares > 0n ? divRound(absCents(baseCents) * 10n ** 12n, shares) : 0n;
}

function taxOfLine(line: IssuedLine): TaxFacts {
  const impuesto = IMPUESTO[line.impuesto] ?? '01';
  const bps = (rate: string | null) => scaled(rate ?? '0', 2);
  if (line.isMargen) return margin(impuesto, line.ClaveRegimen ?? '03');
  if (line.tipoDestino) {
    return {
      impuesto,
      kind: 'destino',
      code: '',
      rateBps: bps(line.tipoDestino),
      recargoBps: null,
    };
  }
  return {
    impuesto,
    ...kindOf(line),
    rateBps: bps(line.vatRate),
    recargoBps: line.recargoRate === null ? null : bps(line.recargoRate),
  };
}

const margin = (impuesto: Impuesto, code: string): TaxFacts => ({
  impuesto,
  kind: 'margen',
  code,
  rateBps: 0n,
  recargoBps: null,
});

type Calificada = Pick<IssuedDesglose, 'CalificacionOperacion' | 'OperacionExenta'>;

function kindOf({ CalificacionOperacion: calificacion, OperacionExenta: exenta }: Calificada) {
  if (exenta) return { kind: 'exenta', code: exenta } as const;
  if (calificacion === 'S2') return { kind: 'isp', code: '' } as const;
  if (calificacion === 'S1') return { kind: 'sujeta', code: '' } as const;
  return { kind: 'no-sujeta', code: calificacion ?? '' } as const;
}

/**
 * The desglose as the customer may see it: the margin is the price of its lines, and what went through the one-stop
 * shop has the tax of its State.
 */
export function taxRowsOf(invoice: IssuedInvoice, lines: readonly LineFacts[]): TaxRow[] {
  const { desglose, ivaDestino = [] } = invoice;
  const destino = ivaDestino.map(
    ({ tipo, base, cuota }): TaxRow => ({
      impuesto: '01',
      kind: 'destino',
      code: '',
      rateBps: scaled(tipo, 2),
      recargoBps: null,
      baseCents: scaled(base, 2),
      quotaCents: scaled(cuota, 2),
      recargoCents: 0n,
      reason: '',
    }),
  );
  const inDestino = destino.reduce((sum, row) => sum + row.baseCents + row.quotaCents, 0n);
  const rows = desglose.flatMap((group): TaxRow[] => {
    if (isMargen(group)) return [marginRow(group, lines)];
    const baseCents = scaled(group.base, 2) - (isOss(group) ? inDestino : 0n);
    // All that is left of the one-stop shop is what each State taxes.
    if (isOss(group) && ivaDestino.length > 0 && baseCents === 0n) return [];
    const facts = rowFacts(group);
    return [
      {
        ...facts,
        baseCents,
        quotaCents: scaled(group.quota, 2),
        recargoCents: scaled(group.recargo, 2),
        reason: reasonsOf(lines, facts),
      },
    ];
  });
  return [...rows, ...destino];
}

function rowFacts(group: IssuedDesglose): TaxFacts {
  return {
    impuesto: (['01', '02', '03'] as const).find((code) => code === group.Impuesto) ?? '01',
    ...kindOf(group),
    rateBps: scaled(group.vatRate ?? '0', 2),
    recargoBps: group.recargoRate === null ? null : scaled(group.recargoRate, 2),
  };
}

function marginRow({ Impuesto: code, ClaveRegimen }: IssuedDesglose, lines: readonly LineFacts[]) {
  const facts = margin(code === '03' ? '03' : '01', ClaveRegimen);
  const own = lines.filter(
    (line) =>
      line.kind === 'margen' && line.impuesto === facts.impuesto && line.code === ClaveRegimen,
  );
  return {
    ...facts,
    baseCents: own.reduce((sum, { baseCents }) => sum + baseCents, 0n),
    quotaCents: 0n,
    recargoCents: 0n,
    reason: reasonsOf(lines, facts),
  };
}

/** The reasons of the lines of a row, each once. */
function reasonsOf(lines: readonly LineFacts[], { impuesto, kind, code }: TaxFacts): string {
  const own = lines.filter(
    (line) => line.impuesto === impuesto && line.kind === kind && line.code === code,
  );
  return [...new Set(own.map(({ reason }) => reason).filter(Boolean))].join('. ');
}

/** Kinds that charge no tax by themselves, and have to say why. */
const UNTAXED: ReadonlySet<Kind> = new Set(['isp', 'exenta', 'no-sujeta', 'margen']);

/** What the line's mention says, among those that the invoice carries. */
function reasonOf(invoice: IssuedInvoice, line: IssuedLine): string {
  const { kind } = taxOfLine(line);
  if (!UNTAXED.has(kind)) return '';
  const { emisor, cliente, menciones } = invoice;
  const group = cliente?.postingGroup ?? 'NAC';
  const taxes = gruposIva(territoryOf(emisor.postCode, emisor.pais));
  const own =
    findVatGroup(taxes, line.tax, group)?.leyenda ?? grupoDeCodigos(line.tax, group)?.leyenda;
  if (own && menciones.includes(own)) return oneLine(own);
  return oneLine(menciones.join('. ')) || WORDS[kind];
}

const WORDS: Readonly<Record<Kind, string>> = {
  sujeta: '',
  destino: '',
  isp: 'Inversión del sujeto pasivo',
  exenta: 'Operación exenta',
  'no-sujeta': 'Operación no sujeta',
  margen: 'Régimen especial',
};

export function sumCents<T>(items: readonly T[], amount: (item: T) => bigint): bigint {
  return items.reduce((sum, item) => sum + amount(item), 0n);
}

/**
 * The way out for a simplified invoice, which is to nobody. What corrects another is exchanged together with it (rule
 * `canje-de-corregida`).
 */
export function exchangeAdvice({ rectifies }: Pick<IssuedInvoice, 'rectifies'>): string {
  const numbers = rectifies.map(({ numSerie }) => numSerie).join(', ');
  const others =
    numbers && ` junto con ${rectifies.length > 1 ? 'las' : 'la'} ${numbers} que corrige`;
  return `Cámbiala por una completa («Canjear»)${others} y descarga la nueva.`;
}

/** What the AEAT's QR leads to, in words (RD 1619/2012 art. 6.5). */
export const QR_WORDS = 'Factura verificable en la sede electrónica de la AEAT (VERI*FACTU)';

/** A demo has no effect, and its electronic invoice says so as its paper does. */
export const DEMO_WORDS = 'Factura de demostración, sin validez fiscal';
