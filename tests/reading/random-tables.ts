import {
  dashed,
  figure,
  type Pool,
  type Sample,
  type SampleLine,
  sampleOf,
  slashed,
} from './invoice-sample.ts';
import { sheetOf } from './print-html.ts';
import {
  type Dice,
  diceOf,
  type NumberStyle,
  numberStyle,
  type RandomInvoice,
  storyOf,
} from './random-layouts.ts';

/**
 * Tables of lines that are easy to read as text and hard as a picture: cells in boxes, thick, dotted or double rules,
 * dark heads, coloured rows, pale or spaced letters, stamps behind them, listings drawn with letters, lines as cards.
 * They are meant to be read as scans. As in `random-layouts.ts`, even seeds are for looking at and odd ones only for
 * totals.
 */

const POOL: Pool = {
  names: [
    'Maderas Lizarraga, S.L.',
    'Climatización Ampurdán, S.A.',
    'Limpiezas Guadiana, S.L.U.',
    'Talleres Hermanos Cañizo, S.L.',
    'Imprenta Torrelodones, S.L.',
    'Cerrajería Peñarroya, S.L.L.',
    'ELECTRODOMÉSTICOS SORIANO, S.A.',
    'Frutas Vall de Gallinera, S. Coop.',
    'Gestoría Echevarría, S.L.P.',
    'Aluminios Bidasoa, S.L.',
  ],
  streets: [
    'C/ Alfareros, 22',
    'Avda. del Cantábrico, 140, 2º A',
    'Polígono Los Llanos, nave 31',
    'Plaza Nueva, 6',
    'Ctra. de Villena, km 3,1',
    'Calle Doctor Fleming, 8 bajo',
  ],
  towns: [
    '31500 Tudela (Navarra)',
    '03400 Villena',
    '06002 Badajoz',
    '17600 Figueres (Girona)',
    '39300 Torrelavega',
    '28250 Torrelodones (Madrid)',
    '20302 Irun',
  ],
  things: [
    'Tablero aglomerado 19 mm',
    'Recarga de gas refrigerante R-32',
    'Limpieza de cristales, fachada principal',
    'Cambio de aceite y filtros',
    'Tarjetas de visita, 350 g, dos caras',
    'Cerradura de seguridad de tres puntos',
    'Lavadora 9 kg A+++',
    'Naranjas de mesa, caja de 15 kg',
    'Tramitación de expediente',
    'Ventana abatible 120 x 100',
    'Desplazamiento',
    'Mano de obra oficial 1ª',
    'Instalación y puesta en marcha de equipo de climatización por conductos en vivienda unifamiliar',
    'Barniz al agua satinado 4 l',
    'Revisión anual',
    'Tornillería',
    'Alquiler de andamio, 15 días',
    'Retirada de residuos a punto limpio autorizado con certificado',
  ],
  numbers: ['T26/0412', '2026-1187', 'FT26/00093', 'A/26/305', '0000417/2026', 'C-26-88'],
};

/** A sample of that story with a table of that seed. */
export function randomTable(seed: number): RandomInvoice {
  const dice = diceOf(seed * 6_701 + 41);
  const sample = sampleOf(seed + 80_000, storyOf(seed), { pool: POOL });
  const number = numberStyle(dice);
  const tools: Tools = { ...dice, number, euro: dice.pick(['', '', ' €', '€', ' EUR']) };
  const shape = SHAPES[(seed >> 1) % SHAPES.length] as Shape;
  const { body, css } = shape(sample, tools);
  const { look, wrap } = lookOf(tools);
  const html = sheetOf(`${BASE_CSS} ${look} ${css ?? ''}`, wrap(`${headOf(sample, tools)}${body}`));
  return { sample, html };
}

interface Tools extends Dice {
  readonly number: NumberStyle;
  /** After an amount. */
  readonly euro: string;
}

type Shape = (sample: Sample, tools: Tools) => { readonly body: string; readonly css?: string };

const BASE_CSS = `.two { display: flex; justify-content: space-between; gap: 8mm; margin-bottom: 5mm } .q { text-align: right; white-space: nowrap }
  .sums { width: auto; margin-left: auto } .sums td { text-align: right } .card { margin: 2mm 0; padding: 1.5mm } .between { display: flex; justify-content: space-between }
  pre { font-family: 'Liberation Mono'; font-size: 8pt; margin: 0 } .auto { width: auto }`;

