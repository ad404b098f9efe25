import { addYears, fechaEs, isIsoDate } from '../../dates.ts';
import { plazoDeImpago } from '../../impago.ts';
import { nombreImpuesto } from '../../impuestos.ts';
import {
  type ClienteEmitido,
  isPorImpago,
  isRectificativa,
  isSimplified,
  MAX_NUMBERS_NAMED,
} from '../../invoice.ts';
import {
  areTangled,
  importeRectificacion,
  isReplacingAbono,
  type Original,
  totalOf,
  totalTogether,
} from '../../issue.ts';
import { absCents, centsToEs, MAX_CENTS, parseDecimal, textToCents } from '../../money.ts';
import { isNumeroDeclarable } from '../registro.ts';
import { type Caso, needsCliente, type Regla, si } from './regla.ts';

const FACTURA = 'invoiceToRectify';
const FECHA = 'invoiceToRectifyDate';

/** Rules about what a rectificativa rectifies, and what an F3 replaces. */
export const RECTIFICATIVA: readonly Regla[] = [
  {
    id: 'sin-factura-rectificada',
    documento: 'facturacion',
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
    documento: 'facturacion',
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
    documento: 'validaciones',
    fuente: 'FacturasRectificadas (de 1 a 1.000)',
    codigo: '4113',
    gravedad: 'bloquea',
    busca: ({ originals }) =>
      si(
        originals.length > MAX_NUMBERS_NAMED,
        FACTURA,
        () => 'No se pueden rectificar más de 1.000 facturas con una. Repártelas en varias.',
      ),
  },
  {
    id: 'numero-rectificada-largo',
    documento: 'validaciones',
    fuente: 'FacturasRectificadas',
    codigo: '1104',
    gravedad: 'bloquea',
    busca: (caso) => {
      const wrong = referenced(caso).find(({ numSerie }) => !/^.{1,60}$/u.test(numSerie));
      return si(wrong !== undefined, FACTURA, () => {
        const [line = '', ...rest] = (wrong?.numSerie ?? '').split(/[\n\r\u2028\u2029]/);
        return rest.length > 0
          ? `Después de «${line}» hay un salto de línea. Separa con comas los números de las facturas.`
          : `El número «${line}» pasa de 60 caracteres. Revísalo.`;
      });
    },
  },
  {
    // The document restricts the characters of the invoice's own number (1130, 1287). Whether that applies to the
    // numbers it refers to is neither stated nor tested, so no others are sent: the list is optional.
    id: 'numero-rectificada',
    documento: 'huella',
    fuente: 'FacturasRectificadas; nuestra',
    gravedad: 'avisa',
    busca: (caso) => {
      const wrong = referenced(caso).find(({ numSerie }) => !isNumeroDeclarable(numSerie));
      return si(
        wrong !== undefined,
        FACTURA,
        () =>
          `El número «${wrong?.numSerie}» lleva signos que la AEAT no admite (tildes, ñ, º, " ' < > =). Si es así de verdad, sigue: sale en tu factura, pero no se envía a la AEAT.`,
      );
    },
  },
  {
    id: 'fecha-rectificada',
    documento: 'validaciones',
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
    documento: 'facturacion',
    fuente: 'RD 1619/2012 art. 15',
    gravedad: 'bloquea',
    busca: (caso) => {
      const later = referenced(caso).find(({ fecha }) => fecha > caso.draft.invoiceDate);
      return si(
        later !== undefined && caso.isFechaValida,
        later?.externa ? FECHA : 'invoiceDate',
        () =>
          `La factura ${later?.numSerie} es del ${fechaEs(later?.fecha ?? '')}, posterior a esta. Revisa las dos fechas.`,
      );
    },
  },
  {
    id: 'sustitucion-externa',
    documento: 'validaciones',
    fuente: 'ImporteRectificacion',
    gravedad: 'bloquea',
    busca: ({ draft, tipoFactura, originals }) =>
      si(
        isRectificativa(tipoFactura) &&
          draft.tipoRectificativa === 'S' &&
          originals.some(({ externa }) => externa) &&
          (isEmpty(draft.baseRectificada) || isEmpty(draft.cuotaRectificada)),
        'baseRectificada',
        () =>
          'Escribe la base y la cuota de lo que sustituyes de otro programa: Huella no las tiene.',
      ),
  },
  {
    id: 'importe-rectificado',
    documento: 'validaciones',
    fuente: 'ImporteRectificacion',
    gravedad: 'bloquea',
    busca: ({ draft, tipoFactura }) => {
      const fields = ['baseRectificada', 'cuotaRectificada', 'recargoRectificado'] as const;
      const wrong = fields.find((field) => draft[field] && !isAmount(draft[field]));
      return si(
        isRectificativa(tipoFactura) && draft.tipoRectificativa === 'S' && wrong !== undefined,
        wrong ?? 'baseRectificada',
        () => 'Escribe un importe en euros, con dos decimales como mucho.',
      );
    },
  },
  {
    // What they add to each other is followed back through each of them, in a time that has a limit.
    id: 'sustituidas-enredadas',
    documento: 'huella',
    fuente: 'Nuestra',
    gravedad: 'bloquea',
    busca: ({ draft, tipoFactura, originals }) => {
      const isSustitucion = isRectificativa(tipoFactura) && draft.tipoRectificativa === 'S';
      return si(
        (isSustitucion || tipoFactura === 'F3') && areTangled(originals),
        FACTURA,
        () =>
          `Las facturas de la lista se han sustituido unas a otras de demasiadas maneras para saber cuánto suman. ${
            isSustitucion
              ? 'Rectifica solo la más reciente de las que se sustituyeron entre sí.'
              : 'Anula antes las últimas rectificativas que les hiciste.'
          }`,
      );
    },
  },
  {
    id: 'importe-rectificado-enorme',
    documento: 'esquema',
    fuente: 'ImporteRectificacion (doce cifras y dos decimales)',
    gravedad: 'bloquea',
    busca: ({ draft, tipoFactura, originals }) => {
      if (!isRectificativa(tipoFactura) || draft.tipoRectificativa !== 'S') return [];
      const { base, cuota, recargo } = importeRectificacion(originals);
      return si(
        [base, cuota, recargo].some((amount) => !isDeclarable(amount)),
        FACTURA,
        () =>
          'Lo que sustituyes suma más de doce cifras, más de lo que la AEAT admite. Quita facturas de la lista y sustitúyelas con otra rectificativa.',
      );
    },
  },
  {
    id: 'rectificada-anulada',
    documento: 'facturacion',
    fuente: 'RD 1619/2012 art. 15',
    gravedad: 'bloquea',
    busca: (caso) => {
      const annulled = referenced(caso).find(({ isAnulada }) => isAnulada);
      return si(
        annulled !== undefined,
        FACTURA,
        () => `La factura ${annulled?.numSerie} está anulada: ya no hay nada que cambiar en ella.`,
      );
    },
  },
  {
    // What rests on an invoice is annulled before it, and nothing new may refer to it while it is being annulled.
    id: 'rectificada-anulandose',
    documento: 'facturacion',
    fuente: 'RD 1619/2012 art. 15; RD 1007/2023 art. 11',
    gravedad: 'bloquea',
    busca: (caso) => {
      const leaving = referenced(caso).find(({ seAnula }) => seAnula);
      return si(
        leaving !== undefined,
        FACTURA,
        () =>
          `Has anulado la factura ${leaving?.numSerie} y la AEAT no ha respondido todavía. Espera a su respuesta: si la anula, ya no hay nada que cambiar en ella.`,
      );
    },
  },
  {
    // A refused invoice is declared again (Subsanacion, RechazoPrevio), with the same number and date.
    id: 'rectificada-rechazada',
    documento: 'huella',
    fuente: 'Nuestra; AEAT, preguntas para desarrolladores 1.3 (subsanación)',
    gravedad: 'bloquea',
    busca: (caso) => {
      const refused = referenced(caso).find(({ noConsta }) => noConsta);
      const instead = isRectificativa(caso.tipoFactura)
        ? 'en vez de rectificarla'
        : 'antes de canjearla';
      return si(
        refused !== undefined,
        FACTURA,
        () =>
          `La AEAT rechazó la factura ${refused?.numSerie} y no la tiene. Corrígela en Facturas pendientes y vuelve a registrarla, ${instead}.`,
      );
    },
  },
  {
    id: 'completa-de-simplificada',
    documento: 'esquema',
    fuente: 'TipoFactura (lista L2, R5); RD 1619/2012 arts. 6.1.a y 15',
    gravedad: 'bloquea',
    busca: ({ tipoFactura, originals }) => {
      const simplified = originals.find((o) => o.tipoFactura && isSimplified(o.tipoFactura));
      return si(
        isRectificativa(tipoFactura) && tipoFactura !== 'R5' && simplified !== undefined,
        'crmemoType',
        () =>
          `La factura ${simplified?.numSerie} es simplificada y se rectifica con una R5. Si tu cliente la necesita completa, cánjeala antes por una F3.`,
      );
    },
  },
  {
    id: 'simplificada-de-completa',
    documento: 'esquema',
    fuente: 'TipoFactura (lista L2, R5); RD 1619/2012 arts. 6.1.a y 15',
    gravedad: 'bloquea',
    busca: ({ tipoFactura, originals }) => {
      const complete = originals.find((o) => o.tipoFactura && !isSimplified(o.tipoFactura));
      return si(
        tipoFactura === 'R5' && complete !== undefined,
        'crmemoType',
        () =>
          `La factura ${complete?.numSerie} no es simplificada: rectifícala con R1, R2, R3 o R4.`,
      );
    },
  },
  {
    id: 'rectifica-canjeada',
    documento: 'facturacion',
    fuente: 'RD 1619/2012 art. 15.6',
    gravedad: 'avisa',
    busca: ({ tipoFactura, originals }) => {
      const exchanged = originals.find(({ canjeadaPor }) => canjeadaPor);
      return si(
        isRectificativa(tipoFactura) && exchanged !== undefined,
        FACTURA,
        () =>
          `La factura ${exchanged?.numSerie} ya se canjeó por la ${exchanged?.canjeadaPor}: lo normal es rectificar esa.`,
      );
    },
  },
  {
    id: 'canje-repetido',
    documento: 'facturacion',
    fuente: 'RD 1619/2012 art. 15.6; FacturasSustituidas',
    gravedad: 'bloquea',
    busca: ({ tipoFactura, originals }) => {
      const exchanged = originals.filter(({ canjeadaPor }) => canjeadaPor);
      return si(tipoFactura === 'F3' && exchanged.length > 0, FACTURA, () =>
        yaCanjeadas(exchanged),
      );
    },
  },
  {
    id: 'canje-de-completa',
    documento: 'facturacion',
    fuente: 'RD 1619/2012 art. 15.6; FacturasSustituidas',
    gravedad: 'bloquea',
    busca: ({ tipoFactura, originals }) => {
      const complete = originals.find((o) => o.tipoFactura && !isSimplified(o.tipoFactura));
      return si(
        tipoFactura === 'F3' && complete !== undefined,
        FACTURA,
        () =>
          `La factura ${complete?.numSerie} no es simplificada: solo las simplificadas se canjean por una completa.`,
      );
    },
  },
  {
    // A corrected invoice and its corrections are exchanged together, and the complete invoice contains the balance.
    // Otherwise it would contain amounts that nobody owes any more.
    id: 'canje-de-corregida',
    documento: 'facturacion',
    fuente: 'RD 1619/2012 art. 15.6; FacturasSustituidas',
    gravedad: 'bloquea',
    busca: ({ tipoFactura, originals }) => {
      const numbers = new Set(originals.map(({ numSerie }) => numSerie));
      const lacks = (others: readonly string[] = []) => others.find((other) => !numbers.has(other));
      const alone = originals.find((o) => lacks(o.corregidaPor) ?? lacks(o.corrige));
      const other = lacks(alone?.corregidaPor) ?? lacks(alone?.corrige);
      return si(
        tipoFactura === 'F3' && other !== undefined,
        FACTURA,
        () =>
          `La factura ${alone?.numSerie} y la ${other}, una rectificación de la otra, se canjean juntas. Añade la ${other}.`,
      );
    },
  },
  {
    id: 'factura-repetida',
    documento: 'validaciones',
    fuente: 'FacturasRectificadas, FacturasSustituidas',
    gravedad: 'bloquea',
    busca: (caso) => {
      const numbers = referenced(caso).map(({ numSerie }) => numSerie);
      const twice = numbers.find((number, index) => numbers.indexOf(number) < index);
      return si(
        twice !== undefined,
        FACTURA,
        () => `La factura ${twice} está dos veces en la lista. Quita una.`,
      );
    },
  },
  {
    id: 'canje-importe',
    documento: 'facturacion',
    fuente: 'RD 1619/2012 art. 15.6',
    gravedad: 'avisa',
    busca: ({ draft, tipoFactura, originals, totals }) => {
      const known = originals.every(({ externa }) => !externa) && originals.length > 0;
      const invoiced = originals.reduce((sum, original) => sum + changeOf(original), 0n);
      const difference = totals.totalCents - invoiced;
      // Each simplified invoice was rounded separately; with prices that include tax they add up exactly.
      const slack = draft.ivaIncluido ? 0n : BigInt(originals.length);
      return si(
        tipoFactura === 'F3' && known && (difference > slack || difference < -slack),
        'invoiceItems',
        () =>
          `Las facturas que canjeas suman ${centsToEs(invoiced)} € y esta ${centsToEs(totals.totalCents)} €. Comprueba las líneas.`,
      );
    },
  },
  {
    id: 'fuera-de-plazo',
    documento: 'facturacion',
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
    documento: 'huella',
    fuente: 'Nuestra',
    gravedad: 'avisa',
    busca: ({ draft, tipoFactura, totals, originals, numSerie }) => {
      const named = new Set([numSerie, ...originals.map((original) => original.numSerie)]);
      const earlier = [...changesOf(originals)].filter(([number]) => !named.has(number));
      const invoiced = totalTogether(originals);
      const left = earlier.reduce((sum, [, cents]) => sum + cents, invoiced);
      const isOver =
        isRectificativa(tipoFactura) &&
        draft.tipoRectificativa === 'I' &&
        originals.length > 0 &&
        originals.every(({ externa }) => !externa) &&
        -totals.totalCents > left;
      return si(isOver, 'invoiceItems', () =>
        earlier.length === 0
          ? `Abonas ${centsToEs(-totals.totalCents)} € y lo facturado son ${centsToEs(invoiced)} €. Comprueba las líneas.`
          : `Abonas ${centsToEs(-totals.totalCents)} € y, contando ${earlier.length === 1 ? 'la rectificativa' : 'las rectificativas'} ${earlier.map(([number]) => number).join(', ')}, de lo facturado quedan ${centsToEs(left)} €. Comprueba que no está abonado ya.`,
      );
    },
  },
  {
    // A substitution may name another customer, because the name or the NIF may be what was wrong.
    id: 'rectifica-de-otro-cliente',
    documento: 'facturacion',
    fuente: 'RD 1619/2012 arts. 6.1.c y d, y 15',
    gravedad: 'avisa',
    busca: (caso) => {
      const { draft, cliente, originals } = caso;
      const other = originals.find((o) => o.cliente && cliente && !isSame(o.cliente, cliente));
      return si(
        needsCliente(caso) &&
          isRectificativa(caso.tipoFactura) &&
          draft.tipoRectificativa === 'I' &&
          other !== undefined,
        FACTURA,
        () =>
          `La factura ${other?.numSerie} es de ${other?.cliente?.nombre} y este abono, de ${cliente?.nombre}: lo que se devuelve es de quien tiene la factura. Elige ese cliente o, si en ella está mal su nombre o su NIF, hazlo por sustitución.`,
      );
    },
  },
  {
    // The document has one recipient, who would get the amounts of the others.
    id: 'rectifica-de-varios-clientes',
    documento: 'facturacion',
    fuente: 'RD 1619/2012 arts. 6.1.c y d, y 15',
    gravedad: 'avisa',
    busca: (caso) => {
      const [first, ...more] = caso.originals.filter((original) => original.cliente);
      const other = more.find(
        (o) => first?.cliente && o.cliente && !isSame(o.cliente, first.cliente),
      );
      return si(
        needsCliente(caso) &&
          isRectificativa(caso.tipoFactura) &&
          caso.draft.tipoRectificativa === 'S' &&
          other !== undefined,
        FACTURA,
        () =>
          `La factura ${first?.numSerie} es de ${first?.cliente?.nombre} y la ${other?.numSerie}, de ${other?.cliente?.nombre}: una rectificativa va a un solo cliente. Haz una para cada uno.`,
      );
    },
  },
  {
    // The earlier correction remains valid beside the new one, which replaces what the invoice said before it.
    id: 'sustituye-corregida',
    documento: 'huella',
    fuente: 'Nuestra',
    gravedad: 'avisa',
    busca: ({ draft, tipoFactura, originals, numSerie }) => {
      const named = new Set([numSerie, ...originals.map((original) => original.numSerie)]);
      const pending = ({ corregidaPor = [] }: Original) => corregidaPor.find((r) => !named.has(r));
      const corrected = originals.find((original) => pending(original) !== undefined);
      return si(
        isRectificativa(tipoFactura) && draft.tipoRectificativa === 'S' && corrected !== undefined,
        FACTURA,
        () => {
          const other = corrected && pending(corrected);
          return `La factura ${corrected?.numSerie} ya tiene la rectificativa ${other}, que sigue valiendo: su diferencia contaría dos veces. Si ${other} es por diferencias, escribe los dos números, separados por una coma; si la sustituyó, rectifica ${other}.`;
        },
      );
    },
  },
  {
    // A substitution contains what the invoice should have said: for an abono, negative amounts too.
    id: 'sustituye-abono',
    documento: 'huella',
    fuente: 'Nuestra',
    gravedad: 'avisa',
    busca: ({ draft, totals, originals }) => {
      const replaced = totalTogether(originals);
      return si(
        isReplacingAbono(draft, originals) && totals.totalCents > 0n,
        'tipoRectificativa',
        () =>
          `Sustituyes un abono de ${centsToEs(-replaced)} € y esta factura sale en positivo: donde devolvías, ahora cobras ${centsToEs(totals.totalCents)} €. Para cambiar cuánto abonaste, escribe las cantidades en negativo, como salen en el abono.`,
      );
    },
  },
  {
    id: 'modelo-952',
    documento: 'iva',
    fuente: 'Ley 37/1992 art. 80.3 y 80.4',
    gravedad: 'avisa',
    busca: ({ tipoFactura, totals }) =>
      si(isPorImpago(tipoFactura), 'crmemoType', () => {
        const taxes = totals.lines.map(({ group }) => nombreImpuesto(group?.verifactu.Impuesto));
        const ofIslands = taxes.includes('IVA') ? undefined : taxes[0];
        return ofIslands
          ? `Pregunta a tu asesor cómo y en qué plazo hay que comunicar esta rectificación para recuperar el ${ofIslands}, y guarda la prueba de que tu cliente la ha recibido.`
          : 'Recuerda comunicar esta rectificación a la AEAT con el modelo 952 en el plazo de un mes, y guarda la prueba de que tu cliente la ha recibido.';
      }),
  },
  {
    // Of what is rectified only the day of issue is known: the operation may have been some weeks earlier.
    id: 'impago-a-destiempo',
    documento: 'iva',
    fuente: 'Ley 37/1992 art. 80.4.A.1.ª y 80.4.B',
    gravedad: 'avisa',
    busca: ({ draft: { invoiceDate }, tipoFactura, totals, originals }) => {
      const isIva = totals.lines.some(({ group }) => group?.verifactu.Impuesto === '01');
      const dated = originals.filter(({ fecha }) => isIsoDate(fecha));
      const early = dated.find(({ fecha }) => invoiceDate < plazoDeImpago(fecha).desde);
      const late = dated.find(({ fecha }) => invoiceDate > plazoDeImpago(fecha).hasta);
      return si(tipoFactura === 'R3' && isIva && (early ?? late) !== undefined, 'crmemoType', () =>
        early
          ? `No han pasado seis meses desde la factura ${early.numSerie}: salvo que la operación fuera anterior, su IVA no se puede recuperar hasta el ${fechaEs(plazoDeImpago(early.fecha).desde)} (art. 80.Cuatro de la Ley del IVA). Hasta entonces sigue valiendo, y solo hay que reclamarla.`
          : `La factura ${late?.numSerie} tiene más de año y medio: salvo que la vendieras a plazos, su IVA ya no se puede recuperar (art. 80.Cuatro de la Ley del IVA). Sigue valiendo, y puedes reclamarla.`,
      );
    },
  },
];

