import {
  euros,
  figure,
  type Pool,
  type Sample,
  type SampleLine,
  type SampleParty,
  sampleOf,
  slashed,
  worded,
} from './invoice-sample.ts';
import { sheetOf } from './print-html.ts';
import { type Dice, diceOf, type RandomInvoice, storyOf } from './random-layouts.ts';

/**
 * Sheets in small print: letters of 6.5 to 8.5 points, often grey and close together, with the issuer at the right, at
 * the foot or stacked with the client, headings in two rows, descriptions over two rows and units beside quantities.
 * They are meant to be read as scans. As in `random-layouts.ts`, even seeds are for looking at and odd ones only for
 * totals.
 */

const COMPANIES = [
  'Aceros Villalba, S.L.',
  'Montajes y Calderería Oñate, S.L.U.',
  'DISTRIBUCIONES JUNCAL, S.A.',
  'Clínica Dental Sonríe Utrera, S.L.P.',
  'Gráficas Zubieta, S. Coop.',
  'Logística Integral Ebro, S.A.U.',
  'Viveros Flor de Almendro, S.L.',
  'Ascensores Quintela, S.A.',
  'Ingeniería Acústica del Sur, S.L.',
  'SISTEMAS Y REDES GALAICOS, S.L.',
  'Congelados Mar Menor, S.A.',
  'Rótulos Jiménez, S.L.L.',
  'Cafés Tucán, S.A.',
  'Hnos. Valdivieso, C.B.',
  'Formación Empresarial Lumbier, S.L.',
];
const PEOPLE = [
  'Gonzalo Peñalver Ruz',
  'Ainhoa Lasarte Mendiluce',
  'Mª Ángeles Cifuentes Ruiz',
  'Xavier Domènech Roig',
  'Yolanda Bermúdez Quero',
  'DAVID ÁLVAREZ MONTIEL',
  'Fátima Benali',
];
const POOL: Pool = {
  names: COMPANIES,
  streets: [
    'C/ Herrería, 14, nave 3',
    'Avda. Juan Carlos I, 201',
    'Polígono Industrial La Cantueña, parc. 22',
    'Plaza de San Francisco, 8 - 2º C',
    'Ctra. Logroño, km 7,400',
    'Gran Vía 55, 4º dcha.',
    'Calle Bravo Murillo 310 bis',
    'Ronda de Outeiro, 112 bajo',
    'Paseo Marítimo, 3, local 4',
    'Carrer Indústria, 60-62',
    'Camino de las Huertas s/n',
  ],
  towns: [
    '50011 Zaragoza',
    '28946 Fuenlabrada (Madrid)',
    '15007 A Coruña',
    '41710 Utrera - Sevilla',
    '48930 Getxo',
    '08025 Barcelona',
    '30740 San Pedro del Pinatar (Murcia)',
    '26006 Logroño',
    '29640 Fuengirola',
    '06800 Mérida (Badajoz)',
  ],
  things: [
    'Chapa galvanizada 2000x1000x1,5 mm',
    'Perfil IPE 120, barra 6 m',
    'Rodamiento 6204-2RS',
    'Café natural molido paquete 1 kg',
    'Revisión trimestral de ascensor',
    'Higiene bucodental',
    'Merluza del Cabo nº 3',
    'Rótulo luminoso de metacrilato con letras corpóreas y perfil de aluminio lacado',
    'Formación PRL nivel básico, 50 horas',
    'Impresión de 500 folletos A5 a color, papel estucado de 135 g',
    'Cable UTP cat. 6',
    'Estudio de ruido ambiental en fachada, periodo diurno y nocturno',
    'Mano de obra taller',
    'Portes',
    'Almacenaje de palés, mes de junio',
    'Plantón de olivo arbequino',
    'Interruptor diferencial 2P 40 A 30 mA',
    'Horas extra soldador',
    'Disco de corte 115 x 1 mm inox',
    'Desmontaje de instalación existente y retirada a vertedero autorizado',
  ],
  numbers: [
    '26V-00481',
    'F/2026/1733',
    '2600000912',
    'A26-77',
    'FAC-2026-0310',
    '3/26/00219',
    '26.000.148',
    'N-4408',
  ],
};
const FAMILIES = [
  "'Liberation Sans'",
  "'Liberation Sans'",
  "'Liberation Sans Narrow'",
  "'Nimbus Sans'",
  "'Liberation Serif'",
  "'Nimbus Roman'",
  "'DejaVu Sans Condensed'",
  "'DejaVu Sans'",
  "'DejaVu Serif Condensed'",
  "'C059'",
  "'Noto Sans Mono'",
];

