import { mensajeDeCodigo } from './codigos.ts';

/** The AEAT's answer to one registro. */
export interface RegistroRespondido {
  readonly TipoRegistro: 'Alta' | 'Anulacion';
  readonly EstadoRegistro: 'Correcto' | 'AceptadoConErrores' | 'Incorrecto';
  readonly CodigoErrorRegistro: number | null;
  readonly DescripcionErrorRegistro: string | null;
}

/**
 * Accepted with errors, but there is nothing to correct (AEAT, validations 1.2.2): clock drift, and IPSI until 2027.
 */
const NOTHING_TO_MEND: readonly number[] = [2004, 2009];

/** The status of an invoice after the answer to its latest registro. */
export function invoiceStatus({
  TipoRegistro,
  EstadoRegistro,
  CodigoErrorRegistro,
}: Omit<RegistroRespondido, 'DescripcionErrorRegistro'>):
  | 'Registrada'
  | 'Anulada'
  | 'Aceptado con errores'
  | 'Rechazado' {
  if (EstadoRegistro === 'Incorrecto') return 'Rechazado';
  if (TipoRegistro === 'Anulacion') return 'Anulada';
  if (EstadoRegistro === 'AceptadoConErrores') {
    return NOTHING_TO_MEND.includes(CodigoErrorRegistro ?? 0)
      ? 'Registrada'
      : 'Aceptado con errores';
  }
  return 'Registrada';
}

/** The same with the explanation for its owner, in plain words; null without one. */
export function veredictoOf(registro: RegistroRespondido) {
  const { EstadoRegistro, CodigoErrorRegistro: code, DescripcionErrorRegistro } = registro;
  return {
    status: invoiceStatus(registro),
    errorMessage:
      EstadoRegistro === 'Correcto'
        ? null
        : mensajeDeCodigo(code, { descripcion: DescripcionErrorRegistro ?? '' }),
    errorCode: code,
  };
}
