import type { Sincronizacion } from '../../../contract/business-central.ts';
import { cuenta } from '../../lib/format.ts';

/** The counts in the order in which they are listed. */
const COUNTED: readonly (readonly [name: string, one: string, many: string])[] = [
  ['facturasNuevas', 'factura nueva', 'facturas nuevas'],
  ['abonosNuevos', 'abono nuevo', 'abonos nuevos'],
  ['registradas', 'registrada', 'registradas'],
  ['cambiadas', 'borrador actualizado', 'borradores actualizados'],
  ['retenidas', 'retenida', 'retenidas'],
  ['noRegistradas', 'sin registrar', 'sin registrar'],
  ['cambiadasDespues', 'cambiada allí después', 'cambiadas allí después'],
  ['clientesNuevos', 'cliente nuevo', 'clientes nuevos'],
  ['clientesCambiados', 'cliente actualizado', 'clientes actualizados'],
  ['productosNuevos', 'producto nuevo', 'productos nuevos'],
  ['productosCambiados', 'producto actualizado', 'productos actualizados'],
  ['devueltas', 'devuelta a Business Central', 'devueltas a Business Central'],
  ['ilegibles', 'ilegible', 'ilegibles'],
];

/** What a synchronisation did, `3 facturas nuevas · 1 cliente nuevo`, or that there was nothing new. */
export function countWords(counts: Sincronizacion['cuentas']): string {
  const parts = COUNTED.flatMap(([name, one, many]) => {
    const value = counts[name] ?? 0;
    return value > 0 ? [cuenta(value, one, many)] : [];
  });
  return parts.length > 0 ? parts.join(' · ') : 'Sin novedades';
}

/**
 * The same for a whole run: a failed one does not know whether there was anything new, so it does not say so, and one
 * that is under way says nothing yet.
 */
export function runWords({ estado, cuentas }: Pick<Sincronizacion, 'estado' | 'cuentas'>): string {
  const isEmpty = Object.values(cuentas).every((count) => count === 0);
  if (!isEmpty || estado === 'terminada') return countWords(cuentas);
  if (estado === 'en-marcha') return '';
  return estado === 'fallida' ? 'No se ha podido sincronizar' : 'Sin terminar';
}

const PHASES: Readonly<Record<string, string>> = {
  conectando: 'Conectando…',
  clientes: 'Trayendo clientes…',
  productos: 'Trayendo productos…',
  facturas: 'Trayendo facturas…',
  abonos: 'Trayendo abonos…',
  registrando: 'Registrando facturas…',
  devolviendo: 'Devolviendo huellas y CSV…',
};

export const phaseWords = (phase: string): string => PHASES[phase] ?? 'Sincronizando…';

/** Progress for a bar: all phases have the same weight, because the number of items is unknown. */
export function phasePercent(phase: string): number {
  const at = Object.keys(PHASES).indexOf(phase);
  return Math.round(((at + 1) * 100) / (Object.keys(PHASES).length + 1));
}

export const OUTCOMES = {
  'en-marcha': 'En marcha',
  terminada: 'Terminada',
  aplazada: 'Aplazada',
  fallida: 'Con error',
  parada: 'Parada',
} as const satisfies Record<Sincronizacion['estado'], string>;

export const CAUSES = {
  manual: 'A mano',
  programada: 'Programada',
  reintento: 'Reintento',
} as const satisfies Record<Sincronizacion['causa'], string>;
