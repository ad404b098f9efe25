import type { Resumen } from '../contract/invoices.ts';
import type { Deps } from '../deps.ts';
import { addMonths, isoDateIn, monthsBetween, startOfQuarter, zonaOf } from '../domain/dates.ts';
import { centsToNumber, textToCents } from '../domain/money.ts';
import { monthsSince } from '../store/months.ts';
import { companyOf } from './company-of.ts';

/**
 * The figures of Inicio: this month, this quarter, those before them, and twelve months. Annulled invoices do not
 * count.
 */
export async function describeResumen({ sql, clock }: Deps, companyId: number): Promise<Resumen> {
  const now = clock();
  // Asked together, so the time zone is not known yet: in Canarias it may still be the month before.
  const [earliest] = yearUpTo(isoDateIn(now, 'Atlantic/Canary'));
  const [company, rows] = await Promise.all([
    companyOf({ sql }, companyId),
    monthsSince(sql, companyId, `${earliest}-01`),
  ]);
  const months = yearUpTo(isoDateIn(now, zonaOf(company.postCode, company.countryCode)));
  const byMonth = new Map(rows.map((row) => [row.month, row]));
  const sum = (keys: readonly string[], field: 'base' | 'vat' | 'total') =>
    centsToNumber(
      keys.reduce((total, key) => total + textToCents(byMonth.get(key)?.[field] ?? '0'), 0n),
    );
  const countOf = (keys: readonly string[]) =>
    keys.reduce((total, key) => total + (byMonth.get(key)?.count ?? 0), 0);

  const [previous = '', current = ''] = months.slice(-2);
  const quarter = months.filter((month) => startOfQuarter(month) === startOfQuarter(current));
  const before = startOfQuarter(addMonths(`${current}-01`, -3));
  const lastQuarter = months.filter((month) => startOfQuarter(month) === before);
  return {
    mes: {
      base: sum([current], 'base'),
      iva: sum([current], 'vat'),
      total: sum([current], 'total'),
      facturas: countOf([current]),
    },
    mesAnterior: { base: sum([previous], 'base') },
    trimestre: { base: sum(quarter, 'base'), iva: sum(quarter, 'vat'), facturas: countOf(quarter) },
    trimestreAnterior: { base: sum(lastQuarter, 'base') },
    meses: months.map((mes) => ({ mes, base: sum([mes], 'base') })),
  };
}

/** The twelve months that end with the one of a day: `'2026-11-20'` → `['2025-12', …, '2026-11']`. */
function yearUpTo(day: string): string[] {
  return monthsBetween(addMonths(day, -11), day);
}
