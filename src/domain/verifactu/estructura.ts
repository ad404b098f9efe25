/**
 * What the schema requires of every element that we send: order, cardinality, lengths, patterns and values
 * (SuministroInformacion.xsd of 11-01-2026, SuministroLR.xsd of 01-10-2025).
 *
 * One table with three uses: `xml.ts` writes in its order, `checkEstructura` refuses what would not pass before it
 * enters the cadena, and `tests/xsd.test.ts` compares it with the official schema. One invalid registro makes the
 * AEAT refuse the whole message of up to a thousand.
 */

import { paises } from '../catalogs/catalogs.ts';
import { isAlta, type RegistroAlta, type RegistroAnulacion } from './registro.ts';

/** Facets of the schema for a value, and our own stricter pattern where its rules require one. */
export interface Valor {
  readonly length?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: RegExp;
  readonly enumeration?: readonly string[];
  /** Ours: from the AEAT's validations, or because an empty text says nothing. */
  readonly own?: RegExp;
}

export interface Elemento {
  readonly name: string;
  readonly min: 0 | 1;
  readonly max: number;
  /** Elements of one choice: exactly one of them must be present. */
  readonly choice?: string;
  readonly content: Valor | readonly Elemento[];
}

/** Something that would not pass the schema: `campo` is the path of the element. */
export interface Problem {
  readonly campo: string;
  readonly mensaje: string;
}

type Content = Elemento['content'];

const one = (name: string, content: Content): Elemento => ({ name, min: 1, max: 1, content });
const optional = (name: string, content: Content): Elemento => ({ name, min: 0, max: 1, content });
const many = (name: string, max: number, content: Content): Elemento => ({
  name,
  min: 1,
  max,
  content,
});
const oneOf = (choice: string, ...options: readonly (readonly [string, Content])[]): Elemento[] =>
  options.map(([name, content]) => ({ name, min: 1, max: 1, choice, content }));

const text = (maxLength: number): Valor => ({ maxLength, own: /\S/ });
const values = (...enumeration: string[]): Valor => ({ enumeration });

