import {
  euros,
  type Sample,
  type SampleLine,
  STORIES,
  type Story,
  sampleOf,
  slashed,
} from './invoice-sample.ts';
import { sheetOf } from './print-html.ts';
import {
  type Dice,
  diceOf,
  numberStyle,
  type RandomInvoice,
  topOf,
  totalsOf,
} from './random-layouts.ts';

/**
 * Invoices as the programs, trades and hands of Spain print their lines, drawn at random: billing programs,
 * dot-matrix sheets, spreadsheets, letters with leaders, utilities' formulas, shops' cards. As in
 * `random-layouts.ts`, even seeds are for looking at and odd ones only for totals.
 */

const THINGS = [
  'Revisión de frenos',
  'Hora de oficial 1ª',
  'Filtro de aceite',
  'Aceite sintético 5W30 5 l',
  'Cuota mensual fibra 600 Mb',
  'Línea móvil adicional',
  'Término de potencia P1',
  'Alquiler de contador',
  'Redacción de contrato de arrendamiento',
  'Asistencia a juicio',
  'Consulta telefónica',
  'Tubo multicapa 20 mm',
  'Grifo monomando de cocina',
  'Desplazamiento a domicilio',
  'Mano de obra',
  'Tomate rama cat. I',
  'Lomo ibérico curado',
  'Leche entera 6 x 1 l',
  'Café molido natural 250 g',
  'Camiseta algodón orgánico talla M',
  'Gastos de envío',
  'Zapatillas running hombre 42',
  'Diseño de logotipo y manual de marca',
  'Mantenimiento web y copias de seguridad, plan Básico',
  'Sustitución de latiguillos y comprobación de estanqueidad de la instalación completa',
  'Preparación y presentación del modelo 303 del tercer trimestre',
  'Portes',
  'Caja de cartón 40x30x20',
  'Suministro e instalación de split de pared 3.000 frigorías con bomba de calor',
];

type Form = (lines: readonly SampleLine[], tools: Tools) => { css: string; html: string };

interface Tools {
  readonly dice: Dice;
  readonly amount: (cents: number, decimals?: number) => string;
  readonly plain: (value: number, decimals?: number) => string;
  readonly sample: Sample;
}

/** A sample of that story as a program or a trade of that seed prints it. */
export function randomTrade(seed: number): RandomInvoice {
  const dice = diceOf(seed * 6_151 + 29);
  const story = STORIES[(seed >> 1) % STORIES.length] as Story;
  const form = dice.pick(FORMS);
  const plain = sampleOf(seed + 9_000, story);
  const hasOnlyAmounts = form.onlyAmounts && dice.chance(form.onlyAmounts);
  const sample: Sample = {
    ...plain,
    lines: plain.lines.map((line): SampleLine => {
      const description = dice.chance(0.75) ? dice.pick(THINGS) : line.description;
      if (hasOnlyAmounts)
        return { ...line, description, quantity: 1, discount: 0, priceCents: line.totalCents };
      return { ...line, description };
    }),
  };
  const number = numberStyle(dice);
  const euro = dice.pick(['', ' €', '€', ' EUR']);
  const tools: Tools = {
    dice,
    sample,
    plain: number.plain,
    amount: (cents, decimals) => `${number.amount(cents, decimals)}${euro}`,
  };
  const { css, html } = form.draw(sample.lines, tools);
  const font = dice.pick(["'Liberation Sans'", "'DejaVu Sans'", "'Liberation Serif'"]);
  const sheet = `body { font-family: ${font}; font-size: ${dice.pick([8.5, 9, 10])}pt }
    .two { display: flex; justify-content: space-between; margin-bottom: 6mm }
    .totals { width: auto; margin-left: auto } .totals td { text-align: right } .f { text-align: right; white-space: nowrap } ${css}`;
  const top = topOf(sample, diceOf(seed * 104_729 + 11));
  return {
    sample,
    html: sheetOf(sheet, `${top}${html}<br>${totalsOf(sample, dice, number, euro)}`),
  };
}

const FORMS: readonly { readonly draw: Form; readonly onlyAmounts?: number }[] = [
  { draw: program },
  { draw: program },
  { draw: program },
  { draw: matrix, onlyAmounts: 0.1 },
  { draw: matrix },
  { draw: spreadsheet, onlyAmounts: 0.2 },
  { draw: leaders, onlyAmounts: 1 },
  { draw: paragraphs, onlyAmounts: 1 },
  { draw: cards },
  { draw: formulas },
  { draw: figuresBelow },
];

const td = (text: string, isFigure = false) => `<td${isFigure ? ' class="f"' : ''}>${text}</td>`;
const tr = (cells: readonly string[]) => `<tr>${cells.join('')}</tr>`;
const th = (text: string, isFigure = false) => `<th${isFigure ? ' class="f"' : ''}>${text}</th>`;

