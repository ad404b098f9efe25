/** The part of OData that reading changes needs: `$filter` with `and`, `$orderby`, `$top`, pages. */

import { HttpError } from '../http.ts';

type Row = Readonly<Record<string, unknown>>;

const COMPARISON = /^(\w+) (eq|ne|gt|ge|lt|le) (?:'((?:[^']|'')*)'|(\S+))$/;

/** @throws {HttpError} 400 for what it does not understand, like the real service */
export function selected(rows: readonly Row[], query: URLSearchParams): Row[] {
  const tests = (query.get('$filter') ?? '').split(' and ').filter(Boolean).map(readTest);
  const found = rows.filter((row) => tests.every((test) => test(row)));
  const [field, direction] = (query.get('$orderby') ?? '').split(',')[0]?.split(' ') ?? [];
  if (field) {
    const sign = direction === 'desc' ? -1 : 1;
    found.sort((a, b) => sign * compare(a[field], b[field]) || compare(a.id, b.id));
  }
  const top = query.get('$top');
  return top === null ? found : found.slice(0, Number(top));
}

function readTest(text: string): (row: Row) => boolean {
  const match = COMPARISON.exec(text.trim());
  if (!match) throw new HttpError(400, `No se entiende el filtro «${text}».`);
  const [, field = '', operator = '', quoted, bare] = match;
  const value = quoted?.replaceAll("''", "'") ?? bare ?? '';
  return (row) => {
    const order = compare(row[field], value);
    switch (operator) {
      case 'eq':
        return order === 0;
      case 'ne':
        return order !== 0;
      case 'gt':
        return order > 0;
      case 'ge':
        return order >= 0;
      case 'lt':
        return order < 0;
      default:
        return order <= 0;
    }
  };
}

const MOMENT = /^\d{4}-\d{2}-\d{2}T/;

function compare(a: unknown, b: unknown): number {
  const [left, right] = [a, b].map((value) => {
    const text = String(value ?? '');
    return MOMENT.test(text) ? new Date(text).toISOString() : text;
  }) as [string, string];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The visible part of a row: lines and other parts only when they are expanded. */
export function shown(row: Row, query: URLSearchParams): Row {
  const expanded = (query.get('$expand') ?? '').split(',');
  return Object.fromEntries(
    Object.entries(row).filter(([key, value]) => !Array.isArray(value) || expanded.includes(key)),
  );
}
