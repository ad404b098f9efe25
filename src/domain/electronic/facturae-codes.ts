/** Code lists of the schema of Facturae 3.2.2, derived from the invoice. */

import { isPorImpago, type TipoFactura } from '../invoice.ts';

/** A code and the text that the schema requires with it. */
export interface Motivo {
  readonly code: string;
  readonly words: string;
}

const CUOTAS: Motivo = { code: '80', words: 'Cálculo de cuotas repercutidas' };
const DESCUENTOS: Motivo = {
  code: '83',
  words: 'Base imponible modificada por descuentos y bonificaciones',
};
const IMPAGO: Motivo = {
  code: '85',
  words:
    'Base imponible modificada cuotas repercutidas no satisfechas. Auto de declaración de concurso',
};
const DETALLE: Motivo = { code: '10', words: 'Detalle Operación' };

/**
 * The reason for a rectificativa. An R1 that lowers the base is a return or a discount (Ley 37/1992 art. 80.Uno and
 * Dos); any other R1 is an error of law. R2 and R3 are unpaid invoices (art. 80.Tres and Cuatro); for R4 and R5, what
 * the operation was.
 */
export function motivoOf(
  tipoFactura: TipoFactura,
  { lowersBase }: { readonly lowersBase: boolean },
): Motivo {
  if (tipoFactura === 'R1') return lowersBase ? DESCUENTOS : CUOTAS;
  return isPorImpago(tipoFactura) ? IMPAGO : DETALLE;
}

export const METODO = {
  S: { code: '01', words: 'Rectificación íntegra' },
  I: { code: '02', words: 'Rectificación por diferencias' },
} as const satisfies Readonly<Record<string, Motivo>>;

/** `UnitOfMeasure`; units without a code of their own are `05`, others. */
const UNIDADES: Readonly<Record<string, string>> = {
  UD: '01',
  PZA: '01',
  HORA: '02',
  KG: '03',
  L: '04',
  CAJA: '06',
  CARTON: '06',
  BOLSA: '10',
  BOT: '12',
  CL: '15',
  CM: '16',
  DOC: '18',
  G: '21',
  KM: '22',
  LATA: '23',
  M: '25',
  MM: '26',
  PAQ: '28',
  ROLLO: '30',
  M3: '33',
  KWH: '36',
};
export const OTRA_UNIDAD = '05';

/** @param unit code of the company's catalog; null without one */
export function unidadOf(unit: string | null): string {
  return unit ? (UNIDADES[unit] ?? OTRA_UNIDAD) : '01';
}

/** ISO 3166-1 alpha-3 by alpha-2, for the countries in the schema. */
const ALFA_3 = new Map(
  (
    'AF:AFG AL:ALB DZ:DZA AS:ASM AD:AND AO:AGO AI:AIA AG:ATG AR:ARG AM:ARM AW:ABW AU:AUS AT:AUT AZ:AZE BS:BHS ' +
    'BH:BHR BD:BGD BB:BRB BY:BLR BE:BEL BZ:BLZ BJ:BEN BM:BMU BT:BTN BO:BOL BA:BIH BW:BWA BR:BRA BN:BRN BG:BGR ' +
    'BF:BFA BI:BDI KH:KHM CM:CMR CA:CAN CV:CPV KY:CYM CF:CAF TD:TCD CL:CHL CN:CHN CD:COD CO:COL KM:COM CG:COG ' +
    'CK:COK CR:CRI CI:CIV HR:HRV CU:CUB CY:CYP CZ:CZE DK:DNK DJ:DJI DM:DMA DO:DOM EC:ECU EG:EGY SV:SLV GQ:GNQ ' +
    'ER:ERI EE:EST ET:ETH FK:FLK FO:FRO FJ:FJI FI:FIN FR:FRA GF:GUF PF:PYF GA:GAB GM:GMB GE:GEO GG:GGY DE:DEU ' +
    'GH:GHA GI:GIB GR:GRC GL:GRL GD:GRD GP:GLP GU:GUM GT:GTM GN:GIN GW:GNB GY:GUY HT:HTI HN:HND HK:HKG HU:HUN ' +
    'IS:ISL IN:IND ID:IDN IM:IMN IR:IRN IQ:IRQ IE:IRL IL:ISR IT:ITA JM:JAM JE:JEY JP:JPN JO:JOR KZ:KAZ KE:KEN ' +
    'KI:KIR KP:PRK KR:KOR KW:KWT KG:KGZ LA:LAO LV:LVA LB:LBN LS:LSO LR:LBR LY:LBY LI:LIE LT:LTU LU:LUX MO:MAC ' +
    'MK:MKD MG:MDG MW:MWI MY:MYS MV:MDV ML:MLI MT:MLT MH:MHL MQ:MTQ MR:MRT MU:MUS YT:MYT MX:MEX FM:FSM MD:MDA ' +
    'MC:MCO ME:MNE MN:MNG MS:MSR MA:MAR MZ:MOZ MM:MMR NA:NAM NR:NRU NP:NPL NL:NLD NC:NCL NZ:NZL NI:NIC NE:NER ' +
    'NG:NGA NU:NIU NF:NFK MP:MNP NO:NOR OM:OMN PK:PAK PW:PLW PA:PAN PG:PNG PY:PRY PS:PSE PE:PER PH:PHL PN:PCN ' +
    'PL:POL PT:PRT PR:PRI QA:QAT RE:REU RO:ROU RU:RUS RW:RWA KN:KNA LC:LCA VC:VCT WS:WSM SM:SMR ST:STP SA:SAU ' +
    'SN:SEN RS:SRB SC:SYC SL:SLE SG:SGP SK:SVK SI:SVN SB:SLB SO:SOM ZA:ZAF ES:ESP LK:LKA SH:SHN PM:SPM SD:SDN ' +
    'SR:SUR SJ:SJM SZ:SWZ SE:SWE CH:CHE SY:SYR TW:TWN TJ:TJK TZ:TZA TH:THA TG:TGO TK:TKL TO:TON TT:TTO TN:TUN ' +
    'TR:TUR TM:TKM TL:TLS TC:TCA TV:TUV UG:UGA UA:UKR AE:ARE GB:GBR US:USA UY:URY UZ:UZB VU:VUT VA:VAT VE:VEN ' +
    'VN:VNM VG:VGB VI:VIR WF:WLF EH:ESH YE:YEM ZM:ZMB ZW:ZWE'
  )
    .split(' ')
    .map((pair) => pair.split(':') as [alfa2: string, alfa3: string]),
);

/** Null for the few countries that the schema lacks. Northern Ireland belongs to the United Kingdom. */
export function alfa3Of(country: string): string | null {
  return ALFA_3.get(country === 'XI' ? 'GB' : country) ?? null;
}

/** The schema admits twenty characters, and one province has more. */
export function provinciaFacturae(provincia: string): string {
  return provincia === 'Santa Cruz de Tenerife' ? 'S.C. de Tenerife' : provincia;
}
