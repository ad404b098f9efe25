import {
  dashed,
  euros,
  figure,
  type Sample,
  type SampleLine,
  STORIES,
  type Story,
  sampleOf,
  slashed,
  worded,
} from './invoice-sample.ts';
import { sheetOf } from './print-html.ts';

/**
 * Invoices whose layout is drawn at random, so that the reader is tuned with a distribution and not with
 * single layouts. The same seed, the same invoice. Even seeds are for looking at, odd ones only for totals.
 */

type Kind =
  | 'code'
  | 'description'
  | 'quantity'
  | 'unit'
  | 'price'
  | 'discount'
  | 'rate'
  | 'quota'
  | 'net'
  | 'gross';

const NAMES: Readonly<Record<Kind, readonly string[]>> = {
  code: ['Ref.', 'Código', 'Cód.', 'Art.', 'Nº', 'Pos.', 'Codi', 'Code', 'Item'],
  description: [
    ...['Concepto', 'Descripción', 'Detalle', 'Descripción del servicio', 'Artículo', 'Trabajos'],
    ...['Concepte', 'Descripció', 'Description', 'Producto', 'Conceptos facturados'],
  ],
  quantity: [
    ...['Cantidad', 'Cant.', 'Uds.', 'Unid.', 'Unidades', 'Ctdad.', 'Quantitat', 'Quant.', 'Qty'],
    ...['Quantity', 'Ud.', 'Nº uds.', 'Units'],
  ],
  unit: ['Ud.', 'U.M.', 'Medida', 'Unidad'],
  price: [
    ...['Precio', 'P. unit.', 'Precio unitario', 'P.U.', 'Precio/ud', 'Preu', 'Preu unitari'],
    ...['Unit price', 'Price', 'Tarifa', 'Importe unitario', 'PVP', 'Precio ud.', 'Rate'],
  ],
  discount: ['Dto.', '% Dto', 'Dto', 'Desc.', 'Descuento', 'Dte.', 'Discount', 'Bonif.'],
  rate: ['IVA', '% IVA', 'Tipo', 'IVA %', 'VAT', 'Impto.'],
  quota: ['Cuota', 'Cuota IVA', 'Imp. IVA', 'IVA €', 'VAT amount'],
  net: [
    ...['Importe', 'Total', 'Importe neto', 'Base', 'Neto', 'Subtotal', 'Import', 'Amount', 'Net'],
    ...['Total línea', 'Base imponible', 'Importe €', 'Valor'],
  ],
  gross: ['Total', 'Total con IVA', 'Importe con IVA', 'Total IVA incl.', 'Gross', 'PVP total'],
};

const LONG_THINGS = [
  'Servicio de mantenimiento preventivo y correctivo de los equipos informáticos de la oficina central',
  'Suministro y colocación de pavimento laminado AC5 de 8 mm con base aislante y rodapié a juego',
  'Honorarios por asesoramiento fiscal, contable y laboral del tercer trimestre de 2026',
  'Transporte urgente Madrid - Zaragoza, palé de 240 kg, entrega antes de las 10 horas',
  'Pintura plástica mate blanca 15 l',
  'Instalación de punto de luz 2 x 1,5 mm con caja, mecanismo y pequeño material',
  'Menú del día',
  'Alojamiento en habitación doble con desayuno, del 3 al 5 de junio',
];

export interface RandomInvoice {
  readonly sample: Sample;
  readonly html: string;
}

/** A sample of that story as a layout of that seed prints it. */
export function randomInvoice(seed: number): RandomInvoice {
  const dice = diceOf(seed * 7919 + 13);
  const { pick, chance } = dice;
  const story = STORIES[(seed >> 1) % STORIES.length] as Story;
  const plain = sampleOf(seed + 5000, story);
  const hasQuantity = !chance(0.12);
  const hasLong = chance(0.5);
  const relined = plain.lines.map((line): SampleLine => {
    const description = hasLong && chance(0.5) ? pick(LONG_THINGS) : line.description;
    if (hasQuantity) return { ...line, description };
    return {
      ...line,
      description,
      quantity: 1,
      discount: 0,
      priceCents: line.totalCents,
    };
  });
  const sample: Sample = { ...plain, lines: relined };
  return { sample, html: htmlOf(sample, dice, { hasQuantity, seed }) };
}

