/**
 * Codes of the Directorio Común de Unidades Orgánicas y Oficinas (DIR3), with which an administration says which of
 * its offices receives an invoice (disposición adicional trigésima segunda of Ley 9/2017; Ley 25/2013). Only the
 * directory knows which codes exist: here only their form is checked.
 */

export interface Dir3 {
  readonly oficinaContable: string;
  readonly organoGestor: string;
  readonly unidadTramitadora: string;
  /** Empty without one. */
  readonly organoProponente: string;
}

/** The role of each on an invoice (`RoleTypeCode` of Facturae), and its name. */
export const DIR3_ROLES: readonly {
  readonly field: keyof Dir3;
  readonly role: string;
  readonly label: string;
}[] = [
  { field: 'oficinaContable', role: '01', label: 'Oficina contable' },
  { field: 'organoGestor', role: '02', label: 'Órgano gestor' },
  { field: 'unidadTramitadora', role: '03', label: 'Unidad tramitadora' },
  { field: 'organoProponente', role: '04', label: 'Órgano proponente' },
];

/** Nine characters: one to three letters, then digits: `L01280796`, `E00127505`, `GE0003160`, `LA0003294`. */
const FORM = /^(?=.{9}$)[A-Z]{1,3}\d+$/;

/** Upper case, without the blanks and hyphens that it is pasted with. */
export function normaliseDir3(text: string): string {
  return text.toUpperCase().replace(/[\s\-.]/g, '');
}

export function isDir3(code: string): boolean {
  return FORM.test(code);
}
