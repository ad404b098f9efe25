import type { Aviso } from './operations.ts';
import { COMERCIO_DE_PRUEBAS, type Comercio } from './signature.ts';

/** What the control changes in the gateway. */
export interface RedsysBehaviour {
  comercio: Comercio;
  /** How the next payments are told when the page does not choose; null leaves it to the page. */
  aviso: Aviso | null;
  /** How late «avisar tarde» is. */
  tardeSegundos: number;
  /** Whether the query and the refunds answer. */
  caido: boolean;
}

export const redsysBehaviour = (): RedsysBehaviour => ({
  comercio: COMERCIO_DE_PRUEBAS,
  aviso: null,
  tardeSegundos: 30,
  caido: false,
});
