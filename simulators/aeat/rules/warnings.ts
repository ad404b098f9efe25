import { huellaOfAlta, huellaOfAnulacion } from '../huella.ts';
import type { RegistroAlta, RegistroAnulacion } from '../structure-tables.ts';
import type { Context, Hallazgo } from './context.ts';

/** First mistake of an alta that is stored all the same. */
export function warningOfAlta(registro: RegistroAlta, _context: Context): Hallazgo | undefined {
  return registro.Huella === huellaOfAlta(registro) ? undefined : { code: 2000 };
}

/** First mistake of an anulación that is stored all the same. */
export function warningOfAnulacion(
  registro: RegistroAnulacion,
  _context: Context,
): Hallazgo | undefined {
  return registro.Huella === huellaOfAnulacion(registro) ? undefined : { code: 2000 };
}
