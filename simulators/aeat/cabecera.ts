import type { Holder } from './certificates/holder.ts';
import { meaningOf } from './codes.ts';
import { Fault } from './fault.ts';
import { isNif } from './nif.ts';
import type { Context } from './rules/context.ts';
import { readBlock, type WrongValue } from './structure.ts';
import { type Cabecera, TABLES } from './structure-tables.ts';
import { isoDate } from './values.ts';
import type { XmlNode } from './xml.ts';

/** @throws {Fault} structure or value: in the header both refuse the whole message. */
export function readCabecera(node: XmlNode): Cabecera {
  const wrong: WrongValue[] = [];
  const cabecera = readBlock(TABLES.Cabecera, node, wrong);
  const [first] = wrong;
  if (first?.code === 1100) throw schemaFault(first.campo);
  if (first) throw new Fault(first.code, meaningOf(first.code));
  return cabecera;
}

/**
 * The Representante made the registros for the obligado, as an adviser does, and is not compared with the
 * certificate; its holder, who presents them, is, and must be allowed to.
 *
 * @throws {Fault} 4116, 4104, 4117, 4105, 4124, 4120, 4126 or 4112, in this order
 */
export function checkCabecera(cabecera: Cabecera, holder: Holder, context: Context): void {
  const { ObligadoEmision, Representante, RemisionVoluntaria, RemisionRequerimiento } = cabecera;
  checkTitular(ObligadoEmision, context, { format: 4116, census: 4104, name: 4104 });
  if (Representante) {
    // 4123 means the same as 4105; which of them the AEAT returns is unknown.
    checkTitular(Representante, context, { format: 4117, census: 4105, name: 4124 });
  }
  checkFechaFin(RemisionVoluntaria?.FechaFinVeriFactu, context);
  // That block belongs to the other service, with or without RemisionVoluntaria (measured).
  if (RemisionRequerimiento) throw new Fault(4126, meaningOf(4126));
  if (!context.mayPresent(holder.nif)) throw new Fault(4112, meaningOf(4112));
}

function checkTitular(
  { NIF, NombreRazon }: Cabecera['ObligadoEmision'],
  { isCensado, isIdentificado }: Context,
  codes: { format: number; census: number; name: number },
): void {
  const fail = (code: number) =>
    new Fault(code, `${meaningOf(code)} NIF:${NIF}. NOMBRE_RAZON:${NombreRazon}`);
  if (!isNif(NIF)) throw fail(codes.format);
  if (!isCensado(NIF)) throw fail(codes.census);
  if (!isIdentificado(NIF, NombreRazon)) throw fail(codes.name);
}

/** A calendar day; from 2027 on, the last one of this year or of the previous one. */
function checkFechaFin(fecha: string | undefined, { today, hasRulesOf2027 }: Context): void {
  if (fecha === undefined) return;
  const year = Number(today.slice(0, 4));
  const isGood = hasRulesOf2027
    ? fecha === `31-12-${year}` || fecha === `31-12-${year - 1}`
    : isoDate(fecha) !== undefined;
  if (!isGood) throw new Fault(4120, meaningOf(4120));
}

function schemaFault(campo: string): Fault {
  return new Fault(4102, `El XML no cumple el esquema. Valor incorrecto del campo: ${campo}`);
}
