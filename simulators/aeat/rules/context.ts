import type { RegistroAlta } from '../structure-tables.ts';

/** What a rule may use besides the registro. */
export interface Context {
  /** NIF of the ObligadoEmision of the message. */
  readonly obligado: string;
  /** NombreRazon of the ObligadoEmision. */
  readonly nombreObligado: string;
  /** The AEAT's clock when the message arrived. */
  readonly now: Date;
  /** The same as a peninsular date, `yyyy-mm-dd`. */
  readonly today: string;
  /** The message says that its registros are late because of an incident. */
  readonly isIncidencia: boolean;
  readonly isCensado: (nif: string) => boolean;
  /** The holder of a certificate may present for the obligado. */
  readonly mayPresent: (holder: string) => boolean;
  /** By NIF and, for a natural person, by name too. */
  readonly isIdentificado: (nif: string, nombre: string) => boolean;
  readonly isInVies: (nifIva: string) => boolean;
  readonly hasRulesOf2027: boolean;
  /** An agreement (of invoicing, or of the SIF) that the AEAT knows. */
  readonly hasAcuerdo: (numero: string) => boolean;
  /** The obligado has already sent something from that installation. */
  readonly knowsSistema: (registro: Pick<RegistroAlta, 'SistemaInformatico'>) => boolean;
}

/** A broken rule. */
export interface Hallazgo {
  readonly code: number;
  /** Where, if the code alone does not say. */
  readonly detail?: string | undefined;
}

/** From this day on, IPSI lines must have a ClaveRegimen, and FechaFinVeriFactu is 31-12. */
export const RULES_OF_2027 = '2027-01-01';
