import { fechaEs } from '../../dates.ts';
import { absCents, decimalToEs, parseDecimal } from '../../money.ts';
import { isOss, isRegimenPerdido, isTipoDestino, situacionDe } from '../../situaciones.ts';
import { codigosOf, type Desglose } from '../../totals.ts';
import { type Caso, isClaveElegida, porDesglose, type Regla, si } from './regla.ts';

const IVA = '01';
const IPSI = '02';
const IGIC = '03';

interface Vigencia {
  readonly desde?: string;
  readonly hasta?: string;
}

interface TipoIva extends Vigencia {
  readonly bps: bigint;
  /** The AEAT's code outside its dates. */
  readonly codigo?: string;
}

/** Rates of IVA and their validity (codes 1124, 1194, 1235 and 1236). */
const TIPOS_IVA: readonly TipoIva[] = [
  { bps: 0n },
  { bps: 200n, desde: '2024-10-01', hasta: '2024-12-31', codigo: '1235' },
  { bps: 400n },
  { bps: 500n, desde: '2022-07-01', hasta: '2024-09-30', codigo: '1194' },
  { bps: 750n, desde: '2024-10-01', hasta: '2024-12-31', codigo: '1236' },
  { bps: 1000n },
  { bps: 2100n },
];

interface Recargo extends Vigencia {
  readonly tipoBps: bigint;
  readonly recargosBps: readonly bigint[];
  readonly codigo: string;
  /** Applies only to these rates of recargo: any other breaks another row. */
  readonly entre?: readonly bigint[];
}

/** Every rate of recargo there has been (code 1127); zero is none. */
const RECARGOS_CONOCIDOS: readonly bigint[] = [0n, 26n, 50n, 62n, 100n, 140n, 175n, 520n];

/**
 * Recargo de equivalencia for each rate (codes 1160 to 1169 and 1277). For 0 % we send none: error 1170 mentions 0.26
 * after September 2024, but the document only restricts the months before.
 */
const RECARGOS: readonly Recargo[] = [
  { tipoBps: 2100n, recargosBps: [520n, 175n], codigo: '1162' },
  { tipoBps: 1000n, recargosBps: [140n], codigo: '1163' },
  { tipoBps: 750n, recargosBps: [100n], codigo: '1169' },
  { tipoBps: 500n, recargosBps: [50n, 62n], codigo: '1160' },
  {
    tipoBps: 500n,
    recargosBps: [50n],
    entre: [50n, 62n],
    hasta: '2022-12-31',
    codigo: '1167',
  },
  {
    tipoBps: 500n,
    recargosBps: [62n],
    entre: [50n, 62n],
    desde: '2023-01-01',
    hasta: '2024-09-30',
    codigo: '1168',
  },
  { tipoBps: 400n, recargosBps: [50n], codigo: '1164' },
  { tipoBps: 200n, recargosBps: [26n], codigo: '1166' },
  { tipoBps: 0n, recargosBps: [0n], desde: '2023-01-01', hasta: '2024-09-30', codigo: '1165' },
  { tipoBps: 0n, recargosBps: [0n], desde: '2024-10-01', codigo: '1277' },
];

/** Claves de régimen that each tax admits (lists L8A and L8B). */
const CLAVES: Readonly<Record<string, readonly string[]>> = {
  [IVA]: '01 02 03 04 05 06 07 08 09 10 11 14 15 17 18 19 20'.split(' '),
  [IPSI]: '01 08 11 18 19 20'.split(' '),
  [IGIC]: '01 02 03 04 05 06 07 08 09 10 11 14 15 17 18 19 20 21'.split(' '),
};

/** A clave de régimen that IPSI does not have: the rules change with the year 2027 (AEAT, validations 1.2.2). */
const CLAVE_IPSI: readonly (Vigencia & Pick<Regla, 'id' | 'gravedad'> & { codigo: string })[] = [
  { id: 'clave-ipsi-2026', codigo: '2009', gravedad: 'avisa', hasta: '2026-12-31' },
  { id: 'clave-ipsi-2027', codigo: '1246', gravedad: 'bloquea', desde: '2027-01-01' },
];

