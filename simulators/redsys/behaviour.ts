import type { Aviso } from './operations.ts';
import { COMERCIO_DE_PRUEBAS, type Comercio } from './signature.ts';

/** The settings of the gateway that the control API changes. */
export interface RedsysBehaviour {
  comercio: Comercio;
  /** How the outcome of the next payments is notified if the page does not choose; null leaves it to the page. */
  aviso: Aviso | null;
  /** The delay of «avisar tarde». */
  tardeSegundos: number;
  /** Whether the query and the refunds are down. */
  caido: boolean;
}

export const redsysBehaviour = (): RedsysBehaviour => ({
  comercio: COMERCIO_DE_PRUEBAS,
  aviso: null,
  tardeSegundos: 30,
  caido: false,
});
