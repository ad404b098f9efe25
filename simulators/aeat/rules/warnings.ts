import { huellaAnterior, huellaOfAlta, huellaOfAnulacion } from '../huella.ts';
import type { RegistroAlta, RegistroAnulacion } from '../structure-tables.ts';
import { abs } from '../values.ts';
import type { AltaView } from './alta-view.ts';
import type { Context, Hallazgo } from './context.ts';
import { isIpsiWithoutClave } from './desglose.ts';
import { firstBroken, type Rule } from './rule.ts';

const TOLERANCIA_CENTS = 10_00n;
/** Seconds by which a registro may differ from the AEAT's clock. */
const MARGEN_RELOJ = 240;
/** Regimes whose totals are not those of the invoice. */
const CLAVES_WITHOUT_TOTALS = new Set(['03', '05', '06', '08', '09']);

/** First error of an alta that is stored all the same. */
export function warningOfAlta(alta: AltaView, context: Context): Hallazgo | undefined {
  return warning(ALTA_WARNINGS, alta, context);
}

/** First error of an anulación that is stored all the same. */
export function warningOfAnulacion(
  registro: RegistroAnulacion,
  context: Context,
): Hallazgo | undefined {
  return warning(ANULACION_WARNINGS, { registro }, context);
}

function warning<S>(rules: readonly Rule<S>[], subject: S, context: Context): Hallazgo | undefined {
  const code = firstBroken(rules, subject, context);
  if (code === undefined) return undefined;
  return code === 2004 ? { code, detail: `${MARGEN_RELOJ} segundos.` } : { code };
}

/** The fields of the link that both kinds of registro have. */
interface Eslabon {
  readonly registro: Pick<
    RegistroAlta,
    'Encadenamiento' | 'Huella' | 'FechaHoraHusoGenRegistro' | 'SistemaInformatico'
  >;
}

const hasAnterior = ({ registro }: Eslabon) =>
  registro.Encadenamiento.RegistroAnterior !== undefined;

/** Only the form of the previous huella is checked, not whether it is the previous one. */
const HUELLA_ANTERIOR_WARNINGS: readonly Rule<Eslabon>[] = [
  { code: 2002, when: hasAnterior, must: ({ registro }) => huellaAnterior(registro).length === 64 },
  {
    code: 2003,
    when: hasAnterior,
    must: ({ registro }) => /^[0-9A-F]*$/.test(huellaAnterior(registro)),
  },
];

/**
 * Checked before 2000: a huella that repeats the previous one cannot be right, so after it this would never be seen.
 */
const HUELLA_REPETIDA: Rule<Eslabon> = {
  code: 2008,
  when: hasAnterior,
  must: ({ registro }) => huellaAnterior(registro) !== registro.Huella,
};

const PRIMER_REGISTRO: Rule<Eslabon> = {
  code: 2007,
  when: (eslabon) => !hasAnterior(eslabon),
  must: ({ registro }, { knowsSistema }) => !knowsSistema(registro),
};

/** A later time than the AEAT's is always reported; an earlier one only if no incident explains the delay. */
const RELOJ: Rule<Eslabon> = {
  code: 2004,
  must: ({ registro }, { now, isIncidencia }) => {
    const seconds = (Date.parse(registro.FechaHoraHusoGenRegistro) - now.getTime()) / 1000;
    return seconds <= MARGEN_RELOJ && (isIncidencia || seconds >= -MARGEN_RELOJ);
  },
};

const hasTotals = ({ lineas }: AltaView) =>
  !lineas.some(({ clave = '' }) => CLAVES_WITHOUT_TOTALS.has(clave));
const sumOf = ({ lineas }: AltaView, amount: (linea: AltaView['lineas'][number]) => bigint) =>
  lineas.reduce((sum, linea) => sum + amount(linea), 0n);

/** In the order in which the AEAT checks them (document, list of accepted errors). */
const ALTA_WARNINGS: readonly Rule<AltaView>[] = [
  {
    code: 2001,
    must: ({ destinatarios }, { isIdentificado }) =>
      destinatarios.every(
        ({ NIF, NombreRazon }) => NIF === undefined || isIdentificado(NIF, NombreRazon),
      ),
  },
  HUELLA_REPETIDA,
  { code: 2000, must: ({ registro }) => registro.Huella === huellaOfAlta(registro) },
  ...HUELLA_ANTERIOR_WARNINGS,
  {
    code: 2005,
    when: hasTotals,
    must: (alta) => {
      const total = sumOf(
        alta,
        ({ base, cuota = 0n, cuotaRecargo = 0n }) => base + cuota + cuotaRecargo,
      );
      return abs(alta.importeTotal - total) <= TOLERANCIA_CENTS;
    },
  },
  {
    code: 2006,
    when: hasTotals,
    must: (alta) => {
      const total = sumOf(alta, ({ cuota = 0n, cuotaRecargo = 0n }) => cuota + cuotaRecargo);
      return abs(alta.cuotaTotal - total) <= TOLERANCIA_CENTS;
    },
  },
  PRIMER_REGISTRO,
  { code: 2009, must: ({ lineas }) => !lineas.some(isIpsiWithoutClave) },
  RELOJ,
];

const ANULACION_WARNINGS: readonly Rule<{ readonly registro: RegistroAnulacion }>[] = [
  HUELLA_REPETIDA,
  { code: 2000, must: ({ registro }) => registro.Huella === huellaOfAnulacion(registro) },
  ...HUELLA_ANTERIOR_WARNINGS,
  PRIMER_REGISTRO,
  RELOJ,
];