interface Regimen {
  readonly clave: string;
  readonly impuestos: readonly string[];
  readonly codigo: string;
  readonly admite: (desglose: Desglose, caso: Caso) => boolean;
  /** What it admits, and how to fix it. */
  readonly mensaje: string;
}

/** What each clave de régimen may be combined with (block Desglose). */
const REGIMENES: readonly Regimen[] = [
  {
    clave: '01',
    impuestos: [IVA, IGIC],
    codigo: '1199',
    admite: ({ OperacionExenta }) => !['E2', 'E3'].includes(OperacionExenta ?? ''),
    mensaje: 'no admite exportaciones ni operaciones asimiladas. Usa la clave 02.',
  },
  {
    clave: '02',
    impuestos: [IVA, IGIC],
    codigo: '1286',
    admite: ({ OperacionExenta }) => OperacionExenta !== null,
    mensaje:
      'es de exportaciones y solo admite líneas exentas. Usa la clave 01, o haz dos facturas.',
  },
  {
    clave: '03',
    impuestos: [IVA, IPSI, IGIC],
    codigo: '1200',
    admite: ({ CalificacionOperacion }) => [null, 'S1'].includes(CalificacionOperacion),
    mensaje: 'es de bienes usados y solo admite líneas con impuesto o exentas. Usa la clave 01.',
  },
  {
    clave: '04',
    impuestos: [IVA, IPSI, IGIC],
    codigo: '1201',
    admite: ({ CalificacionOperacion }) => [null, 'S2'].includes(CalificacionOperacion),
    mensaje:
      'es de oro de inversión y solo admite líneas exentas o con inversión del sujeto pasivo. Usa la clave 01.',
  },
  {
    clave: '06',
    impuestos: [IVA, IPSI, IGIC],
    codigo: '1202',
    admite: () => false,
    mensaje:
      'es de grupos de entidades, que llevan sus libros por el SII y no usan VERI*FACTU. Usa la clave 01.',
  },
  {
    clave: '07',
    impuestos: [IVA, IPSI, IGIC],
    codigo: '1203',
    admite: ({ CalificacionOperacion, OperacionExenta }) =>
      [null, 'S1'].includes(CalificacionOperacion) &&
      !['E2', 'E3', 'E4', 'E5'].includes(OperacionExenta ?? ''),
    mensaje:
      'es del criterio de caja y no admite exportaciones, inversión del sujeto pasivo ni líneas no sujetas. Usa la clave 01.',
  },
  {
    clave: '08',
    impuestos: [IVA, IPSI, IGIC],
    codigo: '1252',
    admite: ({ CalificacionOperacion }) => CalificacionOperacion === 'N2',
    mensaje:
      'es de operaciones sujetas al impuesto de otro territorio y solo admite líneas no sujetas por localización. Usa la clave 01.',
  },
  {
    clave: '10',
    impuestos: [IVA, IPSI, IGIC],
    codigo: '1205',
    admite: ({ CalificacionOperacion }, { tipoFactura, cliente }) =>
      CalificacionOperacion === 'N1' && tipoFactura === 'F1' && Boolean(cliente?.nif),
    mensaje:
      'es de cobros por cuenta de terceros: pide una F1, líneas no sujetas y un cliente con NIF español. Usa la clave 01.',
  },
  {
    clave: '11',
    impuestos: [IVA],
    codigo: '1206',
    admite: ({ vatRateBps }) => vatRateBps === 2100n,
    mensaje:
      'es de alquiler de locales y solo admite IVA del 21 %. Cambia el impuesto de la línea o usa la clave 01.',
  },
  {
    clave: '14',
    impuestos: [IVA, IPSI, IGIC],
    codigo: '1148',
    admite: (_desglose, { tipoFactura }) => ['F1', 'R1', 'R2', 'R3', 'R4'].includes(tipoFactura),
    mensaje:
      'es de certificaciones de obra y pide una factura completa. Cambia el tipo de factura o usa la clave 01.',
  },
  {
    clave: '20',
    impuestos: [IGIC],
    codigo: '1293',
    admite: ({ CalificacionOperacion }) => CalificacionOperacion === 'N2',
    mensaje:
      'es de operaciones sujetas al IPSI y solo admite líneas no sujetas por localización. Usa la clave 01.',
  },
];

