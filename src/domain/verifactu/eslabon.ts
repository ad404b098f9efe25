import {
  areTextos,
  BETWEEN,
  copyTextos,
  LONGEST_TEXTO,
  type TextosLlanos,
  textosAt,
} from './leer-llano.ts';
import type { ClaveRegistro, RegistroLeido } from './verificar.ts';

const OWN_ALTA = ['IDFactura/NumSerieFactura', 'IDFactura/FechaExpedicionFactura', 'Huella'];
const OWN_ANULACION = [
  ...['IDFactura/NumSerieFacturaAnulada', 'IDFactura/FechaExpedicionFacturaAnulada', 'Huella'],
];
const ANTERIOR = ['NumSerieFactura', 'FechaExpedicionFactura', 'Huella'].map(
  (name) => `Encadenamiento/RegistroAnterior/${name}`,
);
/** What two neighbours of a cadena have in common. */
const COMMON_ALTA = ['IDFactura/IDEmisorFactura', 'SistemaInformatico/NumeroInstalacion'];
const COMMON_ANULACION = [
  ...['IDFactura/IDEmisorFacturaAnulada', 'SistemaInformatico/NumeroInstalacion'],
];

/** What identifies a registro, and what it says about the previous one, in the same order. */
const ITS_OWN = {
  Alta: textosAt('Alta', [...COMMON_ALTA, ...OWN_ALTA]),
  Anulacion: textosAt('Anulacion', [...COMMON_ANULACION, ...OWN_ANULACION]),
};
const OF_ANTERIOR = {
  Alta: textosAt('Alta', [...COMMON_ALTA, ...ANTERIOR]),
  Anulacion: textosAt('Anulacion', [...COMMON_ANULACION, ...ANTERIOR]),
};

/** The fields of the last registro of a cadena that the next one has to repeat, as bytes. */
export class Eslabon {
  #bytes = new Uint8Array(ITS_OWN.Alta.length * (LONGEST_TEXTO + BETWEEN.length));
  #end = 0;

  /** Null before the first. */
  get clave(): ClaveRegistro | null {
    if (this.#end === 0) return null;
    const joined = new TextDecoder().decode(this.#bytes.subarray(0, this.#end));
    const [IDEmisorFactura = '', , NumSerieFactura = '', FechaExpedicionFactura = '', Huella = ''] =
      joined.split(BETWEEN);
    return { IDEmisorFactura, NumSerieFactura, FechaExpedicionFactura, Huella };
  }

  /** Sets a registro that was read in full. */
  set(leido: RegistroLeido): void {
    const { IDEmisorFactura, NumeroInstalacion } = leido;
    const { NumSerieFactura, FechaExpedicionFactura, Huella } = leido;
    const joined = new TextEncoder().encode(
      [IDEmisorFactura, NumeroInstalacion, NumSerieFactura, FechaExpedicionFactura, Huella].join(
        BETWEEN,
      ),
    );
    if (joined.length > this.#bytes.length) this.#bytes = joined;
    else this.#bytes.set(joined);
    this.#end = joined.length;
  }

  setPlain(read: TextosLlanos): void {
    this.#end = copyTextos(read, ITS_OWN[read.TipoRegistro], this.#bytes);
  }

  /** Whether this registro follows it: same issuer and installation, and it names it as the previous one. */
  isBefore(read: TextosLlanos): boolean {
    return areTextos(read, OF_ANTERIOR[read.TipoRegistro], this.#bytes, 0, this.#end);
  }
}
