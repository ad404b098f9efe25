import { gruposIva } from '../../catalogs/catalogs.ts';
import { impuestoOf, nombreImpuesto } from '../../impuestos.ts';
import { admitsIvaIncluido, isRectificativa, isSimplified } from '../../invoice.ts';
import { isReplacingAbono } from '../../issue.ts';
import {
  centsToEs,
  hasTooManyDigits,
  MAX_CENTS,
  MAX_INTEGER_DIGITS,
  parseDecimal,
} from '../../money.ts';
import { notPrinted, oneLine } from '../../paper/text.ts';
import { territoryOf } from '../../postal-code.ts';
import { isOss, serieAparteOf, TAX_DISPOSITIVOS } from '../../situaciones.ts';
import { codigosOf, DISCOUNT_DECIMALS, PRICE_DECIMALS, QUANTITY_DECIMALS } from '../../totals.ts';
import { findVatGroup } from '../../vat.ts';
import { type Caso, type Hallazgo, type Regla, si } from './regla.ts';

/** One for each tax. */
const TERRITORIES = ['peninsula', 'canarias', 'ceuta-melilla'] as const;

/** Rules about the lines of the invoice and their totals. */
export const LINEAS: readonly Regla[] = [
  {
    id: 'sin-lineas',
    documento: 'facturacion',
    fuente: 'RD 1619/2012 art. 6.1.f; Desglose',
    gravedad: 'bloquea',
    busca: ({ draft }) =>
      si(
        draft.invoiceItems.length === 0,
        'invoiceItems',
        () =>
          'La factura no tiene líneas. Añade al menos una con su descripción, cantidad y precio.',
      ),
  },
  {
    id: 'descripcion',
    documento: 'facturacion',
    fuente: 'RD 1619/2012 art. 6.1.f; DescripcionOperacion',
    gravedad: 'bloquea',
    busca: porLinea('description', ({ description }, position) => {
      if (oneLine(description) !== '') return null;
      return description.trim() === ''
        ? `Falta la descripción de la línea ${position}. Di qué vendes o qué servicio prestas.`
        : `La descripción de la línea ${position} no tiene letras ni cifras, y los dibujos no se imprimen. Di qué vendes o qué servicio prestas.`;
    }),
  },
  {
    id: 'letras-sin-imprimir',
    documento: 'huella',
    fuente: 'Nuestra: la letra del PDF no tiene todos los signos que se pueden escribir',
    gravedad: 'avisa',
    busca: (caso) =>
      printedTexts(caso).flatMap(([campo, name, text]) => {
        const mensaje = notPrinted(name, text);
        return mensaje === null ? [] : [{ campo, mensaje }];
      }),
  },
  {
    id: 'cantidad',
    documento: 'facturacion',
    fuente: 'RD 1619/2012 art. 6.1.f; especificación: mínimo 0',
    gravedad: 'bloquea',
    busca: (caso) => {
      const isBack = isReplacingAbono(caso.draft, caso.originals);
      return porLinea('quantity', ({ quantity }, position) =>
        numberProblem(quantity, QUANTITY_DECIMALS, `La cantidad de la línea ${position}`, {
          draft: caso.draft,
          isNegativeAllowed: isBack,
        }),
      )(caso);
    },
  },
  {
    id: 'precio',
    documento: 'facturacion',
    fuente: 'RD 1619/2012 art. 6.1.f; especificación: mínimo 0',
    gravedad: 'bloquea',
    busca: (caso) =>
      porLinea('price', ({ price }, position) =>
        numberProblem(price, PRICE_DECIMALS, `El precio de la línea ${position}`, caso),
      )(caso),
  },
  {
    id: 'descuento',
    documento: 'facturacion',
    fuente: 'RD 1619/2012 art. 6.1.f',
    gravedad: 'bloquea',
    busca: porLinea('discount', ({ discount }, position) => {
      const bps = discount ? parseDecimal(discount, DISCOUNT_DECIMALS) : 0n;
      return bps === null || bps < 0n || bps > 10_000n
        ? `El descuento de la línea ${position} debe ser un porcentaje entre 0 y 100, con dos decimales como mucho.`
        : null;
    }),
  },
  {
    id: 'impuesto',
    documento: 'validaciones',
    fuente: 'Desglose',
    gravedad: 'bloquea',
    busca: ({ totals, draft, emisor }) =>
      totals.lines.flatMap(({ group, tax }, index) =>
        si(group === undefined, `invoiceItems.${index}.tax`, () => {
          if (tax === '') return `Elige el impuesto de la línea ${index + 1}.`;
          const elsewhere = impuestoElsewhere(tax, draft.typeClient, emisor);
          return elsewhere
            ? `El impuesto ${tax} de la línea ${index + 1} es ${elsewhere}, que no se paga donde está tu empresa. Elige otro de la lista o, si es de una factura de antes de mudarte, ponlo otra vez con «Elegir los códigos…», al final de la lista.`
            : `El impuesto ${tax} de la línea ${index + 1} no se usa con el grupo contable de este cliente. Elige otro de la lista.`;
        }),
      ),
  },
  {
    id: 'demasiados-tipos',
    documento: 'validaciones',
    fuente: 'Desglose (de 1 a 12 líneas)',
    codigo: '4113',
    gravedad: 'bloquea',
    busca: ({ totals }) =>
      si(
        totals.desglose.length > 12,
        'invoiceItems',
        () =>
          `La factura mezcla ${totals.desglose.length} impuestos distintos y la AEAT admite 12. Repártela en dos facturas.`,
      ),
  },
  {
    // No law combines these taxes or forbids it: what was registered so must remain correctable.
    id: 'impuestos-mezclados',
    documento: 'facturacion',
    fuente: 'RD 1619/2012 art. 6.1.g, h y 6.2',
    gravedad: 'avisa',
    busca: ({ totals }) => {
      const taxes = totals.lines.map(({ group }) => group?.verifactu.Impuesto);
      const [first] = taxes.filter((tax) => tax !== undefined);
      const other = taxes.findIndex((tax) => tax !== undefined && tax !== first);
      return si(
        other !== -1,
        `invoiceItems.${other}.tax`,
        () =>
          `La línea ${other + 1} lleva ${nombreImpuesto(taxes[other])} y la primera, ${nombreImpuesto(first)}. Si no es un error, haz mejor una factura de cada impuesto.`,
      );
    },
  },
  {
    id: 'serie-aparte',
    documento: 'facturacion',
    fuente: 'RD 1619/2012 art. 6.1.a y D.A. 4.ª; Ley 37/1992 art. 84.Uno.2.º g)',
    gravedad: 'avisa',
    busca: ({ draft, totals, tipoFactura }) => {
      const kinds = totals.lines.map(({ tax }) => serieAparteOf(tax, draft.claveRegimen));
      const other = kinds.indexOf(null);
      return si(
        !isRectificativa(tipoFactura) && other !== -1 && kinds.some((kind) => kind !== null),
        `invoiceItems.${other}.tax`,
        () =>
          `La factura lleva algo que la ley manda numerar en una serie aparte, y la línea ${other + 1} es de otra cosa. Pásala a otra factura.`,
      );
    },
  },
  {
    id: 'dos-series-aparte',
    documento: 'facturacion',
    fuente: 'RD 1619/2012 art. 6.1.a y D.A. 4.ª',
    gravedad: 'bloquea',
    busca: ({ draft, totals, tipoFactura }) => {
      const kinds = totals.lines.map(({ tax }) => serieAparteOf(tax, draft.claveRegimen));
      const [first] = kinds.filter((kind) => kind !== null);
      const other = kinds.findIndex((kind) => kind !== null && kind !== first);
      return si(
        !isRectificativa(tipoFactura) && other !== -1,
        `invoiceItems.${other}.tax`,
        () =>
          `La ley manda numerar en series distintas lo que vendes sin IVA por ser móviles o metales y lo que facturas como agencia mediadora. Pasa la línea ${other + 1} a otra factura.`,
      );
    },
  },
  {
    id: 'dispositivos-10000',
    documento: 'iva',
    fuente: 'Ley 37/1992 art. 84.Uno.2.º g); RD 1624/1992 art. 24 quinquies',
    gravedad: 'avisa',
    busca: ({ totals, tipoFactura }) => {
      const devices = totals.lines.filter(({ tax }) => tax === TAX_DISPOSITIVOS);
      const sum = devices.reduce((cents, { baseCents }) => cents + baseCents, 0n);
      return si(
        !isRectificativa(tipoFactura) && devices.length > 0 && sum <= 1_000_000n,
        `invoiceItems.${totals.lines.findIndex(({ tax }) => tax === TAX_DISPOSITIVOS)}.tax`,
        () =>
          'Hasta 10.000 € solo va sin IVA si tu cliente es revendedor y te lo ha acreditado con el certificado de la AEAT. Si no, cobra IVA.',
      );
    },
  },
  {
    id: 'importe-enorme',
    documento: 'validaciones',
    fuente: 'ImporteTotal (doce cifras y dos decimales)',
    codigo: '1267',
    gravedad: 'bloquea',
    busca: ({ totals }) => {
      const { totalCents } = totals;
      return si(
        totalCents > MAX_CENTS || totalCents < -MAX_CENTS,
        'invoiceItems',
        () =>
          'El total pasa de doce cifras, más de lo que la AEAT admite. Revisa cantidades y precios.',
      );
    },
  },
  {
    id: 'total-cero',
    documento: 'huella',
    fuente: 'Nuestra',
    gravedad: 'avisa',
    busca: (caso) =>
      si(
        caso.totals.totalCents === 0n &&
          caso.draft.invoiceItems.length > 0 &&
          !isRectificativa(caso.tipoFactura) &&
          isLegible(caso),
        'invoiceItems',
        () => 'El total de la factura es 0,00 €. Comprueba que no falta ningún precio.',
      ),
  },
];

