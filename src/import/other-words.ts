import { countryNamed } from '../domain/catalogs/country-names.ts';
import { folded, type ListName } from './sheets.ts';

/** Where another tax is charged, no code of IVA is on the list, and these mean nothing. */
const TAX_NAMES = {
  IVA21: ['general', 'iva general', 'tipo general', 'iva normal', 'normal'],
  IVA10: ['reducido', 'iva reducido', 'tipo reducido'],
  IVA4: ['superreducido', 'super reducido', 'iva superreducido', 'tipo superreducido'],
} as const;

/** What other programs and people call the options of some lists. */
const WORDS: Partial<Record<ListName, Readonly<Record<string, readonly string[]>>>> = {
  formasPago: {
    TRANSF: ['transferencia', 'transf', 'transfer', 'bank transfer', 'ingreso en cuenta', 'banco'],
    DOMIC: [
      'domiciliacion',
      'domiciliado',
      'recibo',
      'recibos',
      'recibo bancario',
      'recibo domiciliado',
      'domiciliacion bancaria',
      'rec',
      'recibo sepa',
      'adeudo',
      'adeudo sepa',
      'remesa',
      'sepa',
    ],
    TARJETA: ['tarjeta', 'tarjeta de credito', 'tarjeta bancaria', 'tpv'],
    CONTADO: ['efectivo', 'contado', 'metalico', 'caja'],
    PAYPAL: ['paypal', 'stripe'],
    CHEQUE: ['cheque', 'talon'],
    PAGARE: ['pagare', 'pagares'],
    CONFIRM: ['confirming'],
    GIRO: ['giro', 'letra', 'giro bancario', 'efecto', 'efectos'],
    CREEMB: ['contrarreembolso', 'contra reembolso', 'reembolso'],
    OTROS: ['otros', 'otro', 'otra'],
  },
  terminosPago: {
    CON: [
      'contado',
      'pago al contado',
      'inmediato',
      'pago inmediato',
      'a la vista',
      'immediate payment',
      '0',
    ],
    ANT: ['anticipado', 'prepago'],
    FM: ['final de mes'],
    '30-60': ['30/60', '30 60', '30/60 dias', '30-60 dias', '30 y 60 dias', '30, 60 dias'],
  },
  paises: {
    US: ['ee.uu.', 'ee. uu.', 'eeuu', 'u.s.a.', 'usa', 'estados unidos de america'],
    GB: ['uk', 'u.k.', 'inglaterra', 'gran bretana', 'escocia'],
    NL: ['holanda'],
    CZ: ['republica checa'],
    RU: ['federacion rusa'],
    ES: ['espana peninsular', 'esp'],
  },
  unidades: {
    UD: [
      'u',
      'un',
      'uni',
      'und',
      'unds',
      'unid',
      'unids',
      'uds',
      'unidades',
      'units',
      'c/u',
      'pcs',
    ],
    PZA: ['pz', 'pzs', 'pzas', 'piezas'],
    HORA: ['h', 'hr', 'hrs', 'horas', 'hours'],
    MIN: ['mins', 'minutos'],
    DIA: ['d', 'dias', 'days'],
    JORN: ['jornada', 'jornadas'],
    SEM: ['semanas'],
    MES: ['meses'],
    SERV: ['servicios'],
    TRAB: ['trabajos'],
    PERS: ['pax', 'personas'],
    KG: ['kgs', 'kgr', 'kilo', 'kilos', 'kilogramos'],
    G: ['gr', 'grs', 'gramos'],
    TON: ['t', 'tn', 'tns', 'tm', 'toneladas'],
    L: ['lt', 'lts', 'ltr', 'litros'],
    M: ['mt', 'mts', 'mtr', 'mtrs', 'metros', 'metro lineal', 'metros lineales'],
    M2: ['m²', 'mt2', 'mts2', 'metros cuadrados'],
    M3: ['m³', 'mt3', 'mts3', 'metros cubicos'],
    JUEGO: ['jgo', 'jgos', 'juegos', 'set', 'kit'],
    PAR: ['pares'],
    DOC: ['docenas'],
    CAJA: ['cj', 'cjs', 'cajas'],
    PAQ: ['paquetes', 'pack', 'packs'],
    PALE: ['palet', 'palets', 'pallet', 'pales'],
    BOT: ['botellas'],
    ROLLO: ['rollos'],
  },
  impuestos: TAX_NAMES,
  impuestosDeProducto: TAX_NAMES,
  // A column that says whether the recargo applies.
  gruposContables: {
    NACRE: ['si', 's', 'x', 'verdadero', 'true', 'r.e.', 're', 'recargo', 'con recargo'],
    '': ['no', 'n', 'falso', 'false', 'sin recargo', '-'],
  },
};

