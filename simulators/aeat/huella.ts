import { createHash } from 'node:crypto';
import type { RegistroAlta, RegistroAnulacion } from './structure-tables.ts';

/**
 * The huella as the AEAT recomputes it from what it received: the literals as sent, trimmed.
 *
 * Source: especificaciones técnicas para generación de la huella 0.1.2 (27-08-2024). Shape: 64 hexadecimal
 * characters, upper case.
 */
export function huellaOfAlta(registro: RegistroAlta): string {
  const { IDEmisorFactura, NumSerieFactura, FechaExpedicionFactura } = registro.IDFactura;
  return sha256(
    `IDEmisorFactura=${IDEmisorFactura}&NumSerieFactura=${NumSerieFactura}` +
      `&FechaExpedicionFactura=${FechaExpedicionFactura}&TipoFactura=${registro.TipoFactura}` +
      `&CuotaTotal=${registro.CuotaTotal}&ImporteTotal=${registro.ImporteTotal}` +
      `&Huella=${huellaAnterior(registro)}` +
      `&FechaHoraHusoGenRegistro=${registro.FechaHoraHusoGenRegistro}`,
  );
}

/** As {@link huellaOfAlta}, for a RegistroAnulacion. */
export function huellaOfAnulacion(registro: RegistroAnulacion): string {
  const { IDFactura } = registro;
  return sha256(
    `IDEmisorFacturaAnulada=${IDFactura.IDEmisorFacturaAnulada}` +
      `&NumSerieFacturaAnulada=${IDFactura.NumSerieFacturaAnulada}` +
      `&FechaExpedicionFacturaAnulada=${IDFactura.FechaExpedicionFacturaAnulada}` +
      `&Huella=${huellaAnterior(registro)}` +
      `&FechaHoraHusoGenRegistro=${registro.FechaHoraHusoGenRegistro}`,
  );
}

/** Empty for the first registro of a cadena. */
export function huellaAnterior(registro: Pick<RegistroAlta, 'Encadenamiento'>): string {
  return registro.Encadenamiento.RegistroAnterior?.Huella ?? '';
}

function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex').toUpperCase();
}
