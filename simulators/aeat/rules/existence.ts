import type { Entry } from '../store.ts';
import type { RegistroAlta, RegistroAnulacion } from '../structure-tables.ts';

type Situation = 'nothing' | 'alta' | 'anulacion';
type Verdict = 'ok' | 3000 | 3002;

/**
 * Which registro the AEAT accepts in each situation of the invoice (Validaciones 1.2.2, matrix of operations). The
 * code for «SinRegistroPrevio=S over an existing one» is not documented; here it is 3000.
 */
const MATRIX: Readonly<Record<string, Readonly<Record<Situation, Verdict>>>> = {
  alta: { nothing: 'ok', alta: 3000, anulacion: 3000 },
  'alta por rechazo': { nothing: 'ok', alta: 3000, anulacion: 3000 },
  'alta de subsanación': { nothing: 3002, alta: 'ok', anulacion: 'ok' },
  'alta por rechazo de subsanación': { nothing: 3002, alta: 'ok', anulacion: 'ok' },
  anulación: { nothing: 3002, alta: 'ok', anulacion: 'ok' },
  'anulación sin registro previo': { nothing: 'ok', alta: 3000, anulacion: 3000 },
};

export function existenceOfAlta(
  { Subsanacion, RechazoPrevio }: RegistroAlta,
  latest: Entry | undefined,
): Verdict {
  return verdict(operationOfAlta(Subsanacion, RechazoPrevio), latest);
}

export function existenceOfAnulacion(
  { SinRegistroPrevio }: RegistroAnulacion,
  latest: Entry | undefined,
): Verdict {
  return verdict(SinRegistroPrevio === 'S' ? 'anulación sin registro previo' : 'anulación', latest);
}

function operationOfAlta(Subsanacion: string | undefined, RechazoPrevio: string | undefined) {
  if (Subsanacion !== 'S') return 'alta';
  if (RechazoPrevio === 'X') return 'alta por rechazo';
  return RechazoPrevio === 'S' ? 'alta por rechazo de subsanación' : 'alta de subsanación';
}

function verdict(operation: string, latest: Entry | undefined): Verdict {
  const situation = latest ? (latest.TipoRegistro === 'Alta' ? 'alta' : 'anulacion') : 'nothing';
  return MATRIX[operation]?.[situation] ?? 'ok';
}
