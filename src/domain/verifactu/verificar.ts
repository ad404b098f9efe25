/** Checks registros from their XML alone: each huella, and each link of the cadena. */

import { Eslabon } from './eslabon.ts';
import {
  type CamposHuellaAlta,
  huellaAlta,
  huellaAnulacion,
  huellaOfTextos,
  trim,
} from './huella.ts';
import { isTexto, readPlainXml, type TextosLlanos, textosAt } from './leer-llano.ts';
import { type CamposLeidos, readAnyXml, readOwnXml } from './leer-registro.ts';
import { fragmentsOf } from './xml.ts';

/** What identifies a registro. For an anulación, its `…Anulada` keys. */
export interface ClaveRegistro {
  readonly IDEmisorFactura: string;
  readonly NumSerieFactura: string;
  readonly FechaExpedicionFactura: string;
  readonly Huella: string;
}

/** A registro read from its XML and compared with its own huella. */
export interface RegistroLeido extends ClaveRegistro {
  readonly TipoRegistro: 'Alta' | 'Anulacion';
  readonly FechaHoraHusoGenRegistro: string;
  /** Null for the first of a cadena (`PrimerRegistro`). */
  readonly RegistroAnterior: ClaveRegistro | null;
  /** Of the program; empty when it cannot be read. */
  readonly NumeroInstalacion: string;
  /** NIF or other identification of the program's producer; empty when it cannot be read. */
  readonly Productor: string;
  /** Which of that producer's programs; empty when it cannot be read. */
  readonly IdSistemaInformatico: string;
  /** The huella computed from its fields; empty when they cannot be read. */
  readonly HuellaCalculada: string;
  /** What is wrong with it, apart from links: a sentence in Spanish, or null. */
  readonly problema: string | null;
}

/** Where a cadena is broken, in words for its owner. */
export interface Rotura {
  readonly NumSerieFactura: string;
  readonly motivo: string;
}

export const ILEGIBLE = 'Su XML no se puede leer: no es un registro de facturación completo.';

/**
 * Every registro of a document of any program: a single RegistroAlta or RegistroAnulacion, a message, its SOAP
 * envelope.
 *
 * @returns null when it is not XML; empty when it contains no registro
 */
export function verifyDocument(xml: string): RegistroLeido[] | null {
  return readAnyXml(xml)?.map(registroLeido) ?? null;
}

/**
 * One registro as we store it (`registroXml`), or a document with just one.
 *
 * @returns null when it contains no readable registro
 */
export function verifyRegistro(xml: string): RegistroLeido | null {
  const leido = readOwnXml(xml);
  return leido && registroLeido(leido);
}

/**
 * The registros, one by one, of an exported document (`regFactuDocument`) whose XML is no longer valid.
 *
 * @returns null in place of each that cannot be read
 */
export function verifyPieces(xml: string): (RegistroLeido | null)[] {
  return fragmentsOf(xml).map(verifyRegistro);
}

/**
 * Follows a cadena registro by registro, in order, holding only the last one: memory does not grow with the cadena.
 *
 * Law: Orden HAC/1177/2024 art. 7.a to d; AEAT, VERI*FACTU: the link is to the registro generated before, whatever
 * the AEAT answered to it. The NIF in RegistroAnterior is not compared, because a merger changes it. Each
 * installation has a cadena of its own (code 2007): a later `PrimerRegistro` starts one if its NumeroInstalacion is
 * new.
 */
export class CadenaVerifier {
  readonly #fromFirst: boolean;
  /** The last one if it was read in full; if it was taken as bytes, only `#eslabon` knows it. */
  #leido: RegistroLeido | null = null;
  readonly #eslabon = new Eslabon();
  #registros = 0;
  #primeraRotura: Rotura | null = null;
  readonly #instalaciones = new Set<string>();

  /** @param options.fromFirst the first one added must be the first of the cadena, not a later one */
  constructor({ fromFirst }: { readonly fromFirst: boolean }) {
    this.#fromFirst = fromFirst;
  }

  get registros(): number {
    return this.#registros;
  }

  /** Installations seen: each with a cadena of its own. */
  get instalaciones(): number {
    return this.#instalaciones.size;
  }

  get last(): ClaveRegistro | null {
    return this.#leido ?? this.#eslabon.clave;
  }

  get primeraRotura(): Rotura | null {
    return this.#primeraRotura;
  }

  /** Adds the next registro; the first break found is kept, and later ones do not replace it. */
  add(registro: RegistroLeido): void {
    this.#registros += 1;
    const motivo = this.#primeraRotura ? null : (registro.problema ?? this.#linkProblem(registro));
    if (motivo) this.breakAt(registro.NumSerieFactura, motivo);
    this.#leido = registro;
    this.#eslabon.set(registro);
    this.#instalaciones.add(registro.NumeroInstalacion);
  }

