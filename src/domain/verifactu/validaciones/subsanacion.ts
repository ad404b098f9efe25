import { fold } from '../../fold.ts';
import type { ClienteEmitido } from '../../invoice.ts';
import { oneLine } from '../../paper/text.ts';
import { type Caso, type Corregida, needsCliente, type Regla, si } from './regla.ts';

/** The recipient is not in the census: that is there to be corrected. */
const DEL_CLIENTE = [2001];

const SALIDA =
  'Si lo que tiene tu cliente está mal, deja esto como estaba y haz una rectificativa: te lleva «¿Qué hago?».';

/**
 * The correction of an invoice that the AEAT holds, with errors. It mends the registro; what is wrong on the invoice
 * itself, which the customer has, is mended by a rectificativa (RD 1619/2012 art. 15).
 */
export const SUBSANACION: readonly Regla[] = [
  {
    id: 'subsana-cliente',
    documento: 'facturacion',
    fuente: 'RD 1619/2012 arts. 6.1.c y d, y 15',
    gravedad: 'avisa',
    busca: deCorregida(DEL_CLIENTE, (corregida, caso) => {
      const before = corregida.cliente;
      const now = needsCliente(caso) ? caso.cliente : null;
      return si(
        before !== null && now !== null && identityOf(before) !== identityOf(now),
        'invoiceClient',
        () =>
          `La AEAT tiene esta factura a nombre de ${nombreYNif(before)} y ahora es de ${nombreYNif(now)}. Corregirla sólo arregla su registro, no cambia a quién facturaste. ${SALIDA}`,
      );
    }),
  },
  {
    id: 'subsana-tipo',
    documento: 'facturacion',
    fuente: 'RD 1619/2012 arts. 15.5 y 15.6',
    gravedad: 'avisa',
    busca: deCorregida([], (corregida, { tipoFactura }) =>
      si(
        [corregida.tipoFactura, tipoFactura].sort().join() === 'F1,F3',
        'invoiceType',
        () =>
          `La AEAT tiene esta factura como ${corregida.tipoFactura} y ahora es ${tipoFactura}. Corregirla sólo arregla su registro: no canjea facturas ni deja de canjearlas. ${SALIDA}`,
      ),
    ),
  },
];

/** Over what the AEAT holds, unless it is what the AEAT finds wrong. */
function deCorregida(
  ofTheAeat: readonly number[],
  rule: (corregida: Corregida, caso: Caso) => ReturnType<Regla['busca']>,
): Regla['busca'] {
  return (caso) => {
    const { corregida } = caso;
    if (!corregida || corregida.noConsta || ofTheAeat.includes(corregida.codigo ?? 0)) return [];
    return rule(corregida, caso);
  };
}

function identityOf({ nombre, nif, idOtro }: ClienteEmitido): string {
  return `${fold(oneLine(nombre))}|${nif ?? idOtro?.ID ?? ''}`;
}

function nombreYNif(cliente: ClienteEmitido | null): string {
  const id = cliente?.nif ?? cliente?.idOtro?.ID;
  return `${cliente?.nombre ?? ''}${id ? ` (${id})` : ''}`;
}