function htmlOf(
  sample: Sample,
  dice: Dice,
  { hasQuantity, seed }: { hasQuantity: boolean; seed: number },
): string {
  const { pick, chance, int } = dice;
  const number = numberStyle(dice);
  const kinds = columnsOf(sample, dice, hasQuantity);
  const unit = pick(['', '', '', ' ud', ' h', 'ud', ' uds.', ' kg', ' u.']);
  const isGlued = kinds.includes('unit') ? '' : unit;
  const decimals = pick([2, 2, 2, 3, 4]);
  const quantityDecimals = pick([undefined, undefined, 2, 3]);
  const euro = pick(['', '', '', ' €', '€']);
  const per = pick([' %', '%', '']);
  const rateForm = pick([(r: number) => `${r}${per}`, (r: number) => `${figure(r, 2)}${per}`]);
  const noDiscount = pick(['', '', '-', `0${per}`, `0,00${per}`]);
  const hasHeadings = !chance(0.2);
  const isUpper = chance(0.3);
  const inTwo = chance(0.2);
  const align = pick(['right', 'right', 'right', 'center', 'left']);
  const headAlign = pick([align, align, 'left', 'center', 'right']);
  const valign = pick(['top', 'top', 'middle', 'bottom']);
  const heads = kinds.map((kind) => {
    const name = pick(NAMES[kind]);
    const said = isUpper ? name.toUpperCase() : name;
    return inTwo && said.includes(' ') ? said.replace(' ', '<br>') : said;
  });
  let code = int(100, 9000);
  const cellOf = (kind: Kind, line: SampleLine): string => {
    const quota = Math.round((line.totalCents * line.rate) / 100);
    switch (kind) {
      case 'code':
        code += 1;
        return codeStyle(code);
      case 'description':
        return line.description;
      case 'quantity':
        return `${number.plain(line.quantity, quantityDecimals)}${isGlued}`;
      case 'unit':
        return unit.trim() || 'ud';
      case 'price':
        return `${number.amount(line.priceCents, decimals)}${euro}`;
      case 'discount':
        return line.discount ? `${number.plain(line.discount)}${per}` : noDiscount;
      case 'rate':
        return rateForm(line.rate);
      case 'quota':
        return `${number.amount(quota)}${euro}`;
      case 'net':
        return `${number.amount(line.totalCents)}${euro}`;
      case 'gross':
        return `${number.amount(line.totalCents + quota)}${euro}`;
    }
  };
  const codeStyle = pick([
    (n: number) => String(n),
    (n: number) => `A-${n}`,
    (n: number) => `${n % 100}`,
    (n: number) => `MT${n}X`,
  ]);
  const span = kinds.length;
  const sections = chance(0.2);
  const subtotals = sections && chance(0.6);
  const note = chance(0.15);
  const rows: string[] = [];
  const step = Math.max(2, int(2, 6));
  let running = 0;
  for (const [i, line] of sample.lines.entries()) {
    if (sections && i % step === 0)
      rows.push(
        `<tr><td colspan="${span}"><b>${pick(['CAPÍTULO', 'Partida', 'Obra', 'Albarán'])} ${1 + i / step}. ${pick(['Mano de obra', 'Materiales', 'Planta baja', 'Zona norte'])}</b></td></tr>`,
      );
    running += line.totalCents;
    rows.push(
      `<tr>${kinds.map((kind) => `<td class="${kind === 'description' || kind === 'code' || kind === 'unit' ? 't' : 'f'} ${kind}">${cellOf(kind, line)}</td>`).join('')}</tr>`,
    );
    const isLast = i === sample.lines.length - 1;
    if (subtotals && (i % step === step - 1 || isLast)) {
      rows.push(
        `<tr><td colspan="${span - 1}">${pick(['Subtotal', 'Total capítulo', 'Suma parcial'])}</td><td class="f">${number.amount(running)}${euro}</td></tr>`,
      );
      running = 0;
    }
  }
  if (note)
    rows.push(
      `<tr><td colspan="${span}">${pick(['Portes pagados por el remitente', 'Material entregado según albarán 2231 del 12/03/2026', 'Garantía de 2 años en todas las piezas'])}</td></tr>`,
    );
  const border = pick([
    'td, th { border: 1px solid #777 }',
    '.lines tr:nth-child(even) { background: #eee }',
    '.lines td { border-bottom: 1px solid #ccc }',
    '.lines td { border-left: 1px solid #999 }',
    '',
    '',
  ]);
  const pad = pick(['2px 4px', '3px 6px', '6px 8px', '1px 10px']);
  const font = pick([
    "'Liberation Sans'",
    "'DejaVu Sans'",
    "'Liberation Serif'",
    "'Liberation Mono'",
  ]);
  const size = font.includes('Mono') ? 7.5 : pick([8, 8.5, 9, 10]);
  const wide = pick(['', '', '.description { width: 30% }', '.description { width: 45% }']);
  const css = `body { font-family: ${font}; font-size: ${size}pt }
    .lines td, .lines th { padding: ${pad} } .lines td { vertical-align: ${valign} }
    .lines td.f { text-align: ${align}; white-space: nowrap } .lines th.f { text-align: ${headAlign}; vertical-align: ${pick(['top', 'bottom'])} }
    .lines { width: ${pick(['100%', '100%', '90%', 'auto'])} } .totals { width: auto; ${pick(['margin-left: auto', 'margin-left: 40%', ''])} }
    .totals td { text-align: right } .two { display: flex; justify-content: space-between; margin-bottom: 6mm } ${wide} ${border}`;
  const head = hasHeadings
    ? `<thead><tr>${kinds.map((kind, i) => `<th class="${kind === 'description' || kind === 'code' || kind === 'unit' ? 't' : 'f'}">${heads[i]}</th>`).join('')}</tr></thead>`
    : '';
  const table = `<table class="lines">${head}<tbody>${rows.join('')}</tbody></table>`;
  const top = topOf(sample, diceOf(seed * 104_729 + 7));
  return sheetOf(css, `${top}${table}<br>${totalsOf(sample, dice, number, euro)}`);
}

