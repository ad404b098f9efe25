import { hash } from 'node:crypto';
import { copyTexto, LONGEST_TEXTO, type TextosLlanos, textosAt } from './leer-llano.ts';

/** The eight hashed fields of a RegistroAlta, as the very strings of its XML. */
export interface CamposHuellaAlta {
  readonly IDEmisorFactura: string;
  readonly NumSerieFactura: string;
  readonly FechaExpedicionFactura: string;
  readonly TipoFactura: string;
  readonly CuotaTotal: string;
  readonly ImporteTotal: string;
  /** Huella of the previous registro of the cadena; empty for the first. */
  readonly HuellaAnterior: string;
  readonly FechaHoraHusoGenRegistro: string;
}

/** The five hashed fields of a RegistroAnulacion. */
export interface CamposHuellaAnulacion {
  readonly IDEmisorFacturaAnulada: string;
  readonly NumSerieFacturaAnulada: string;
  readonly FechaExpedicionFacturaAnulada: string;
  readonly HuellaAnterior: string;
  readonly FechaHoraHusoGenRegistro: string;
}

/**
 * Huella of a RegistroAlta: SHA-256 of the fields as `name=value` joined by `&`, in UTF-8, written as 64 upper-case
 * hexadecimal characters.
 *
 * Text, not quantities: `12.35` and `12.350` have different huellas, so exactly what is sent is hashed.
 * Law: Orden HAC/1177/2024 art. 6.a; AEAT, huella 0.1.2, section 6.1.
 */
export function huellaAlta(campos: CamposHuellaAlta): string {
  return sha256(
    `IDEmisorFactura=${trim(campos.IDEmisorFactura)}` +
      `&NumSerieFactura=${trim(campos.NumSerieFactura)}` +
      `&FechaExpedicionFactura=${trim(campos.FechaExpedicionFactura)}` +
      `&TipoFactura=${trim(campos.TipoFactura)}` +
      `&CuotaTotal=${trim(campos.CuotaTotal)}` +
      `&ImporteTotal=${trim(campos.ImporteTotal)}` +
      `&Huella=${trim(campos.HuellaAnterior)}` +
      `&FechaHoraHusoGenRegistro=${trim(campos.FechaHoraHusoGenRegistro)}`,
  );
}

/** Huella of a RegistroAnulacion. AEAT, huella 0.1.2, section 6.3. */
export function huellaAnulacion(campos: CamposHuellaAnulacion): string {
  return sha256(
    `IDEmisorFacturaAnulada=${trim(campos.IDEmisorFacturaAnulada)}` +
      `&NumSerieFacturaAnulada=${trim(campos.NumSerieFacturaAnulada)}` +
      `&FechaExpedicionFacturaAnulada=${trim(campos.FechaExpedicionFacturaAnulada)}` +
      `&Huella=${trim(campos.HuellaAnterior)}` +
      `&FechaHoraHusoGenRegistro=${trim(campos.FechaHoraHusoGenRegistro)}`,
  );
}

function sha256(text: string | Uint8Array): string {
  return hash('sha256', text, 'hex').toUpperCase();
}

/** The name of each hashed field, in order, and its path. */
type CamposHashed = readonly (readonly [name: string, path: string])[];

const HASHED_ALTA: CamposHashed = [
  ['IDEmisorFactura', 'IDFactura/IDEmisorFactura'],
  ['NumSerieFactura', 'IDFactura/NumSerieFactura'],
  ['FechaExpedicionFactura', 'IDFactura/FechaExpedicionFactura'],
  ['TipoFactura', 'TipoFactura'],
  ['CuotaTotal', 'CuotaTotal'],
  ['ImporteTotal', 'ImporteTotal'],
  ['Huella', 'Encadenamiento/RegistroAnterior/Huella'],
  ['FechaHoraHusoGenRegistro', 'FechaHoraHusoGenRegistro'],
];
const HASHED_ANULACION: CamposHashed = [
  ['IDEmisorFacturaAnulada', 'IDFactura/IDEmisorFacturaAnulada'],
  ['NumSerieFacturaAnulada', 'IDFactura/NumSerieFacturaAnulada'],
  ['FechaExpedicionFacturaAnulada', 'IDFactura/FechaExpedicionFacturaAnulada'],
  ['Huella', 'Encadenamiento/RegistroAnterior/Huella'],
  ['FechaHoraHusoGenRegistro', 'FechaHoraHusoGenRegistro'],
];

const HASHED = {
  Alta: hashedIn('Alta', HASHED_ALTA),
  Anulacion: hashedIn('Anulacion', HASHED_ANULACION),
};

function hashedIn(TipoRegistro: TextosLlanos['TipoRegistro'], campos: CamposHashed) {
  const encoder = new TextEncoder();
  return {
    before: campos.map(([name], i) => encoder.encode(`${i === 0 ? '' : '&'}${name}=`)),
    textos: textosAt(
      TipoRegistro,
      campos.map(([, path]) => path),
    ),
  };
}

/** Buffer for the hashed text of any registro that is read as bytes. */
const hashed = new Uint8Array(HASHED_ALTA.length * (LONGEST_TEXTO + 32));
const NOTHING = new Uint8Array(0);

/** The same huella for a registro read as bytes, with all its texts present. */
export function huellaOfTextos(read: TextosLlanos): string {
  const { before, textos } = HASHED[read.TipoRegistro];
  let at = 0;
  for (let i = 0; i < textos.length; i++) {
    const name = before[i] ?? NOTHING;
    for (let from = 0; from < name.length; from++) hashed[at++] = name[from] ?? 0;
    at = copyTexto(read, textos[i] ?? 0, hashed, at);
  }
  return sha256(hashed.subarray(0, at));
}

/**
 * A value as it is hashed. The AEAT strips characters up to U+0020 from both ends, and nothing else: a no-break space
 * stays, which `String.prototype.trim` would remove.
 */
export function trim(value: string): string {
  let start = 0;
  let end = value.length;
  while (start < end && value.charCodeAt(start) <= 0x20) start += 1;
  while (end > start && value.charCodeAt(end - 1) <= 0x20) end -= 1;
  return start === 0 && end === value.length ? value : value.slice(start, end);
}
