import type { Entry } from '../store.ts';
import type { RegistroAlta } from '../structure-tables.ts';

/** What a rule may look at besides the registro. */
export interface Context {
  /** NIF of the ObligadoEmision of the message. */
  readonly obligado: string;
  /** The AEAT's clock when the message came in. */
  readonly now: Date;
  /** The same as a peninsular date, `yyyy-mm-dd`. */
  readonly today: string;
  /** The message says that its registros are late on account of an incident. */
  readonly isIncidencia: boolean;
  readonly isCensado: (nif: string) => boolean;
  /** An invoicing agreement the AEAT knows. */
  readonly hasAcuerdo: (numero: string) => boolean;
  /** Latest registro of an invoice of the obligado. */
  readonly knowsSistema: (registro: Pick<RegistroAlta, 'SistemaInformatico'>) => boolean;
  readonly latest: (numSerie: string, fecha: string) => Entry | undefined;
}

/** A rule that was broken. */
export interface Hallazgo {
  readonly code: number;
  readonly detail?: string | undefined;
}
