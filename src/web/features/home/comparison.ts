import { entero, euros, porcentaje } from '../../lib/format.ts';

export interface Comparison {
  readonly direction: 'up' | 'down' | 'same';
  readonly text: string;
}

/**
 * Compares a period that is still running with the whole previous one, in euros.
 *
 * A lower figure is not a drop while there are days left, so it says «hasta hoy», and of nothing, «todavía». Null when
 * the previous period is negative, because percentages of that make no sense. `period` includes its preposition:
 * `en octubre`, `el 3.º`.
 */
export function compare(now: number, before: number, period: string): Comparison | null {
  if (before === 0) return { direction: 'same', text: `Nada facturado ${within(period)}` };
  if (before < 0) return null;
  if (now === 0) {
    return { direction: 'same', text: `Nada todavía; ${within(period)}, ${euros(before)}` };
  }
  const percent = Math.round(((now - before) / before) * 100);
  if (percent === 0) return { direction: 'same', text: `Igual que ${period}` };
  const times = Math.floor(now / before);
  if (times >= 100)
    return { direction: 'up', text: `${capital(within(period))}, ${euros(before)}` };
  if (percent >= 1000) {
    return { direction: 'up', text: `${entero(times)} veces lo ${belonging(period)}` };
  }
  if (percent > 0) {
    return { direction: 'up', text: `${porcentaje(percent)} más que ${period}` };
  }
  return { direction: 'down', text: `Hasta hoy, ${porcentaje(-percent)} menos que ${period}` };
}

/** `en octubre` → `en octubre`, `el 3.º` → `en el 3.º`. */
const within = (period: string) => (period.startsWith('en ') ? period : `en ${period}`);

/** `en octubre` → `de octubre`, `el 3.º` → `del 3.º`. */
const belonging = (period: string) => period.replace(/^en /, 'de ').replace(/^el\b/, 'del');

/** `en octubre` → `En octubre`. */
const capital = (period: string) => period.charAt(0).toUpperCase() + period.slice(1);
