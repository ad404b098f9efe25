/** Compares what the AEAT holds for a month with what we hold. */

import type { RegistroConsultado } from './consulta.ts';

/** A registro of ours. */
export interface RegistroPropio {
  readonly seq: bigint;
  readonly NumSerieFactura: string;
  readonly FechaExpedicionFactura: string;
  readonly Huella: string;
  /** Null until it is answered. */
  readonly EstadoRegistro: 'Correcto' | 'AceptadoConErrores' | 'Incorrecto' | null;
}

export interface Diferencia {
  readonly NumSerieFactura: string;
  readonly FechaExpedicionFactura: string;
  readonly motivo: string;
  readonly Huella?: string;
  readonly HuellaAEAT?: string;
}

/**
 * Who made a registro that the AEAT holds: this installation, as far as can be told (`here`); an earlier installation
 * of the company, which lost its end (`former`); or another program (`other`).
 */
export type MadeBy = 'here' | 'former' | 'other';

export interface Conciliacion {
  readonly iguales: number;
  readonly distintos: readonly Diferencia[];
  readonly soloAqui: readonly Diferencia[];
  readonly soloAEAT: readonly Diferencia[];
  readonly enEspera: number;
  /**
   * Registros of ours that are missing here: we made and lost them, so the head of our cadena is out of date (a
   * restored old backup).
   */
  readonly perdidos: readonly RegistroConsultado[];
}

/**
 * Compares invoice by invoice: the AEAT answers with the latest registro of each.
 *
 * @param input.antes what we had for the month before asking: what was accepted then must be there
 * @param input.despues what we have, after asking, for the numbers that the AEAT holds, so that what was registered
 *   meanwhile does not look lost
 */
export function conciliar({
  held,
  antes,
  despues,
  madeBy,
}: {
  readonly held: readonly RegistroConsultado[];
  readonly antes: readonly RegistroPropio[];
  readonly despues: readonly RegistroPropio[];
  readonly madeBy: (registro: RegistroConsultado) => MadeBy;
}): Conciliacion {
  const accepted = new Map<string, RegistroPropio>();
  const waiting = new Map<string, RegistroPropio>();
  for (const registro of antes) {
    const key = keyOf(registro);
    if (registro.EstadoRegistro === null) waiting.set(key, registro);
    else if (registro.EstadoRegistro !== 'Incorrecto') accepted.set(key, registro);
  }
  const ours = grouped(despues);
  const distintos: Diferencia[] = [];
  const soloAEAT: Diferencia[] = [];
  const perdidos: RegistroConsultado[] = [];
  let iguales = 0;
  for (const row of held) {
    const key = keyOf(row);
    const own = ours.get(key) ?? [];
    const same = own.find(({ Huella }) => Huella === row.Huella);
    const maker = madeBy(row);
    const motivo = same ? whyStale(same, accepted.get(key)) : whyOther(row, maker, own);
    if (own.length === 0) soloAEAT.push(diferencia(row, WHO_MADE[maker], row.Huella));
    else if (motivo) distintos.push(diferencia(own.at(-1) ?? row, motivo, row.Huella));
    else iguales += 1;
    if (!same && maker === 'here') perdidos.push(row);
  }
  const there = new Set(held.map(keyOf));
  const missing = [...accepted].filter(([key]) => !there.has(key));
  return {
    iguales,
    distintos,
    soloAqui: missing.map(([, registro]) =>
      diferencia(registro, 'Consta aquí como aceptada, pero la AEAT no la tiene.'),
    ),
    soloAEAT,
    enEspera: [...waiting.keys()].filter((key) => !there.has(key) && !accepted.has(key)).length,
    perdidos,
  };
}

/** Why one of ours that the AEAT has is not the one it should have; null when it is. */
function whyStale(same: RegistroPropio, accepted: RegistroPropio | undefined): string | null {
  if (accepted && accepted.seq > same.seq) {
    return 'La AEAT tiene una versión anterior a la última que aceptó.';
  }
  return same.EstadoRegistro === 'Incorrecto'
    ? 'Consta aquí como rechazada, pero la AEAT la tiene.'
    : null;
}

function whyOther(
  { EstadoRegistro }: RegistroConsultado,
  maker: MadeBy,
  own: readonly RegistroPropio[],
): string {
  if (maker === 'other' && own.every((registro) => registro.EstadoRegistro === 'Incorrecto')) {
    return 'La registró otro programa con este número: la de aquí no llegó a registrarse.';
  }
  const what =
    EstadoRegistro === 'Anulado'
      ? 'La AEAT la tiene anulada, con otra huella.'
      : 'La AEAT tiene otra huella.';
  return maker === 'former'
    ? `${what} Su último registro se perdió aquí al restaurar una copia.`
    : what;
}

const WHO_MADE: Readonly<Record<MadeBy, string>> = {
  here: 'La hizo esta cuenta de Huella, pero aquí no está.',
  former: 'La hizo Huella antes de que se perdieran sus registros: solo la tiene la AEAT.',
  other: 'La registró otro programa.',
};

function diferencia(
  { NumSerieFactura, FechaExpedicionFactura, ...own }: RegistroPropio | RegistroConsultado,
  motivo: string,
  HuellaAEAT?: string,
): Diferencia {
  const isOwn = 'seq' in own;
  return {
    NumSerieFactura,
    FechaExpedicionFactura,
    motivo,
    ...(isOwn && { Huella: own.Huella }),
    ...(HuellaAEAT !== undefined && { HuellaAEAT }),
  };
}

function grouped(registros: readonly RegistroPropio[]): Map<string, RegistroPropio[]> {
  const groups = new Map<string, RegistroPropio[]>();
  for (const registro of registros) {
    const group = groups.get(keyOf(registro));
    if (group) group.push(registro);
    else groups.set(keyOf(registro), [registro]);
  }
  return groups;
}

function keyOf(r: { readonly NumSerieFactura: string; readonly FechaExpedicionFactura: string }) {
  return `${r.FechaExpedicionFactura} ${r.NumSerieFactura.trim()}`;
}
