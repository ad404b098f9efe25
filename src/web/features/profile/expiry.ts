import { entero } from '../../lib/format.ts';

const DAY_MS = 86_400_000;

const date = new Intl.DateTimeFormat('es-ES', {
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
});

/** Whole days until that moment, rounded up: what expires this afternoon has one left. */
export function daysUntil(moment: string, now: number): number {
  return Math.ceil((Date.parse(moment) - now) / DAY_MS);
}

export function daysLeft(days: number): string {
  if (days <= 0) return 'caducado';
  return days === 1 ? 'queda 1 día' : `quedan ${entero(days)} días`;
}

/** `20/11/2026`, in the browser's own time zone. */
export function shortDate(moment: string): string {
  return date.format(Date.parse(moment));
}
