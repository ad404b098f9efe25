/**
 * The AEAT's service by environment and kind of certificate (`SistemaFacturacion.wsdl`). A person's or a
 * representative's goes to one host, an entity's seal to another, which answers 401 to the rest.
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

/** Another endpoint, as it is given; of one that is only a server, the AEAT's own path there. */
export function endpointOf(url: string): string {
  const { pathname, search, origin } = new URL(url);
  return pathname === '/' && search === '' ? `${origin}${PATH}` : url;
}
