/** The last months up to the day's own, newest first: `2026-11`, `2026-10`… */
export function lastMonths(today: Date, count: number): string[] {
  return Array.from({ length: count }, (_, back) => {
    const month = new Date(today.getFullYear(), today.getMonth() - back, 1);
    return `${month.getFullYear()}-${String(month.getMonth() + 1).padStart(2, '0')}`;
  });
}
