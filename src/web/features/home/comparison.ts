import { entero, euros, porcentaje } from '../../lib/format.ts';

export interface Comparison {
  readonly direction: 'up' | 'down' | 'same';
  readonly text: string;
}

/**
 * Compares a period that is still running with the whole previous one, in euros.
 *
 * A lower figure is not a drop while there are days left, so it says «hasta hoy». Null when the previous period is
 * negative, because percentages of that make no sense. `period` includes its preposition: `en octubre`, `el 3.º`.
 */
export function compare(now: number, before: number, period: string): Comparison | null {
  if (before === 0) return { direction: 'same', text: `Nada facturado ${period}` };
  if (before < 0) return null;
  const percent = Math.round(((now - before) / before) * 100);
  if (percent === 0) return { direction: 'same', text: `Como ${period}` };
  const times = Math.floor(now / before);
  if (times >= 100) return { direction: 'up', text: `${capital(period)}, ${euros(before)}` };
  if (percent >= 1000) {
    return { direction: 'up', text: `${entero(times)} veces lo de ${bare(period)}` };
  }
  if (percent > 0) {
    return { direction: 'up', text: `${porcentaje(percent)} más que ${period}` };
  }
  return { direction: 'down', text: `Hasta hoy, ${porcentaje(-percent)} menos que ${period}` };
}

/** `en octubre` → `octubre`. */
const bare = (period: string) => period.replace(/^en /, '');

/** `en octubre` → `En octubre`. */
const capital = (period: string) => period.charAt(0).toUpperCase() + period.slice(1);
