/**
 * Which registro follows which outcome: one table (AEAT, validations 1.2.2 and developers' FAQ 1.3, matrix of altas and
 * anulaciones against what it holds).
 */

import type { ComoQueda, EnAeat, Rechazo } from '../invoice.ts';
import { DUPLICADO, YA_ANULADO } from './respuesta.ts';
import { invoiceStatus } from './veredicto.ts';

/** One registro declared of an invoice, and what the AEAT said of it. */
export interface Desenlace {
  readonly TipoRegistro: 'Alta' | 'Anulacion';
  /** Null while it waits for an answer. */
  readonly EstadoRegistro: 'Correcto' | 'AceptadoConErrores' | 'Incorrecto' | null;
  readonly CodigoErrorRegistro: number | null;
}

export interface Situacion {
  readonly enAeat: EnAeat;
  /** Of the latest alta, and of the latest anulación: was it refused? */
  readonly altaRechazada: boolean;
  readonly anulacionRechazada: boolean;
}

export interface MarcasAlta {
  readonly Subsanacion?: 'S';
  readonly RechazoPrevio?: 'S' | 'X';
}

export interface MarcasAnulacion {
  readonly SinRegistroPrevio?: 'S';
  readonly RechazoPrevio?: 'S';
}

/** «No existe el registro de facturación». */
const NO_EXISTE = 3002;

interface Fila {
  readonly enAeat: EnAeat;
  /** Of the same kind as the column. */
  readonly rechazada: boolean;
  readonly alta: MarcasAlta;
  /** Null: there is nothing of ours to annul. */
  readonly anulacion: MarcasAnulacion | null;
  /**
   * What its owner, who gives up the refused try, leaves the invoice at: nothing is declared. `sin-efecto`: its number
   * is another program's, and it counts for nothing (decision 0232). Null: no try was refused, or the AEAT has nothing
   * to leave it at, and only another registro gets it out of there.
   */
  readonly dejada: 'alta' | 'anulacion' | 'sin-efecto' | null;
}

/**
 * The matrix. With nothing held, an alta that was refused is declared again with X and an anulación
 * says that there was no registro before it; over what is held, S says that the last try was refused.
 * Over somebody else's registro (another program, the same number) only a subsanación enters: it
 * replaces it; annulling it would annul another's invoice. Ours is left without effect.
 */
export const MATRIZ: readonly Fila[] = [
  {
    enAeat: 'nada',
    rechazada: false,
    alta: {},
    anulacion: { SinRegistroPrevio: 'S' },
    dejada: null,
  },
  {
    enAeat: 'nada',
    rechazada: true,
    alta: { Subsanacion: 'S', RechazoPrevio: 'X' },
    anulacion: { SinRegistroPrevio: 'S', RechazoPrevio: 'S' },
    dejada: null,
  },
  { enAeat: 'alta', rechazada: false, alta: { Subsanacion: 'S' }, anulacion: {}, dejada: null },
  {
    enAeat: 'alta',
    rechazada: true,
    alta: { Subsanacion: 'S', RechazoPrevio: 'S' },
    anulacion: { RechazoPrevio: 'S' },
    dejada: 'alta',
  },
  {
    enAeat: 'anulacion',
    rechazada: false,
    alta: { Subsanacion: 'S' },
    anulacion: null,
    dejada: null,
  },
  {
    enAeat: 'anulacion',
    rechazada: true,
    alta: { Subsanacion: 'S', RechazoPrevio: 'S' },
    anulacion: null,
    dejada: 'anulacion',
  },
  { enAeat: 'ajena', rechazada: false, alta: { Subsanacion: 'S' }, anulacion: null, dejada: null },
  {
    enAeat: 'ajena',
    rechazada: true,
    alta: { Subsanacion: 'S' },
    anulacion: null,
    dejada: 'sin-efecto',
  },
];

/**
 * The outcomes of an invoice, with one more when the AEAT is known to hold it by a registro that was lost here
 * (docs/decisions/0066): what is declared next goes over that one.
 *
 * @param constaAceptada whether the invoice stands as accepted
 */
export function conLoPerdido(
  desenlaces: readonly Desenlace[],
  constaAceptada: boolean,
): readonly Desenlace[] {
  if (!constaAceptada || situacionOf(desenlaces).enAeat === 'alta') return desenlaces;
  return [
    ...desenlaces,
    { TipoRegistro: 'Alta', EstadoRegistro: 'Correcto', CodigoErrorRegistro: null },
  ];
}

/** How things stand after these outcomes, oldest first. */
export function situacionOf(desenlaces: readonly Desenlace[]): Situacion {
  let enAeat: EnAeat = 'nada';
  let altaRechazada = false;
  let anulacionRechazada = false;
  for (const { TipoRegistro, EstadoRegistro, CodigoErrorRegistro } of desenlaces) {
    if (EstadoRegistro === null) continue;
    const rechazada = EstadoRegistro === 'Incorrecto';
    if (TipoRegistro === 'Alta') altaRechazada = rechazada;
    else anulacionRechazada = rechazada;
    if (rechazada) enAeat = trasRechazo(enAeat, CodigoErrorRegistro);
    else enAeat = TipoRegistro === 'Alta' ? 'alta' : 'anulacion';
  }
  return { enAeat, altaRechazada, anulacionRechazada };
}

