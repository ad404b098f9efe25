import type { Config, Entorno } from '../config.ts';

/** The merchant at the gateway, with its signing key. */
export type Merchant = Config['redsys'];

/** Addresses of the gateway. */
export interface Gateway {
  /** Where the browser posts the form. */
  readonly urlTPV: string;
  /** SOAP service that reports what became of an order. */
  readonly consultaUrl: string;
  /** REST service for refunds. */
  readonly restUrl: string;
}

/** Redsys's own addresses; those for tests move no money. */
const ORIGINS: Readonly<Record<Exclude<Entorno, 'simulador'>, string>> = {
  pruebas: 'https://sis-t.redsys.es:25443',
  produccion: 'https://sis.redsys.es',
};

/**
 * Origin of the gateway's page, to which a form of ours may be posted.
 *
 * @param simulatedUrl where the simulated gateway is, or null without one
 * @returns null when the configuration asks for the simulated one and there is none
 */
export function gatewayOrigin(entorno: Entorno, simulatedUrl: string | null): string | null {
  if (entorno !== 'simulador') return ORIGINS[entorno];
  return simulatedUrl === null ? null : new URL(simulatedUrl).origin;
}

/** @returns null as {@link gatewayOrigin} */
export function gatewayOf(entorno: Entorno, simulatedUrl: string | null): Gateway | null {
  const origin = gatewayOrigin(entorno, simulatedUrl);
  if (origin === null) return null;
  return {
    urlTPV: `${origin}/sis/realizarPago`,
    consultaUrl: `${origin}/apl02/services/SerClsWSConsulta`,
    restUrl: `${origin}/sis/rest/trataPeticionREST`,
  };
}