const siNo = values('S', 'N');
const nif: Valor = { length: 9, own: /^[0-9A-Z]{9}$/ };
const fecha: Valor = { length: 10, pattern: /^\d{2,2}-\d{2,2}-\d{4,4}$/ };
const importe: Valor = { pattern: /^(\+|-)?\d{1,12}(\.\d{0,2})?$/, own: /^-?\d+\.\d{2}$/ };
const tipo: Valor = { pattern: /^\d{1,3}(\.\d{0,2})?$/ };
const huella: Valor = { maxLength: 64, own: /^[0-9A-F]{64}$/ };
/** ASCII 32–126 except the five that the AEAT refuses (codes 1130 and 1287). */
const numSerie: Valor = { minLength: 1, maxLength: 60, own: /^[ !#-&(-;?-~]*$/ };
/** xs:dateTime in the schema; whole seconds and an offset in the validations (code 1244). */
const instante: Valor = { own: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}[+-]\d{2}:\d{2}$/ };

/** ISO countries missing in CountryType2; `registro.ts` sends another in their place. */
const SIN_CODIGO = ['AX', 'BL', 'EH', 'GF', 'GP', 'MF', 'MQ', 'SJ'];
const codigoPais = values(
  ...paises.map(({ value }) => value).filter((value) => !SIN_CODIGO.includes(value)),
  // Entries of its list that are not countries: other territories, institutions and bodies.
  ...['QU', 'XB', 'XG', 'XN', 'XU'],
);

const IDOtro: readonly Elemento[] = [
  optional('CodigoPais', codigoPais),
  one('IDType', values('02', '03', '04', '05', '06', '07')),
  one('ID', text(20)),
];

const Persona: readonly Elemento[] = [
  one('NombreRazon', text(120)),
  ...oneOf('identificacion', ['NIF', nif], ['IDOtro', IDOtro]),
];

const IDFactura: readonly Elemento[] = [
  one('IDEmisorFactura', nif),
  one('NumSerieFactura', numSerie),
  one('FechaExpedicionFactura', fecha),
];

const DetalleDesglose: readonly Elemento[] = [
  optional('Impuesto', values('01', '02', '03', '05')),
  optional(
    'ClaveRegimen',
    values(
      ...['01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '11'],
      ...['14', '15', '17', '18', '19', '20', '21'],
    ),
  ),
  ...oneOf(
    'calificacion',
    ['CalificacionOperacion', values('S1', 'S2', 'N1', 'N2')],
    ['OperacionExenta', values('E1', 'E2', 'E3', 'E4', 'E5', 'E6', 'E7', 'E8')],
  ),
  optional('TipoImpositivo', tipo),
  one('BaseImponibleOimporteNoSujeto', importe),
  optional('BaseImponibleACoste', importe),
  optional('CuotaRepercutida', importe),
  optional('TipoRecargoEquivalencia', tipo),
  optional('CuotaRecargoEquivalencia', importe),
];

const Encadenamiento = one(
  'Encadenamiento',
  oneOf(
    'eslabon',
    ['PrimerRegistro', values('S')],
    [
      'RegistroAnterior',
      [
        one('IDEmisorFactura', nif),
        one('NumSerieFactura', { maxLength: 60, own: /\S/ }),
        one('FechaExpedicionFactura', fecha),
        one('Huella', huella),
      ],
    ],
  ),
);

const SistemaInformatico = one('SistemaInformatico', [
  ...Persona,
  one('NombreSistemaInformatico', text(30)),
  one('IdSistemaInformatico', { maxLength: 2, own: /^[A-Z0-9]{2}$/ }),
  one('Version', text(50)),
  one('NumeroInstalacion', text(100)),
  one('TipoUsoPosibleSoloVerifactu', siNo),
  one('TipoUsoPosibleMultiOT', siNo),
  one('IndicadorMultiplesOT', siNo),
]);

const Huella: readonly Elemento[] = [one('TipoHuella', values('01')), one('Huella', huella)];

/** `RegistroAlta`, without the signature: VERI*FACTU sends none. */
export const REGISTRO_ALTA: readonly Elemento[] = [
  one('IDVersion', values('1.0')),
  one('IDFactura', IDFactura),
  optional('RefExterna', text(60)),
  one('NombreRazonEmisor', text(120)),
  optional('Subsanacion', siNo),
  optional('RechazoPrevio', values('N', 'S', 'X')),
  one('TipoFactura', values('F1', 'F2', 'F3', 'R1', 'R2', 'R3', 'R4', 'R5')),
  optional('TipoRectificativa', values('S', 'I')),
  optional('FacturasRectificadas', [many('IDFacturaRectificada', 1000, IDFactura)]),
  optional('FacturasSustituidas', [many('IDFacturaSustituida', 1000, IDFactura)]),
  optional('ImporteRectificacion', [
    one('BaseRectificada', importe),
    one('CuotaRectificada', importe),
    optional('CuotaRecargoRectificado', importe),
  ]),
  optional('FechaOperacion', fecha),
  one('DescripcionOperacion', text(500)),
  optional('FacturaSimplificadaArt7273', siNo),
  optional('FacturaSinIdentifDestinatarioArt61d', siNo),
  optional('Macrodato', siNo),
  optional('EmitidaPorTerceroODestinatario', values('T', 'D')),
  optional('Tercero', Persona),
  optional('Destinatarios', [many('IDDestinatario', 1000, Persona)]),
  optional('Cupon', siNo),
  one('Desglose', [many('DetalleDesglose', 12, DetalleDesglose)]),
  one('CuotaTotal', importe),
  one('ImporteTotal', importe),
  Encadenamiento,
  SistemaInformatico,
  one('FechaHoraHusoGenRegistro', instante),
  optional('NumRegistroAcuerdoFacturacion', text(15)),
  optional('IdAcuerdoSistemaInformatico', text(16)),
  ...Huella,
];

/** `RegistroAnulacion`, without the signature. */
export const REGISTRO_ANULACION: readonly Elemento[] = [
  one('IDVersion', values('1.0')),
  one('IDFactura', [
    one('IDEmisorFacturaAnulada', nif),
    one('NumSerieFacturaAnulada', numSerie),
    one('FechaExpedicionFacturaAnulada', fecha),
  ]),
  optional('RefExterna', text(60)),
  optional('SinRegistroPrevio', siNo),
  optional('RechazoPrevio', siNo),
  optional('GeneradoPor', values('E', 'D', 'T')),
  optional('Generador', Persona),
  Encadenamiento,
  SistemaInformatico,
  one('FechaHoraHusoGenRegistro', instante),
  ...Huella,
];

/** The `Cabecera` of a voluntary message. */
export const CABECERA: readonly Elemento[] = [
  one('ObligadoEmision', [one('NombreRazon', text(120)), one('NIF', nif)]),
  optional('RemisionVoluntaria', [
    optional('FechaFinVeriFactu', fecha),
    optional('Incidencia', siNo),
  ]),
];

/** Most registros of one message (SuministroLR.xsd: `RegistroFactura` 1..1000; codes 4113 and 4114). */
export const MAX_REGISTROS = 1000;

/** The table of a registro's kind. */
function estructuraOf(registro: RegistroAlta | RegistroAnulacion): readonly Elemento[] {
  return isAlta(registro) ? REGISTRO_ALTA : REGISTRO_ANULACION;
}

/**
 * What keeps a registro from passing the schema; normally nothing. The rules of `validaciones/` report it first and
 * in plain words: this is the last check before the cadena.
 */
export function checkEstructura(registro: RegistroAlta | RegistroAnulacion): Problem[] {
  const problems: Problem[] = [];
  const fits = isAlta(registro) ? fitsAlta : fitsAnulacion;
  if (!fits(registro)) checkBlock(estructuraOf(registro), registro, '', problems);
  return problems;
}

/**
 * The tables compiled into functions, once: nearly every registro is valid, and establishing that needs neither paths
 * nor a table interpreted element by element. What they do not accept goes to `checkBlock`, which reports what is
 * wrong, if anything.
 */
const fitsAlta = blockTest(REGISTRO_ALTA);
const fitsAnulacion = blockTest(REGISTRO_ANULACION);

type Test = (value: unknown) => boolean;

function blockTest(elements: readonly Elemento[]): Test {
  const parts = elements.map(({ name, min, max, choice, content }) => ({
    name,
    min,
    max,
    isChoice: choice !== undefined,
    isList: max > 1,
    fits: isBlock(content) ? blockTest(content) : valueTest(content),
  }));
  const choices = new Set(elements.flatMap(({ choice }) => choice ?? [])).size;
  if (choices > 1) throw new Error('A block with two choices is for checkBlock to count.');
  return (node) => {
    if (typeof node !== 'object' || node === null) return false;
    const values = node as Node;
    let present = 0;
    let chosen = 0;
    for (const part of parts) {
      const value = values[part.name];
      if (value === undefined) {
        if (part.min === 1 && !part.isChoice) return false;
        continue;
      }
      present += 1;
      if (part.isChoice) chosen += 1;
      if (!part.isList) {
        if (!part.fits(value)) return false;
      } else if (!Array.isArray(value) || value.length < part.min || value.length > part.max) {
        return false;
      } else {
        for (const item of value) if (!part.fits(item)) return false;
      }
    }
    // As many as there are keys, so none of them is unknown or undefined.
    return chosen === choices && Object.keys(values).length === present;
  };
}

/** Like `accepts`, with the facets read once: an enumeration, or patterns and a length. */
function valueTest(valor: Valor): Test {
  const { enumeration, pattern, own, length, minLength = 0, maxLength = Infinity } = valor;
  if (enumeration?.length === 1) return (value) => value === enumeration[0];
  if (enumeration) {
    const known = new Set<unknown>(enumeration);
    return (value) => known.has(value);
  }
  const first = own ?? pattern;
  if (!first || length !== undefined || (own && pattern)) {
    return (value) => typeof value === 'string' && accepts(valor, value);
  }
  return (value) =>
    typeof value === 'string' &&
    first.test(value) &&
    ((value.length >= minLength && value.length <= maxLength) || accepts(valor, value));
}

type Node = Readonly<Record<string, unknown>>;

function checkBlock(
  elements: readonly Elemento[],
  node: object,
  path: string,
  problems: Problem[],
): void {
  const values = node as Node;
  for (const element of elements) {
    const { name, min, max, choice, content } = element;
    const value = values[name];
    const campo = path === '' ? name : `${path}/${name}`;
    if (value === undefined) {
      if (min === 1 && choice === undefined) problems.push(problem(campo, 'falta'));
    } else if (Array.isArray(value)) {
      if (value.length < min || value.length > max) {
        problems.push(problem(campo, `debe estar entre ${min} y ${max} veces`));
      }
      for (const item of value) checkValue(content, item, campo, problems);
    } else {
      checkValue(content, value, campo, problems);
    }
  }
  checkChoices(elements, values, path, problems);
  for (const name in values) {
    if (values[name] !== undefined && !elements.some((element) => element.name === name)) {
      problems.push(problem(`${path}/${name}`, 'no existe en el esquema'));
    }
  }
}

function checkValue(content: Content, value: unknown, campo: string, problems: Problem[]): void {
  if (isBlock(content)) {
    if (typeof value === 'object' && value !== null) checkBlock(content, value, campo, problems);
    else problems.push(problem(campo, 'debería contener otros campos'));
  } else if (typeof value !== 'string' || !accepts(content, value)) {
    problems.push(problem(campo, `no admite el valor «${String(value)}»`));
  }
}

function checkChoices(
  elements: readonly Elemento[],
  values: Node,
  path: string,
  problems: Problem[],
): void {
  const present = new Map<string, number>();
  for (const { name, choice } of elements) {
    if (choice === undefined) continue;
    present.set(choice, (present.get(choice) ?? 0) + (values[name] === undefined ? 0 : 1));
  }
  for (const [choice, count] of present) {
    if (count === 1) continue;
    const names = elements.filter((e) => e.choice === choice).map((e) => e.name);
    problems.push(problem(path, `debe llevar ${names.join(' o ')}, y solo uno`));
  }
}

/** True when the schema and our own pattern accept the value. */
function accepts(valor: Valor, value: string): boolean {
  const { length, minLength = 0, maxLength = Infinity, pattern, enumeration, own } = valor;
  if (enumeration) return enumeration.includes(value);
  if (pattern && !pattern.test(value)) return false;
  if (own && !own.test(value)) return false;
  // The schema counts characters; UTF-16 length is never less, so most values need no counting.
  if (length === undefined && value.length >= minLength && value.length <= maxLength) {
    return true;
  }
  const characters = [...value].length;
  if (length !== undefined) return characters === length;
  return characters >= minLength && characters <= maxLength;
}

export function isBlock(content: Content): content is readonly Elemento[] {
  return Array.isArray(content);
}

function problem(campo: string, what: string): Problem {
  return {
    campo,
    mensaje: `El registro no cumple el esquema de la AEAT: ${campo || 'el registro'} ${what}.`,
  };
}