  /**
   * Adds the next registro if it is evidently right: it names the last one as the previous one, its huella matches
   * its fields, and nothing in it has to be decoded. Several times faster than `add`, with the same result.
   *
   * @param bytes its XML, in UTF-8, from `start` to `end`
   * @returns its texts, or null when it was not added: then it has to be read in full
   */
  addPlain(bytes: Uint8Array, start: number, end: number): TextosLlanos | null {
    const read = readPlainXml(bytes, start, end);
    if (!read || !this.#eslabon.isBefore(read) || !hasItsHuella(read)) return null;
    this.#registros += 1;
    this.#leido = null;
    this.#eslabon.setPlain(read);
    return read;
  }

  /** Reports a break that the XML alone cannot show. */
  breakAt(NumSerieFactura: string, motivo: string): void {
    this.#primeraRotura ??= { NumSerieFactura, motivo };
  }

  #linkProblem({
    RegistroAnterior,
    IDEmisorFactura,
    NumeroInstalacion,
  }: RegistroLeido): string | null {
    const { last } = this;
    if (!last) {
      return RegistroAnterior && this.#fromFirst
        ? `Debería ser el primero de la cadena, pero dice venir detrás de ${nameOf(RegistroAnterior)}, que no está.`
        : null;
    }
    if (IDEmisorFactura !== last.IDEmisorFactura) {
      return `Es de otro emisor (${IDEmisorFactura}): cada obligado tiene su propia cadena.`;
    }
    if (!RegistroAnterior) {
      if (NumeroInstalacion && !this.#instalaciones.has(NumeroInstalacion)) return null;
      return `Dice ser el primero de la cadena, pero delante está ${nameOf(last)}.`;
    }
    if (!isSameInvoice(RegistroAnterior, last)) {
      return `Dice venir detrás de ${nameOf(RegistroAnterior)}, pero el que tiene delante es ${nameOf(last)}.`;
    }
    if (RegistroAnterior.Huella !== last.Huella) {
      return `La huella que anota del registro anterior (${nameOf(last)}) no es la suya.`;
    }
    return null;
  }
}

/**
 * Orders loose registros of one obligado by their links. Parts that nothing joins follow one another, so that the
 * verifier finds the gap.
 */
export function inOrderOfCadena<T extends RegistroLeido>(registros: readonly T[]): T[] {
  const byAnterior = groupedByAnterior(registros);
  const huellas = new Set(registros.map((r) => r.Huella));
  const starts = registros.filter((r) => !huellas.has(r.RegistroAnterior?.Huella ?? ''));
  const isFirst = (r: T) => (r.RegistroAnterior === null ? 0 : 1);
  const ordered = new Set<T>();
  const follow = (start: T) => {
    const waiting: T[] = [start];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      if (ordered.has(next)) continue;
      ordered.add(next);
      // One by one: in a file, any number of them may say the same.
      for (const after of (byAnterior.get(next.Huella) ?? []).toReversed()) waiting.push(after);
    }
  };
  for (const start of starts.toSorted((a, b) => isFirst(a) - isFirst(b))) follow(start);
  for (const rest of registros) follow(rest); // Links in a circle: none is a start.
  return [...ordered];
}

function groupedByAnterior<T extends RegistroLeido>(registros: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const registro of registros) {
    const key = registro.RegistroAnterior?.Huella ?? '';
    const group = groups.get(key);
    if (group) group.push(registro);
    else groups.set(key, [registro]);
  }
  return groups;
}

function nameOf({ NumSerieFactura, FechaExpedicionFactura }: ClaveRegistro): string {
  return `${NumSerieFactura || 'una factura sin número'} del ${FechaExpedicionFactura}`;
}

function isSameInvoice(a: ClaveRegistro, b: ClaveRegistro): boolean {
  return (
    a.NumSerieFactura === b.NumSerieFactura && a.FechaExpedicionFactura === b.FechaExpedicionFactura
  );
}

/** Mandatory fields of each kind, besides the link. */
const REQUIRED: Readonly<Record<CamposLeidos['TipoRegistro'], readonly string[]>> = {
  Alta: [
    'IDFactura/IDEmisorFactura',
    'IDFactura/NumSerieFactura',
    'IDFactura/FechaExpedicionFactura',
    'TipoFactura',
    'CuotaTotal',
    'ImporteTotal',
    'FechaHoraHusoGenRegistro',
    'TipoHuella',
    'Huella',
  ],
  Anulacion: [
    'IDFactura/IDEmisorFacturaAnulada',
    'IDFactura/NumSerieFacturaAnulada',
    'IDFactura/FechaExpedicionFacturaAnulada',
    'FechaHoraHusoGenRegistro',
    'TipoHuella',
    'Huella',
  ],
};

/** SHA-256, the only one defined. */
const TIPO_HUELLA = '01';
const PRIMERO = 'Encadenamiento/PrimerRegistro';
const ANTERIOR = 'Encadenamiento/RegistroAnterior';
const ANTERIOR_FIELDS = [
  `${ANTERIOR}/IDEmisorFactura`,
  `${ANTERIOR}/NumSerieFactura`,
  `${ANTERIOR}/FechaExpedicionFactura`,
  `${ANTERIOR}/Huella`,
] as const;

