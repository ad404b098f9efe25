/** Spanish postal codes: their province, and the taxes that apply there. */

/** `foral`: Álava, Gipuzkoa, Bizkaia and Navarra, whose own tax agencies run other systems. */
export type Territory = 'peninsula' | 'canarias' | 'ceuta-melilla' | 'foral';

export type PostalCodeCheck =
  | {
      readonly ok: true;
      readonly postCode: string;
      readonly provincia: string;
      readonly territory: Territory;
    }
  | { readonly ok: false; readonly mensaje: string };

/** By the first two digits (INE): index 0 is 01. */
export const PROVINCIAS: readonly string[] = (
  'Álava,Albacete,Alicante,Almería,Ávila,Badajoz,Illes Balears,Barcelona,Burgos,Cáceres,Cádiz,' +
  'Castellón,Ciudad Real,Córdoba,A Coruña,Cuenca,Girona,Granada,Guadalajara,Gipuzkoa,Huelva,Huesca,' +
  'Jaén,León,Lleida,La Rioja,Lugo,Madrid,Málaga,Murcia,Navarra,Ourense,Asturias,Palencia,Las Palmas,' +
  'Pontevedra,Salamanca,Santa Cruz de Tenerife,Cantabria,Segovia,Sevilla,Soria,Tarragona,Teruel,' +
  'Toledo,Valencia,Valladolid,Bizkaia,Zamora,Zaragoza,Ceuta,Melilla'
).split(',');

const TERRITORIES: Readonly<Record<string, Territory>> = {
  '01': 'foral',
  '20': 'foral',
  '31': 'foral',
  '48': 'foral',
  '35': 'canarias',
  '38': 'canarias',
  '51': 'ceuta-melilla',
  '52': 'ceuta-melilla',
};

/** Name of the province of a Spanish postal code; null when it is not one, or of another country. */
export function provinceOf(postCode: string, country = 'ES'): string | null {
  const bare = withoutSpaces(postCode);
  return country === 'ES' && isSpanish(bare)
    ? (PROVINCIAS[Number(bare.slice(0, 2)) - 1] ?? null)
    : null;
}

/** Which taxes a company with that postal code charges. Any code that is not Spanish counts as `peninsula`. */
export function territoryOf(postCode: string, country = 'ES'): Territory {
  const bare = withoutSpaces(postCode);
  const isOfSpain = country === 'ES' && isSpanish(bare);
  return (isOfSpain && TERRITORIES[bare.slice(0, 2)]) || 'peninsula';
}

/** A Spanish postal code with the leading zero that a spreadsheet has taken away; null for any other text. */
export function withLostZero(text: string, country: string): string | null {
  const complete = `0${withoutSpaces(text)}`;
  return country === 'ES' && isSpanish(complete) ? complete : null;
}

/**
 * Checks a postal code of that country (ISO alpha-2). Outside Spain, any text of one to ten characters is valid. A
 * lost leading zero is suggested, never added silently.
 */
export function checkPostalCode(text: string, country: string): PostalCodeCheck {
  const postCode = country === 'ES' ? withoutSpaces(text) : text.trim();
  if (country !== 'ES') {
    return postCode.length >= 1 && postCode.length <= 10
      ? { ok: true, postCode, provincia: '', territory: 'peninsula' }
      : { ok: false, mensaje: 'El código postal debe tener entre 1 y 10 caracteres.' };
  }
  if (isSpanish(postCode)) {
    return {
      ok: true,
      postCode,
      provincia: provinceOf(postCode) ?? '',
      territory: territoryOf(postCode),
    };
  }
  const complete = withLostZero(postCode, country);
  if (complete !== null) {
    return {
      ok: false,
      mensaje: `Al código postal le falta una cifra: ¿querías decir ${complete}?`,
    };
  }
  return {
    ok: false,
    mensaje:
      'El código postal debe tener cinco cifras y empezar por el número de una provincia (01 a 52).',
  };
}

/** `28 013` → `28013`. */
function withoutSpaces(text: string): string {
  return text.replace(/\s/g, '');
}

function isSpanish(postCode: string): boolean {
  return /^(0[1-9]|[1-4]\d|5[0-2])\d{3}$/.test(postCode);
}