function headOf({ issuer, client, number, date, rectifies }: Sample, { pick }: Dice): string {
  const party = (one: Sample['issuer']) =>
    `<b>${one.name}</b><br>${one.street}<br>${one.town}<br>NIF: ${one.nif}`;
  const day = pick([slashed, dashed])(date);
  const data = pick([
    `<p>Factura nº: ${number}<br>Fecha: ${day}</p>`,
    `<p class="two"><span>Factura nº: ${number}</span><span>Fecha: ${day}</span></p>`,
    `<table class="auto"><tr><td>Nº de factura</td><td>${number}</td></tr><tr><td>Fecha</td><td>${day}</td></tr></table><br>`,
  ]);
  return `<div class="two"><div>${party(issuer)}</div><div>Cliente:<br>${party(client)}</div></div>${data}
    ${rectifies ? `<p>Factura rectificativa. Rectifica a: ${rectifies}</p>` : ''}`;
}

/** Letters, colours and rules, whatever the table is like. */
function lookOf({ pick, chance }: Dice): { look: string; wrap: (body: string) => string } {
  const family = pick([
    "'Liberation Sans'",
    "'Liberation Sans'",
    "'Liberation Sans Narrow'",
    "'Nimbus Sans Narrow'",
    "'DejaVu Sans'",
    "'DejaVu Sans Light'",
    "'DejaVu Serif'",
    "'Liberation Serif'",
    "'P052'",
    "'URW Gothic'",
    "'URW Bookman'",
    "'Noto Sans Mono'",
  ]);
  const size = family.includes('Mono') ? 7.5 : pick([8, 8.5, 9, 10, 11]);
  const ink = pick(['#000', '#111', '#333', '#555', '#777', '#999', '#246', '#6a8caf']);
  const rule = pick([
    '',
    '',
    '.l td, .l th { border: 1px solid #000 }',
    '.l td, .l th { border: 2px solid #333 }',
    '.l td, .l th { border: 1px dotted #555 }',
    '.l td { border-bottom: 1px dashed #777 }',
    '.l td { border-bottom: 3px double #555 }',
    '.l td, .l th { border-left: 1px solid #555; border-right: 1px solid #555 } .l { border: 1px solid #555 }',
    '.l { border-collapse: separate; border-spacing: 2px } .l td, .l th { border: 1px solid #888; border-radius: 4px }',
    '.l { border-collapse: separate; border-spacing: 3px } .l td { background: #eef } ',
    '.l td { border-bottom: 1px solid #ccc }',
    '.l { border: 2px solid #000; border-radius: 8px; border-collapse: separate }',
  ]);
  const head = pick([
    '',
    'th { background: #222; color: #fff }',
    'th { background: #2a6; color: #fff }',
    'th { background: #bbb }',
    'th { background: #d9e2ef; color: #345 }',
    'th { color: #aaa; font-weight: normal; font-size: 80% }',
    'th { text-transform: uppercase; letter-spacing: 1px }',
    'th { background: #e67; color: #fff; font-size: 85% }',
  ]);
  const rows = pick([
    '',
    '',
    '.l tr:nth-child(even) td { background: #e4e4e4 }',
    '.l tr:nth-child(even) td { background: #cde }',
    '.l tr:nth-child(odd) td { background: #c4c4c4 }',
    '.l td { background: #fffbe6 }',
    '.l td:last-child { background: #ddd; font-weight: bold }',
    '.l td:first-child { background: #eee }',
  ]);
  const letters = pick([
    '',
    '',
    '',
    'body { letter-spacing: 0.6px }',
    '.l { letter-spacing: -0.1px }',
    '.l td { font-style: italic }',
    '.l td { font-weight: bold }',
    '.l td { text-transform: none; font-stretch: condensed }',
  ]);
  const padding = pick(['0 2px', '1px 3px', '2px 6px', '5px 4px', '9px 8px', '0 12px']);
  const stamp = chance(0.1)
    ? `<div style="position: absolute; top: 90mm; left: 30mm; font-size: 90pt; color: ${pick(['#e8e8e8', '#ddd', '#fdd'])}; transform: rotate(-30deg); z-index: -1">${pick(['PAGADO', 'COPIA', 'DUPLICADO'])}</div>`
    : '';
  const page = pick([
    '',
    '',
    '',
    'html { background: #f4f1e8 }',
    'body { border-left: 6mm solid #357; padding-left: 6mm }',
    'body { border: 1px solid #444; padding: 4mm; min-height: 250mm }',
  ]);
  return {
    look: `body { font: ${size}pt/${pick([1.1, 1.25, 1.4, 1.7])} ${family}; color: ${ink} } .l td, .l th { padding: ${padding}; vertical-align: ${pick(['top', 'top', 'middle', 'bottom'])} }
      .l { width: ${pick(['100%', '100%', '85%', 'auto'])}; margin: 3mm 0 } .l th.q { text-align: ${pick(['right', 'right', 'center', 'left'])} } .l td.q { text-align: ${pick(['right', 'right', 'right', 'center', 'left'])} }
      .d { ${pick(['', '', 'width: 45mm', 'width: 30%'])} } .l ${rule.replace('.l ', '')} ${head.replace('th', '.l th')} ${rows} ${letters} ${page}`,
    wrap: (body) => `${stamp}${body}`,
  };
}

