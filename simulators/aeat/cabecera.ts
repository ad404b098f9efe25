import type { Holder } from './certificates/holder.ts';
import { meaningOf } from './codes.ts';
import { Fault } from './fault.ts';
import { isNif } from './nif.ts';
import type { Context } from './rules/context.ts';
import { readBlock, type WrongValue } from './structure.ts';
import { type Cabecera, TABLES } from './structure-tables.ts';
import type { XmlNode } from './xml.ts';

/** @throws {Fault} structure or value: in the header both refuse the whole message. */
export function readCabecera(node: XmlNode): Cabecera {
  const wrong: WrongValue[] = [];
  const cabecera = readBlock(TABLES.Cabecera, node, wrong);
  const [first] = wrong;
  if (first)
    throw new Fault(first.code === 1100 ? 4102 : first.code, meaningOf(first.code, first.campo));
  return cabecera;
}

/** @throws {Fault} */
export function checkCabecera(cabecera: Cabecera, holder: Holder, context: Context): void {
  const { ObligadoEmision } = cabecera;
  if (!isNif(ObligadoEmision.NIF)) throw fault(4116, ObligadoEmision);
  if (!context.isCensado(ObligadoEmision.NIF)) throw fault(4104, ObligadoEmision);
  if (holder.nif !== ObligadoEmision.NIF) throw new Fault(4112, meaningOf(4112));
}

function fault(code: number, { NIF, NombreRazon }: { NIF: string; NombreRazon: string }): Fault {
  return new Fault(code, `${meaningOf(code)} NIF:${NIF}. NOMBRE_RAZON:${NombreRazon}`);
}
