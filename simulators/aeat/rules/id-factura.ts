import type { IDFactura, RegistroAlta } from '../structure-tables.ts';
import { isoDate } from '../values.ts';
import type { Rule } from './rule.ts';

/** The key of the invoice, of an alta or of an anulación. */
export const ID_FACTURA_RULES: readonly Rule<IDFactura>[] = [
  {
    code: 1108,
    must: ({ IDEmisorFactura }, { obligado }) => IDEmisorFactura === obligado,
  },
  {
    // Printable ASCII. Measured: accents, ñ and no-break spaces are refused, `&` is not.
    code: 1130,
    must: ({ NumSerieFactura }) => /^[ -~]*$/.test(NumSerieFactura),
  },
  {
    code: 1287,
    must: ({ NumSerieFactura }) => !/["'<>=]/.test(NumSerieFactura),
  },
  {
    code: 1105,
    must: ({ FechaExpedicionFactura }) => isoDate(FechaExpedicionFactura) !== undefined,
  },
];

/** Only what makes no sense: a wrong previous huella is a warning. */
export const ENCADENAMIENTO_RULES: readonly Rule<Pick<RegistroAlta, 'Encadenamiento'>>[] = [
  {
    code: 1174,
    must: ({ Encadenamiento: { RegistroAnterior } }) =>
      !RegistroAnterior || isoDate(RegistroAnterior.FechaExpedicionFactura) !== undefined,
  },
];
