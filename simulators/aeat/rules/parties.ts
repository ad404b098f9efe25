import { isNif, isNifPersona } from '../nif.ts';
import { isNifIva } from '../nif-iva.ts';
import type { IDOtro } from '../structure-tables.ts';
import { COMPLETAS } from './alta.ts';
import type { Rule } from './rule.ts';

/** A party in a registro, and what its rules need to know about the registro. */
export interface Party {
  readonly NombreRazon: string;
  readonly NIF?: string | undefined;
  readonly IDOtro?: IDOtro | undefined;
  /** Only in an alta. */
  readonly tipoFactura?: string | undefined;
  /** Date of the operation, `yyyy-mm-dd`. */
  readonly devengo: string;
  /** Only in an anulación. */
  readonly generadoPor?: string | undefined;
}

const idType = ({ IDOtro }: Party) => IDOtro?.IDType;
const country = ({ IDOtro }: Party) => IDOtro?.CodigoPais;
const id = ({ IDOtro }: Party) => IDOtro?.ID ?? '';
const hasNif = ({ NIF }: Party) => NIF !== undefined;
const isSpanish = (party: Party) => country(party) === 'ES';
const isNifIvaType = (party: Party) => idType(party) === '02';
const isNoCensado = (party: Party) => idType(party) === '07';

/** Parties identified by IDOtro (document: block IDOtro). */
const ID_OTRO_RULES: readonly Rule<Party>[] = [
  {
    code: 1111,
    when: (party) => party.IDOtro !== undefined && !isNifIvaType(party),
    must: (party) => country(party) !== undefined,
  },
  {
    code: 1122,
    when: (party) => isNifIvaType(party) && country(party) !== undefined,
    must: (party) => country(party) === id(party).slice(0, 2),
  },
  { code: 1103, when: isNifIvaType, must: (party) => isNifIva(id(party)) },
  {
    code: 1254,
    when: (party) => isNifIvaType(party) && id(party).startsWith('XI'),
    must: ({ devengo }) => devengo >= '2021-01-01',
  },
  {
    code: 1255,
    when: (party) => isNifIvaType(party) && id(party).startsWith('GB'),
    must: ({ devengo }) => devengo < '2021-02-01',
  },
  { code: 1121, when: isNifIvaType, must: (party, { isInVies }) => isInVies(id(party)) },
];

/** «No censado» is a natural person's NIF that the census does not know. */
const NO_CENSADO_RULES: readonly Rule<Party>[] = [
  { code: 1126, when: isNoCensado, must: isSpanish },
  { code: 1290, when: isNoCensado, must: (party) => isNif(id(party)) },
  { code: 1131, when: isNoCensado, must: (party) => isNifPersona(id(party)) },
];

const SPANISH_PASSPORT: Rule<Party> = {
  code: 1232,
  when: isSpanish,
  must: (party) => idType(party) === '03',
};

const NOMBRE_OF_PERSONA: Rule<Party> = {
  code: 1283,
  when: ({ NIF }) => NIF !== undefined && isNifPersona(NIF),
  must: ({ NombreRazon }) => NombreRazon !== '',
};

const nifRules = (format: number): readonly Rule<Party>[] => [
  { code: format, when: hasNif, must: ({ NIF = '' }) => isNif(NIF) },
];
const censado = (code: number): Rule<Party> => ({
  code,
  when: hasNif,
  must: ({ NIF = '' }, { isCensado }) => isCensado(NIF),
});
const notObligado = (code: number): Rule<Party> => ({
  code,
  when: hasNif,
  must: ({ NIF }, { obligado }) => NIF !== obligado,
});

/** A recipient missing in the census is only a warning (2001). */
export const DESTINATARIO_RULES: readonly Rule<Party>[] = [
  ...nifRules(4109),
  NOMBRE_OF_PERSONA,
  ...ID_OTRO_RULES,
  {
    code: 1126,
    when: isSpanish,
    must: (party) => idType(party) === '03' || isNoCensado(party),
  },
  ...NO_CENSADO_RULES,
  {
    code: 1156,
    when: isNifIvaType,
    must: ({ tipoFactura = '' }) => COMPLETAS.has(tipoFactura),
  },
  {
    code: 1191,
    when: ({ tipoFactura }) => tipoFactura === 'R3',
    must: (party) => hasNif(party) || isNoCensado(party),
  },
  {
    code: 1192,
    when: ({ tipoFactura }) => tipoFactura === 'R2',
    must: (party) => hasNif(party) || isNoCensado(party) || isNifIvaType(party),
  },
];

export const TERCERO_RULES: readonly Rule<Party>[] = [
  ...nifRules(1123),
  NOMBRE_OF_PERSONA,
  notObligado(1188),
  censado(1109),
  ...ID_OTRO_RULES,
  { code: 1211, must: (party) => !isNoCensado(party) },
  SPANISH_PASSPORT,
];

export const GENERADOR_RULES: readonly Rule<Party>[] = [
  { code: 1228, must: ({ NIF, IDOtro }) => (NIF === undefined) !== (IDOtro === undefined) },
  { code: 1227, when: ({ generadoPor }) => generadoPor === 'E', must: hasNif },
  ...nifRules(1258),
  NOMBRE_OF_PERSONA,
  notObligado(1259),
  censado(1259),
  ...ID_OTRO_RULES,
  {
    code: 1229,
    when: ({ generadoPor }) => generadoPor === 'T',
    must: (party) => !isNoCensado(party),
  },
  {
    ...SPANISH_PASSPORT,
    when: (party) => party.generadoPor === 'T' && isSpanish(party),
  },
  {
    code: 1230,
    when: (party) => party.generadoPor === 'D' && isSpanish(party),
    must: (party) => idType(party) === '03' || isNoCensado(party),
  },
  ...NO_CENSADO_RULES,
];

/** The producer of the SIF. */
export const PRODUCTOR_RULES: readonly Rule<Party>[] = [
  { code: 1223, must: ({ NIF, IDOtro }) => (NIF === undefined) !== (IDOtro === undefined) },
  ...nifRules(1176),
  censado(1179),
  ...ID_OTRO_RULES,
  { code: 1221, must: (party) => !isNoCensado(party) },
  SPANISH_PASSPORT,
];