/** The limits for a simplified invoice. */
export const SIMPLIFICADA: readonly Regla[] = [
  {
    id: 'f2-mas-de-3000',
    documento: 'validaciones',
    fuente: 'TipoFactura F2; RD 1619/2012 art. 4',
    codigo: '1150',
    gravedad: 'bloquea',
    busca: ({ tipoFactura, totals }) =>
      si(
        tipoFactura === 'F2' && totals.totalCents > 300_000n,
        'isSimplificada',
        () =>
          `Una factura simplificada no puede pasar de 3.000,00 € con IVA y esta suma ${centsToEs(totals.totalCents)} €. Quita «Factura simplificada» y elige el cliente.`,
      ),
  },
  {
    id: 'f2-mas-de-400',
    documento: 'facturacion',
    fuente: 'RD 1619/2012 art. 4',
    gravedad: 'avisa',
    busca: ({ tipoFactura, totals }) =>
      si(
        tipoFactura === 'F2' && totals.totalCents > 40_000n && totals.totalCents <= 300_000n,
        'isSimplificada',
        () =>
          `La simplificada pasa de 400,00 € (${centsToEs(totals.totalCents)} €): solo vale en comercio al por menor, hostelería, transporte de personas, peluquería, aparcamiento y otros sectores del art. 4.2 del Reglamento de facturación. Si no es el tuyo, haz una F1 Factura.`,
      ),
  },
  {
    id: 'f2-internacional',
    documento: 'facturacion',
    fuente: 'RD 1619/2012 art. 4',
    gravedad: 'bloquea',
    busca: ({ tipoFactura, totals }) =>
      totals.lines.flatMap(({ group }, index) => {
        const isAbroad =
          group?.verifactu.OperacionExenta === 'E5' ||
          group?.verifactu.OperacionExenta === 'E2' ||
          (group?.verifactu.CalificacionOperacion === 'N2' && group.requiereVies === true);
        return si(
          tipoFactura === 'F2' && isAbroad,
          `invoiceItems.${index}.tax`,
          () =>
            'Las exportaciones y las operaciones con empresas de la Unión Europea necesitan factura completa. Quita «Factura simplificada» y elige el cliente.',
        );
      }),
  },
  {
    // Where a service is taxed depends on who receives it; what is declared in the one-stop shop, on where it is.
    id: 'f2-servicio-fuera',
    documento: 'facturacion',
    fuente: 'RD 1619/2012 art. 4; Ley 37/1992 art. 69',
    gravedad: 'avisa',
    busca: ({ draft, tipoFactura, totals }) =>
      totals.lines.flatMap(({ group }, index) =>
        si(
          tipoFactura === 'F2' &&
            group?.verifactu.CalificacionOperacion === 'N2' &&
            group.requiereVies !== true &&
            !isOss(codigosOf(group, draft.claveRegimen)),
          `invoiceItems.${index}.tax`,
          () =>
            `La línea ${index + 1} va sin ${nombreImpuesto(group?.verifactu.Impuesto)} porque tu cliente está fuera, y una simplificada no dice quién es. Haz mejor una F1 Factura con sus datos.`,
        ),
      ),
  },
  {
    id: 'iva-incluido',
    documento: 'facturacion',
    fuente: 'RD 1619/2012 arts. 6.1.f y 7.1.f',
    gravedad: 'bloquea',
    busca: ({ draft, tipoFactura }) =>
      si(
        draft.ivaIncluido === true && !admitsIvaIncluido(tipoFactura),
        'ivaIncluido',
        () =>
          'Una factura completa lleva los precios sin impuestos. Quítaselos (el total puede variar en algún céntimo) o hazla simplificada.',
      ),
  },
  {
    // An R5 is simplified itself; for an invoice issued elsewhere, nobody knows how its prices were.
    id: 'iva-incluido-sin-original',
    documento: 'facturacion',
    fuente: 'RD 1619/2012 arts. 6.1.f y 15.5',
    gravedad: 'bloquea',
    busca: ({ draft, tipoFactura, originals }) => {
      const isNetAll =
        originals.length > 0 && originals.every((o) => !o.externa && o.ivaIncluido !== true);
      return si(
        draft.ivaIncluido === true &&
          isRectificativa(tipoFactura) &&
          !isSimplified(tipoFactura) &&
          isNetAll,
        'ivaIncluido',
        () =>
          `La factura ${originals[0]?.numSerie} lleva los precios sin impuestos y su rectificativa también los lleva así. Quítaselos (el total puede variar en algún céntimo).`,
      );
    },
  },
];

