import { CABECERA } from './cabecera.ts';
import { CLIENTE } from './cliente.ts';
import { DESGLOSE } from './desglose.ts';
import { LINEAS, SIMPLIFICADA } from './lineas.ts';
import { RECTIFICATIVA } from './rectificativa.ts';
import { casoDe, type FacturaAValidar, type Finding, type Regla } from './regla.ts';
import { SUBSANACION } from './subsanacion.ts';

/** Every rule, in the order of the form. */
export const REGLAS: readonly Regla[] = [
  ...CABECERA,
  ...CLIENTE,
  ...RECTIFICATIVA,
  ...SUBSANACION,
  ...LINEAS,
  ...SIMPLIFICADA,
  ...DESGLOSE,
];

/**
 * All that keeps an invoice from being registered (`bloquea`), and what its author should look at
 * again (`avisa`). The same list for the form while it is filled and for registering.
 *
 * Over the limits of the AEAT we are stricter: it takes differences of 10 €, and we take none but the
 * cent of a tax that was in the price, since totals are computed, not typed.
 */
export function validarFactura(factura: FacturaAValidar): Finding[] {
  const caso = casoDe(factura);
  const findings: Finding[] = [];
  for (const { busca, codigo, gravedad } of REGLAS) {
    for (const { campo, mensaje } of busca(caso)) {
      findings.push({ campo, ...(codigo !== undefined && { codigo }), mensaje, gravedad });
    }
  }
  return findings;
}
