import {
  type Anterior,
  isAlta,
  type RegistroAlta,
  type RegistroAnulacion,
} from '../../src/domain/verifactu/registro.ts';
import { type CabeceraEnvio, regFactuMessage } from '../../src/domain/verifactu/xml.ts';

/** What the next registro says about this one. */
export function anteriorOf(registro: RegistroAlta | RegistroAnulacion): Anterior {
  if (isAlta(registro)) return { ...registro.IDFactura, Huella: registro.Huella };
  return {
    IDEmisorFactura: registro.IDFactura.IDEmisorFacturaAnulada,
    NumSerieFactura: registro.IDFactura.NumSerieFacturaAnulada,
    FechaExpedicionFactura: registro.IDFactura.FechaExpedicionFacturaAnulada,
    Huella: registro.Huella,
  };
}

/**
 * The whole SOAP message.
 *
 * @param fragments from `registroXml`, in the order of the cadena, at most MAX_REGISTROS
 */
export function regFactuXml(cabecera: CabeceraEnvio, fragments: readonly string[]): string {
  const { start, end } = regFactuMessage(cabecera);
  return `${start}${fragments.join('')}${end}`;
}
