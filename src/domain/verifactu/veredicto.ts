import { mensajeDeCodigo } from './codigos.ts';

/** What the AEAT said of one registro. */
export interface RegistroRespondido {
  readonly TipoRegistro: 'Alta' | 'Anulacion';
  readonly EstadoRegistro: 'Correcto' | 'AceptadoConErrores' | 'Incorrecto';
  readonly CodigoErrorRegistro: number | null;
  readonly DescripcionErrorRegistro: string | null;
}

/** Accepted with errors, but there is nothing to mend (AEAT, validations 1.2.2): clock drift, and IPSI until 2027. */
const NOTHING_TO_MEND: readonly number[] = [2004, 2009];

/** How an invoice stands after the answer to its latest registro. */
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

/** The same with what its owner reads about it, in plain words; null where there is nothing to say. */
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
