/** Code lists of EN 16931 for UBL, by what the invoice says. */

import { AGENCIAS, type TaxFacts } from './facts.ts';

/** Category of the tax (UNCL5305), and the code of the reason for charging none (VATEX), if it has one. */
export interface Category {
  readonly id: 'S' | 'Z' | 'E' | 'G' | 'K' | 'AE' | 'O' | 'L' | 'M';
  readonly vatex: string;
}

/** Of the IVA: the articles of Ley 37/1992 that the AEAT tells apart, as those of Directive 2006/112/CE. */
const EXENCION_IVA: Readonly<Record<string, Category>> = {
  // Article 20 is 132, 135 and others: only the words say which.
  E1: { id: 'E', vatex: '' },
  E2: { id: 'G', vatex: 'VATEX-EU-G' },
  E3: { id: 'E', vatex: 'VATEX-EU-148' },
  E4: { id: 'E', vatex: 'VATEX-EU-143' },
  E5: { id: 'K', vatex: 'VATEX-EU-IC' },
};

/** @param isUnionBusiness the customer is a business of another State of the Union */
export function categoryOf(
  facts: TaxFacts,
  { isUnionBusiness }: { isUnionBusiness: boolean },
): Category {
  const { impuesto, kind, code, rateBps } = facts;
  switch (kind) {
    case 'sujeta':
      if (impuesto === '01') return { id: rateBps === 0n ? 'Z' : 'S', vatex: '' };
      return { id: impuesto === '03' ? 'L' : 'M', vatex: '' };
    case 'destino':
      return { id: 'S', vatex: '' };
    case 'isp':
      return { id: 'AE', vatex: 'VATEX-EU-AE' };
    case 'margen':
      return { id: 'E', vatex: code === AGENCIAS ? 'VATEX-EU-D' : 'VATEX-EU-F' };
    case 'exenta':
      return (impuesto === '01' && EXENCION_IVA[code]) || { id: 'E', vatex: '' };
    case 'no-sujeta':
      // A service to a business of the Union is taxed there, by who gets it.
      return code === 'N2' && isUnionBusiness
        ? { id: 'AE', vatex: 'VATEX-EU-AE' }
        : { id: 'O', vatex: 'VATEX-EU-O' };
  }
}

/** Units of UN/ECE Recommendations 20 and 21. */
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

/** Null for a unit that the company made up. */
export function unitCodeOf(unit: string | null): string | null {
  return unit ? (UNIDADES[unit] ?? null) : 'C62';
}
