import type { Entorno } from '../config.ts';

/** The service by kind of certificate: the other host answers 401. */
export interface AeatEndpoints {
  readonly url: string;
  readonly selloUrl: string;
}

const SERVICE = '/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP';

/** Hosts of the published WSDL (`SistemaFacturacion.wsdl`). */
export const AEAT_ENDPOINTS: Record<Exclude<Entorno, 'simulador'>, AeatEndpoints> = {
  produccion: {
    url: `https://www1.agenciatributaria.gob.es${SERVICE}`,
    selloUrl: `https://www10.agenciatributaria.gob.es${SERVICE}`,
  },
  pruebas: {
    url: `https://prewww1.aeat.es${SERVICE}`,
    selloUrl: `https://prewww10.aeat.es${SERVICE}`,
  },
};