type Column = readonly [
  heading: string,
  kind: 'q' | 'd' | '',
  say: (line: SampleLine, i: number) => string,
];

/** The columns of a table, in one of their orders. */
function columnsOf(
  { lines, tax }: Sample,
  { pick, chance, number, euro }: Tools,
): readonly Column[] {
  const money = (cents: number, decimals?: number) => `${number.amount(cents, decimals)}${euro}`;
  const isDiscounted = lines.some(({ discount }) => discount > 0);
  const isMixed = new Set(lines.map(({ rate }) => rate)).size > 1;
  const decimals = pick([undefined, undefined, 2, 3]);
  const priceDecimals = pick([2, 2, 2, 4]);
  const unit = pick(['', '', '', ' ud', ' h', ' m²']);
  const per = pick(['%', ' %', '']);
  const no = pick(['', '-', '0', '0,00']);
  const text: Column = [
    pick(['Concepto', 'Descripción', 'DESCRIPCION', 'Artículo / servicio', 'Detalle']),
    'd',
    ({ description }) => description,
  ];
  const code: Column = [
    pick(['Ref.', 'CÓD.', 'Nº', 'Código']),
    '',
    (_, i) => `${pick(['', 'R-'])}${1040 + 7 * i}`,
  ];
  const day: Column = ['Fecha', '', (_, i) => `${String(1 + i).padStart(2, '0')}/03/26`];
  const quantity: Column = [
    pick(['Cant.', 'CANTIDAD', 'Uds.', 'Unidades', 'CANT']),
    'q',
    (line) => `${number.plain(line.quantity, decimals)}${unit}`,
  ];
  const price: Column = [
    pick(['Precio', 'P. UNIT.', 'Precio ud.', 'PRECIO/UD', 'Importe ud.']),
    'q',
    (line) => money(line.priceCents, priceDecimals),
  ];
  const discount: Column = [
    pick(['Dto.', '% DTO.', 'Desc.']),
    'q',
    (line) => (line.discount ? `${number.plain(line.discount)}${per}` : no),
  ];
  const rate: Column = [pick([tax, `${tax} %`, `% ${tax}`]), 'q', (line) => `${line.rate}${per}`];
  const quota: Column = [
    `Cuota ${tax}`,
    'q',
    (line) => money(Math.round((line.totalCents * line.rate) / 100)),
  ];
  const gross: Column = [
    'Total',
    'q',
    (line) => money(line.totalCents + Math.round((line.totalCents * line.rate) / 100)),
  ];
  const net: Column = [
    pick(['Importe', 'IMPORTE', 'Total', 'Neto', 'Total línea']),
    'q',
    (line) => money(line.totalCents),
  ];
  const codes = pick<readonly Column[]>([[], [], [code], [day], [code, day]]);
  const off = isDiscounted ? [discount] : [];
  const rates = isMixed || chance(0.3) ? [rate] : [];
  return pick<readonly Column[]>([
    [...codes, text, quantity, price, ...off, ...rates, net],
    [...codes, text, quantity, price, ...off, ...rates, net],
    [...codes, text, price, quantity, ...off, net, ...rates],
    [quantity, text, price, ...off, net, ...rates],
    [...codes, quantity, text, price, ...off, ...rates, net],
    [...codes, text, quantity, price, ...off, net, rate, quota, gross],
    [quantity, ...codes, text, ...rates, ...off, price, net],
  ]);
}

const cellsOf = (columns: readonly Column[], line: SampleLine, i: number) =>
  columns.map(([, kind, say]) => `<td class="${kind}">${say(line, i)}</td>`).join('');
const headingOf = (columns: readonly Column[]) =>
  `<tr>${columns.map(([name, kind]) => `<th class="${kind}">${name}</th>`).join('')}</tr>`;

