import type { RegistroAlta, RegistroAnulacion } from '../structure-tables.ts';
import type { Context, Hallazgo } from './context.ts';

/** First rule of an alta that rejects it. */
export function rejectionOfAlta(registro: RegistroAlta, context: Context): Hallazgo | undefined {
  if (registro.IDFactura.IDEmisorFactura !== context.obligado) return { code: 1108 };
  return undefined;
}

/** First rule of an anulación that rejects it. */
export function rejectionOfAnulacion(
  registro: RegistroAnulacion,
  context: Context,
): Hallazgo | undefined {
  if (registro.IDFactura.IDEmisorFacturaAnulada !== context.obligado) return { code: 1108 };
  return undefined;
}
