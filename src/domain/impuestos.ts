import type { Territory } from './postal-code.ts';

/** The names in the AEAT's list L1 that our invoices may carry. */
export type NombreImpuesto = 'IVA' | 'IPSI' | 'IGIC';

const IMPUESTOS: Readonly<Record<string, NombreImpuesto>> = {
  '01': 'IVA',
  '02': 'IPSI',
  '03': 'IGIC',
};

/** `IVA`, `IPSI` or `IGIC`. A line without a tax counts as IVA. */
export function nombreImpuesto(Impuesto: string | undefined): NombreImpuesto {
  return IMPUESTOS[Impuesto ?? '01'] ?? 'IVA';
}

/** The tax that a company charges in its territory. */
export function impuestoOf(territory: Territory): string {
  if (territory === 'canarias') return 'IGIC';
  return territory === 'ceuta-melilla' ? 'IPSI' : 'IVA';
}
