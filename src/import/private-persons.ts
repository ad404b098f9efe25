/** Lists of clients that write the name of a company in one column and that of a private person in others. */

import { plain, type SheetSpec } from './sheets.ts';

const COMPANY_TITLES: ReadonlySet<string> = new Set([
  'razon social',
  'nombre fiscal',
  'denominacion',
  'denominacion social',
  'empresa',
  'nombre empresa',
  'nombre de la empresa',
  'company',
  'company name',
]);
const NAME_TITLES: ReadonlySet<string> = new Set([
  'nombre',
  'nombre cliente',
  'nombre del cliente',
  'nombre de pila',
  'first name',
]);

/**
 * The columns with the name and the surnames of private persons, beside one with names of companies. None if the list
 * has no surnames, since a name alone is often that of a shop.
 *
 * @param titles by column
 * @param used the columns that the user has given a meaning
 */
export function personColumns(
  titles: readonly string[],
  { columns }: SheetSpec,
  used: Readonly<Record<string, number>>,
): readonly number[] {
  const company = titles[used.Name ?? -1];
  if (company === undefined || !COMPANY_TITLES.has(plain(company))) return [];
  const taken = new Set(Object.values(used));
  const named = (isMeant: (title: string) => boolean) =>
    titles.flatMap((title, column) =>
      !taken.has(column) && isMeant(plain(title)) ? [column] : [],
    );
  const surnameTitles = columns.find(({ key }) => key === 'Name')?.more?.aliases ?? [];
  const names = named((title) => NAME_TITLES.has(title));
  const surnames = named((title) => surnameTitles.includes(title));
  return names.length > 0 && surnames.length > 0 ? [...names, ...surnames] : [];
}
