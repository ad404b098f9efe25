/** Code lists of EN 16931 for UBL, derived from the invoice. */

import { SITUACIONES } from '../situaciones.ts';
import { AGENCIAS, type TaxFacts } from './facts.ts';

/** Category of the tax (UNCL5305), and the code of the reason for charging none (VATEX), if there is one. */
export interface Category {
  readonly id: 'S' | 'Z' | 'E' | 'G' | 'K' | 'AE' | 'O' | 'L' | 'M';
  readonly vatex: string;
}

/** For IVA: the articles of Ley 37/1992 that the AEAT distinguishes, as articles of Directive 2006/112/CE. */
const EXENCION_IVA: Readonly<Record<string, Category>> = {
  // Article 20 corresponds to 132, 135 and others: only the text says which.
  E1: { id: 'E', vatex: '' },
  E2: { id: 'G', vatex: 'VATEX-EU-G' },
  E3: { id: 'E', vatex: 'VATEX-EU-148' },
  E4: { id: 'E', vatex: 'VATEX-EU-143' },
  E5: { id: 'K', vatex: 'VATEX-EU-IC' },
};

/**
 * For a margin scheme, by the mention that the invoice must carry about its goods (RD 1619/2012 art. 6.1.o): VATEX
 * distinguishes them.
 */
const BIENES: ReadonlyMap<string | null, string> = new Map(
  SITUACIONES.flatMap(({ id, leyenda }) => {
    if (id === 'rebu-arte') return [[leyenda, 'VATEX-EU-I']];
    return id === 'rebu-antiguedades' ? [[leyenda, 'VATEX-EU-J']] : [];
  }),
);

/** A row with goods of two kinds gets no code, which would only apply to one of them. */
function vatexOfMargin(code: string, reason: string): string {
  if (code === AGENCIAS) return 'VATEX-EU-D';
  const own = BIENES.get(reason);
  if (own) return own;
  const isMixed = [...BIENES.keys()].some((leyenda) => leyenda && reason.includes(leyenda));
  return isMixed ? '' : 'VATEX-EU-F';
}

/**
 * @param reason the text on the invoice about why no tax is charged
 * @param isUnionBusiness the customer is a business of another Member State
 */
export function categoryOf(
  facts: TaxFacts & { readonly reason?: string },
  { isUnionBusiness }: { isUnionBusiness: boolean },
): Category {
  const { impuesto, kind, code, rateBps, reason = '' } = facts;
  switch (kind) {
    case 'sujeta':
      if (impuesto === '01') return { id: rateBps === 0n ? 'Z' : 'S', vatex: '' };
      return { id: impuesto === '03' ? 'L' : 'M', vatex: '' };
    case 'destino':
      return { id: 'S', vatex: '' };
    case 'isp':
      return { id: 'AE', vatex: 'VATEX-EU-AE' };
    case 'margen':
      return { id: 'E', vatex: vatexOfMargin(code, reason) };
    case 'exenta':
      return (impuesto === '01' && EXENCION_IVA[code]) || { id: 'E', vatex: '' };
    case 'no-sujeta':
      // A service to a business of the Union is taxed there, by its recipient.
      return code === 'N2' && isUnionBusiness
        ? { id: 'AE', vatex: 'VATEX-EU-AE' }
        : { id: 'O', vatex: 'VATEX-EU-O' };
  }
}

/** Unit codes of UN/ECE Recommendations 20 and 21. */
const UNIDADES: Readonly<Record<string, string>> = {
  UD: 'C62',
  PZA: 'H87',
  HORA: 'HUR',
  MIN: 'MIN',
  DIA: 'DAY',
  JORN: 'E49',
  SEM: 'WEE',
  MES: 'MON',
  AÑO: 'ANN',
  SERV: 'E48',
  TRAB: 'E51',
  GLOBAL: 'LS',
  PERS: 'IE',
  KG: 'KGM',
  G: 'GRM',
  MG: 'MGM',
  TON: 'TNE',
  L: 'LTR',
  ML: 'MLT',
  CL: 'CLT',
  HL: 'HLT',
  M: 'MTR',
  CM: 'CMT',
  MM: 'MMT',
  KM: 'KMT',
  M2: 'MTK',
  M3: 'MTQ',
  JUEGO: 'SET',
  PAR: 'PR',
  DOC: 'DZN',
  CIEN: 'CEN',
  MILLAR: 'MIL',
  CAJA: 'XBX',
  CARTON: 'XCT',
  PAQ: 'XPK',
  PALE: 'XPX',
  BOT: 'XBO',
  ROLLO: 'XRO',
  BOLSA: 'XBG',
  SACO: 'XSA',
  LATA: 'XCA',
  TUBO: 'XTU',
  TARRO: 'XJR',
  KWH: 'KWH',
  GB: 'E34',
  PCT: 'P1',
};

/** Null for a unit that the company defined itself. */
export function unitCodeOf(unit: string | null): string | null {
  return unit ? (UNIDADES[unit] ?? null) : 'C62';
}