const CODES = new Map(
  Object.entries(WORDS).map(([list, options]) => [
    list,
    new Map(Object.entries(options).flatMap(([code, words]) => words.map((word) => [word, code]))),
  ]),
);

/** `Giro 30 días`, `Transferencia a 60 d.f.f.`: a way of paying and a term in one cell. */
const BEFORE_DAYS = /^(.*?)[\s,-]*(?:a\s+)?\d+\s*(?:d|dias?)\b.*$/;
/** The rate of the recargo, for those who are charged it. */
const RATE = /^\d+(?:[.,]\d+)?\s*%?$/;
const ONLY_DAYS = /^\D*(\d+)\s*(?:(?:d|dias?|days?)\b\D*)?$/;

/**
 * The code of an option that a cell of another program means; empty for none of them, as «No» in a column of recargo.
 * Null when its text means nothing that is known.
 */
export function codeInWords(list: ListName, text: string): string | null {
  const words = folded(text);
  const codes = CODES.get(list);
  const bare = words.replaceAll('.', '');
  const known =
    codes?.get(list === 'unidades' ? bare : words) ?? codes?.get(words.replace(/\.$/, ''));
  if (known !== undefined) return known;
  // «ud.», «kg.»: the code itself, which its caller knows.
  if (list === 'unidades') return bare.toUpperCase();
  if (list === 'formasPago') return codes?.get(BEFORE_DAYS.exec(words)?.[1]?.trim() ?? '') ?? null;
  if (list === 'terminosPago') return termOf(words);
  if (list === 'paises') return countryNamed(words);
  if (list === 'gruposContables') return groupOf(words);
  return null;
}

/** `5,2 %` of recargo, or what Odoo calls the fiscal position of a client, which only tells the recargo. */
function groupOf(words: string): string | null {
  if (RATE.test(words)) return /[1-9]/.test(words) ? 'NACRE' : '';
  if (/^(?:regimen )?(?:de )?recargo de equivalencia\b/.test(words)) return 'NACRE';
  return /^(?:regimen (?:nacional|(?:intra|extra)comunitario)|retencion)\b/.test(words) ? '' : null;
}

/** `30`, `a 30 días`, `30 d.f.f.` → `30D`; `30 días fin de mes` → `30FM`. */
function termOf(words: string): string | null {
  const days = ONLY_DAYS.exec(words)?.[1];
  if (days === undefined) return null;
  return /fin(?:al)? de mes|\bf\.?m\b/.test(words) ? `${Number(days)}FM` : `${Number(days)}D`;
}

/** What says nothing of a rate: what is sold, and how the rate is called. */
const AROUND_RATE =
  /\b(?:vat|tipo|al|general|normal|reducido|super\s?reducido|bienes|servicios|goods|services|ventas|repercutido|g|s)\b|[()%.:]|\s/g;
const TAX = /\b(?:iva|i\.v\.a|igic|ipsi)\b/;

/**
 * The rate of a tax that a cell tells with more words, `21% IVA (Bienes)`, `s_iva_21`, or as a part of one, `0,21`. Null for
 * anything else: `21% ISP` or `IVA 21% + 5,2% R.E.` say more than a rate.
 */
export function rateInWords(text: string): { readonly rate: string; readonly tax: string } | null {
  const words = folded(text.replaceAll('_', ' '));
  const [, number] = /^\D*(\d+(?:[.,]\d+)?)\D*$/.exec(words) ?? [];
  if (number === undefined) return null;
  const rest = words.replace(number, ' ').replace(TAX, '').replace(AROUND_RATE, '');
  if (rest !== '') return null;
  const rate = Number(number.replace(',', '.'));
  const percent = rate > 0 && rate < 1 && words === number ? rate * 100 : rate;
  const tax = TAX.exec(words)?.[0].replaceAll('.', '').toUpperCase() ?? '';
  return { rate: String(Number(percent.toPrecision(15))), tax };
}
