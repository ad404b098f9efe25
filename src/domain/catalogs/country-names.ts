import { fold } from '../fold.ts';
import { paises } from './catalogs.ts';

/** The languages in which programs that are used in Spain, and their customers, write countries. */
const LANGUAGES = ['es', 'en', 'ca', 'gl', 'eu', 'fr', 'pt', 'de', 'it'];
let countries: ReadonlyMap<string, string> | null = null;

/**
 * The country with that name in one of the languages of Spain, of its neighbours or in English, whatever its capitals
 * and accents.
 *
 * @returns its ISO 3166-1 alpha-2 code
 */
export function countryNamed(name: string): string | null {
  countries ??= new Map(LANGUAGES.flatMap(countriesIn));
  return countries.get(keyOf(name.trim())) ?? null;
}

function countriesIn(language: string): [string, string][] {
  const names = new Intl.DisplayNames(language, { type: 'region' });
  return paises.map(({ value }) => [keyOf(names.of(value) ?? value), value]);
}

/** Those who write without accents write «Espana» too. */
const keyOf = (name: string) => fold(name).replaceAll('ñ', 'n');