/** FacturaPlus, Contasol, A3, Holded: codes, dates, lots, gross before the discount, letters for rates. */
function program(lines: readonly SampleLine[], { dice, amount, plain }: Tools) {
  const { pick, chance, int } = dice;
  const code = pick([
    () => '',
    () => `${pick(['FAC', 'REP', 'ART', 'TX'])}-${int(100, 9999)}-${pick(['A', 'BL', 'XL', '02'])}`,
    () => `84${int(10_000, 99_999)}${int(100_000, 999_999)}`,
    () => pick(['TORN', 'MO', 'DESP', 'SERV', 'ACEI', 'PORTES']),
    () => `${int(10, 99)}.${int(100, 999)}`,
  ]);
  const hasDate = chance(0.25);
  const hasLot = chance(0.15);
  const letter = chance(0.2);
  const gross = chance(0.25);
  const less = chance(0.15);
  const isNarrow = chance(0.4);
  const blank = pick([() => '', () => amount(0), () => '0']);
  const decimals = pick([2, 2, 3, 4]);
  const units = pick(['', '', ' ud', ' UN', ' kg']);
  const isDiscounted = lines.some(({ discount }) => discount) || chance(0.3);
  const places = pick([undefined, 2, 3]);
  const albaran = chance(0.25);
  const detail = chance(0.2);
  const columns = [
    ...(code() ? [th(pick(['Código', 'Ref.', 'Artículo', 'Cód. art.']))] : []),
    ...(hasDate ? [th('Fecha')] : []),
    th(pick(['Descripción', 'Concepto', 'Denominación', 'Artículo'])),
    ...(hasLot ? [th(pick(['Lote', 'Nº serie']))] : []),
    th(pick(['Cant.', 'Uds', 'Cantidad', 'Unid.']), true),
    th(pick(['Precio', 'P.V.P.', 'Precio ud.', 'P. Unidad']), true),
    ...(gross ? [th(pick(['Bruto', 'Imp. bruto']), true)] : []),
    ...(isDiscounted ? [th(pick(['% Dto.', 'Dto', 'D1%']), true)] : []),
    ...(less && isDiscounted ? [th('Imp. dto.', true)] : []),
    ...(letter ? [th(pick(['T', 'I', 'IVA']))] : []),
    th(pick(['Importe', 'Total', 'Neto', 'Imp. neto']), true),
  ];
  const rows = lines.flatMap((line, i) => {
    const whole = Math.round(line.quantity * line.priceCents);
    const cells = [
      ...(code() ? [td(code())] : []),
      ...(hasDate ? [td(slashed(`2026-09-${String(1 + (i % 28)).padStart(2, '0')}`))] : []),
      td(line.description),
      ...(hasLot ? [td(`L${int(1000, 9999)}${pick(['', '/A'])}`)] : []),
      td(`${plain(line.quantity, places)}${units}`, true),
      td(amount(line.priceCents, decimals), true),
      ...(gross ? [td(amount(whole), true)] : []),
      ...(isDiscounted ? [td(line.discount ? plain(line.discount, 2) : blank(), true)] : []),
      ...(less && isDiscounted
        ? [td(line.discount ? amount(whole - line.totalCents) : blank(), true)]
        : []),
      ...(letter ? [td(line.rate === 21 ? 'G' : line.rate === 10 ? 'R' : 'S')] : []),
      td(amount(line.totalCents), true),
    ];
    const before =
      albaran && i % 3 === 0
        ? [
            `<tr><td colspan="${columns.length}">${pick(['ALBARÁN', 'Albarán nº', 'N/Albarán'])} A26/${1200 + i} de ${slashed('2026-09-14')}</td></tr>`,
          ]
        : [];
    const after =
      detail && i % 2 === 0
        ? [
            `<tr><td colspan="${columns.length}" style="padding-left:8mm;padding-top:${pick(['5px', '8px'])}"><i>${pick(['Matrícula 4821-KLM', 'S/Pedido 4500012', 'Garantía 24 meses'])}</i></td></tr>`,
          ]
        : [];
    return [...before, tr(cells), ...after];
  });
  return {
    css: `.lines td, .lines th { padding: ${pick(['2px 4px', '4px 6px'])} } ${isNarrow ? '.lines td:first-child { width: 16mm }' : ''}
      ${pick(['', '.lines th { border-bottom: 1px solid #000 }', '.lines td, .lines th { border: 1px solid #999 }'])}`,
    html: `<table class="lines"><thead><tr>${columns.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table>`,
  };
}

