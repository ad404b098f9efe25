import { addYears, fechaEs, isIsoDate } from '../../dates.ts';
import { checkRetention, isSociedad, WRONG_RETENTION } from '../../irpf.ts';
import { parseDecimal } from '../../money.ts';
import { checkNif } from '../../nif.ts';
import { parseNoSerie } from '../../series.ts';
import { CLAVES_ANTICIPADAS } from '../../situaciones.ts';
import { type Caso, faltan, type Regla, si } from './regla.ts';

/** First day that VERI*FACTU accepts (code 1152). */
const PRIMERA_FECHA = '2024-10-28';

/** A thousand million euros less a cent: far more than anybody advances, so a slip of the keyboard. */
const MAX_SUPLIDOS_CENTS = 99_999_999_999n;

/** The last day for which an operation may be declared (code 1125): the end of next year. */
export function lastOperacion(today: string): string {
  return `${Number(today.slice(0, 4)) + 1}-12-31`;
}

/** Rules about the kind of invoice, its dates, its number and its issuer. */
export const CABECERA: readonly Regla[] = [
  {
    id: 'f4',
    documento: 'validaciones',
    fuente: 'TipoFactura (lista L2)',
    codigo: '1106',
    gravedad: 'bloquea',
    busca: ({ tipoFactura }) =>
      si(
        tipoFactura === 'F4',
        'invoiceType',
        () =>
          'La factura resumen (F4) no existe en VERI*FACTU: puedes guardarla como borrador, pero no registrarla. Elige F1 Factura.',
      ),
  },
  {
    id: 'fecha-inexistente',
    documento: 'validaciones',
    fuente: 'IDFactura',
    codigo: '1105',
    gravedad: 'bloquea',
    busca: ({ isFechaValida }) =>
      si(!isFechaValida, 'invoiceDate', () => 'La fecha no existe. Elige un día del calendario.'),
  },
  {
    id: 'fecha-futura',
    documento: 'validaciones',
    fuente: 'IDFactura',
    codigo: '1112',
    gravedad: 'bloquea',
    busca: ({ draft, isFechaValida, today }) =>
      si(
        isFechaValida && draft.invoiceDate > today,
        'invoiceDate',
        () => `La fecha es posterior a hoy, ${fechaEs(today)}.`,
      ),
  },
  {
    id: 'fecha-antigua',
    documento: 'validaciones',
    fuente: 'IDFactura',
    codigo: '1152',
    gravedad: 'bloquea',
    busca: ({ draft, isFechaValida }) =>
      si(
        isFechaValida && draft.invoiceDate < PRIMERA_FECHA,
        'invoiceDate',
        () =>
          `VERI*FACTU no admite facturas anteriores al ${fechaEs(PRIMERA_FECHA)}. Pon la fecha de hoy y di cuándo fue la operación en «Fecha de operación».`,
      ),
  },
  {
    id: 'fecha-desordenada',
    documento: 'facturacion',
    fuente: 'RD 1619/2012 art. 6.1.a',
    gravedad: 'bloquea',
    busca: ({ draft, isFechaValida, lastDateOfSeries, today }) =>
      si(
        isFechaValida && lastDateOfSeries !== null && draft.invoiceDate < lastDateOfSeries,
        'invoiceDate',
        () => outOfOrder(lastDateOfSeries ?? '', today),
      ),
  },
  {
    // Once for each series: its next number follows an invoice of the same year.
    id: 'serie-de-otro-ano',
    documento: 'facturacion',
    fuente: 'RD 1619/2012 art. 6.1.a',
    gravedad: 'avisa',
    busca: ({ draft, isFechaValida, numSerie, lastDateOfSeries }) => {
      const year = draft.invoiceDate.slice(0, 4);
      const before = lastDateOfSeries?.slice(0, 4) ?? year;
      return si(
        isFechaValida && before < year && namesYear(numSerie, before),
        'invoiceNumber',
        () =>
          `Es la primera factura de ${year} en esta serie, y su número ${numSerie} lleva el año ${before}. Se puede seguir así; si quieres una serie de ${year}, reinicia antes el contador en Perfil → Datos de facturación.`,
      );
    },
  },
  {
    id: 'numero-largo',
    documento: 'validaciones',
    fuente: 'IDFactura',
    codigo: '1104',
    gravedad: 'bloquea',
    busca: ({ numSerie }) =>
      si(
        numSerie.length === 0 || numSerie.length > 60,
        'invoiceNumber',
        () =>
          'El número de factura debe tener entre 1 y 60 caracteres. Cambia el contador en Perfil → Datos de facturación.',
      ),
  },
  {
    id: 'numero-no-ascii',
    documento: 'validaciones',
    fuente: 'IDFactura',
    codigo: '1130',
    gravedad: 'bloquea',
    busca: ({ numSerie }) =>
      si(
        /[^ -~]/.test(numSerie),
        'invoiceNumber',
        () =>
          `El número ${numSerie} lleva caracteres que la AEAT no admite, como ñ o tildes. Cambia el contador en Perfil → Datos de facturación.`,
      ),
  },
  {
    id: 'numero-prohibido',
    documento: 'validaciones',
    fuente: 'IDFactura',
    codigo: '1287',
    gravedad: 'bloquea',
    busca: ({ numSerie }) =>
      si(
        /["'<>=]/.test(numSerie),
        'invoiceNumber',
        () =>
          `El número ${numSerie} lleva uno de los signos que la AEAT no admite: " ' < > =. Cambia el contador en Perfil → Datos de facturación.`,
      ),
  },
  {
    id: 'operacion-inexistente',
    documento: 'validaciones',
    fuente: 'FechaOperacion',
    codigo: '1145',
    gravedad: 'bloquea',
    busca: ({ draft }) =>
      si(
        Boolean(draft.fechaOperacion) && !isIsoDate(draft.fechaOperacion ?? ''),
        'fechaOperacion',
        () => 'La fecha de operación no existe. Elige un día del calendario, o déjala vacía.',
      ),
  },
  {
    id: 'operacion-posterior',
    documento: 'validaciones',
    fuente: 'FechaOperacion',
    codigo: '1146',
    gravedad: 'bloquea',
    busca: (caso) =>
      si(
        hasOperacion(caso) &&
          caso.devengo > caso.draft.invoiceDate &&
          caso.devengo <= caso.today &&
          !isAnticipada(caso),
        'fechaOperacion',
        () =>
          `La fecha de operación (${fechaEs(caso.devengo)}) es posterior a la de la factura (${fechaEs(caso.draft.invoiceDate)}), y eso solo cabe si todas las líneas tienen la clave de régimen 14 o 15. Pon una fecha anterior, o déjala vacía.`,
      ),
  },
  {
    // A future day is always later than the invoice too: of the two codes, the AEAT returns one.
    id: 'operacion-futura',
    documento: 'validaciones',
    fuente: 'FechaOperacion',
    codigo: '1173',
    gravedad: 'bloquea',
    busca: (caso) =>
      si(
        hasOperacion(caso) && caso.devengo > caso.today && !isAnticipada(caso),
        'fechaOperacion',
        () =>
          `La fecha de operación (${fechaEs(caso.devengo)}) no ha llegado todavía, y eso solo cabe si todas las líneas tienen la clave de régimen 14 o 15. Pon una fecha anterior, o déjala vacía.`,
      ),
  },
  {
    id: 'operacion-lejana',
    documento: 'validaciones',
    fuente: 'FechaOperacion',
    codigo: '1125',
    gravedad: 'bloquea',
    busca: (caso) => {
      const limit = lastOperacion(caso.today);
      return si(
        hasOperacion(caso) && caso.devengo > limit && isAnticipada(caso),
        'fechaOperacion',
        () => `La fecha de operación no puede pasar del ${fechaEs(limit)}. Pon una anterior.`,
      );
    },
  },
  {
    id: 'operacion-remota',
    documento: 'validaciones',
    fuente: 'FechaOperacion',
    codigo: '1134',
    gravedad: 'bloquea',
    busca: (caso) => {
      if (!hasOperacion(caso)) return [];
      const limit = addYears(caso.today, -20);
      return si(
        caso.devengo < limit,
        'fechaOperacion',
        () => `La fecha de operación no puede ser anterior al ${fechaEs(limit)}. Revísala.`,
      );
    },
  },
  {
    id: 'operacion-fuera-de-plazo',
    documento: 'facturacion',
    fuente: 'RD 1619/2012, plazo de expedición: antes del día 16 del mes siguiente',
    gravedad: 'avisa',
    busca: (caso) => {
      if (!hasOperacion(caso)) return [];
      const { draft, devengo } = caso;
      const [year = 0, month = 0] = devengo.split('-').map(Number);
      const limit = new Date(Date.UTC(year, month, 15)).toISOString().slice(0, 10);
      return si(
        draft.type === 'factura' && draft.invoiceDate > limit,
        'fechaOperacion',
        () =>
          `La operación fue el ${fechaEs(devengo)}: el plazo para facturarla a una empresa acabó el ${fechaEs(limit)}. Puedes registrarla, pero va fuera de plazo.`,
      );
    },
  },
  {
    id: 'retencion',
    documento: 'huella',
    fuente: 'Contrato: retencionIRPF',
    gravedad: 'bloquea',
    busca: ({ draft }) => {
      const isWrong = checkRetention(draft.retencionIRPF ?? '') === null;
      return si(isWrong, 'retencionIRPF', () => WRONG_RETENTION);
    },
  },
  {
    id: 'retencion-de-sociedad',
    documento: 'irpf',
    fuente: 'Retenciones del IRPF: solo de personas físicas y atribución de rentas',
    gravedad: 'avisa',
    busca: ({ draft, emisor }) =>
      si(
        (parseDecimal(draft.retencionIRPF || 0, 2) ?? 0n) > 0n && isSociedad(emisor.nif),
        'retencionIRPF',
        () =>
          'Las sociedades no llevan retención en sus facturas, salvo en el alquiler de inmuebles. Quítala si no es el caso.',
      ),
  },
  {
    id: 'retencion-simplificada',
    documento: 'irpf',
    fuente: 'RD 439/2007 art. 76: retienen las empresas y los profesionales',
    gravedad: 'avisa',
    busca: ({ draft, tipoFactura, emisor }) =>
      si(
        tipoFactura === 'F2' &&
          (parseDecimal(draft.retencionIRPF || 0, 2) ?? 0n) > 0n &&
          !isSociedad(emisor.nif),
        'retencionIRPF',
        () =>
          'Una factura simplificada no dice quién te paga, y un particular no retiene. Quita la retención o, si te paga una empresa o un profesional, haz una F1 Factura.',
      ),
  },
  {
    id: 'retencion-de-fuera',
    documento: 'irpf',
    fuente: 'RD 439/2007 art. 76.1.c y d: de fuera, retiene quien opera aquí',
    gravedad: 'avisa',
    busca: ({ draft, emisor, cliente }) =>
      si(
        // A rectificativa has the retention of what it rectifies.
        draft.type === 'factura' &&
          (parseDecimal(draft.retencionIRPF || 0, 2) ?? 0n) > 0n &&
          cliente !== null &&
          cliente.nif === null &&
          cliente.countryCode !== 'ES' &&
          !isSociedad(emisor.nif),
        'retencionIRPF',
        () =>
          `Un cliente de fuera de España solo retiene IRPF si opera aquí, casi siempre con un establecimiento permanente, y ${cliente?.nombre} no tiene NIF español. Quita la retención si no es el caso.`,
      ),
  },
  {
    id: 'suplidos',
    documento: 'iva',
    fuente: 'Ley 37/1992 art. 78.Tres.3.º',
    gravedad: 'bloquea',
    busca: ({ draft }) => {
      const cents = draft.suplidos ? parseDecimal(draft.suplidos, 2) : 0n;
      return si(
        cents === null || cents < 0n || cents > MAX_SUPLIDOS_CENTS,
        'suplidos',
        () =>
          'Los suplidos deben ser un importe de 0 a 999.999.999,99 €, con dos decimales como mucho.',
      );
    },
  },
  {
    id: 'emisor-incompleto',
    documento: 'facturacion',
    fuente: 'RD 1619/2012 art. 6.1.c, d y e',
    gravedad: 'bloquea',
    busca: ({ emisor }) => {
      const missing = faltan([
        [emisor.nombre, 'el nombre'],
        [emisor.nif, 'el NIF'],
        [emisor.direccion, 'la dirección'],
      ]);
      return si(
        missing !== '',
        'emisor',
        () =>
          `En los datos de tu empresa ${missing}. Complétalos en Perfil → Información de empresa.`,
      );
    },
  },
  {
    // The header is checked first, and an error there refuses the whole message.
    id: 'emisor-nif',
    documento: 'validaciones',
    fuente: 'Cabecera (ObligadoEmision)',
    codigo: '4116',
    gravedad: 'bloquea',
    busca: ({ emisor }) => {
      const check = checkNif(emisor.nif);
      return si(
        emisor.nif !== '' && !check.ok,
        'emisor',
        () =>
          `${check.ok ? '' : check.mensaje} Es el de tu empresa: corrígelo en Perfil → Información de empresa.`,
      );
    },
  },
];

/** Whether the text of its series, apart from the counter, has that year: `00042/26`, `F2026-00042`. */
function namesYear(numSerie: string, year: string): boolean {
  const series = parseNoSerie(numSerie);
  const years = new RegExp(`(?<!\\d)(?:${year.slice(0, 2)})?${year.slice(2)}(?!\\d)`);
  return series !== null && (years.test(series.prefix) || years.test(series.suffix));
}

/** The operation has a day of its own, and a valid one. */
function hasOperacion({ draft, isFechaValida }: Caso): boolean {
  return isFechaValida && Boolean(draft.fechaOperacion) && isIsoDate(draft.fechaOperacion ?? '');
}

/** «Si los detalles del desglose son…» (1146, 1173): every one of them. */
function isAnticipada({ totals: { desglose } }: Caso): boolean {
  return (
    desglose.length > 0 &&
    desglose.every(
      ({ ClaveRegimen, Impuesto }) =>
        CLAVES_ANTICIPADAS.includes(ClaveRegimen) && Impuesto !== '02',
    )
  );
}

/** A last date that has not come yet was registered while our clock was ahead: nobody may put it today. */
function outOfOrder(lastDate: string, today: string): string {
  const why = `La última factura de esta serie es del ${fechaEs(lastDate)} y los números deben seguir el orden de las fechas.`;
  return lastDate > today
    ? `${why} Ese día aún no ha llegado: se registró con un reloj adelantado. Espera a entonces o empieza otra serie en Perfil → Datos de facturación.`
    : `${why} Pon esa fecha o una posterior; si la operación fue antes, dilo en «Fecha de operación».`;
}
