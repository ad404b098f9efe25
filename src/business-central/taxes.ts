/** Which VAT of ours a code of theirs may correspond to. */

import { decimalToEs, parseDecimal } from '../domain/money.ts';
import { type VatGroup, vatRateBps } from '../domain/vat.ts';

/** A VAT code as in lines, with the client's group, which determines what is possible. */
export interface TaxKey {
  readonly grupo: string;
  readonly codigo: string;
  /** Hundredths of a percent. */
  readonly bps: bigint;
}

export function taxKeyText({ grupo, codigo, bps }: TaxKey): string {
  return `${grupo}|${codigo}|${bps}`;
}

/** More than any tax, in hundredths: `numeric(6,2)` of the codes that are remembered. */
const MAX_BPS = 999_999n;

export function fitsAsPercent(bps: bigint): boolean {
  return -MAX_BPS <= bps && bps <= MAX_BPS;
}

/** Percentage of a line in hundredths. */
export function percentOf(taxPercent: number): bigint {
  return parseDecimal(taxPercent, 2) ?? 0n;
}

/** Our taxes that the client's group admits at that percentage. */
export function candidates(groups: readonly VatGroup[], { grupo, bps }: TaxKey): VatGroup[] {
  return groups.filter(
    (group) => group.VATBusPostingGroup === grupo && (vatRateBps(group) ?? 0n) === bps,
  );
}

/**
 * The one to propose: the only one, or the first for a rate above zero. At zero per cent, a national client may be
 * exempt for six reasons that only the company knows, so nothing is proposed.
 */
export function proposalFor(groups: readonly VatGroup[], key: TaxKey): string | null {
  const possible = candidates(groups, key);
  const usual = possible.filter(({ activo }) => activo !== false);
  const chosen = usual.length > 0 ? usual : possible;
  if (key.bps === 0n && chosen.length > 1 && key.grupo.startsWith('NAC')) return null;
  return chosen[0]?.VATProdPostingGroup ?? null;
}

/**
 * The rate of a code in hundredths of a percent, among the codes that stand for a VAT of ours.
 *
 * It is its rate above zero, whoever the client: for foreign clients or the reverse charge, the same code has zero.
 * Null when it has several, or was only seen at zero for clients that are not national.
 */
export function rateOf(mapped: readonly TaxKey[], codigo: string): bigint | null {
  const seen = mapped.filter((key) => key.codigo === codigo);
  const [rate, ...others] = new Set(seen.map(({ bps }) => bps).filter((bps) => bps > 0n));
  if (rate !== undefined) return others.length === 0 ? rate : null;
  return seen.some(({ grupo }) => grupo.startsWith('NAC')) ? 0n : null;
}

/** `«IVA21» al 21 %`. */
export function taxWords({ codigo, bps }: Pick<TaxKey, 'codigo' | 'bps'>): string {
  return `${codeWords(codigo)} al ${decimalToEs(bps, 2)} %`;
}

export function codeWords(codigo: string): string {
  return codigo ? `«${codigo}»` : 'sin código';
}