/** The same card, whatever has been corrected in it, or the same identification. */
function isSame(one: ClienteEmitido, other: ClienteEmitido): boolean {
  const idOf = ({ nif, idOtro }: ClienteEmitido) => nif ?? idOtro?.ID ?? '';
  return one.no === other.no || idOf(one) === idOf(other);
}

/** How the rectificativas of those invoices changed what is owed, each counted once by its number. */
function changesOf(originals: readonly Original[]): Map<string, bigint> {
  return new Map(
    originals.flatMap(({ corregidaPor = [], cambios = [] }) =>
      corregidaPor.map((number, index) => [number, textToCents(cambios[index] ?? '0.00')] as const),
    ),
  );
}

/** How it changes what is owed: for one por sustitución, only the difference. */
function changeOf(original: Original): bigint {
  return totalOf(original) - (original.sustituido ? totalOf(original.sustituido) : 0n);
}

/** An amount as typed, with either sign: what is replaced may have been a credit. */
function isAmount(value: string | number): boolean {
  return parseDecimal(value, 2) !== null;
}

function isDeclarable(amount: string): boolean {
  return absCents(textToCents(amount)) <= MAX_CENTS;
}

function isEmpty(value: string | number | undefined): boolean {
  return value === undefined || value === '';
}

/** The invoices it refers to, if it is of a kind that refers to any. */
function referenced({ tipoFactura, originals }: Caso) {
  return isRectificativa(tipoFactura) || tipoFactura === 'F3' ? originals : [];
}

/** As many as one takes off the list at a time. */
const NAMED = 20;

/** Names all of them at once: a draft may name hundreds of tickets that were exchanged meanwhile. */
function yaCanjeadas(exchanged: readonly Original[]): string {
  const [first] = exchanged;
  if (exchanged.length === 1) {
    return `La factura ${first?.numSerie} ya se canjeó por la ${first?.canjeadaPor}. Quítala de la lista.`;
  }
  const named = exchanged
    .slice(0, NAMED)
    .map(({ numSerie, canjeadaPor }) => `${numSerie} (por la ${canjeadaPor})`);
  const left = exchanged.length - named.length;
  const last = left > 0 ? `${left} más` : named.pop();
  return `Estas facturas ya se canjearon: ${named.join(', ')} y ${last}. Quítalas de la lista.`;
}
