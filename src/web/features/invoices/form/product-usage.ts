import type { Producto } from '../../../../contract/parties.ts';
import { fold, foldedOnce } from '../../../ui/table/search.ts';
import type { DraftLine } from './lines.ts';

/** How many registered lines used each product, in this browser: the most used are offered first. */
export type ProductUsage = Readonly<Record<string, number>>;

const storageKey = (companyId: string) => `huella.productos.${companyId}`;

export function readUsage(companyId: string): ProductUsage {
  try {
    const usage: unknown = JSON.parse(localStorage.getItem(storageKey(companyId)) ?? '{}');
    return typeof usage === 'object' && usage !== null ? (usage as ProductUsage) : {};
  } catch {
    return {};
  }
}

/** Counts the products of an invoice that has just been registered. */
export function countProducts(companyId: string, lines: readonly DraftLine[]): void {
  if (!lines.some(({ productNo }) => productNo)) return;
  const usage: Record<string, number> = { ...readUsage(companyId) };
  for (const { productNo } of lines) {
    if (productNo) usage[productNo] = (usage[productNo] ?? 0) + 1;
  }
  try {
    localStorage.setItem(storageKey(companyId), JSON.stringify(usage));
  } catch {
    // Without room the order is the list's own, which is no harm.
  }
}

const wordsOf = foldedOnce(({ Name, No }: Producto) => [Name, No]);

/** Products whose name or code holds what is typed, the most used first. */
export function productOptions(
  products: readonly Producto[],
  typed: string,
  usage: ProductUsage,
  limit: number,
): Producto[] {
  const wanted = fold(typed.trim());
  return products
    .filter((product) => wordsOf(product).some((word) => word.includes(wanted)))
    .sort((a, b) => (usage[b.No] ?? 0) - (usage[a.No] ?? 0))
    .slice(0, limit);
}