const NUMBER_NAMES = [
  ...[
    'Factura nº:',
    'Nº factura',
    'Nº de factura:',
    'Número de factura',
    'Núm. factura:',
    'FACTURA',
  ],
  ...['Fra. nº', 'Factura núm.', 'Nº fra.:', 'Factura', 'Número:', 'Documento nº', 'Factura n.º'],
];
const DATE_NAMES = [
  ...['Fecha:', 'Fecha factura', 'Fecha de expedición:', 'Fecha emisión', 'Fecha de emisión:'],
  ...['F. factura', 'Emitida el', 'Expedida el', 'Data:', 'FECHA', 'Día:', 'Fecha fra.'],
];
const CLIENT_NAMES = [
  ...[
    'Cliente',
    'Cliente:',
    'Facturar a',
    'Destinatario',
    'Datos del cliente',
    'Facturado a:',
    'Sr./Sra.',
  ],
  ...['Titular', 'A la atención de', 'Receptor', 'Datos de facturación', 'Comprador', ''],
];
const NIF_NAMES = [
  'NIF',
  'NIF:',
  'CIF',
  'N.I.F.:',
  'C.I.F.',
  'NIF/CIF:',
  'DNI/NIF',
  'N.I.F.',
  'CIF/NIF',
];

/** Both parties, the number and the date; drawn apart, so that the lines of a seed stay as they are. */
export function topOf(sample: Sample, { pick, chance }: Dice): string {
  const { issuer, client, date } = sample;
  const nifName = pick(NIF_NAMES);
  const isNifLast = chance(0.5);
  const postal = pick([', ', '<br>', '<br>', '<br>']);
  const party = ({ name, nif, street, town }: Sample['issuer']) => {
    const where = `${street}${postal}${town}`;
    const code = `${nifName} ${nif}`;
    return `<b>${name}</b><br>${isNifLast ? `${where}<br>${code}` : `${code}<br>${where}`}`;
  };
  const label = pick(CLIENT_NAMES);
  const phone = chance(0.3) ? '<br>Tel. 912 345 678 · info@ejemplo.es' : '';
  const [us, them] = [
    `<div>${party(issuer)}${phone}</div>`,
    `<div>${label ? `${label}<br>` : ''}${party(client)}</div>`,
  ];
  const parties = pick([`${us}${them}`, `${us}${them}`, `${them}${us}`]);
  const said = pick([slashed, slashed, dashed, worded, pointed, shortYear, shortMonth])(date);
  const meta: [string, string][] = [
    [pick(NUMBER_NAMES), sample.number],
    [pick(DATE_NAMES), said],
  ];
  if (chance(0.3)) meta.push(['Vencimiento', slashed(sample.dueDate)]);
  if (chance(0.2)) meta.unshift(['Nº cliente', '430012']);
  if (chance(0.2)) meta.push(['Pedido', 'P-7731']);
  const corrects = sample.rectifies
    ? `<p>Factura rectificativa. Rectifica a: ${sample.rectifies}</p>`
    : '';
  const row = (cells: readonly string[]) =>
    `<tr>${cells.map((cell) => `<td style="padding-right:6mm">${cell}</td>`).join('')}</tr>`;
  const data = pick([
    `<p>${meta.map(([a, b]) => `${a} ${b}`).join('<br>')}</p>`,
    `<table>${meta.map((pair) => row(pair)).join('')}</table><br>`,
    `<table>${row(meta.map(([a]) => a))}${row(meta.map(([, b]) => b))}</table><br>`,
    `<p>${meta.map(([a, b]) => `${a} ${b}`).join(' &nbsp; &nbsp; &nbsp; &nbsp; ')}</p>`,
  ]);
  return chance(0.3)
    ? `${data}<div class="two">${parties}</div>${corrects}`
    : `<div class="two">${parties}</div>${data}${corrects}`;
}

