/** What somebody's name, street or town looks like in print. */

import { PROVINCIAS } from '../domain/postal-code.ts';
import { isGiven } from './given-names.ts';
import { labelOf } from './party-labels.ts';
import type { Word } from './shapes.ts';
import { amountOf, findDate } from './values.ts';
import { type Cell, cellFrom, plainOf, type Row } from './words.ts';

const NOT_A_NAME =
  /^(datos (del?|fiscales)|nombre|razon social|apellidos|direccion|poblacion|gracias|atentamente|saludos|firmado|conforme|condiciones|uds?|cant(idad)?|unid(ades)?|precio|p\.? ?unit\w*|preu|tarifa|importe|conceptos?|detalle|descripcion|articulo|total|base|referencia|ref|dto|iva|documento|numero|num|fra|minuta|expedida|emitida|data|dia|serie|recibo|ticket|hoja|obra|original|copia|espana|spain|dpto|dpt|dept|departamento|pag)\b|^(n\.?\s?[º°o]\.?|num(ero)?\.?)\s*(de\s+)?(cliente|fra|factura|documento|contrato|socio|abonado)\b|\b(rectificativa|abono|presupuesto|albaran|pedido|n\.?i\.?f|c\.?i\.?f|d\.?n\.?i|vat|tax [il1]d|tel|telefono|tfno|movil|fax|e-?mail|www|fecha|factura|iban|vencimiento|pagina|registro mercantil|tomo|folio|codigo|domicilio|imponible|colegiad[oa]|r\.? ?i\.? \d|inscrita)\b|@|\b\d{2}[/-]\d{2}[/-]\d{4}\b|\.(es|com|net|org|cat|eu|shop)$|\d{3}[\s.]?\d{2,3}[\s.]?\d{2,3}/;
/**
 * Words that rule out a name even before a legal form. Companies do have names like «Red Móvil, S.A.» or «Data 3,
 * S.L.».
 */
const NOT_A_COMPANY =
  /\b(n\.?i\.?f|c\.?i\.?f|d\.?n\.?i|vat|tax [il1]d|fecha|factura|iban|vencimiento|registro mercantil|domicilio|inscrita)\b|@|\bwww\b|\d{3}[\s.]?\d{2,3}[\s.]?\d{2,3}/;
export const NOT_AN_ADDRESS =
  /\b(n\.?i\.?f|c\.?i\.?f|d\.?n\.?i|vat|tax [il1]d|tel|telefono|tfno|movil|fax|e-?mail|www|fecha|factura|fra|minuta|iban|vencimiento|registro mercantil|numero|concepto|descripcion|cuenta|poliza|contrato|cups|matricula|bastidor|kilometros|colegiad[oa]|r\.?i\.)\b|@|(?<!\d)\d{2}[/-]\d{2}[/-]\d{2,4}(?!\d)/;
export const LEGAL_FORM =
  /(?<![a-z])(s\.? ?l\.?( ?[unpl]\.?| ?n\.? ?e\.?)?|s\.? ?a\.?( ?[ultd]\.?)?|s\.? ?c\.?( ?[pla]\.?| ?c\.? ?l\.?)?|c\.? ?b\.?|s\.? ?coop\.?( (de )?[a-z]{1,4}(-[a-z]{1,3})?\.?| galega| andaluza| madrilena| valenciana)?|s\.? ?r\.? ?l\.?|sociedad (limitada|anonima|cooperativa|civil)( (laboral|profesional|andaluza|galega|madrilena|valenciana))?|a\.? ?i\.? ?e\.?|u\.? ?t\.? ?e\.?|gmbh|ltd\.?|inc\.?|llc|sas|lda\.?|s\.p\.a\.?)(,? (sociedad )?\(?unipersonal\)?|,? sucursal en espana)?\s*$/;
export const PUBLIC =
  /^(cooperativa|comunidad|c\.?\s?prop|cdad|cp |c\. ?p\. ?(?=[a-z])|ayuntamiento|asociacion|fundacion|colegio|i\.?e\.?s\.? |ceip|universidad|hermandad|parroquia|club|junta|diputacion|consejeria|hijos de|hermanos|hnos)/;
