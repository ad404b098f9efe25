import { CABECERA } from './cabecera.ts';
import { CLIENTE } from './cliente.ts';
import { DESGLOSE } from './desglose.ts';
import { LINEAS, SIMPLIFICADA } from './lineas.ts';
import { RECTIFICATIVA } from './rectificativa.ts';
import { casoDe, type FacturaAValidar, type Finding, type Regla } from './regla.ts';
import { SUBSANACION } from './subsanacion.ts';

/** All rules, in the order of the form. */
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
 * Everything that prevents an invoice from being registered (`bloquea`), and what its author should check again
 * (`avisa`). The form, while it is filled in, and registering use the same list.
 *
 * We are stricter than the AEAT about totals: it tolerates differences of 10 €, and we tolerate only the cent of a
 * tax included in the price, since totals are computed, not typed.
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
