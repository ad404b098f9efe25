import { countryNamed } from '../../../../domain/catalogs/country-names.ts';
import { cut } from '../../../../domain/cut.ts';
import { fold } from '../../../../domain/fold.ts';
import { checkPostalCode } from '../../../../domain/postal-code.ts';
import { MAX_TOWN } from '../../../../domain/town.ts';

const MAX_ADDRESS = 200;

/** What stands between the parts of an address. */
const BETWEEN = String.raw`[\s,;.:·/-]`;
const LEADING = new RegExp(`^${BETWEEN}+`);
const BEFORE_CODE = new RegExp(`${BETWEEN}*(?:\\bc\\.?\\s?p${BETWEEN}*)?$`, 'i');
const LAST_PART = new RegExp(`${BETWEEN}*\\(?([^,;.:()]+)\\)?\\.?$`);

/** The country that an address on paper ends with (ISO 3166-1 alpha-2), if it names one. */
export function countryAtEnd(text: string): string | null {
  return countryNamed(LAST_PART.exec(text)?.[1] ?? '');
}

/**
 * An address on paper in the fields of a client. What is not street, postal code of five digits and town stays
 * together.
 *
 * @param country where it is (ISO 3166-1 alpha-2)
 */
export function addressRead(
  text: string,
  country: string,
): {
  readonly Address: string;
  readonly postCode: string;
  readonly municipio?: string;
} {
  const found = [...text.matchAll(/(?<!\d)\d{5}(?!\d)/g)].at(-1);
  const checked = found ? checkPostalCode(found[0], country) : undefined;
  if (!found || !checked?.ok) return { Address: cut(text, MAX_ADDRESS), postCode: '' };
  const { postCode, provincia } = checked;
  const street = text.slice(0, found.index).replace(BEFORE_CODE, '');
  const town = townOf(text.slice(found.index + postCode.length), provincia);
  const isWhole = street !== '' && town !== '' && town.length <= MAX_TOWN && !/[\d,;]/.test(town);
  return isWhole
    ? { Address: cut(street, MAX_ADDRESS), postCode, municipio: town }
    : { Address: cut(text, MAX_ADDRESS), postCode };
}

/** `Tarazona` of `, Tarazona (Zaragoza), España`. */
function townOf(rest: string, provincia: string): string {
  const bare = rest.replace(LEADING, '');
  const place = (countryAtEnd(bare) ? bare.replace(LAST_PART, '') : bare).trim();
  const [, town, after] = /^(.*\S)(?:\s*\(|\s*[,;/]\s*|\s+-\s+)([^()]+)\)?\.?$/.exec(place) ?? [];
  return town && after && fold(after.trim()) === fold(provincia) ? town : place;
}
