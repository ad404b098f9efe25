/** Address in the QR that every invoice carries (AEAT, QR y cotejo 0.5.0). */

export interface DatosQr {
  readonly nif: string;
  readonly numSerie: string;
  /** `dd-mm-yyyy`, as in the registro. */
  readonly fecha: string;
  /** The registro's ImporteTotal, character by character: the amount is part of the lookup. */
  readonly importe: string;
}

const HOSTS = {
  produccion: 'https://www2.agenciatributaria.gob.es',
  /** Also for the simulator, which has no public page of its own. */
  pruebas: 'https://prewww2.aeat.es',
} as const;

/**
 * Exactly four parameters in this order, percent-encoded in UTF-8.
 *
 * @throws {RangeError} for a date that is not `dd-mm-yyyy`: a bug that would only show when scanned
 */
export function urlQr(entorno: keyof typeof HOSTS, datos: DatosQr): string {
  if (!/^\d{2}-\d{2}-\d{4}$/.test(datos.fecha)) {
    throw new RangeError(`The date of a QR is dd-mm-yyyy, not ${datos.fecha}`);
  }
  const nif = encodeURIComponent(datos.nif);
  const numSerie = encodeURIComponent(datos.numSerie);
  const importe = encodeURIComponent(datos.importe);
  return `${HOSTS[entorno]}/wlpl/TIKE-CONT/ValidarQR?nif=${nif}&numserie=${numSerie}&fecha=${datos.fecha}&importe=${importe}`;
}