/** A sample of that story as one of those sheets of that seed. */
export function randomPrint(seed: number): RandomInvoice {
  const dice = diceOf(seed * 5_501 + 29);
  const { pick, chance } = dice;
  const story = storyOf(seed);
  const isAlone = chance(0.3);
  const pool = isAlone ? { ...POOL, issuers: { names: PEOPLE, arePeople: true } } : POOL;
  const drawn = sampleOf(seed + 60_000, story, { pool });
  const isEntity = /^[A-Z]/.test(drawn.client.nif);
  const others = (isEntity ? COMPANIES : PEOPLE).filter((name) => name !== drawn.issuer.name);
  const sample: Sample = { ...drawn, client: { ...drawn.client, name: pick(others) } };
  const tools = toolsOf(sample, dice);
  const { body, css = '' } = (SHEETS[(seed >> 1) % SHEETS.length] as Sheet)(sample, tools);
  const size = pick([6.5, 7, 7, 7.5, 7.5, 8, 8, 8.5]);
  const html = sheetOf(
    `body { font: ${size}pt/${pick([1.15, 1.2, 1.3, 1.45])} ${pick(FAMILIES)}; color: ${pick(['#111', '#111', '#333', '#555', '#666'])} }
     .cols { display: flex; gap: 7mm; margin-bottom: 4mm } .cols > div { flex: 1 } .grey { color: #777 } .r { text-align: right }
     .foot { position: fixed; bottom: 0; left: 0; right: 0; font-size: ${size - 0.5}pt } .tiny { font-size: ${size - 1}pt; color: #666 }
     .frame { border: 1px solid #999; padding: 2mm } .auto { width: auto } ${tools.tableCss} ${css}`,
    body,
  );
  return { sample, html };
}

interface Tools extends Dice {
  readonly nif: (party: SampleParty) => string;
  readonly bare: (party: SampleParty) => string;
  readonly day: string;
  readonly due: string;
  readonly issuer: string;
  readonly client: string;
  readonly corrects: string;
  readonly table: string;
  readonly tableCss: string;
  readonly sums: string;
}

const stack = (...lines: readonly string[]) => lines.filter(Boolean).join('<br>');

