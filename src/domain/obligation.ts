/**
 * When the law requires a program adapted to VERI*FACTU, and the fine for not having one.
 *
 * These are the dates in force: announced changes do not count until the BOE publishes them. Law: RD 1007/2023 as
 * amended by RD 254/2025 and RDL 15/2025 (BOE 3-12-2025): payers of the Impuesto sobre Sociedades before 1 January
 * 2027, the rest before 1 July 2027. Fine of the user: LGT art. 201 bis.4 (the 150,000 € of that article are for
 * producers of programs).
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

/** `2027-01-01` in words, `1 de enero de 2027`: digits with hyphens would break at the end of a line. */
export function lawDate(iso: string): string {
  return new Date(iso).toLocaleDateString('es-ES', { dateStyle: 'long', timeZone: 'UTC' });
}
