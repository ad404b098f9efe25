import { hash } from 'node:crypto';

/** The eight fields of a RegistroAlta that are hashed, as the very strings of its XML. */
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

/** The five fields of a RegistroAnulacion that are hashed. */
export interface CamposHuellaAnulacion {
  readonly IDEmisorFacturaAnulada: string;
  readonly NumSerieFacturaAnulada: string;
  readonly FechaExpedicionFacturaAnulada: string;
  readonly HuellaAnterior: string;
  readonly FechaHoraHusoGenRegistro: string;
}

/**
 * Huella of a RegistroAlta: SHA-256 of the fields as `name=value` joined by `&`, in UTF-8, written
 * as 64 upper case hexadecimal characters.
 *
 * Text, not quantities: `12.35` and `12.350` are two huellas, so what is hashed is what is sent.
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

function sha256(text: string): string {
  return hash('sha256', text, 'hex').toUpperCase();
}

/**
 * A value as it is hashed. The AEAT takes off both ends what is not above U+0020, and nothing else: a no-break space stays,
 * which `String.prototype.trim` would remove.
 */
export function trim(value: string): string {
  let start = 0;
  let end = value.length;
  while (start < end && value.charCodeAt(start) <= 0x20) start += 1;
  while (end > start && value.charCodeAt(end - 1) <= 0x20) end -= 1;
  return start === 0 && end === value.length ? value : value.slice(start, end);
}
