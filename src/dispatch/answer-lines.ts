/** What an answer says of each registro, and what becomes of its invoice. Pure: the query was made before. */

import type { RegistroConsultado } from '../domain/verifactu/consulta.ts';
import { DUPLICADO, type RespuestaLinea, YA_ANULADO } from '../domain/verifactu/respuesta.ts';
import { veredictoOf } from '../domain/verifactu/veredicto.ts';
import type { InvoiceVerdict, Respuesta } from '../store/envios.ts';
import type { RegistroSent } from '../store/registros.ts';

/**
 * The line for each registro. The AEAT answers in the order of the message; lines in another order are matched by
 * their keys. Null when they do not belong to these registros.
 *
 * @param nif of the company, which issued all of them
 */
export function linesOf(
  nif: string,
  registros: readonly RegistroSent[],
  lineas: readonly RespuestaLinea[],
): readonly RespuestaLinea[] | null {
  if (lineas.length !== registros.length) return null;
  if (lineas.some(({ IDEmisorFactura }) => IDEmisorFactura !== nif)) return null;
  if (lineas.every((linea, i) => isOf(linea, registros[i]))) return lineas;
  const found = registros.map((registro) => lineas.filter((linea) => isOf(linea, registro)));
  return found.every(({ length }) => length === 1) ? found.flat() : null;
}

/** Alta and anulación of one invoice may be in the same message. */
function isOf(linea: RespuestaLinea, registro: RegistroSent | undefined): boolean {
  return (
    registro !== undefined &&
    linea.NumSerieFactura === registro.NumSerieFactura.trim() &&
    linea.FechaExpedicionFactura === registro.FechaExpedicionFactura &&
    linea.TipoOperacion === registro.TipoRegistro
  );
}

export function isDuplicate(linea: RespuestaLinea): boolean {
  return linea.EstadoRegistro === 'Incorrecto' && linea.CodigoErrorRegistro === DUPLICADO;
}

/**
 * Whether the AEAT refuses an anulación because the invoice is annulled. Of a copy that may be by the first one: no
 * document says which code the repetition of one without an earlier registro gets (matrix of the FAQ 1.3).
 */
export function isAnnulledAlready(linea: RespuestaLinea): boolean {
  const { TipoOperacion, EstadoRegistro, CodigoErrorRegistro } = linea;
  const isRefused = TipoOperacion === 'Anulacion' && EstadoRegistro === 'Incorrecto';
  return isRefused && CodigoErrorRegistro === YA_ANULADO;
}

/**
 * What the AEAT said of a registro. Of an alta that entered when an answer was lost, and that somebody annulled since
 * in the name of the company, it says that it has it annulled: its owner says what is to be of it, as when a
 * correction or an anulación is told so (3001).
 *
 * @param there what the AEAT holds under its number, if it was asked about what may have entered before
 */
export function respuestaOf(
  { seq, Huella, TipoRegistro }: RegistroSent,
  linea: RespuestaLinea,
  there: RegistroConsultado | undefined,
): Respuesta {
  if ((isDuplicate(linea) || isAnnulledAlready(linea)) && there?.Huella === Huella) {
    // The block that tells its state may be missing: then the query tells it.
    const isAnnulled =
      linea.RegistroDuplicado?.EstadoRegistroDuplicado === 'Anulada' ||
      there.EstadoRegistro === 'Anulado';
    if (TipoRegistro === 'Alta' && isAnnulled) {
      return {
        seq,
        EstadoRegistro: 'Incorrecto',
        CodigoErrorRegistro: YA_ANULADO,
        DescripcionErrorRegistro: null,
        esDuplicado: true,
      };
    }
    const { CodigoErrorRegistro, DescripcionErrorRegistro } = linea.RegistroDuplicado ?? there;
    const isClean = linea.RegistroDuplicado
      ? linea.RegistroDuplicado.EstadoRegistroDuplicado !== 'AceptadaConErrores'
      : there.EstadoRegistro !== 'AceptadoConErrores';
    return {
      seq,
      EstadoRegistro: isClean ? 'Correcto' : 'AceptadoConErrores',
      CodigoErrorRegistro: isClean ? null : (CodigoErrorRegistro ?? null),
      DescripcionErrorRegistro: isClean ? null : (DescripcionErrorRegistro ?? null),
      esDuplicado: true,
    };
  }
  return {
    seq,
    EstadoRegistro: linea.EstadoRegistro,
    CodigoErrorRegistro: linea.CodigoErrorRegistro ?? null,
    DescripcionErrorRegistro: linea.DescripcionErrorRegistro ?? null,
    esDuplicado: false,
  };
}

/** What becomes of its invoice. */
export function verdictOf(
  { invoiceId, seq, TipoRegistro }: RegistroSent,
  respuesta: Respuesta,
  CSV: string | null,
): InvoiceVerdict {
  const { EstadoRegistro, esDuplicado } = respuesta;
  return {
    invoiceId,
    seq,
    ...veredictoOf({ TipoRegistro, ...respuesta }),
    // The CSV of a lost answer cannot be recovered (`RespuestaConsultaLR.xsd` has no field for it).
    CSV: EstadoRegistro === 'Incorrecto' || esDuplicado ? null : CSV,
  };
}