/** The name of a tax that companies of another territory have for that kind of customer; null if it is no such tax. */
function impuestoElsewhere(
  tax: string,
  typeClient: string,
  { postCode, pais }: Caso['emisor'],
): string | null {
  const own = impuestoOf(territoryOf(postCode, pais));
  const other = TERRITORIES.find(
    (territory) =>
      impuestoOf(territory) !== own && findVatGroup(gruposIva(territory), tax, typeClient),
  );
  return other ? impuestoOf(other) : null;
}

function porLinea(
  field: string,
  problem: (item: Caso['draft']['invoiceItems'][number], position: number) => string | null,
): (caso: Caso) => readonly Hallazgo[] {
  return ({ draft }) =>
    draft.invoiceItems.flatMap((item, index) => {
      const mensaje = problem(item, index + 1);
      return mensaje === null ? [] : [{ campo: `invoiceItems.${index}.${field}`, mensaje }];
    });
}

/** What people write that is printed: its field, its name and the text. */
function printedTexts({ draft, cliente }: Caso): readonly (readonly [string, string, string])[] {
  return [
    ['invoiceClient', 'El nombre del cliente', cliente?.nombre ?? ''],
    ['invoiceClient', 'La dirección del cliente', cliente?.direccion ?? ''],
    ['invoiceClient', 'La población del cliente', cliente?.municipio ?? ''],
    ...draft.invoiceItems.map(
      ({ description }, index) =>
        [
          `invoiceItems.${index}.description`,
          `La descripción de la línea ${index + 1}`,
          description,
        ] as const,
    ),
    ['suplidosConcepto', 'El concepto de los suplidos', draft.suplidosConcepto ?? ''],
    ['notas', 'El texto de las notas', draft.notas ?? ''],
  ];
}

