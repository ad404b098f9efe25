import { Fault } from './fault.ts';
import { NS } from './namespaces.ts';
import { readBlock, type WrongValue } from './structure.ts';
import {
  type IDFactura,
  type RegistroAlta,
  type RegistroAnulacion,
  TABLES,
} from './structure-tables.ts';
import type { XmlNode } from './xml.ts';

/** A registro and which of the two kinds it is. */
export type RegistroLeido =
  | { readonly TipoRegistro: 'Alta'; readonly registro: RegistroAlta }
  | { readonly TipoRegistro: 'Anulacion'; readonly registro: RegistroAnulacion };

/** A registro of a message, with the values that break their type. */
export type Registro = RegistroLeido & { readonly wrong: readonly WrongValue[] };

/** @throws {Fault} when its structure is wrong. */
export function readRegistro(node: XmlNode): Registro {
  const [child] = node.children;
  if (!child || node.children.length > 1 || child.uri !== NS.sf) throw noRegistro();
  const wrong: WrongValue[] = [];
  switch (child.name) {
    case 'RegistroAlta': {
      const registro = readBlock(TABLES.RegistroAlta, child, wrong);
      return { TipoRegistro: 'Alta', registro, wrong };
    }
    case 'RegistroAnulacion': {
      const registro = readBlock(TABLES.RegistroAnulacion, child, wrong);
      return { TipoRegistro: 'Anulacion', registro, wrong };
    }
    default:
      throw noRegistro();
  }
}

function noRegistro(): Fault {
  return new Fault(4136, 'RegistroFactura no lleva un RegistroAlta o un RegistroAnulacion.');
}

/** The three parts of the key, under the names of an alta. */
export function idFacturaOf(leido: RegistroLeido): IDFactura {
  if (leido.TipoRegistro === 'Alta') return leido.registro.IDFactura;
  const { IDFactura } = leido.registro;
  return {
    IDEmisorFactura: IDFactura.IDEmisorFacturaAnulada,
    NumSerieFactura: IDFactura.NumSerieFacturaAnulada,
    FechaExpedicionFactura: IDFactura.FechaExpedicionFacturaAnulada,
  };
}