/** Whether the AEAT accepted the latest alta, the one whose form and amounts the invoice shows. */
export function isLatestAltaAccepted(desenlaces: readonly Desenlace[]): boolean {
  const latest = desenlaces.findLast(({ TipoRegistro }) => TipoRegistro === 'Alta');
  return latest !== undefined && isAccepted(latest);
}

/** What the last refusal was of, and what it left there; null before anything was declared. */
export function rechazoOf(desenlaces: readonly Desenlace[]): Rechazo | null {
  const last = desenlaces.at(-1);
  if (!last) return null;
  const alDejarla = alDejarlaOf(desenlaces);
  return {
    TipoRegistro: last.TipoRegistro,
    enAeat: situacionOf(desenlaces).enAeat,
    ...(alDejarla && { alDejarla }),
  };
}

/**
 * «Dejarla como estaba»: how an invoice stands when its owner gives up the declaration of it that was just
 * refused, the one before being what the AEAT has. Nothing is declared, and what was refused stays in the cadena.
 *
 * @returns null when the last declaration was not refused, or the AEAT holds nothing of ours
 */
export function alDejarlaOf(desenlaces: readonly Desenlace[]): ComoQueda | null {
  const dejada = dejadaOf(desenlaces);
  if (dejada === null || dejada === 'sin-efecto') return null;
  if (dejada === 'anulacion') return 'Anulada';
  const held = desenlaces.findLast(isAccepted);
  return held && invoiceStatus(held) === 'Aceptado con errores'
    ? 'Aceptado con errores'
    : 'Registrada';
}

/** Whether its number is another program's at the AEAT, and nothing that its owner declares of it would be right. */
export function quedaSinEfecto(desenlaces: readonly Desenlace[]): boolean {
  return dejadaOf(desenlaces) === 'sin-efecto';
}

function dejadaOf(desenlaces: readonly Desenlace[]): Fila['dejada'] {
  const isRefused = desenlaces.at(-1)?.EstadoRegistro === 'Incorrecto';
  return isRefused ? filaOf(situacionOf(desenlaces).enAeat, true).dejada : null;
}

function isAccepted(
  desenlace: Desenlace,
): desenlace is Desenlace & { EstadoRegistro: 'Correcto' | 'AceptadoConErrores' } {
  const { EstadoRegistro } = desenlace;
  return EstadoRegistro === 'Correcto' || EstadoRegistro === 'AceptadoConErrores';
}

/** Whether the AEAT holds an alta of it. If it does not, the invoice is corrected and sent again, not rectified. */
export function constaDeAlta(desenlaces: readonly Desenlace[]): boolean {
  return situacionOf(desenlaces).enAeat === 'alta';
}

/** What the AEAT found wrong in the alta that it took last, whatever it refused behind it; null for nothing. */
export function codigoQueConsta(desenlaces: readonly Desenlace[]): number | null {
  const held = desenlaces.findLast((d) => d.TipoRegistro === 'Alta' && isAccepted(d));
  return held?.CodigoErrorRegistro ?? null;
}

/** Whether it was annulled and the AEAT has not answered of that yet. */
export function seEstaAnulando(desenlaces: readonly Desenlace[]): boolean {
  const last = desenlaces.at(-1);
  return last?.TipoRegistro === 'Anulacion' && last.EstadoRegistro === null;
}

/** A refusal changes nothing there, but three codes tell what is there. */
function trasRechazo(enAeat: EnAeat, codigo: number | null): EnAeat {
  if (codigo === DUPLICADO && enAeat === 'nada') return 'ajena';
  if (codigo === YA_ANULADO) return 'anulacion';
  if (codigo === NO_EXISTE) return 'nada';
  return enAeat;
}

/** How the next alta of this invoice is declared. Without any outcome it is the first one. */
export function marcasDeAlta(desenlaces: readonly Desenlace[]): MarcasAlta {
  const { enAeat, altaRechazada } = situacionOf(desenlaces);
  // With nothing there, any alta but the very first follows one that did not enter.
  const rechazada = altaRechazada || (enAeat === 'nada' && desenlaces.length > 0);
  return filaOf(enAeat, rechazada).alta;
}

/** How its anulación is declared; null when there is nothing of ours to annul. */
export function marcasDeAnulacion(desenlaces: readonly Desenlace[]): MarcasAnulacion | null {
  const { enAeat, anulacionRechazada } = situacionOf(desenlaces);
  return filaOf(enAeat, anulacionRechazada).anulacion;
}

function filaOf(enAeat: EnAeat, rechazada: boolean): Fila {
  const fila = MATRIZ.find((f) => f.enAeat === enAeat && f.rechazada === rechazada);
  if (!fila) throw new Error(`The matrix has no row for ${enAeat}.`);
  return fila;
}
