import { parseDecimal } from './money.ts';
import { grupoDeCodigos } from './situaciones.ts';

/** The tax in the terms of the AEAT's lists L1, L8, L9 and L10. */
export interface VatGroupVerifactu {
  /** `01` IVA, `02` IPSI, `03` IGIC. */
  readonly Impuesto: string;
  /** `S1`, `S2`, `N1`, `N2`; null when the operation is exempt. Exactly one of the two is given. */
  readonly CalificacionOperacion: string | null;
  /** `E1` to `E8`; null when it is not exempt. */
  readonly OperacionExenta: string | null;
  readonly ClaveRegimen: string;
}

/**
 * A tax that a line may have, for one kind of customer. Its key is the pair VATProdPostingGroup (the line's `tax`)
 * and VATBusPostingGroup (the customer's group). Percentages, not bps: they come from the catalog and are shown as
 * they are.
 */
export interface VatGroup {
  readonly VATProdPostingGroup: string;
  readonly VATBusPostingGroup: string;
  /** Only `Normal` applies the percentage. */
  readonly VATCalculationType: string;
  readonly VATPercentage: number;
  readonly Description: string;
  readonly RecargoEquivalencia: number | null;
  /** The mention that the invoice must print, if any. */
  readonly leyenda: string | null;
  readonly verifactu: VatGroupVerifactu;
  /** False when no longer offered, and kept only to rectify invoices of its `vigencia`. */
  readonly activo?: boolean | undefined;
  /** First and last day of the rate's validity, `YYYY-MM-DD`. */
  readonly vigencia?: readonly string[] | undefined;
  /** Only for companies of that territory: `CANARIAS` or `CEUTA_MELILLA`. */
  readonly emisor?: string | undefined;
  readonly defecto?: boolean | undefined;
  /** The customer must have a NIF-IVA registered in VIES. */
  readonly requiereVies?: boolean | undefined;
  /** The exemption has no article of its own: the notes must name one. */
  readonly requiereTexto?: boolean | undefined;
}

/**
 * The group of a line's tax for a kind of customer, e.g. `('IVA21', 'NAC')`; for codes chosen by hand
 * (`'01/07/S1/21'`), the one made from them.
 */
export function findVatGroup(
  groups: readonly VatGroup[],
  tax: string,
  typeClient: string,
): VatGroup | undefined {
  return (
    groups.find(
      (group) => group.VATProdPostingGroup === tax && group.VATBusPostingGroup === typeClient,
    ) ?? grupoDeCodigos(tax, typeClient)
  );
}

/**
 * The rate of the line in hundredths of a percent. Null when the law requires no rate (exempt, not subject); zero is
 * a rate: 0 % IVA, and inversión del sujeto pasivo.
 */
export function vatRateBps(group: VatGroup): bigint | null {
  const { CalificacionOperacion } = group.verifactu;
  if (CalificacionOperacion === 'S2') return 0n;
  if (CalificacionOperacion !== 'S1') return null;
  return group.VATCalculationType === 'Normal' ? percentToBps(group.VATPercentage) : 0n;
}

/** The recargo de equivalencia in hundredths of a percent; null when the group has none. */
export function recargoBps(group: VatGroup): bigint | null {
  return group.RecargoEquivalencia === null ? null : percentToBps(group.RecargoEquivalencia);
}

/** `7.5` → `750n`, exactly. @throws {RangeError} for a percentage of more than two decimals. */
function percentToBps(percent: number): bigint {
  const known = bpsOf.get(percent);
  if (known !== undefined) return known;
  const bps = parseDecimal(percent, 2);
  if (bps === null) throw new RangeError(`Not a percentage: ${percent}`);
  if (bpsOf.size < MOST_RATES) bpsOf.set(percent, bps);
  return bps;
}

/** There are only a few rates, and every rule asks for them for every line. */
const bpsOf = new Map<number, bigint>();
const MOST_RATES = 100;