const WITH_HUELLA = ['TipoHuella', 'Huella'];
const HUELLA = {
  Alta: textosAt('Alta', WITH_HUELLA),
  Anulacion: textosAt('Anulacion', WITH_HUELLA),
};

function hasItsHuella(read: TextosLlanos): boolean {
  const [tipo = 0, huella = 0] = HUELLA[read.TipoRegistro];
  return isTexto(read, tipo, TIPO_HUELLA) && isTexto(read, huella, huellaOfTextos(read));
}

function registroLeido(leido: CamposLeidos): RegistroLeido {
  const { TipoRegistro, campos } = leido;
  const value = (name: string) => trim(campos.get(name) ?? '');
  const suffix = TipoRegistro === 'Alta' ? '' : 'Anulada';
  const [emisor, numero, fecha, huella] = ANTERIOR_FIELDS;
  const clave = {
    TipoRegistro,
    IDEmisorFactura: value(`IDFactura/IDEmisorFactura${suffix}`),
    NumSerieFactura: value(`IDFactura/NumSerieFactura${suffix}`),
    FechaExpedicionFactura: value(`IDFactura/FechaExpedicionFactura${suffix}`),
    Huella: value('Huella'),
    FechaHoraHusoGenRegistro: value('FechaHoraHusoGenRegistro'),
    NumeroInstalacion: value('SistemaInformatico/NumeroInstalacion'),
    Productor: value('SistemaInformatico/NIF') || value('SistemaInformatico/IDOtro/ID'),
    IdSistemaInformatico: value('SistemaInformatico/IdSistemaInformatico'),
    RegistroAnterior: campos.has(huella)
      ? {
          IDEmisorFactura: value(emisor),
          NumSerieFactura: value(numero),
          FechaExpedicionFactura: value(fecha),
          Huella: value(huella),
        }
      : null,
  };
  const HuellaCalculada = huellaOf(clave, {
    TipoFactura: value('TipoFactura'),
    CuotaTotal: value('CuotaTotal'),
    ImporteTotal: value('ImporteTotal'),
  });
  return { ...clave, HuellaCalculada, problema: problemOf(leido, clave.Huella, HuellaCalculada) };
}

/** @param ofAlta fields that only an alta has */
function huellaOf(
  clave: Omit<RegistroLeido, 'HuellaCalculada' | 'problema'>,
  ofAlta: Pick<CamposHuellaAlta, 'TipoFactura' | 'CuotaTotal' | 'ImporteTotal'>,
): string {
  const { IDEmisorFactura, NumSerieFactura, FechaExpedicionFactura } = clave;
  const HuellaAnterior = clave.RegistroAnterior?.Huella ?? '';
  const { FechaHoraHusoGenRegistro } = clave;
  if (clave.TipoRegistro === 'Anulacion') {
    return huellaAnulacion({
      IDEmisorFacturaAnulada: IDEmisorFactura,
      NumSerieFacturaAnulada: NumSerieFactura,
      FechaExpedicionFacturaAnulada: FechaExpedicionFactura,
      HuellaAnterior,
      FechaHoraHusoGenRegistro,
    });
  }
  return huellaAlta({
    IDEmisorFactura,
    NumSerieFactura,
    FechaExpedicionFactura,
    ...ofAlta,
    HuellaAnterior,
    FechaHoraHusoGenRegistro,
  });
}

function isBlank(text: string | undefined): boolean {
  if (text === undefined) return true;
  const first = text.charCodeAt(0); // Nearly always decides: 13 fields in each of a million registros.
  return !(first > 0x20 && first < 0x7f) && text.trim() === '';
}

function problemOf(leido: CamposLeidos, Huella: string, calculada: string): string | null {
  const { TipoRegistro, campos, repetido } = leido;
  if (repetido) return `El campo ${repetido} está dos veces.`;
  const missing = REQUIRED[TipoRegistro].find((name) => isBlank(campos.get(name)));
  if (missing) return `Le falta el campo ${missing}.`;
  const hasAnterior = ANTERIOR_FIELDS.some((name) => campos.has(name));
  const isFirst = trim(campos.get(PRIMERO) ?? '') === 'S';
  if (hasAnterior === isFirst) {
    return 'No dice claramente qué registro va delante (PrimerRegistro o RegistroAnterior).';
  }
  const incomplete = hasAnterior && ANTERIOR_FIELDS.find((name) => isBlank(campos.get(name)));
  if (incomplete) return `Le falta el campo ${incomplete}.`;
  if (trim(campos.get('TipoHuella') ?? '') !== TIPO_HUELLA) {
    return 'Su huella no es del único tipo que admite la AEAT (TipoHuella 01, SHA-256).';
  }
  if (Huella !== calculada) {
    return 'Su huella no es la que sale de sus datos: alguno se ha cambiado después de registrarlo.';
  }
  return null;
}
