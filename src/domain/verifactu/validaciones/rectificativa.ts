import { addYears, fechaEs, isIsoDate } from '../../dates.ts';
import { isRectificativa } from '../../invoice.ts';
import { centsToEs, textToCents } from '../../money.ts';
import { type Caso, type Regla, si } from './regla.ts';

const FACTURA = 'invoiceToRectify';
const FECHA = 'invoiceToRectifyDate';

/** What a rectificativa rectifies, and what an F3 replaces. */
export const RECTIFICATIVA: readonly Regla[] = [
  {
    id: 'sin-factura-rectificada',
    fuente: 'RD 1619/2012 art. 15; FacturasRectificadas',
    gravedad: 'bloquea',
    busca: (caso) =>
      si(
        isRectificativa(caso.tipoFactura) && caso.originals.length === 0,
        FACTURA,
        () => 'Di qué factura rectificas: elígela de la lista o escribe su número y su fecha.',
      ),
  },
  {
    id: 'sin-factura-sustituida',
    fuente: 'RD 1619/2012 art. 15.6; FacturasSustituidas',
    gravedad: 'avisa',
    busca: ({ tipoFactura, originals }) =>
      si(
        tipoFactura === 'F3' && originals.length === 0,
        FACTURA,
        () => 'Una F3 sustituye a facturas simplificadas ya emitidas. Di cuáles.',
      ),
  },
  {
    id: 'demasiadas-facturas',
    fuente: 'FacturasRectificadas (de 1 a 1.000)',
    codigo: '4113',
    gravedad: 'bloquea',
    busca: ({ originals }) =>
      si(
        originals.length > 1000,
        FACTURA,
        () => 'No se pueden rectificar más de 1.000 facturas con una. Repártelas en varias.',
      ),
  },
  {
    id: 'numero-rectificada-largo',
    fuente: 'FacturasRectificadas',
    codigo: '1104',
    gravedad: 'bloquea',
    busca: (caso) => {
      const wrong = referenced(caso).find(({ numSerie }) => !/^.{1,60}$/u.test(numSerie));
      return si(
        wrong !== undefined,
        FACTURA,
        () => `El número «${wrong?.numSerie}» pasa de 60 caracteres. Revísalo.`,
      );
    },
  },
  {
    // The document gives the characters of the invoice's own number (1130, 1287); whether they hold
    // for those it names is not said nor measured, so nothing else is sent.
    id: 'numero-rectificada',
    fuente: 'FacturasRectificadas; nuestra',
    gravedad: 'bloquea',
    busca: (caso) => {
      const wrong = referenced(caso).find(({ numSerie }) => !/^[ !#-&(-;?-~]*$/.test(numSerie));
      return si(
        wrong !== undefined,
        FACTURA,
        () =>
          `El número «${wrong?.numSerie}» no puede ser de una factura: sin tildes, ñ ni los signos " ' < > =. Revísalo.`,
      );
    },
  },
  {
    id: 'fecha-rectificada',
    fuente: 'FacturasRectificadas',
    codigo: '1105',
    gravedad: 'bloquea',
    busca: (caso) => {
      const undated = referenced(caso).find(({ fecha }) => !isIsoDate(fecha));
      return si(
        undated !== undefined,
        FECHA,
        () =>
          `La factura ${undated?.numSerie} no está en Huella. Comprueba el número o, si la hiciste con otro programa, escribe su fecha.`,
      );
    },
  },
  {
    id: 'rectificada-posterior',
    fuente: 'RD 1619/2012 art. 15',
    gravedad: 'bloquea',
    busca: (caso) => {
      const later = referenced(caso).find(({ fecha }) => fecha > caso.draft.invoiceDate);
      return si(
        later !== undefined && caso.isFechaValida,
        later?.externa ? FECHA : 'invoiceDate',
        () =>
          `La factura ${later?.numSerie} es del ${fechaEs(later?.fecha ?? '')}, posterior a ésta. Revisa las dos fechas.`,
      );
    },
  },
  {
    id: 'sustitucion-externa',
    fuente: 'ImporteRectificacion',
    gravedad: 'bloquea',
    busca: ({ draft, tipoFactura, originals }) =>
      si(
        isRectificativa(tipoFactura) &&
          draft.tipoRectificativa === 'S' &&
          originals.some(({ externa }) => externa),
        'tipoRectificativa',
        () =>
          'Para rectificar por sustitución hay que decir los importes de la factura original, y ésa no está en Huella. Elige «Por diferencias».',
      ),
  },
  {
    id: 'fuera-de-plazo',
    fuente: 'RD 1619/2012 art. 15.3',
    gravedad: 'avisa',
    busca: (caso) => {
      const limit = caso.isFechaValida ? addYears(caso.draft.invoiceDate, -4) : '';
      const old = referenced(caso).find(({ fecha }) => isIsoDate(fecha) && fecha < limit);
      return si(
        old !== undefined && isRectificativa(caso.tipoFactura),
        FACTURA,
        () =>
          `La factura ${old?.numSerie} tiene más de cuatro años (${fechaEs(old?.fecha ?? '')}), que es el plazo para rectificar. Comprueba que todavía puedes.`,
      );
    },
  },
  {
    id: 'abono-mayor',
    fuente: 'Nuestra',
    gravedad: 'avisa',
    busca: ({ draft, tipoFactura, totals, originals }) => {
      const invoiced = originals.reduce(
        (sum, { base, cuota, recargo }) =>
          sum + textToCents(base) + textToCents(cuota) + textToCents(recargo),
        0n,
      );
      const isOver =
        isRectificativa(tipoFactura) &&
        draft.tipoRectificativa === 'I' &&
        originals.length > 0 &&
        originals.every(({ externa }) => !externa) &&
        -totals.totalCents > invoiced;
      return si(
        isOver,
        'invoiceItems',
        () =>
          `Abonas ${centsToEs(-totals.totalCents)} € y lo facturado son ${centsToEs(invoiced)} €. Comprueba las líneas.`,
      );
    },
  },
  {
    id: 'modelo-952',
    fuente: 'Ley 37/1992 art. 80.3 y 80.4',
    gravedad: 'avisa',
    busca: ({ tipoFactura }) =>
      si(
        tipoFactura === 'R2' || tipoFactura === 'R3',
        'crmemoType',
        () =>
          'Recuerda comunicar esta rectificación a la AEAT con el modelo 952 en el plazo de un mes, y guarda la prueba de que tu cliente la ha recibido.',
      ),
  },
];

/** The invoices it names, when it is of a kind that names any. */
function referenced({ tipoFactura, originals }: Caso) {
  return isRectificativa(tipoFactura) || tipoFactura === 'F3' ? originals : [];
}
