import { folded, type ListName } from './sheets.ts';

/** What other programs and people call the options of some lists. */
const WORDS: Partial<Record<ListName, Readonly<Record<string, readonly string[]>>>> = {
  formasPago: {
    TRANSF: ['transferencia', 'transf', 'ingreso en cuenta', 'banco'],
    DOMIC: [
      'domiciliacion',
      'domiciliado',
      'recibo',
      'recibos',
      'recibo bancario',
      'recibo domiciliado',
      'recibo sepa',
      'adeudo',
      'adeudo sepa',
      'remesa',
      'sepa',
    ],
    TARJETA: ['tarjeta', 'tpv'],
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
    CON: ['contado', 'pago al contado', 'inmediato', 'pago inmediato', 'a la vista', '0'],
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
    ES: ['espana peninsular', 'spain', 'esp'],
    DE: ['germany'],
    FR: ['france'],
    IT: ['italy'],
  },
  unidades: {
    UD: ['u', 'un', 'uni', 'und', 'unds', 'unid', 'unids', 'uds', 'unidades', 'c/u', 'pcs'],
    PZA: ['pz', 'pzs', 'pzas', 'piezas'],
    HORA: ['h', 'hr', 'hrs', 'horas'],
    MIN: ['mins', 'minutos'],
    DIA: ['d', 'dias'],
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
const ONLY_DAYS = /^\D*(\d+)\s*(?:(?:d|dias?)\b\D*)?$/;

/**
 * The code of an option that a cell of another program means; empty for none of them, as «No» in a column of recargo.
 * Null when its text means nothing that is known.
 */
export function codeInWords(list: ListName, text: string): string | null {
  const words = folded(text);
  const codes = CODES.get(list);
  const known = codes?.get(list === 'unidades' ? words.replaceAll('.', '') : words);
  if (known !== undefined) return known;
  if (list === 'formasPago') return codes?.get(BEFORE_DAYS.exec(words)?.[1]?.trim() ?? '') ?? null;
  if (list === 'terminosPago') return termOf(words);
  if (list === 'gruposContables' && RATE.test(words)) return /[1-9]/.test(words) ? 'NACRE' : '';
  return null;
}

/** `30`, `a 30 días`, `30 d.f.f.` → `30D`; `30 días fin de mes` → `30FM`. */
function termOf(words: string): string | null {
  const days = ONLY_DAYS.exec(words)?.[1];
  if (days === undefined) return null;
  return /fin(?:al)? de mes|\bf\.?m\b/.test(words) ? `${Number(days)}FM` : `${Number(days)}D`;
}