export const STREET =
  /^(c\/|c\.\/|cl\.|calle|av|avd|avda|avenida|avinguda|plaza|plz|plza|pza|placa|paseo|passeig|p[ºo]\.?(?=\s|$)|ptge|pasaje|pol|poligono|p\.? ?i\.(?=\s|$)|ctra|carretera|crta|camino|cno|cami|ronda|rda|rua|rambla|alameda|muelle|carrer|via|gran via|urb|urbanizacion|apartado|apdo|glorieta|gta|travesia|trv|barrio|bda|parque|cuesta|costanilla|lugar|finca|edificio|edif|nave|parcela|avenue|rue|boulevard|\d{1,4},? ?(?:bis )?(?:rue|avenue|boulevard))(?![a-z])/;
/** The last two are of other countries: `D-80331 München`, `4000-447 Porto`. */
export const TOWN =
  /^(?:(?:[a-z]-)?\(?(?:c\.?\s?p\.?:?\s*)?(?<!\d)(?:0[1-9]|[1-4]\d|5[0-2])\d{3}\)?[\s,·-]+(?:[ao]\s|l['’])?|[a-z]{1,2}-\d{4,5}\s|\d{4}-\d{3}\s)[a-z]{2}/;
export const TOWN_INSIDE =
  /(?<![\d/-])(?:0[1-9]|[1-4]\d|5[0-2])\d{3}\)?[\s,·-]+(?:[ao]\s|l['’])?[a-z]{2}/;

export const isTown = (plain: string) => TOWN.test(plain);

export const hasTown = ({ plain }: Cell) => TOWN_INSIDE.test(plain);

const COUNTRY =
  /^(?:francia|france|alemania|germany|deutschland|portugal|italia|italy|reino unido|united kingdom|irlanda|ireland|paises bajos|netherlands|belgica|belgium|austria|suiza|switzerland|polonia|suecia|dinamarca|andorra)$/;

const OTHER_NAMES =
  'alacant,araba,baleares,castello,gerona,guipuzcoa,islas baleares,lerida,nafarroa,vizcaya';
const PROVINCES: ReadonlySet<string> = new Set([
  ...PROVINCIAS.map(plainOf),
  ...OTHER_NAMES.split(','),
]);

/** What stands alone below a town: its province, or a country that is not ours. */
export const isRegion = ({ plain }: Cell) =>
  PROVINCES.has(plain.replace(/^\(|\)$/g, '')) || COUNTRY.test(plain);

/** A postcode and a town, with their country below. */
export function isTownAbroad(rows: readonly Row[], cell: Cell): boolean {
  return (
    /^(?:\d{4,5}|[a-z]{1,2}-\d{4,5})\s[a-z]{2}/.test(cell.plain) &&
    rows
      .slice(cell.row + 1, cell.row + 3)
      .filter(({ page, y }) => page === cell.page && y - cell.y < 2 * cell.h)
      .flatMap(({ cells }) => cells)
      .some(({ plain, x }) => COUNTRY.test(plain) && Math.abs(x - cell.x) < cell.h)
  );
}

/** «Calle Mayor Inversiones, S.L.»: a company named after a street, whatever mark is behind it. */
export function isCalledAsStreet(said: string): boolean {
  const plain = said.replace(/[\s,;:·|–-]+$/, '');
  return (
    STREET.test(plain) &&
    /[a-z]{3},? (s\. ?[al]\.|s[al]u?$)/.test(plain) &&
    !/\d,|\d{5}/.test(plain) &&
    LEGAL_FORM.test(plain)
  );
}

export function isStreet(plain: string): boolean {
  if (NOT_AN_ADDRESS.test(plain) || PUBLIC.test(plain)) return false;
  if (isCalledAsStreet(plain)) return false;
  if (STREET.test(plain)) return true;
  return (
    (/(?<![a-z0-9])[a-z]{3,}(?![a-z0-9]).*\d|\bs\/n\b/.test(plain) ||
      /\bcalle\b|\bc\//.test(plain)) &&
    !LEGAL_FORM.test(plain) &&
    findDate(plain) === null
  );
}

/** Whether it could be somebody's name. */
export function isName({ plain, words }: Cell): boolean {
  const text = plain.trim();
  return (
    /[a-z]{3}/.test(text) &&
    labelOf(text) === null &&
    !(LEGAL_FORM.test(text) ? NOT_A_COMPANY : NOT_A_NAME).test(text) &&
    (!STREET.test(text) || isCalledAsStreet(text)) &&
    !TOWN.test(text) &&
    (LEGAL_FORM.test(text) || !TRADE.test(text)) &&
    !IS_NUMBER.test(text) &&
    !AROUND_QR.test(text) &&
    (LEGAL_FORM.test(text) || findDate(text) === null) &&
    !words.some(({ text: word }) => amountOf(word) !== null)
  );
}

/** `FS26-00012`: a number of a document. */
const IS_NUMBER = /^(?=\S*\d\S*\d)[a-z]{1,5}[\d/.-]+$/;

/** What is printed over and under the tax QR (RD 1619/2012 arts. 6.5 and 7.5). */
const AROUND_QR = /^qr tributari[aou]?\b|^veri\W?factu$/;

/** A trade stated below a name. */
const TRADE =
  /^(abogad[oa]s?|economistas?|arquitect[oa]s?( tecnic[oa]s?)?|aparejador[a]?|procurador[a]?|fisioterapeutas?|psicolog[oa]s?|ingenier[oa]s?( \w+)?|asesor[a]?( fiscal)?|notari[oa]|gestor[a]? administrativ[oa]|medic[oa]|odontolog[oa]s?|veterinari[oa]s?|fotograf[oa]|traductor[a]?( jurad[oa])?|disenador[a]?( grafic[oa])?|electricistas?|fontaner[oa]s?|pintor[a]?|carpinter[oa]|autonom[oa]|fontaneria(,? (y |gas|calefaccion|electricidad).*)?|reformas|taller mecanico( y .*)?)$/;

const COURTESY =
  /^a ?la atencion de\s+(?=[a-z])|^((sres|sr|sra|srs)\.?\s+)?(d\.ª|d\.?\/d\.?(?:ª|n?a)\.?|d\.|don|dna\.?|da\.|dona)\s*:?\s+(?=[a-z])|^(sres|sr|sra)\.?\s*:?\s+(?=[a-z])/;
/** A label before a name or an address: `Promotor:`, `Helbidea:`. */
const SAID_BEFORE =
  /^[a-z][a-z.]*([ /]+[a-z.]+){0,2}\s*:\s+(?=[a-z0-9]{2})|^(con )?domicilio( fiscal)? en\s+/;
const CUSTOMER_CODE = /^\(?\d{3,}\)?\s*([-–·/:]\s*)?(?=[a-z]{2})/;

/** What companies have to state by law after their name. */
const REGISTERED = /[\s.,;·-]+(inscrita|reg(istro|\.)?\s*merc|r\.\s?m\.).*$/i;

/** The name without forms of address, without labels of the books before it, and without marks behind it. */
export function named(cell: Cell): Cell {
  const front =
    sentenceBefore(cell) ??
    SAID_BEFORE.exec(cell.plain)?.[0] ??
    CUSTOMER_CODE.exec(cell.plain)?.[0] ??
    COURTESY.exec(cell.plain)?.[0] ??
    // Below the name of a shop: «de Ana Ruiz».
    /^de\s/.exec(cell.text)?.[0] ??
    '';
  const bare = front === '' ? cell : cellFrom(wordsFrom(cell, front.length), cell.row);
  const text = bare.text
    .replace(REGISTERED, '')
    // The hyphen was at the end of a line.
    .replace(/(?<=\p{L})- (?=\p{L})/gu, '-')
    .replace(/\s*\((c[oó]d|ref|n[º°o.]|cliente)[^)]*\)?$/i, '')
    .replace(/(?<!\bC(?:oop|OOP)\.\s\p{Lu}*)(?<=\s\p{Lu}{2,3})\.$/u, '')
    // The end of a sentence, not of «Hnos.» or «S. Coop.».
    .replace(/(?<=\s(?!hnos|coop|asoc|prop)\p{L}{4,})\.$/iu, '')
    .replace(/[\s,;:·|–-]+(con)?$/, '')
    .replace(/\.{2}$/, '.');
  const whole = withoutContact(text);
  return { ...bare, text: whole, plain: plainOf(whole) };
}

/** `'Conservas Lago, S.L., Antía Lago'` → the company, whose contact is named behind it. */
function withoutContact(text: string): string {
  const at = text.lastIndexOf(', ');
  const [company, contact] = [text.slice(0, at), text.slice(at + 2)];
  const isCompany = at > 0 && /\s/.test(company) && LEGAL_FORM.test(plainOf(company));
  const isPerson = /^\p{Lu}\p{Ll}+( (de|del|la|los|\p{Lu}\p{Ll}+)){1,4}$/u.test(contact);
  return isCompany && isPerson && !LEGAL_FORM.test(plainOf(contact)) ? company : text;
}

/**
 * The words that lead up to a name in its line: before a company's, a whole sentence; before anybody's, «servicios
 * prestados a» or «tratados por».
 */
function sentenceBefore({ text, plain }: Cell): string | undefined {
  const ended = LEGAL_FORM.test(plain)
    ? /^.*\p{Ll}{4,}\.\s+(?=\p{Lu})/u.exec(text)?.[0]
    : undefined;
  return ended ?? /^\p{L}+ .*\p{Ll}{4,} (?:a|por)\s+(?=\p{Lu})/u.exec(text)?.[0];
}

/** The words from a character of a cell's text on; all of them if there would be none. */
function wordsFrom(cell: Cell, start: number): readonly Word[] {
  let at = 0;
  const words = cell.words.filter(({ text }) => {
    const from = at;
    at += text.length + 1;
    return from >= start;
  });
  return words.length > 0 ? words : cell.words;
}

/** Whether a NIF begins with the letter of an entity; false for an unknown one, `''`. */
export const isEntity = (nif: string) => /^[A-HJNPQRSUVW]/.test(nif);

export const textOf = (words: readonly Word[]) => words.map(({ text }) => text).join(' ');

/** The town did not fit in the line. */
export const endsInPostcode = ({ plain }: Cell) => /(?<!\d)\d{5}$/.test(plain);

export const isRestOfTown = (cell: Cell) =>
  isName(cell) && !LEGAL_FORM.test(cell.plain) && !/\d/.test(cell.plain);

/** Without its label and without the marks behind it. */
export function bareEnd(cell: Cell): Cell {
  const front = SAID_BEFORE.exec(cell.plain)?.[0] ?? '';
  const bare = front === '' ? cell : cellFrom(wordsFrom(cell, front.length), cell.row);
  return { ...bare, text: bare.text.replace(/\s*[,;:·|–-]+$/, '') };
}

/** «S.L.», which did not fit in the line of its name. */
export const isOnlyForm = ({ plain }: Cell) => LEGAL_FORM.test(plain) && !/[a-z]{3}/.test(plain);

export const isCapital = ({ text }: Cell) => !/\p{Ll}/u.test(text);

/** It ends where neither a name nor a street can. */
export const isUnfinished = (plain: string) =>
  /(^|\s)(de|del|la|las|los|y|e|i|san|santa)$|,$/.test(plain);

/** «E.S. La Encina»: what a petrol station is called, over who owns it. */
export const isStation = (plain: string) => /^e\. ?s\. /.test(plain) && !isUnfinished(plain);

/** How much it looks like the name of a company, or of a person. */
export function likeness({ text, plain }: Cell, isEntity: boolean): number {
  const words = text.replace(/[,.]+$/, '').split(' ');
  const isTitled = words.every((word) =>
    /^[\p{Lu}(]|^(de|del|la|las|los|y|i|e|en|el)$/u.test(word),
  );
  const isFormed = LEGAL_FORM.test(plain);
  if (isFormed) return isEntity ? 3 : 2.2;
  if (PUBLIC.test(plain)) return 2.5;
  if (/[·|/]|\d{3}/.test(text)) return -1;
  // Above a personal NIF, the person's own name is preferred to a trade name.
  if (!isEntity && isGiven(plain)) return 3;
  return isTitled && words.length > 1 ? 2 : words.length > 1 ? 0.5 : 0;
}
