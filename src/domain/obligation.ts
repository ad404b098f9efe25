/**
 * From when the law asks for a program adapted to VERI*FACTU, and what it costs not to have one.
 *
 * Announced changes are not law until the BOE carries them: these are the dates in force.
 * Law: RD 1007/2023 as amended by RD 254/2025 and RDL 15/2025 (BOE 3-12-2025): payers of the
 *   Impuesto sobre Sociedades before 1 January 2027, the rest before 1 July 2027. Fine of the
 *   user: LGT art. 201 bis.4 (the 150,000 € of that article are the maker's).
 */
export const OBLIGATION = {
  sociedadesFrom: '2027-01-01',
  restFrom: '2027-07-01',
  source:
    'Real Decreto 1007/2023, con los plazos del Real Decreto-ley 15/2025 (BOE de 3 de diciembre de 2025)',
  userFineEuros: 50_000,
  makerFineEuros: 150_000,
  /** Above it a company is in the SII and out of VERI*FACTU. */
  siiTurnoverEuros: 6_000_000,
} as const;

/** `2027-01-01` in words, `1 de enero de 2027`: figures with hyphens would part at the end of a line. */
export function lawDate(iso: string): string {
  return new Date(iso).toLocaleDateString('es-ES', { dateStyle: 'long', timeZone: 'UTC' });
}
