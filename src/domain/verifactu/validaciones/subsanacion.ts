import { fechaEs, isIsoDate } from '../../dates.ts';
import { fold } from '../../fold.ts';
import type { ClienteEmitido } from '../../invoice.ts';
import { totalOf } from '../../issue.ts';
import { textToCents } from '../../money.ts';
import { oneLine } from '../../paper/text.ts';
import { seriesKindOf } from '../../series.ts';
import { type Caso, type Corregida, needsCliente, type Regla, si } from './regla.ts';

/** The recipient is not in the census: correcting it is the purpose. */
const DEL_CLIENTE = [2001];

const SALIDA =
  'Si lo que tiene tu cliente está mal, deja esto como estaba y haz una rectificativa: te lleva «¿Qué hago?».';

const CONSERVA = 'Nuestra: lo registrado conserva su número, su fecha y su tipo';

/**
 * Rules about correcting an invoice that the AEAT holds with errors. This corrects the registro; an error on the
 * invoice itself, which the customer has, is corrected by a rectificativa (RD 1619/2012 art. 15).
 */
export const SUBSANACION: readonly Regla[] = [
  {
    id: 'subsana-importes-referidos',
    documento: 'facturacion',
    fuente: 'RD 1619/2012 art. 15; ImporteRectificacion',
    gravedad: 'bloquea',
    busca: deCorregida([], (corregida, caso) => {
      const { referidaPor: standing } = corregida;
      return si(
        standing !== null && changesAmounts(corregida, caso),
        'invoiceItems',
        () =>
          `La factura ${standing} se hizo sobre la ${corregida.numSerie} con los importes que tiene la AEAT: no los cambies. Si están mal, rectifica la ${standing}.`,
      );
    }),
  },
  {
    // The rectificativa or the F3 was registered before the AEAT refused this one, which may need other amounts.
    id: 'corrige-importes-referidos',
    documento: 'facturacion',
    fuente: 'RD 1619/2012 art. 15; ImporteRectificacion',
    gravedad: 'avisa',
    busca: (caso) => {
      const { corregida } = caso;
      const standing = corregida?.noConsta ? corregida.referidaPor : null;
      return si(
        standing !== null && corregida != null && changesAmounts(corregida, caso),
        'invoiceItems',
        () =>
          `La factura ${standing} se hizo sobre la ${corregida?.numSerie} y está registrada con los importes de antes. Si los cambias aquí, anula o rectifica después la ${standing}.`,
      );
    },
  },
  {
    // A subsanación corrects the registro (AEAT, FAQ for developers 1.3), and warnings about totals concern it too.
    id: 'subsana-importes',
    documento: 'facturacion',
    fuente: 'RD 1619/2012 art. 15',
    gravedad: 'avisa',
    busca: deCorregida([], (corregida, caso) =>
      si(
        corregida.referidaPor === null && changesAmounts(corregida, caso),
        'invoiceItems',
        () =>
          `La AEAT tiene la factura ${corregida.numSerie} con otros importes, y tu cliente la pudo recibir con ellos. Si lo que está mal es eso, no la corrijas: haz una rectificativa.`,
      ),
    ),
  },
  {
    // With other amounts, that has been said already.
    id: 'subsana-menciones',
    documento: 'facturacion',
    fuente: 'RD 1619/2012 arts. 6.1.j a p, y 15',
    gravedad: 'avisa',
    busca: deCorregida([], (corregida, caso) => {
      const { menciones = [] } = caso;
      const differs = [
        ...menciones.filter((mencion) => !corregida.menciones.includes(mencion)),
        ...corregida.menciones.filter((mencion) => !menciones.includes(mencion)),
      ];
      return si(
        differs.length > 0 && !changesAmounts(corregida, caso),
        'invoiceItems',
        () =>
          `Así cambia lo que la factura ${corregida.numSerie} dice de sus impuestos: «${differs.join('», «')}». Corregirla solo arregla su registro. ${SALIDA}`,
      );
    }),
  },
  {
    id: 'subsana-operacion',
    documento: 'facturacion',
    fuente: 'RD 1619/2012 arts. 6.1.i y 15',
    gravedad: 'avisa',
    busca: deCorregida([], (corregida, { devengo, draft }) => {
      const own = devengo === draft.invoiceDate ? null : devengo;
      return si(
        own !== corregida.fechaOperacion && isIsoDate(devengo),
        'fechaOperacion',
        () =>
          `La AEAT tiene la factura ${corregida.numSerie} con la operación del ${fechaEs(corregida.fechaOperacion ?? corregida.fecha)}, y ahora es del ${fechaEs(devengo)}. Corregirla solo arregla su registro. ${SALIDA}`,
      );
    }),
  },
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
          `La AEAT tiene esta factura a nombre de ${nombreYNif(before)} y ahora es de ${nombreYNif(now)}. Corregirla solo arregla su registro, no cambia a quién facturaste. ${SALIDA}`,
      );
    }),
  },
  {
    id: 'subsana-tipo',
    documento: 'huella',
    fuente: CONSERVA,
    gravedad: 'bloquea',
    busca: ({ corregida, tipoFactura }) =>
      si(
        Boolean(corregida) && corregida?.tipoFactura !== tipoFactura,
        'invoiceType',
        () =>
          `La factura ${corregida?.numSerie} está registrada como ${corregida?.tipoFactura}, y corregirla no cambia su tipo. Vuelve a elegir ese o, si es el que está mal, anúlala y emite una nueva.`,
      ),
  },
  {
    id: 'subsana-fecha',
    documento: 'huella',
    fuente: CONSERVA,
    gravedad: 'bloquea',
    busca: ({ corregida, draft: { invoiceDate } }) =>
      si(
        Boolean(corregida) && corregida?.fecha !== invoiceDate,
        'invoiceDate',
        () =>
          `La factura ${corregida?.numSerie} está registrada con fecha ${fechaEs(corregida?.fecha ?? '')}, y corregirla no la cambia. Vuelve a poner esa o, si es la que está mal, anúlala y emite una nueva.`,
      ),
  },
  {
    id: 'subsana-serie',
    documento: 'huella',
    fuente: CONSERVA,
    gravedad: 'bloquea',
    busca: ({ corregida, draft, tipoFactura }) =>
      si(
        corregida?.tipoFactura === tipoFactura &&
          corregida.serie !== seriesKindOf(tipoFactura, draft.invoiceItems, draft.claveRegimen),
        'invoiceItems',
        () =>
          `Con estos impuestos la factura ${corregida?.numSerie} iría en otra serie, y corregirla no cambia su número. Deja los que tenía o, si son los que están mal, anúlala y emite una nueva.`,
      ),
  },
];

/** A change to what the AEAT holds, unless it is what the AEAT found wrong. */
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

function changesAmounts(corregida: Corregida, { totals }: Caso): boolean {
  const base = totals.desglose.reduce((sum, { baseCents }) => sum + baseCents, 0n);
  return (
    textToCents(corregida.base) !== base ||
    textToCents(corregida.cuota) !== totals.vatCents ||
    textToCents(corregida.recargo) !== totals.recargoCents ||
    totalOf(corregida) !== totals.totalCents
  );
}

function identityOf({ nombre, nif, idOtro }: ClienteEmitido): string {
  return `${fold(oneLine(nombre))}|${nif ?? idOtro?.ID ?? ''}`;
}

function nombreYNif(cliente: ClienteEmitido | null): string {
  const id = cliente?.nif ?? cliente?.idOtro?.ID;
  return `${cliente?.nombre ?? ''}${id ? ` (${id})` : ''}`;
}