/** Rules about rates, recargos and claves de régimen of each line of the desglose. */
export const DESGLOSE: readonly Regla[] = [
  {
    id: 'tipo-desconocido',
    documento: 'validaciones',
    fuente: 'Desglose (TipoImpositivo)',
    codigo: '1124',
    gravedad: 'bloquea',
    busca: (caso) =>
      porDesglose(
        caso,
        (desglose) => isIvaS1(desglose) && tipoOf(desglose) === undefined,
        ({ vatRateBps }) =>
          `No hay ningún IVA del ${percent(vatRateBps)}. Elige otro impuesto de la lista.`,
        { pointsAt: 'tax' },
      ),
  },
  ...TIPOS_IVA.filter(({ codigo }) => codigo).map(
    (tipo): Regla => ({
      id: `tipo-cerrado-${tipo.bps}`,
      documento: 'validaciones',
      fuente: 'Desglose (TipoImpositivo)',
      codigo: tipo.codigo as string,
      gravedad: 'bloquea',
      busca: (caso) =>
        porDesglose(
          caso,
          (desglose) =>
            isIvaS1(desglose) && desglose.vatRateBps === tipo.bps && !isOn(tipo, caso.devengo),
          () =>
            `El IVA del ${percent(tipo.bps)} solo se aplicó del ${fechaEs(tipo.desde ?? '')} al ${fechaEs(tipo.hasta ?? '')}. Elige otro impuesto o, si rectificas una factura de entonces, pon su fecha en «Fecha de operación».`,
          { pointsAt: 'tax' },
        ),
    }),
  ),
  {
    id: 'recargo-desconocido',
    documento: 'validaciones',
    fuente: 'Desglose (TipoRecargoEquivalencia)',
    codigo: '1127',
    gravedad: 'bloquea',
    busca: (caso) =>
      porDesglose(
        caso,
        (desglose) => isIvaS1(desglose) && !RECARGOS_CONOCIDOS.includes(desglose.recargoBps ?? 0n),
        ({ recargoBps }) =>
          `No hay ningún recargo de equivalencia del ${percent(recargoBps)}. Elige otro impuesto de la lista.`,
        { pointsAt: 'tax' },
      ),
  },
  {
    id: 'recargo-sin-cuota',
    documento: 'validaciones',
    fuente: 'Desglose (TipoRecargoEquivalencia)',
    codigo: '1281',
    gravedad: 'bloquea',
    busca: (caso) =>
      porDesglose(
        caso,
        ({ CalificacionOperacion, recargoBps }) =>
          CalificacionOperacion !== 'S1' && Boolean(recargoBps),
        () =>
          'El recargo de equivalencia solo va con operaciones que llevan IVA. Elige otro impuesto de la lista.',
        { pointsAt: 'tax' },
      ),
  },
  {
    id: 'recargo-sin-iva',
    documento: 'iva',
    fuente: 'Ley 37/1992 arts. 154 y siguientes',
    gravedad: 'bloquea',
    busca: (caso) =>
      porDesglose(
        caso,
        ({ Impuesto, recargoBps }) => Impuesto !== IVA && Boolean(recargoBps),
        ({ Impuesto }) =>
          `El recargo de equivalencia va solo con el IVA, no con ${nombreImpuesto(Impuesto)}. Elige otro impuesto de la lista.`,
        { pointsAt: 'tax' },
      ),
  },
  ...RECARGOS.map(
    (recargo): Regla => ({
      id: `recargo-${recargo.codigo}`,
      documento: 'validaciones',
      fuente: 'Desglose (TipoRecargoEquivalencia)',
      codigo: recargo.codigo,
      gravedad: 'bloquea',
      busca: (caso) =>
        porDesglose(
          caso,
          (desglose) =>
            isIvaS1(desglose) &&
            desglose.vatRateBps === recargo.tipoBps &&
            isOn(recargo, caso.devengo) &&
            Boolean(desglose.recargoBps) &&
            (recargo.entre ?? RECARGOS_CONOCIDOS).includes(desglose.recargoBps ?? 0n) &&
            !recargo.recargosBps.includes(desglose.recargoBps ?? 0n),
          () =>
            `Con el IVA del ${percent(recargo.tipoBps)} el recargo de equivalencia es del ${recargo.recargosBps.map(percent).join(' o del ')}. Elige otro impuesto.`,
          { pointsAt: 'tax' },
        ),
    }),
  ),
  {
    id: 'clave-desconocida',
    documento: 'validaciones',
    fuente: 'Desglose (ClaveRegimen, listas L8A y L8B)',
    codigo: '1246',
    gravedad: 'bloquea',
    busca: (caso) =>
      porDesglose(
        caso,
        ({ Impuesto, ClaveRegimen }) =>
          Impuesto !== IPSI && !CLAVES[Impuesto]?.includes(ClaveRegimen),
        ({ ClaveRegimen, Impuesto }) =>
          `La clave de régimen ${ClaveRegimen} no existe para ${nombreImpuesto(Impuesto)}. Elige la 01 u otra de la lista.`,
      ),
  },
  // Until the end of 2026 the AEAT accepts it with an error; from 2027 it refuses it. The date that counts is the
  // AEAT's current one, which is ours, because a registro is sent as soon as it is made.
  ...CLAVE_IPSI.map(
    ({ id, codigo, gravedad, ...vigencia }): Regla => ({
      id,
      documento: 'validaciones',
      fuente: 'Desglose (ClaveRegimen, IPSI)',
      codigo,
      gravedad,
      busca: (caso) =>
        porDesglose(
          caso,
          ({ Impuesto, ClaveRegimen }) =>
            Impuesto === IPSI &&
            isOn(vigencia, caso.today) &&
            !CLAVES[IPSI]?.includes(ClaveRegimen),
          ({ ClaveRegimen }) =>
            `La clave de régimen ${ClaveRegimen} no existe para el IPSI. Elige la 01 u otra de la lista.`,
        ),
    }),
  ),
  ...REGIMENES.map(
    ({ clave, impuestos, codigo, admite, mensaje }): Regla => ({
      id: `regimen-${codigo}`,
      documento: 'validaciones',
      fuente: `Desglose (ClaveRegimen ${clave})`,
      codigo,
      gravedad: 'bloquea',
      busca: (caso) =>
        porDesglose(
          caso,
          (desglose) =>
            desglose.ClaveRegimen === clave &&
            impuestos.includes(desglose.Impuesto) &&
            !admite(desglose, caso),
          () => `La clave de régimen ${clave} ${mensaje}`,
        ),
    }),
  ),
  {
    id: 'clave-ajena',
    documento: 'facturacion',
    fuente: 'RD 1619/2012 arts. 6.1.n a p y 16.2.c; Ley 37/1992 arts. 137, 145 y 163 septiesdecies',
    gravedad: 'bloquea',
    busca: (caso) => {
      const { claveRegimen } = caso.draft;
      const index = caso.totals.lines.findIndex(
        ({ group }) => group !== undefined && isRegimenPerdido(group.verifactu, claveRegimen),
      );
      const own = caso.totals.lines[index]?.group?.verifactu.ClaveRegimen;
      return si(
        isClaveElegida(caso) && index !== -1,
        'claveRegimen',
        () =>
          `La línea ${index + 1}${regimenOf(caso, index)} lleva la clave de régimen ${own}, y con la ${claveRegimen} perdería su régimen. Elige en «Clave de régimen» la 01, que deja a cada línea la suya, o cambia su impuesto.`,
      );
    },
  },
  {
    id: 'obra-publica-fecha',
    documento: 'validaciones',
    fuente: 'Desglose (ClaveRegimen 14)',
    codigo: '1147',
    gravedad: 'bloquea',
    busca: (caso) =>
      si(
        isObraPublica(caso) && caso.devengo <= caso.draft.invoiceDate,
        'fechaOperacion',
        () =>
          'Con la clave de régimen 14 hay que poner la «Fecha de operación», y ha de ser posterior a la de la factura.',
      ),
  },
  {
    id: 'obra-publica-cliente',
    documento: 'validaciones',
    fuente: 'Desglose (ClaveRegimen 14)',
    codigo: '1149',
    gravedad: 'bloquea',
    busca: (caso) =>
      si(
        isObraPublica(caso) && caso.cliente !== null && !/^[PQSV]/.test(caso.cliente.nif ?? ''),
        'invoiceClient',
        () =>
          'La clave de régimen 14 es para administraciones públicas, cuyo NIF empieza por P, Q, S o V. Elige otro cliente o usa la clave 01.',
      ),
  },
  {
    id: 'exencion-ajena',
    documento: 'validaciones',
    fuente: 'Desglose (OperacionExenta, lista L10)',
    codigo: '1182',
    gravedad: 'bloquea',
    busca: (caso) =>
      porDesglose(
        caso,
        ({ Impuesto, OperacionExenta }) =>
          Impuesto !== IGIC && ['E7', 'E8'].includes(OperacionExenta ?? ''),
        () => 'Esa exención es solo de IGIC. Elige otro impuesto de la lista.',
        { pointsAt: 'tax' },
      ),
  },
  {
    id: 'inversion-simplificada',
    documento: 'validaciones',
    fuente: 'Desglose (CalificacionOperacion S2)',
    codigo: '1197',
    gravedad: 'bloquea',
    busca: (caso) =>
      porDesglose(
        caso,
        ({ CalificacionOperacion }) =>
          CalificacionOperacion === 'S2' && ['F2', 'R5'].includes(caso.tipoFactura),
        () =>
          'La inversión del sujeto pasivo necesita una factura completa. Quita «Factura simplificada» y elige el cliente.',
        { pointsAt: 'tax' },
      ),
  },
  {
    id: 'exenta-sin-articulo',
    documento: 'facturacion',
    fuente: 'RD 1619/2012 art. 6.1.j',
    gravedad: 'avisa',
    busca: ({ draft, totals }) =>
      si(
        totals.lines.some(({ group }) => group?.requiereTexto) && !draft.notas?.trim(),
        'notas',
        () => 'Di en «Notas» por qué artículo está exenta la operación: la factura debe llevarlo.',
      ),
  },
  {
    id: 'margen-mezclado',
    documento: 'facturacion',
    fuente: 'RD 1619/2012 arts. 6.1.n y o, 16.2',
    gravedad: 'avisa',
    busca: ({ totals }) =>
      si(
        totals.lines.some(({ isMargen }) => isMargen) &&
          totals.lines.some(({ isMargen, group }) => !isMargen && group !== undefined),
        'invoiceItems',
        () =>
          'La factura mezcla ventas con el impuesto dentro del precio (bienes usados o viajes) y ventas corrientes. Se puede registrar, pero es más claro hacer una factura de cada.',
      ),
  },
  {
    id: 'recargo-mezclado',
    documento: 'facturacion',
    fuente: 'RD 1619/2012 art. 16.4',
    gravedad: 'avisa',
    busca: ({ totals: { desglose } }) =>
      si(
        desglose.some(({ recargoBps }) => Boolean(recargoBps)) &&
          desglose.some(isTaxedWithoutRecargo),
        'invoiceItems',
        () =>
          'La factura mezcla género con recargo de equivalencia y ventas o servicios que no lo llevan. Se puede registrar, pero lo que lleva recargo va en una factura aparte.',
      ),
  },
  {
    // The retention is calculated on the margin, and would reveal it: 74.38 at 15 % means a margin of 495.87.
    id: 'margen-con-retencion',
    documento: 'facturacion',
    fuente: 'RD 1619/2012 arts. 6.1.n y 16.2.c',
    gravedad: 'bloquea',
    busca: ({ draft, totals }) =>
      si(
        totals.lines.some(({ isMargen }) => isMargen) &&
          (parseDecimal(draft.retencionIRPF || 0, 2) ?? 0n) > 0n,
        'retencionIRPF',
        () =>
          'La retención de una venta de bienes usados o de un viaje diría a tu cliente lo que ganas, que la factura no puede mostrar. Quítala o, si es de otras líneas, pásalas a otra factura.',
      ),
  },
  {
    id: 'margen-sin-coste',
    documento: 'iva',
    fuente: 'Ley 37/1992 arts. 137 y 145',
    gravedad: 'bloquea',
    busca: ({ draft, totals }) =>
      totals.lines.flatMap(({ isMargen }, index) => {
        const coste = draft.invoiceItems[index]?.coste ?? '';
        const cents = coste === '' ? null : parseDecimal(coste, 2);
        return si(
          isMargen && (cents === null || cents < 0n),
          `invoiceItems.${index}.coste`,
          () =>
            `Escribe lo que te costó lo de la línea ${index + 1}, con impuestos: en este régimen se tributa por la diferencia con el precio. No sale en la factura.`,
        );
      }),
  },
  {
    id: 'margen-negativo',
    documento: 'iva',
    fuente: 'Ley 37/1992 art. 137.Uno',
    gravedad: 'avisa',
    busca: ({ totals }) =>
      totals.lines.flatMap(({ isMargen, baseCents, costeCents }, index) =>
        si(
          isMargen && absCents(costeCents) > absCents(baseCents),
          `invoiceItems.${index}.coste`,
          () =>
            `Lo de la línea ${index + 1} te costó más de lo que cobras: no hay margen, así que la base es cero.`,
        ),
      ),
  },
  {
    // Only the issuer knows which of the operations declared there are subject here, if any.
    id: 'oss-con-iva',
    documento: 'iva',
    fuente: 'Ley 37/1992 arts. 163 septiesdecies y siguientes (OSS); lista L8A, clave 17',
    gravedad: 'avisa',
    busca: (caso) =>
      porDesglose(
        caso,
        ({ Impuesto, ClaveRegimen, CalificacionOperacion }) =>
          Impuesto === IVA &&
          ClaveRegimen === '17' &&
          !['N1', 'N2'].includes(CalificacionOperacion ?? ''),
        ({ OperacionExenta }) =>
          `La clave de régimen 17 es de la ventanilla única (OSS), y lo que se declara en ella lleva el IVA del país de tu cliente, no ${OperacionExenta ? 'una exención de aquí' : 'el español'}. Usa la clave 01 o, si la venta va a la ventanilla, elige ese caso en «¿Qué vendes y a quién?».`,
      ),
  },
  {
    id: 'oss-sin-tipo',
    documento: 'iva',
    fuente: 'Ley 37/1992 arts. 163 septiesdecies y siguientes (OSS)',
    gravedad: 'bloquea',
    busca: ({ draft, totals }) =>
      totals.lines.flatMap(({ group }, index) =>
        si(
          group !== undefined &&
            isOss(codigosOf(group, draft.claveRegimen)) &&
            !isTipoDestino(draft.invoiceItems[index]?.tipoDestino),
          `invoiceItems.${index}.tipoDestino`,
          () =>
            `Escribe el tipo de IVA del país de tu cliente en la línea ${index + 1}: un porcentaje de hasta 30, con dos decimales como mucho.`,
        ),
      ),
  },
];

