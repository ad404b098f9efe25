/**
 * The AEAT's service by environment and kind of certificate (`SistemaFacturacion.wsdl`). Certificates of persons and
 * of representatives use one host, seals of entities another, which answers 401 to the rest.
 */
const PATH = '/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP';

export const AEAT_ENDPOINTS = {
  produccion: {
    url: `https://www1.agenciatributaria.gob.es${PATH}`,
    selloUrl: `https://www10.agenciatributaria.gob.es${PATH}`,
  },
  pruebas: {
    url: `https://prewww1.aeat.es${PATH}`,
    selloUrl: `https://prewww10.aeat.es${PATH}`,
  },
} as const;

/** A configured endpoint as it is given; if it has no path, the AEAT's own path is added. */
export function endpointOf(url: string): string {
  const { pathname, search, origin } = new URL(url);
  return pathname === '/' && search === '' ? `${origin}${PATH}` : url;
}