const pointed = (iso: string) => iso.split('-').reverse().join('.');
const shortYear = (iso: string) => slashed(iso).replace(/20(\d\d)$/, '$1');
const shortMonth = (iso: string) => worded(iso).replace(/ de (...)\p{L}* de /u, '-$1-');

function columnsOf(sample: Sample, { pick, chance }: Dice, hasQuantity: boolean): Kind[] {
  const isDiscounted = sample.lines.some(({ discount }) => discount > 0);
  const isMixed = new Set(sample.lines.map(({ rate }) => rate)).size > 1;
  const rate: Kind[] = isMixed || chance(0.25) ? ['rate'] : [];
  const code: Kind[] = chance(0.3) ? ['code'] : [];
  if (!hasQuantity) {
    return pick<Kind[]>([
      [...code, 'description', ...rate, 'net'],
      ['description', 'net', ...rate],
    ]);
  }
  const discount: Kind[] = isDiscounted || chance(0.1) ? ['discount'] : [];
  const unit: Kind[] = chance(0.12) ? ['unit'] : [];
  const tail = pick<Kind[]>([
    ['net'],
    ['net'],
    ['net'],
    ['net', 'quota', 'gross'],
    ['net', 'gross'],
    ['gross'],
  ]);
  const rated: Kind[] = tail.includes('gross') ? ['rate'] : rate;
  return pick<Kind[]>([
    [...code, 'description', 'quantity', ...unit, 'price', ...discount, ...rated, ...tail],
    [...code, 'description', 'quantity', ...unit, 'price', ...discount, ...rated, ...tail],
    [...code, 'description', ...rated, 'quantity', ...unit, 'price', ...discount, ...tail],
    [...code, 'description', 'price', 'quantity', ...unit, ...discount, ...rated, ...tail],
    [...code, 'quantity', ...unit, 'description', 'price', ...discount, ...rated, ...tail],
    ['quantity', ...code, 'description', 'price', ...discount, ...tail, ...rated],
    [...code, 'description', 'price', ...discount, 'quantity', ...unit, ...tail, ...rated],
  ]);
}

const BASE_NAMES = [
  ...[
    'Base imponible',
    'Subtotal',
    'Total neto',
    'Suma',
    'Importe sin IVA',
    'Neto',
    'Base',
    'B. imponible',
  ],
  ...['Total sin impuestos', 'Importe bruto', 'Total bruto'],
];
const TOTAL_NAMES = [
  ...[
    'TOTAL',
    'Total factura',
    'Importe total',
    'TOTAL EUR',
    'Total (IVA incluido)',
    'Total importe',
  ],
  ...['Importe de la factura', 'Total con IVA', 'TOTAL FACTURA:'],
];