/** One-width letters in columns of blanks, as what printed on continuous paper: bars, dashes, cut descriptions. */
function matrix(lines: readonly SampleLine[], { dice, amount, plain }: Tools) {
  const { pick, chance, int } = dice;
  const bar = pick([' ', ' ', '  ', ' | ']);
  const wide = pick([30, 34, 40]);
  const hasCode = chance(0.5);
  const isDiscounted = lines.some(({ discount }) => discount) || chance(0.2);
  const isSimple = lines.every(({ quantity }) => quantity === 1) && chance(0.8);
  const row = (code: string, text: string, figures: readonly string[]) =>
    [
      ...(hasCode ? [code.padEnd(8)] : []),
      text.padEnd(wide),
      ...figures.map((one, i) =>
        one.padStart(
          isSimple ? 14 : ([9, 12, 6, 12][i + (isDiscounted ? 0 : i > 1 ? 1 : 0)] ?? 12),
        ),
      ),
    ].join(bar);
  const heads = isSimple
    ? ['Importe']
    : ['Cantidad', 'Precio', ...(isDiscounted ? ['Dto'] : []), 'Importe'];
  const rule = '-'.repeat(wide + 50);
  const printed = lines.flatMap((line) => {
    const parts = wrapped(line.description, wide);
    const figures = isSimple
      ? [amount(line.totalCents)]
      : [
          plain(line.quantity, 2),
          amount(line.priceCents),
          ...(isDiscounted ? [line.discount ? plain(line.discount, 2) : ''] : []),
          amount(line.totalCents),
        ];
    return parts.map((part, i) =>
      i === 0
        ? row(`${pick(['MT', 'SV', 'AR'])}${int(100, 999)}`, part, figures)
        : row(
            '',
            part,
            figures.map(() => ''),
          ),
    );
  });
  const text = [row('CODIGO', pick(['DESCRIPCION', 'CONCEPTO']), heads), rule, ...printed, rule];
  return {
    css: "pre { font: 7.6pt/1.35 'Liberation Mono' } pre { margin: 0 }",
    html: `<pre>${text.map((one) => one.trimEnd()).join('\n')}</pre>`,
  };
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Excel and Word: grids, the euro at the left of its cell, nothing where there is one of something. */
function spreadsheet(lines: readonly SampleLine[], { dice, plain }: Tools) {
  const { pick, chance } = dice;
  const isSimple = lines.every(({ quantity }) => quantity === 1);
  const isLeft = chance(0.5);
  const bare = (cents: number) => euros(cents);
  const money = (cents: number) =>
    isLeft
      ? `<td class="m"><span>€</span><span>${bare(cents)}</span></td>`
      : td(`${bare(cents)} €`, true);
  const leavesOnes = chance(0.4);
  const isDiscounted = lines.some(({ discount }) => discount);
  const heads = [
    ...(isSimple ? [] : [th(pick(['CANT.', 'UDS', 'Cantidad']))]),
    th(pick(['CONCEPTO', 'Descripción del servicio', 'DETALLE'])),
    ...(isSimple ? [] : [th(pick(['PRECIO', 'P/UNIDAD', 'Precio unitario']), true)]),
    ...(isDiscounted ? [th('DTO.', true)] : []),
    th(pick(['IMPORTE', 'TOTAL', 'SUBTOTAL']), true),
  ];
  const rows = lines.map((line) => {
    const isOne = leavesOnes && line.quantity === 1 && !line.discount;
    return tr([
      ...(isSimple
        ? []
        : [`<td style="text-align:center">${isOne ? '' : plain(line.quantity)}</td>`]),
      td(line.description),
      ...(isSimple ? [] : [isOne ? td('') : money(line.priceCents)]),
      ...(isDiscounted ? [td(line.discount ? `${plain(line.discount)}%` : '', true)] : []),
      money(line.totalCents),
    ]);
  });
  const empty = Array.from({ length: pick([0, 3, 8]) }, () => tr(heads.map(() => td('&nbsp;'))));
  return {
    css: `.lines td, .lines th { border: 1px solid #444; padding: 2px 6px } .m span:last-child { float: right }`,
    html: `<table class="lines"><tr>${heads.join('')}</tr>${[...rows, ...empty].join('')}</table>`,
  };
}

/** Honorarios and minutas: a text, dots up to its amount. */
function leaders(lines: readonly SampleLine[], { dice, amount }: Tools) {
  const { pick, chance } = dice;
  const mark = pick(['', '', '– ', '• ', '- ']);
  const isNumbered = chance(0.3);
  const dots = pick([(n: number) => '.'.repeat(n), (n: number) => ' .'.repeat(n >> 1), () => '']);
  const rows = lines.map((line, i) => {
    const text = `${isNumbered ? `${i + 1}. ` : mark}${line.description}`;
    return `<div class="lead"><span>${text}${dots(8)}</span><span class="dots">${dots(160)}</span><span>${amount(line.totalCents)}</span></div>`;
  });
  return {
    css: `.lead { display: flex; margin-bottom: ${pick(['1mm', '2mm', '3mm'])} } .dots { flex: 1; overflow: hidden; white-space: nowrap; margin: 0 1mm; height: 1.3em; word-break: break-all } .lead span:last-child { white-space: nowrap } .lead span:first-child { max-width: 120mm }`,
    html: `<p>${pick(['Por los siguientes conceptos:', 'HONORARIOS', 'Conceptos'])}</p>${rows.join('')}`,
  };
}

/** Numbered or lettered works, each with its amount at the end of its row. */
function paragraphs(lines: readonly SampleLine[], { dice, amount }: Tools) {
  const { pick } = dice;
  const head = pick([
    (i: number) => `${i + 1}.- `,
    (i: number) => `${i + 1}) `,
    (i: number) => `${String.fromCharCode(97 + (i % 26))}) `,
    () => '',
  ]);
  const rows = lines.map((line, i) =>
    tr([td(`${head(i)}${line.description}`), td(amount(line.totalCents), true)]),
  );
  return {
    css: `.lines td { padding: ${pick(['2px', '6px'])} 4px } .lines td:first-child { width: ${pick([60, 75])}% }`,
    html: `<table class="lines">${rows.join('')}</table>`,
  };
}

/** Shops on the web: the thing, and below how many at what price; at the right what they come to. */
function cards(lines: readonly SampleLine[], { dice, amount, plain }: Tools) {
  const { pick, chance, int } = dice;
  const times = pick([' x ', ' × ', ' ud x ', ' uds. a ']);
  const sku = chance(0.4);
  const rows = lines.map((line) => {
    const less = line.discount
      ? pick([` (-${plain(line.discount)} %)`, ` (-${plain(line.discount)}%)`])
      : '';
    return tr([
      td(
        `<b>${line.description}</b>${sku ? `<br><small>${pick(['SKU:', 'Ref.'])} ${int(10_000, 99_999)}</small>` : ''}<br>${plain(line.quantity)}${times}${amount(line.priceCents)}${less}`,
      ),
      td(amount(line.totalCents), true),
    ]);
  });
  return {
    css: `.lines td { padding: 3px 5px; border-bottom: 1px solid #ddd; vertical-align: ${pick(['top', 'middle', 'bottom'])} }`,
    html: `<table class="lines">${rows.join('')}</table>`,
  };
}

/** Light, water, telephone: how much of what at what price, in one row. */
function formulas(lines: readonly SampleLine[], { dice, amount, plain }: Tools) {
  const { pick } = dice;
  const unit = pick(['kWh', 'm³', 'min', 'GB', 'días', 'meses', 'kW', 'h']);
  const times = pick([' x ', ' × ', ' * ', ' a ']);
  const per = pick(['', `/${unit}`]);
  const equals = pick(['', '', ' =']);
  const isApart = pick([true, false]);
  const rows = lines.map((line) => {
    const less = line.discount ? ` - ${plain(line.discount)} %` : '';
    const made = `${plain(line.quantity)} ${unit}${times}${amount(line.priceCents, pick([2, 4, 6]))}${per}${less}${equals}`;
    return isApart
      ? tr([td(line.description), td(made, true), td(amount(line.totalCents), true)])
      : tr([td(`${line.description}: ${made}`), td(amount(line.totalCents), true)]);
  });
  return {
    css: '.lines td { padding: 2px 5px }',
    html: `<table class="lines">${rows.join('')}</table>`,
  };
}

/** A description as wide as the sheet, and its figures in the row under it. */
function figuresBelow(lines: readonly SampleLine[], { dice, amount, plain }: Tools) {
  const { pick, chance } = dice;
  const isDiscounted = lines.some(({ discount }) => discount);
  const heads = ['', 'Cantidad', 'Precio', ...(isDiscounted ? ['Dto.'] : []), 'Importe'];
  const code = chance(0.5);
  const rows = lines.flatMap((line, i) => [
    `<tr><td colspan="${heads.length}">${line.description}</td></tr>`,
    tr([
      td(code ? `Ref. ${1000 + i}` : ''),
      td(plain(line.quantity, 2), true),
      td(amount(line.priceCents), true),
      ...(isDiscounted ? [td(line.discount ? `${plain(line.discount)} %` : '', true)] : []),
      td(amount(line.totalCents), true),
    ]),
  ]);
  return {
    css: `.lines td, .lines th { padding: ${pick(['1px', '3px'])} 5px } .lines tr:nth-child(even) td { padding-bottom: ${pick(['6px', '3px'])} }`,
    html: `<table class="lines"><tr>${heads.map((head, i) => th(head, i > 0)).join('')}</tr><tbody>${rows.join('')}</tbody></table>`,
  };
}
