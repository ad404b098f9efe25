/**
 * Which registro may follow which outcome, in a single table (AEAT, validations 1.2.2 and developers' FAQ 1.3, matrix
 * of altas and anulaciones against what it holds).
 */

import type { ComoQueda, EnAeat, Rechazo } from '../invoice.ts';
import { DUPLICADO, YA_ANULADO } from './respuesta.ts';
import { invoiceStatus } from './veredicto.ts';

/** One registro declared for an invoice, and the AEAT's answer. */
export interface Desenlace {
  readonly TipoRegistro: 'Alta' | 'Anulacion';
  /** Null until it is answered. */
  readonly EstadoRegistro: 'Correcto' | 'AceptadoConErrores' | 'Incorrecto' | null;
  readonly CodigoErrorRegistro: number | null;
}

export interface Situacion {
  readonly enAeat: EnAeat;
  /** Whether the latest alta, and the latest anulación, was refused. */
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
/** It was typed into the AEAT's form. */
const DE_FORMULARIO = 3004;

interface Fila {
  readonly enAeat: EnAeat;
  /** Of the same kind as the column. */
  readonly rechazada: boolean;
  readonly alta: MarcasAlta;
  /** Null: there is nothing of ours to annul. */
  readonly anulacion: MarcasAnulacion | null;
  /**
   * What the owner leaves the invoice at by giving up the refused declaration, without declaring anything.
   * `sin-efecto`: its number belongs to another program, and the invoice has no effect (decision 0232). Null: nothing
   * was refused, or the AEAT holds nothing to go back to and only another registro resolves it.
   */
  readonly dejada: 'alta' | 'anulacion' | 'sin-efecto' | null;
}

/**
 * The matrix. When the AEAT holds nothing, a refused alta is declared again with X, and an anulación says that there
 * was no earlier registro; when it holds something, S says that the last attempt was refused. When it holds somebody
 * else's registro (another program, the same number), only a subsanación is accepted, and it replaces that registro;
 * an anulación would annul the other program's invoice. So ours is left without effect.
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
 * The outcomes of an invoice, plus one if the AEAT is known to hold it through a registro that was lost here
 * (docs/decisions/0066): the next declaration applies to that one.
 *
 * @param constaAceptada whether the invoice counts as accepted
 */
export function conLoPerdido(
  desenlaces: readonly Desenlace[],
  { constaAceptada }: { readonly constaAceptada: boolean },
): readonly Desenlace[] {
  if (!constaAceptada || situacionOf(desenlaces).enAeat === 'alta') return desenlaces;
  return [
    ...desenlaces,
    { TipoRegistro: 'Alta', EstadoRegistro: 'Correcto', CodigoErrorRegistro: null },
  ];
}

/** The situation after these outcomes, oldest first. */
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

/** Whether the AEAT accepted the latest alta, whose form and amounts the invoice shows. */
export function isLatestAltaAccepted(desenlaces: readonly Desenlace[]): boolean {
  const latest = desenlaces.findLast(({ TipoRegistro }) => TipoRegistro === 'Alta');
  return latest !== undefined && isAccepted(latest);
}

/** What was refused last, and what the AEAT holds after it; null before anything was declared. */
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
 * «Dejarla como estaba»: the status of an invoice when its owner gives up the declaration that was just refused, and
 * the AEAT holds the previous one. Nothing is declared, and the refused registro stays in the cadena.
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

/**
 * Whether its number belongs to another program at the AEAT, so that nothing its owner could declare would be right.
 */
export function quedaSinEfecto(desenlaces: readonly Desenlace[]): boolean {
  return dejadaOf(desenlaces) === 'sin-efecto';
}

function dejadaOf(desenlaces: readonly Desenlace[]): Fila['dejada'] {
  const isRefused = desenlaces.at(-1)?.EstadoRegistro === 'Incorrecto';
  return isRefused ? filaOf(situacionOf(desenlaces).enAeat, { rechazada: true }).dejada : null;
}

function isAccepted(
  desenlace: Desenlace,
): desenlace is Desenlace & { EstadoRegistro: 'Correcto' | 'AceptadoConErrores' } {
  const { EstadoRegistro } = desenlace;
  return EstadoRegistro === 'Correcto' || EstadoRegistro === 'AceptadoConErrores';
}

/** Whether the AEAT holds an alta of it. If not, the invoice is corrected and sent again, not rectified. */
export function constaDeAlta(desenlaces: readonly Desenlace[]): boolean {
  return situacionOf(desenlaces).enAeat === 'alta';
}

/** What the AEAT found wrong in the last alta that it accepted, whatever it refused afterwards; null for nothing. */
export function codigoQueConsta(desenlaces: readonly Desenlace[]): number | null {
  const held = desenlaces.findLast((d) => d.TipoRegistro === 'Alta' && isAccepted(d));
  return held?.CodigoErrorRegistro ?? null;
}

/** Whether it was annulled and the AEAT has not answered that yet. */
export function seEstaAnulando(desenlaces: readonly Desenlace[]): boolean {
  const last = desenlaces.at(-1);
  return last?.TipoRegistro === 'Anulacion' && last.EstadoRegistro === null;
}

/** A refusal changes nothing at the AEAT, but four codes reveal what it holds. */
function trasRechazo(enAeat: EnAeat, codigo: number | null): EnAeat {
  const isTaken = codigo === DUPLICADO || codigo === DE_FORMULARIO;
  if (isTaken && enAeat === 'nada') return 'ajena';
  if (codigo === YA_ANULADO) return 'anulacion';
  if (codigo === NO_EXISTE) return 'nada';
  return enAeat;
}

/** How to declare the next alta of this invoice. Without outcomes it is the first one. */
export function marcasDeAlta(desenlaces: readonly Desenlace[]): MarcasAlta {
  const { enAeat, altaRechazada } = situacionOf(desenlaces);
  // When the AEAT holds nothing, any alta except the first follows one that was not accepted.
  const rechazada = altaRechazada || (enAeat === 'nada' && desenlaces.length > 0);
  return filaOf(enAeat, { rechazada }).alta;
}

/** How to declare its anulación; null when there is nothing of ours to annul. */
export function marcasDeAnulacion(desenlaces: readonly Desenlace[]): MarcasAnulacion | null {
  const { enAeat, anulacionRechazada } = situacionOf(desenlaces);
  return filaOf(enAeat, { rechazada: anulacionRechazada }).anulacion;
}

function filaOf(enAeat: EnAeat, { rechazada }: Pick<Fila, 'rechazada'>): Fila {
  const fila = MATRIZ.find((f) => f.enAeat === enAeat && f.rechazada === rechazada);
  if (!fila) throw new Error(`The matrix has no row for ${enAeat}.`);
  return fila;
}