export function totalsOf(
  sample: Sample,
  { pick }: Dice,
  number: NumberStyle,
  euro: string,
): string {
  const amount = (cents: number) => `${number.amount(cents)}${euro}`;
  const due: string[][] = sample.irpf
    ? [
        [`IRPF -${sample.irpf} %`, amount(-sample.irpfCents)],
        ['Total a pagar', amount(sample.totalCents - sample.irpfCents)],
      ]
    : [];
  const form = pick(['down', 'down', 'across']);
  if (form === 'down') {
    const list = [
      ...(sample.groups.length === 1 || pick([true, false])
        ? [[pick(BASE_NAMES), amount(sample.baseCents)]]
        : []),
      ...sample.groups.flatMap((group) => [
        ...(sample.groups.length > 1 ? [[`Base al ${group.rate} %`, amount(group.baseCents)]] : []),
        [`${sample.tax} ${group.rate} %`, amount(group.quotaCents)],
        ...(group.recargo
          ? [[`Recargo equivalencia ${figure(group.recargo)} %`, amount(group.recargoCents)]]
          : []),
      ]),
      [pick(TOTAL_NAMES), amount(sample.totalCents)],
      ...due,
    ];
    return `<table class="totals">${list.map(([a, b]) => `<tr><td>${a}</td><td>${b}</td></tr>`).join('')}</table>`;
  }
  const heads = [
    'Base imponible',
    `% ${sample.tax}`,
    'Cuota',
    ...(sample.recargoCents ? ['% R.E.', 'Recargo'] : []),
  ];
  const rows = sample.groups.map((group) => [
    amount(group.baseCents),
    `${group.rate} %`,
    amount(group.quotaCents),
    ...(sample.recargoCents
      ? [
          group.recargo ? `${figure(group.recargo)} %` : '',
          group.recargo ? amount(group.recargoCents) : '',
        ]
      : []),
  ]);
  const cells = (list: readonly string[]) => list.map((one) => `<td>${one}</td>`).join('');
  return `<table class="totals" style="width:100%; margin-left: 0"><tr>${cells(heads)}</tr>${rows.map((row) => `<tr>${cells(row)}</tr>`).join('')}</table>
    ${due.slice(0, 1).map(([a, b]) => `<p>${a}: ${b}</p>`)}<p style="text-align:right"><b>TOTAL FACTURA ${amount(sample.totalCents)}</b></p>
    ${due.slice(1).map(([a, b]) => `<p style="text-align:right">${a}: ${b}</p>`)}`;
}

export interface NumberStyle {
  readonly amount: (cents: number, decimals?: number) => string;
  readonly plain: (value: number, decimals?: number) => string;
}

export function numberStyle({ pick }: Dice): NumberStyle {
  const [thousands, point] = pick<[string, string]>([
    ['.', ','],
    ['.', ','],
    ['.', ','],
    [' ', ','],
    ['', ','],
    [',', '.'],
  ]);
  const plain = (value: number, decimals?: number) => figure(value, decimals).replace(',', point);
  const amount = (cents: number, decimals = 2) => {
    const spanish = `${euros(cents)}${'0'.repeat(decimals - 2)}`;
    return spanish.replace(/[.,]/g, (mark) => (mark === ',' ? point : thousands));
  };
  return { amount, plain };
}

/** The story of a seed, each in its turn; those of several pages are left out. */
export function storyOf(seed: number): Story {
  const short = STORIES.filter((one) => one !== 'varias páginas');
  return short[(seed >> 1) % short.length] as Story;
}

export interface Dice {
  readonly pick: <T>(list: readonly T[]) => T;
  readonly chance: (of: number) => boolean;
  readonly int: (from: number, to: number) => number;
}

export function diceOf(seed: number): Dice {
  let state = (seed + 1) * 0x9e37_79b9;
  const random = () => {
    state = (state + 0x6d2b_79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const int = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
  return {
    int,
    pick: (list) => list[int(0, list.length - 1)] as never,
    chance: (of) => random() < of,
  };
}