function toolsOf(sample: Sample, dice: Dice): Tools {
  const { pick, chance } = dice;
  const { issuer, client, rectifies } = sample;
  const nifName = pick([
    'NIF',
    'N.I.F.',
    'CIF',
    'NIF:',
    'C.I.F.:',
    'NIF/CIF',
    'DNI/CIF:',
    'N.I.F. nº',
  ]);
  const isApart = chance(0.2);
  const bare = ({ nif }: SampleParty) =>
    isApart
      ? nif.replace(/^([A-Z])|([A-Z])$/, (letter, first) => (first ? `${letter}-` : `-${letter}`))
      : nif;
  const nif = (party: SampleParty) => `${nifName} ${bare(party)}`;
  const isNifFirst = chance(0.4);
  const party = (one: SampleParty, more = '') =>
    isNifFirst
      ? stack(one.name, nif(one), one.street, one.town, more)
      : stack(one.name, one.street, one.town, nif(one), more);
  const short = (iso: string) => worded(iso).replace(/^(\d+) de (...)\p{L}* de /u, '$1 $2. ');
  const said = pick<(iso: string) => string>([
    slashed,
    slashed,
    (iso) => slashed(iso).replaceAll('/', '-'),
    (iso) => slashed(iso).replaceAll('/', '.'),
    (iso) => slashed(iso).replace(/20(\d\d)$/, '$1'),
    worded,
    short,
    (iso) => iso,
    (iso) =>
      worded(iso)
        .replace(/^(\d)(?!\d)/, '0$1')
        .toUpperCase(),
    (iso) => slashed(iso).replaceAll('/', ' / '),
  ]);
  const marks = pick<readonly [string, string]>([
    ['.', ','],
    ['.', ','],
    ['.', ','],
    ['', ','],
    [',', '.'],
    [' ', ','],
  ]);
  const euro = pick(['', '', '', ' €', '€']);
  const amount = (cents: number, decimals = 2) =>
    `${euros(cents)}${'0'.repeat(decimals - 2)}`.replace(/[.,]/g, (mark) =>
      mark === '.' ? marks[0] : marks[1],
    );
  const plain = (value: number, decimals?: number) =>
    figure(value, decimals).replace(',', marks[1]);
  const written: Written = { amount, plain, euro };
  return {
    ...dice,
    nif,
    bare,
    day: said(sample.date),
    due: slashed(sample.dueDate),
    issuer: party(
      issuer,
      pick(['', 'Tel. 976 55 44 33', 'T 976 55 44 33 · ventas@ejemplo.es', 'www.ejemplo.es']),
    ),
    client: party(client),
    corrects: rectifies
      ? `<p>${pick(['Factura rectificativa. Rectifica a:', 'Factura rectificativa de la factura', 'FACTURA RECTIFICATIVA - Factura rectificada:'])} ${rectifies}</p>`
      : '',
    table: tableOf(sample, dice, written),
    tableCss: `.l { ${pick(['', 'margin-top: 3mm'])} } .l td, .l th { ${pick(['', '', '', 'border-bottom: 1px solid #bbb', 'border: 1px solid #888', 'border-left: 1px solid #999; border-right: 1px solid #999'])};
      padding: ${pick(['0 3px', '1px 4px', '1px 2px', '2px 6px'])}; vertical-align: ${pick(['top', 'top', 'middle', 'bottom'])} }
      .l .q { text-align: right; white-space: nowrap } .l th { ${pick(['', 'background: #ddd', 'color: #888; font-weight: normal', 'border-bottom: 1px solid #000', 'background: #345; color: #fff'])} }
      .l tr.z { ${pick(['', '', 'background: #efefef'])} } .l { width: ${pick(['100%', '100%', '100%', '85%'])} } .d { ${pick(['', '', 'width: 45mm', 'width: 60mm'])} }
      .s { ${pick(['margin-left: auto; width: auto', 'margin-left: 55%; width: 45%', 'width: 100%'])} } .s td { text-align: right; padding: 1px 4px }`,
    sums: sumsOf(sample, dice, written),
  };
}

interface Written {
  readonly amount: (cents: number, decimals?: number) => string;
  readonly plain: (value: number, decimals?: number) => string;
  readonly euro: string;
}

type Column = readonly [
  heading: string,
  isFigure: boolean,
  say: (line: SampleLine, i: number) => string,
];

