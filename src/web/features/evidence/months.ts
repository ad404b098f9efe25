/** The last months, starting with that of the day, newest first: `2026-11`, `2026-10`… */
export function lastMonths(today: Date, count: number): string[] {
  return Array.from({ length: count }, (_, back) => monthFrom(today, -back));
}

/** The future months for which an operation may be declared, nearest first: up to the end of next year. */
export function monthsAhead(today: Date): string[] {
  return Array.from({ length: 23 - today.getMonth() }, (_, ahead) => monthFrom(today, ahead + 1));
}

function monthFrom(today: Date, months: number): string {
  const month = new Date(today.getFullYear(), today.getMonth() + months, 1);
  return `${month.getFullYear()}-${String(month.getMonth() + 1).padStart(2, '0')}`;
}
