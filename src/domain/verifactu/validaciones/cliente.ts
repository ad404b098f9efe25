import { paisOf } from '../../catalogs/catalogs.ts';
import type { ClienteEmitido } from '../../invoice.ts';
import { checkNif, nifKind } from '../../nif.ts';
import { checkNifIva } from '../../nif-iva.ts';
import { territoryOf } from '../../postal-code.ts';
import { type Caso, faltan, type Hallazgo, needsCliente, type Regla, si } from './regla.ts';

const CAMPO = 'invoiceClient';
const NACIONALES = ['NAC', 'NACRE', 'CAN'];

/** Who the invoice is for (block Destinatarios). */
export const CLIENTE: readonly Regla[] = [
  {
    id: 'sin-cliente',
    fuente: 'Destinatarios; RD 1619/2012 art. 6.1.c',
    codigo: '1189',
    gravedad: 'bloquea',
    busca: (caso) =>
      si(
        needsCliente(caso) && caso.cliente === null,
        CAMPO,
        () =>
          'Elige el cliente de la factura. Si no lo conoces, puedes hacer una factura simplificada.',
      ),
  },
  {
    id: 'cliente-incompleto',
    fuente: 'Destinatarios; RD 1619/2012 art. 6.1.c, d y e',
    codigo: '1239',
    gravedad: 'bloquea',
    busca: conCliente((cliente) => {
      const isSpanish = cliente.countryCode === 'ES';
      const missing = faltan([
        [cliente.nombre, 'el nombre'],
        [idOf(cliente), isSpanish ? 'el NIF' : 'su número de identificación'],
        [cliente.direccion, 'la dirección'],
      ]);
      return si(
        missing !== '',
        CAMPO,
        () =>
          `En la ficha de ${cliente.nombre || 'este cliente'} ${missing}. Complétala para registrar la factura.`,
      );
    }),
  },
  {
    id: 'cliente-nif',
    fuente: 'Destinatarios',
    codigo: '1123',
    gravedad: 'bloquea',
    busca: conCliente(({ nif, nombre }) => {
      const check = nif ? checkNif(nif) : null;
      return check && !check.ok
        ? [{ campo: CAMPO, mensaje: `${check.mensaje} Corrígelo en la ficha de ${nombre}.` }]
        : [];
    }),
  },
  {
    id: 'cliente-nif-inusual',
    fuente: 'Orden EHA/451/2008',
    gravedad: 'avisa',
    busca: conCliente(({ nif }) => {
      const check = nif ? checkNif(nif) : null;
      return check?.ok && check.aviso ? [{ campo: CAMPO, mensaje: check.aviso }] : [];
    }),
  },
  {
    id: 'cliente-uno-mismo',
    fuente: 'Destinatarios (autoconsumo)',
    gravedad: 'avisa',
    busca: conCliente(({ nif }, { emisor }) =>
      si(
        nif !== null && nif === emisor.nif,
        CAMPO,
        () =>
          'El NIF del cliente es el de tu propia empresa. Sólo cabe en un autoconsumo: comprueba que no te has confundido de cliente.',
      ),
    ),
  },
  {
    id: 'cliente-nif-iva',
    fuente: 'Destinatarios (IDType 02)',
    codigo: '1103',
    gravedad: 'bloquea',
    busca: conCliente(({ idOtro, countryCode, nombre }) => {
      const check = idOtro?.IDType === '02' ? checkNifIva(countryCode, idOtro.ID) : null;
      return check && !check.ok
        ? [{ campo: CAMPO, mensaje: `${check.mensaje} Corrígelo en la ficha de ${nombre}.` }]
        : [];
    }),
  },
  {
    id: 'sin-nif-iva',
    fuente: 'Ley 37/1992 art. 25; Destinatarios',
    codigo: '1289',
    gravedad: 'bloquea',
    busca: conCliente((cliente, { totals }) =>
      totals.lines.flatMap(({ group, tax }, index) =>
        si(
          group?.requiereVies === true && cliente.idOtro?.IDType !== '02',
          `invoiceItems.${index}.tax`,
          () =>
            `El impuesto ${tax} es sólo para empresas de la Unión Europea con NIF-IVA, y ${cliente.nombre} no lo tiene. Escríbelo en su ficha con las letras del país, o cobra IVA.`,
        ),
      ),
    ),
  },
  {
    id: 'vies',
    fuente: 'Ley 37/1992 art. 25',
    gravedad: 'avisa',
    busca: conCliente(({ idOtro }, { totals }) =>
      si(
        idOtro?.IDType === '02' && totals.lines.some(({ group }) => group?.requiereVies === true),
        CAMPO,
        () =>
          `Comprueba que el NIF-IVA ${idOtro?.ID} está dado de alta en VIES el día de la operación: sin eso hay que cobrar IVA.`,
      ),
    ),
  },
  {
    id: 'r2-identificacion',
    fuente: 'Destinatarios (TipoFactura R2)',
    codigo: '1192',
    gravedad: 'bloquea',
    busca: conCliente(({ idOtro }, { tipoFactura }) =>
      si(
        tipoFactura === 'R2' && idOtro !== null && !['02', '07'].includes(idOtro.IDType),
        'crmemoType',
        () =>
          'Una R2 (concurso de acreedores) pide un cliente con NIF español o NIF-IVA. Elige otro tipo de rectificativa.',
      ),
    ),
  },
  {
    id: 'r3-identificacion',
    fuente: 'Destinatarios (TipoFactura R3)',
    codigo: '1191',
    gravedad: 'bloquea',
    busca: conCliente(({ idOtro }, { tipoFactura }) =>
      si(
        tipoFactura === 'R3' && idOtro !== null && idOtro.IDType !== '07',
        'crmemoType',
        () =>
          'Una R3 (crédito incobrable) pide un cliente con NIF español. Elige otro tipo de rectificativa.',
      ),
    ),
  },
  {
    id: 'grupo-y-pais',
    fuente: 'Nuestra: el grupo contable decide los impuestos que se ofrecen',
    gravedad: 'avisa',
    busca: conCliente((cliente) => {
      const expected = gruposOf(cliente);
      return si(
        !expected.includes(cliente.postingGroup),
        CAMPO,
        () =>
          `${cliente.nombre} es de ${paisOf(cliente.countryCode)?.label ?? cliente.countryCode} y su grupo contable es ${cliente.postingGroup}. Comprueba en su ficha que los dos son correctos: de ellos depende el impuesto.`,
      );
    }),
  },
  {
    id: 'grupo-y-territorio',
    fuente: 'Ley 37/1992 art. 21; grupos contables',
    gravedad: 'avisa',
    busca: conCliente((cliente, { emisor }) => {
      const isIslander = ['canarias', 'ceuta-melilla'].includes(territoryOf(cliente.postCode));
      const isOwn = territoryOf(cliente.postCode) === territoryOf(emisor.postCode);
      return si(
        cliente.countryCode === 'ES' && isIslander && !isOwn && cliente.postingGroup === 'NAC',
        CAMPO,
        () =>
          `${cliente.nombre} está fuera del territorio del IVA (código postal ${cliente.postCode}). Comprueba si su grupo contable debería ser «Canarias, Ceuta y Melilla».`,
      );
    }),
  },
  {
    id: 'recargo-a-sociedad',
    fuente: 'Recargo de equivalencia: personas físicas y atribución de rentas',
    gravedad: 'avisa',
    busca: conCliente(({ nif, nombre }, { totals }) =>
      si(
        nif !== null &&
          nifKind(nif) === 'entidad' &&
          !/^[EJ]/.test(nif) &&
          totals.recargoCents !== 0n,
        CAMPO,
        () =>
          `${nombre} es una sociedad y el recargo de equivalencia es sólo para personas físicas y comunidades de bienes. Comprueba su grupo contable.`,
      ),
    ),
  },
];

/** A rule over the customer of an invoice that names one. */
function conCliente(
  rule: (cliente: ClienteEmitido, caso: Caso) => readonly Hallazgo[],
): Regla['busca'] {
  return (caso) => (caso.cliente && needsCliente(caso) ? rule(caso.cliente, caso) : []);
}

function idOf({ nif, idOtro }: ClienteEmitido): string {
  return nif ?? idOtro?.ID ?? '';
}

/** Groups that make sense for the customer's country. */
function gruposOf({ countryCode }: ClienteEmitido): readonly string[] {
  if (countryCode === 'ES') return NACIONALES;
  return paisOf(countryCode)?.ue || countryCode === 'GB' ? ['UE', 'UEPART', 'EXT'] : ['EXT'];
}
