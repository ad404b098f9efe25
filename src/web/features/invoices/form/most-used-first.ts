import type { Producto } from '../../../../contract/parties.ts';
import { fold, foldedOnce } from '../../../ui/table/search.ts';
import { collator } from '../../../ui/table/sort.ts';

/** Those in `used`, in its order, before the others, which are sorted by name. */
export function mostUsedFirst<T extends { readonly No: string; readonly Name: string }>(
  all: readonly T[],
  used: readonly string[] = [],
): T[] {
  const places = new Map(used.map((No, place) => [No, place]));
  const placeOf = ({ No }: T) => places.get(No) ?? used.length;
  return all.toSorted((a, b) => placeOf(a) - placeOf(b) || collator.compare(a.Name, b.Name));
}

const wordsOf = foldedOnce(({ Name, No }: Producto) => [Name, No]);

/** Products whose name or code contains what is typed, in their order. */
export function productOptions(
  products: readonly Producto[],
  typed: string,
  limit: number,
): Producto[] {
  const wanted = fold(typed.trim());
  return products
    .filter((product) => wordsOf(product).some((word) => word.includes(wanted)))
    .slice(0, limit);
}