/** ` («Vendo bienes usados (REBU)»)`: the situation of the line, if its tax has one. */
function regimenOf({ draft, totals }: Caso, index: number): string {
  const situacion = situacionDe(totals.lines[index]?.tax ?? '', draft.typeClient);
  return situacion ? ` («${situacion.label}»)` : '';
}

function isObraPublica({ totals }: Caso): boolean {
  return totals.desglose.some(({ ClaveRegimen }) => ClaveRegimen === '14');
}

function isIvaS1({ Impuesto, CalificacionOperacion }: Desglose): boolean {
  return Impuesto === IVA && CalificacionOperacion === 'S1';
}

function isTaxedWithoutRecargo(desglose: Desglose): boolean {
  const { CalificacionOperacion, vatRateBps, recargoBps } = desglose;
  return CalificacionOperacion === 'S1' && Boolean(vatRateBps) && !recargoBps;
}

function tipoOf({ vatRateBps }: Desglose): TipoIva | undefined {
  return TIPOS_IVA.find(({ bps }) => bps === vatRateBps);
}

function isOn({ desde = '', hasta = '9999-12-31' }: Vigencia, iso: string): boolean {
  return iso >= desde && iso <= hasta;
}

function percent(bps: bigint | null): string {
  return `${decimalToEs(bps ?? 0n, 2)} %`;
}

function nombreImpuesto(Impuesto: string): string {
  if (Impuesto === IGIC) return 'el IGIC';
  return Impuesto === IPSI ? 'el IPSI' : 'el IVA';
}