function sumsOf(
  sample: Sample,
  { pick, number, euro }: Tools,
): readonly (readonly [string, string])[] {
  const { groups, tax, baseCents, totalCents, irpf, irpfCents } = sample;
  const money = (cents: number) => `${number.amount(cents)}${euro}`;
  return [
    [pick(['Base imponible', 'BASE IMPONIBLE', 'Suma', 'Subtotal']), money(baseCents)],
    ...groups.flatMap((group): [string, string][] => [
      ...(groups.length > 1
        ? [[`Base ${tax} ${group.rate} %`, money(group.baseCents)] as [string, string]]
        : []),
      [`${tax} ${group.rate} %`, money(group.quotaCents)],
      ...(group.recargo
        ? [
            [`Recargo eq. ${figure(group.recargo)} %`, money(group.recargoCents)] as [
              string,
              string,
            ],
          ]
        : []),
    ]),
    [pick(['TOTAL FACTURA', 'Total', 'TOTAL']), money(totalCents)],
    ...(irpf
      ? ([
          [`Retención IRPF ${irpf} %`, money(-irpfCents)],
          ['Líquido a pagar', money(totalCents - irpfCents)],
        ] as [string, string][])
      : []),
  ];
}

const sumsTable = (sample: Sample, tools: Tools) =>
  `<table class="sums">${sumsOf(sample, tools)
    .map(([name, amount]) => `<tr><td>${name}</td><td>${amount}</td></tr>`)
    .join('')}</table>`;

