import { entero } from '../../lib/format.ts';

const DAY_MS = 86_400_000;

/** Days from today to a day like `2026-11-20`: none on that day itself. */
export function daysUntil(day: string, today: string): number {
  return Math.round((Date.parse(day) - Date.parse(today)) / DAY_MS);
}

/** Of what has not expired: in a browser further east its last day may seem to be over. */
export function daysLeft(days: number): string {
  if (days <= 0) return 'caduca hoy';
  return days === 1 ? 'queda 1\u00a0día' : `quedan ${entero(days)}\u00a0días`;
}