function numberProblem(
  value: string | number,
  decimals: number,
  what: string,
  {
    draft,
    isNegativeAllowed = false,
  }: Pick<Caso, 'draft'> & { readonly isNegativeAllowed?: boolean },
): string | null {
  const number = parseDecimal(value, decimals);
  if (number === null) {
    return hasTooManyDigits(value)
      ? `${what} tiene más de ${MAX_INTEGER_DIGITS} cifras antes de la coma. Comprueba si sobra alguna.`
      : `${what} debe ser un número, con coma decimal y ${decimals} decimales como mucho.`;
  }
  return number < 0n && !isNegativeAllowed
    ? `${what} no puede ser menor que cero${withoutSign(draft)}`
    : null;
}

/** What a negative amount is meant for, and how to write it instead. */
function withoutSign({ type, tipoRectificativa }: Caso['draft']): string {
  if (type === 'factura') {
    return '. Si es un descuento, réstalo del precio de su línea; para devolver dinero, haz un abono.';
  }
  return tipoRectificativa === 'S'
    ? ': por sustitución se escribe la factura como debió ser. Quita el signo, o hazlo por diferencias.'
    : ': en un abono se escribe en positivo lo que devuelves. Quita el signo.';
}

/** Prices and quantities are valid numbers, so an amount of zero is what was typed. */
function isLegible({ draft }: Caso): boolean {
  return draft.invoiceItems.every(
    ({ price, quantity }) =>
      parseDecimal(price, PRICE_DECIMALS) !== null &&
      parseDecimal(quantity, QUANTITY_DECIMALS) !== null,
  );
}
