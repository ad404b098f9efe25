/** Checking registros with nothing but their XML: each huella, and each link of the cadena. */

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

/** What says which registro it is. Of an anulación, its `…Anulada` keys. */
export interface ClaveRegistro {
  readonly IDEmisorFactura: string;
  readonly NumSerieFactura: string;
  readonly FechaExpedicionFactura: string;
  readonly Huella: string;
}

/** A registro read back from its XML and held against its own huella. */
export interface RegistroLeido extends ClaveRegistro {
  readonly TipoRegistro: 'Alta' | 'Anulacion';
  readonly FechaHoraHusoGenRegistro: string;
  /** Null for the first of a cadena (`PrimerRegistro`). */
  readonly RegistroAnterior: ClaveRegistro | null;
  /** Of the program's; empty when it cannot be read. */
  readonly NumeroInstalacion: string;
  /** NIF of who made the program, or what it has instead; empty when it cannot be read. */
  readonly Productor: string;
  /** Of that producer's programs; empty when it cannot be read. */
  readonly IdSistemaInformatico: string;
  /** The huella that its fields give; empty when they cannot be read. */
  readonly HuellaCalculada: string;
  /** What is wrong with it, links apart: a sentence in Spanish, or null. */
  readonly problema: string | null;
}

/** Where a cadena stops being whole, in words for its owner. */
export interface Rotura {
  readonly NumSerieFactura: string;
  readonly motivo: string;
}

export const ILEGIBLE = 'Su XML no se puede leer: no es un registro de facturación completo.';

/**
 * Every registro of a document of any program: a RegistroAlta or RegistroAnulacion alone, a message,
 * its SOAP envelope.
 *
 * @returns null when it is not XML; empty when there is no registro in it
 */
export function verifyDocument(xml: string): RegistroLeido[] | null {
  return readAnyXml(xml)?.map(registroLeido) ?? null;
}

/**
 * One registro as we store it (`registroXml`), or a document with just one.
 *
 * @returns null when no registro can be read from it
 */
export function verifyRegistro(xml: string): RegistroLeido | null {
  const leido = readOwnXml(xml);
  return leido && registroLeido(leido);
}

/**
 * Every registro of an exported document (`regFactuDocument`) in which somebody broke the XML, by itself.
 *
 * @returns null in the place of each that cannot be read
 */
export function verifyPieces(xml: string): (RegistroLeido | null)[] {
  return fragmentsOf(xml).map(verifyRegistro);
}

/**
 * Follows a cadena registro by registro, in its order, holding only the last one: memory does not
 * grow with the cadena.
 *
 * Law: Orden HAC/1177/2024 art. 7.a to d; AEAT, VERI*FACTU: the link is to the registro generated before, whatever the
 * AEAT answered of it. The NIF inside RegistroAnterior is not compared: after a merger it is another one. Each
 * installation has a cadena of its own (code 2007): a `PrimerRegistro` behind others starts one where its
 * NumeroInstalacion is none of theirs.
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

  /** Installations met: each with a cadena of its own. */
  get instalaciones(): number {
    return this.#instalaciones.size;
  }

  get last(): ClaveRegistro | null {
    return this.#leido ?? this.#eslabon.clave;
  }

  get primeraRotura(): Rotura | null {
    return this.#primeraRotura;
  }

  /** Takes the next registro; the first break found is kept, and later ones do not replace it. */
  add(registro: RegistroLeido): void {
    this.#registros += 1;
    const motivo = this.#primeraRotura ? null : (registro.problema ?? this.#linkProblem(registro));
    if (motivo) this.breakAt(registro.NumSerieFactura, motivo);
    this.#leido = registro;
    this.#eslabon.set(registro);
    this.#instalaciones.add(registro.NumeroInstalacion);
  }

  /**
   * Takes the next registro if it is plainly right: it has a registro before it, which is the last one, its
   * huella is that of its fields, and nothing in it has to be decoded. Several times faster than `add`,
   * which would say the same of it.
   *
   * @param bytes its XML, in UTF-8, from `start` to `end`
   * @returns its texts, or null when it was not taken: then it has to be read in full
   */
  addPlain(bytes: Uint8Array, start: number, end: number): TextosLlanos | null {
    const read = readPlainXml(bytes, start, end);
    if (!read || !this.#eslabon.isBefore(read) || !hasItsHuella(read)) return null;
    this.#registros += 1;
    this.#leido = null;
    this.#eslabon.setPlain(read);
    return read;
  }

  /** Says from outside that the cadena breaks here: what the XML alone cannot tell. */
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
 * Puts loose registros of one obligado in the order their links say, whatever order they came in.
 * Pieces that nothing joins stand one after the other, so that the verifier finds the gap.
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
      // One by one: a file may have any number that say the same.
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

/** Fields each kind must have, beside the link. */
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

/** SHA-256, the only one there is. */
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

/** @param ofAlta what only an alta has */
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
  const first = text.charCodeAt(0); // Nearly always tells: a million registros are asked for 13 fields.
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