function tableOf(
  { lines, tax }: Sample,
  { pick, chance, int }: Dice,
  { amount, plain, euro }: Written,
): string {
  const isDiscounted = lines.some(({ discount }) => discount > 0);
  const isMixed = new Set(lines.map(({ rate }) => rate)).size > 1;
  const decimals = pick([undefined, 2, 2, 3]);
  const priceDecimals = pick([2, 2, 3, 4]);
  const unit = pick(['', '', '', ' ud', ' UN', ' kg', ' h', ' uds.']);
  const perCent = pick(['', '%', ' %']);
  const inTwo = chance(0.3);
  const noted = pick(['', '', '', '', '', 'Ref. 4471-B', 'Lote 26063']);
  const head = (name: string) => (inTwo ? name.replace(' ', '<br>') : name);
  const code: Column = [
    head(pick(['Código', 'Ref. artículo', 'Artículo', 'Cód.'])),
    false,
    (_, i) => `${pick(['', 'AR', '10.'])}${int(100, 99_999)}${i}`,
  ];
  const text: Column = [
    pick(['Descripción', 'Concepto', 'DESCRIPCIÓN', 'Detalle de los trabajos', 'Denominación']),
    false,
    ({ description }) => `${description}${noted ? `<br><span class="tiny">${noted}</span>` : ''}`,
  ];
  const quantity: Column = [
    head(pick(['Cantidad', 'Cant.', 'Uds.', 'CANTIDAD', 'Unidades'])),
    true,
    (line) => `${plain(line.quantity, decimals)}${unit}`,
  ];
  const price: Column = [
    head(pick(['Precio', 'Precio unitario', 'P. unitario', 'PRECIO', 'Precio €/ud'])),
    true,
    (line) => `${amount(line.priceCents, priceDecimals)}${euro}`,
  ];
  const discount: Column = [
    head(pick(['Dto.', '% Dto.', 'Dto. %', 'DTO'])),
    true,
    (line) =>
      line.discount ? `${plain(line.discount, decimals === 3 ? 2 : decimals)}${perCent}` : '',
  ];
  const rate: Column = [
    head(pick([tax, `% ${tax}`, `${tax} %`])),
    true,
    (line) => `${plain(line.rate)}${perCent}`,
  ];
  const net: Column = [
    head(pick(['Importe', 'IMPORTE', 'Total', 'Importe neto', 'Total línea'])),
    true,
    (line) => `${amount(line.totalCents)}${euro}`,
  ];
  const codes = chance(0.5) ? [code] : [];
  const off = isDiscounted ? [discount] : [];
  const rates = isMixed || chance(0.35) ? [rate] : [];
  const columns = pick<readonly Column[]>([
    [...codes, text, quantity, price, ...off, ...rates, net],
    [...codes, text, quantity, price, ...off, net, ...rates],
    [quantity, ...codes, text, price, ...off, ...rates, net],
    [...codes, text, ...rates, price, quantity, ...off, net],
    [...codes, quantity, text, price, ...off, ...rates, net],
  ]);
  const row = (tag: string, cells: readonly string[], name = '') =>
    `<tr class="${name}">${cells.map((cell, i) => `<${tag} class="${columns[i]?.[1] ? 'q' : columns[i] === text ? 'd' : ''}">${cell}</${tag}>`).join('')}</tr>`;
  const heading = columns.map(([name]) => name);
  const rows = lines.map((line, i) =>
    row(
      'td',
      columns.map(([, , say]) => say(line, i)),
      i % 2 ? 'z' : '',
    ),
  );
  return `<table class="l"><thead>${row('th', heading)}</thead><tbody>${rows.join('')}</tbody></table>`;
}

function sumsOf(sample: Sample, { pick, chance }: Dice, { amount, plain, euro }: Written): string {
  const { groups, tax, baseCents, totalCents, irpf, irpfCents } = sample;
  const money = (cents: number) => `${amount(cents)}${euro}`;
  const table = (rows: readonly (readonly string[])[], name = 's') =>
    `<table class="${name}">${rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')}</table>`;
  const due = irpf
    ? [
        [
          pick([`Retención IRPF ${irpf} %`, `IRPF ${irpf}%`, `- ${irpf} % I.R.P.F.`]),
          money(-irpfCents),
        ],
        [pick(['Líquido a percibir', 'Total a pagar', 'A pagar']), money(totalCents - irpfCents)],
      ]
    : [];
  const total = [
    pick([
      'TOTAL FACTURA',
      'Total',
      'TOTAL €',
      'Importe total',
      'Total factura (IVA incl.)',
      'TOTAL:',
    ]),
    money(totalCents),
  ];
  if (chance(0.5)) {
    const list = groups.flatMap((group) => [
      ...(groups.length > 1 ? [[`Base ${tax} ${group.rate} %`, money(group.baseCents)]] : []),
      [
        pick([`${tax} ${group.rate} %`, `Cuota ${tax} (${group.rate}%)`, `${group.rate} % ${tax}`]),
        money(group.quotaCents),
      ],
      ...(group.recargo
        ? [[`Rec. equiv. ${plain(group.recargo)} %`, money(group.recargoCents)]]
        : []),
    ]);
    return table([
      [
        pick(['Base imponible', 'Suma', 'Total neto', 'BASE IMPONIBLE', 'Importe neto']),
        money(baseCents),
      ],
      ...list,
      total,
      ...due,
    ]);
  }
  const hasRecargo = sample.recargoCents !== 0;
  const heads = [
    'Base imponible',
    `% ${tax}`,
    `Cuota ${tax}`,
    ...(hasRecargo ? ['% RE', 'Cuota RE'] : []),
  ];
  const rows = groups.map((group) => [
    money(group.baseCents),
    plain(group.rate, pick([undefined, 2])),
    money(group.quotaCents),
    ...(hasRecargo
      ? [group.recargo ? plain(group.recargo) : '', group.recargo ? money(group.recargoCents) : '']
      : []),
  ]);
  const isInRow = groups.length === 1 && !irpf && chance(0.5);
  if (isInRow)
    return table([
      [...heads, total[0] as string],
      [...(rows[0] as string[]), total[1] as string],
    ]);
  return `${table([heads, ...rows])}<br>${table([...due.slice(0, 1), total, ...due.slice(1)])}`;
}