const SHAPES: readonly Shape[] = [
  /** One table. */
  (sample, tools) => {
    const columns = columnsOf(sample, tools);
    const rows = sample.lines.map((line, i) => `<tr>${cellsOf(columns, line, i)}</tr>`);
    return {
      body: `<table class="l"><thead>${headingOf(columns)}</thead><tbody>${rows.join('')}</tbody></table>${sumsTable(sample, tools)}`,
    };
  },
  /** One table without headings. */
  (sample, tools) => {
    const columns = columnsOf(sample, tools);
    const rows = sample.lines.map((line, i) => `<tr>${cellsOf(columns, line, i)}</tr>`);
    return { body: `<table class="l">${rows.join('')}</table>${sumsTable(sample, tools)}` };
  },
  /** Sums in the table itself, under its last columns. */
  (sample, tools) => {
    const columns = columnsOf(sample, tools);
    const rows = sample.lines.map((line, i) => `<tr>${cellsOf(columns, line, i)}</tr>`);
    const sums = sumsOf(sample, tools).map(
      ([name, amount]) =>
        `<tr><td colspan="${columns.length - 1}" class="q">${name}</td><td class="q">${amount}</td></tr>`,
    );
    return {
      body: `<table class="l">${headingOf(columns)}${rows.join('')}${sums.join('')}</table>`,
    };
  },
  /** Empty rows down to the foot of the table, with its rules. */
  (sample, tools) => {
    const columns = columnsOf(sample, tools);
    const rows = sample.lines.map((line, i) => `<tr>${cellsOf(columns, line, i)}</tr>`);
    const empty = `<tr>${columns.map(() => '<td>&nbsp;</td>').join('')}</tr>`.repeat(
      tools.int(3, 12),
    );
    return {
      body: `<table class="l">${headingOf(columns)}${rows.join('')}${empty}</table>${sumsTable(sample, tools)}`,
    };
  },
  /** A description over its figures, which have a row of their own. */
  (sample, tools) => {
    const columns = columnsOf(sample, tools).filter(([, kind]) => kind === 'q');
    const rows = sample.lines.map(
      (line, i) =>
        `<tr><td colspan="${columns.length + 1}">${line.description}</td></tr><tr><td></td>${cellsOf(columns, line, i)}</tr>`,
    );
    return {
      body: `<table class="l"><tr><th>Descripción</th>${columns.map(([name]) => `<th class="q">${name}</th>`).join('')}</tr>${rows.join('')}</table>${sumsTable(sample, tools)}`,
    };
  },
  /** Each line a card with its calculation. */
  (sample, tools) => {
    const { number, euro, pick } = tools;
    const money = (cents: number) => `${number.amount(cents)}${euro}`;
    const by = pick([' x ', ' × ', ' ud x ', ' uds. a ']);
    const cards = sample.lines.map(
      (line) =>
        `<div class="card"><div class="between"><b>${line.description}</b><b>${money(line.totalCents)}</b></div><div>${number.plain(line.quantity)}${by}${money(line.priceCents)}${line.discount ? ` (-${number.plain(line.discount)} %)` : ''}</div></div>`,
    );
    return {
      body: `${cards.join('')}<br>${sumsTable(sample, tools)}`,
      css: `.card { ${pick(['border: 1px solid #aaa', 'border: 1px solid #aaa; border-radius: 6px', 'border-bottom: 1px solid #ddd', 'background: #f0f0f0', ''])} }`,
    };
  },
  /** A listing of a printer with letters of one width, and rules drawn with them. */
  (sample, tools) => {
    const { number, pick } = tools;
    const [cut, rule] = pick([
      [' ', '-'],
      [' ', '='],
      ['|', '-'],
      [' ', ''],
    ] as const);
    const isDiscounted = sample.lines.some(({ discount }) => discount > 0);
    const cells = (...[d, q, p, o, n]: readonly string[]) =>
      [
        (d as string).slice(0, 44).padEnd(44),
        (q as string).padStart(8),
        (p as string).padStart(11),
        ...(isDiscounted ? [(o as string).padStart(6)] : []),
        (n as string).padStart(12),
      ].join(cut);
    const bar = rule ? rule.repeat(isDiscounted ? 85 : 78) : '';
    const rows = sample.lines.flatMap((line) => {
      const words = line.description.split(' ');
      const parts: string[] = [''];
      for (const word of words) {
        const last = parts.at(-1) as string;
        if (`${last} ${word}`.trim().length > 43) parts.push(word);
        else parts[parts.length - 1] = `${last} ${word}`.trim();
      }
      return parts.map((part, i) =>
        i === 0
          ? cells(
              part,
              number.plain(line.quantity, 2),
              number.amount(line.priceCents),
              line.discount ? number.plain(line.discount) : '',
              number.amount(line.totalCents),
            )
          : cells(part, '', '', '', ''),
      );
    });
    const sums = sumsOf(sample, { ...tools, euro: '' }).map(
      ([name, amount]) => `${name.padStart(50)}${amount.padStart(27)}`,
    );
    return {
      body: `<pre>${[bar, cells('DESCRIPCION', 'CANT.', 'PRECIO', 'DTO', 'IMPORTE'), bar, ...rows, bar, ...sums].filter(Boolean).join('\n')}</pre>`,
    };
  },
  /** Two tables, each with its subtotal. */
  (sample, tools) => {
    const columns = columnsOf(sample, tools);
    const { number, euro, pick } = tools;
    const half = Math.ceil(sample.lines.length / 2);
    const [one, two] = [sample.lines.slice(0, half), sample.lines.slice(half)];
    const part = (name: string, lines: readonly SampleLine[]) => {
      const cents = lines.reduce((sum, { totalCents }) => sum + totalCents, 0);
      return lines.length === 0
        ? ''
        : `<p><b>${name}</b></p><table class="l">${headingOf(columns)}${lines.map((line, i) => `<tr>${cellsOf(columns, line, i)}</tr>`).join('')}</table><p class="q">${pick(['Subtotal', 'Suma'])} ${name.toLowerCase()}: ${number.amount(cents)}${euro}</p>`;
    };
    return {
      body: `${part('Materiales', one)}${part('Mano de obra', two)}${sumsTable(sample, tools)}`,
    };
  },
  /** Leaders from each text to its amount, the calculation in between. */
  (sample, tools) => {
    const { number, euro, pick } = tools;
    const money = (cents: number) => `${number.amount(cents)}${euro}`;
    const dots = pick(['dotted 1px #555', 'dashed 1px #999', 'solid 1px #ccc']);
    const rows = sample.lines.map(
      (line) =>
        `<div class="row"><span>${line.description}</span><i></i><span class="n">${number.plain(line.quantity)}</span><span class="n">${money(line.priceCents)}</span>${line.discount ? `<span class="n">${number.plain(line.discount)} %</span>` : ''}<span class="n m">${money(line.totalCents)}</span></div>`,
    );
    return {
      body: `${rows.join('')}<br>${sumsTable(sample, tools)}`,
      css: `.row { display: flex } .row i { flex: 1; border-bottom: ${dots}; margin: 0 2mm 1mm } .n { min-width: 16mm; text-align: right } .m { min-width: 24mm }`,
    };
  },
  /** A dark band over the table and a dark box with the total. */
  (sample, tools) => {
    const columns = columnsOf(sample, tools);
    const rows = sample.lines.map((line, i) => `<tr>${cellsOf(columns, line, i)}</tr>`);
    const list = sumsOf(sample, tools);
    const dark = tools.pick(['#222', '#036', '#a22', '#777']);
    return {
      body: `<div class="band">DETALLE DE LA FACTURA</div><table class="l">${headingOf(columns)}${rows.join('')}</table>
        <table class="sums">${list.map(([name, amount]) => `<tr class="${/total/i.test(name) ? 'dark' : ''}"><td>${name}</td><td>${amount}</td></tr>`).join('')}</table>`,
      css: `.band { background: ${dark}; color: #fff; padding: 2mm; font-weight: bold } .dark td { background: ${dark}; color: #fff; font-size: 120% }`,
    };
  },
];
