import type { Producto } from '../../../../contract/parties.ts';
import { fold, foldedOnce, searching } from '../../../ui/table/search.ts';
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

/** Products whose name or code has each word that is typed, in their order; first those that it names completely. */
export function productOptions(
  products: readonly Producto[],
  typed: string,
  limit: number,
): Producto[] {
  const wanted = fold(typed.trim());
  const isFound = searching(typed);
  const found = products.filter((product) => wordsOf(product).some(isFound));
  const isNamed = (product: Producto) => wordsOf(product).includes(wanted);
  return [...found.filter(isNamed), ...found.filter((one) => !isNamed(one))].slice(0, limit);
}

/** The only product whose code or whole name is what is typed. */
export function namedProduct(products: readonly Producto[], typed: string): Producto | undefined {
  const wanted = fold(typed.trim());
  const [named, another] = products.filter((product) => wordsOf(product).includes(wanted));
  return another ? undefined : named;
}
