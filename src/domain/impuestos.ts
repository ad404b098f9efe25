import type { Territory } from './postal-code.ts';

/** The names of the AEAT's list L1 that an invoice of ours may carry. */
const IMPUESTOS: Readonly<Record<string, string>> = { '01': 'IVA', '02': 'IPSI', '03': 'IGIC' };

/** `IVA`, `IPSI` or `IGIC`. What has no tax yet is of IVA. */
export function nombreImpuesto(Impuesto: string | undefined): string {
  return IMPUESTOS[Impuesto ?? '01'] ?? 'IVA';
}

/** The tax that a company charges where it is. */
export function impuestoOf(territory: Territory): string {
  if (territory === 'canarias') return 'IGIC';
  return territory === 'ceuta-melilla' ? 'IPSI' : 'IVA';
}