type Sheet = (sample: Sample, tools: Tools) => { readonly body: string; readonly css?: string };

const pairs = (list: readonly (readonly [string, string])[], name = '') =>
  `<table class="auto ${name}">${list.map(([a, b]) => `<tr><td>${a}</td><td>${b}</td></tr>`).join('')}</table>`;

const SHEETS: readonly Sheet[] = [
  /** The issuer in a frame at the right; the client at the left, lower. */
  (s, t) => ({
    body: `<div class="cols"><div><h2>${t.pick(['FACTURA', 'Factura'])}</h2>${pairs([
      ['Número', s.number],
      ['Fecha', t.day],
      ['Vencimiento', t.due],
    ])}</div><div class="frame">${t.issuer}</div></div>
      <div class="cols"><div><span class="grey">${t.pick(['Cliente', 'Facturado a', 'Datos del cliente'])}</span><br>${t.client}</div><div></div></div>${t.corrects}${t.table}<br>${t.sums}`,
  }),
  /** Both parties stacked at the left, each under its small grey name. */
  (s, t) => ({
    body: `<p><span class="tiny">${t.pick(['EMISOR', 'DE', 'Expedida por'])}</span><br>${t.issuer}</p><p><span class="tiny">${t.pick(['CLIENTE', 'PARA', 'Destinatario'])}</span><br>${t.client}</p>
      <p>${t.pick(['Factura nº', 'Nº de factura', 'Factura número'])} ${s.number} &nbsp; &nbsp; ${t.pick(['Fecha', 'Fecha de emisión', 'Fecha de expedición'])} ${t.day}</p>${t.corrects}${t.table}<br>${t.sums}`,
  }),
  /** The issuer only at the foot, in one line; on top a mark that is not its name. */
  (s, t) => ({
    body: `<div class="cols"><div><span style="font-size: 20pt">${t.pick(['tucán', 'ZBT', 'almendro', 'qst'])}</span></div><div>${t.client}</div></div>
      <div class="cols"><div><b>${t.pick(['Factura', 'FACTURA Nº'])}</b> ${s.number}</div><div><b>Fecha</b> ${t.day}</div><div><b>Nº cliente</b> 100482</div></div>${t.corrects}${t.table}<br>${t.sums}
      <p class="foot r">${[s.issuer.name, s.issuer.street, s.issuer.town, t.nif(s.issuer)].join(t.pick([' · ', ' - ', ', ', ' | ']))}</p>`,
  }),
  /** Headings in two columns of names and values, the parties in the same two. */
  (s, t) => ({
    body: `<div class="cols"><div>${pairs([
      ['Proveedor', s.issuer.name],
      ['NIF', t.bare(s.issuer)],
      ['Dirección', s.issuer.street],
      ['Población', s.issuer.town],
    ])}</div>
      <div>${pairs([
        ['Cliente', s.client.name],
        ['NIF', t.bare(s.client)],
        ['Dirección', s.client.street],
        ['Población', s.client.town],
      ])}</div></div>
      <div class="cols"><div>${pairs([
        ['Factura', s.number],
        ['Forma de pago', 'Transferencia 30 días'],
      ])}</div><div>${pairs([
        ['Fecha factura', t.day],
        ['Vencimiento', t.due],
      ])}</div></div>${t.corrects}${t.table}<br>${t.sums}`,
  }),
  /** A strip of five data over the table; the client in the window at the right, without a label. */
  (s, t) => ({
    body: `<div class="cols"><div><b>${s.issuer.name}</b><br><span class="tiny">${s.issuer.street} - ${s.issuer.town}<br>${t.nif(s.issuer)} - Tel. 976 55 44 33</span></div><div style="padding-top: 10mm">${stack(s.client.name, s.client.street, s.client.town)}</div></div>
      <table class="frame"><tr>${['Nº factura', 'Fecha', 'Código cliente', t.pick(['NIF cliente', 'N.I.F.', 'CIF/NIF']), 'Pág.'].map((one) => `<td class="tiny">${one}</td>`).join('')}</tr><tr>${[s.number, t.day, '4300231', t.bare(s.client), '1'].map((one) => `<td>${one}</td>`).join('')}</tr></table>${t.corrects}${t.table}<br>${t.sums}`,
  }),
  /** Everything of the issuer centred on top in two lines; the data of the invoice in a sentence. */
  (s, t) => ({
    body: `<div style="text-align: center"><b>${s.issuer.name}</b><br>${s.issuer.street}, ${s.issuer.town} - ${t.nif(s.issuer)}</div><br>
      <div class="cols"><div>${t.pick(['Cliente:', 'Sr./Sres.:'])} ${t.client}</div><div class="r">${stack(`${t.pick(['Factura:', 'Fra. nº:'])} ${s.number}`, `Fecha: ${t.day}`)}</div></div>${t.corrects}${t.table}<br>${t.sums}`,
  }),
  /** The client on top at the left; the issuer under the sums, over the bank, in grey. */
  (s, t) => ({
    body: `<div class="cols"><div>${t.client}</div><div>${pairs([
      ['FACTURA', s.number],
      ['FECHA', t.day],
      ['PEDIDO', '4500112'],
      ['ALBARÁN', '26/1184'],
    ])}</div></div>${t.corrects}${t.table}<br>${t.sums}<br><br>
      <p class="grey">${t.issuer}<br>ES91 2100 0418 4502 0005 1332</p>`,
  }),
  /** Three columns: what, who, whom; the labels in grey over each. */
  (s, t) => ({
    body: `<div class="cols"><div><span class="grey">${t.pick(['Factura', 'Nº factura'])}</span><br>${s.number}<br><span class="grey">${t.pick(['Fecha', 'Emitida'])}</span><br>${t.day}<br><span class="grey">Vence</span><br>${t.due}</div>
      <div><span class="grey">${t.pick(['Emisor', 'Vendedor', 'Empresa'])}</span><br>${t.issuer}</div><div><span class="grey">${t.pick(['Receptor', 'Comprador', 'Cliente'])}</span><br>${t.client}</div></div>${t.corrects}${t.table}<br>${t.sums}`,
  }),
  /** Right-hand column with the issuer, aligned right, over the number and the date; the client beside. */
  (s, t) => ({
    body: `<div class="cols"><div style="padding-top: 14mm"><b>${t.client}</b></div><div class="r">${t.issuer}<br><br>${stack(`Factura ${s.number}`, `Fecha ${t.day}`)}</div></div>${t.corrects}${t.table}<br>${t.sums}
      <p class="foot tiny">Inscrita en el Registro Mercantil de Zaragoza, tomo 3.112, folio 84, hoja Z-41.007. ${t.nif(s.issuer)}</p>`,
  }),
  /** A workshop's order: what it was done on between the parties and the lines. */
  (s, t) => ({
    body: `<div class="cols"><div>${t.issuer}</div><div class="frame">${t.pick(['CLIENTE', 'TITULAR'])}<br>${t.client}</div></div>
      <table><tr><td>Factura: <b>${s.number}</b></td><td>Fecha: ${t.day}</td><td>Matrícula: 8821 LKD</td><td>Km: 112.408</td></tr></table>${t.corrects}${t.table}<br>${t.sums}<p class="tiny">Garantía de las reparaciones: 3 meses o 2.000 km (RD 1457/1986).</p>`,
  }),
];
