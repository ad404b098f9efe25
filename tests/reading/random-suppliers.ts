import {
  dashed,
  type Pool,
  type Sample,
  type SampleParty,
  sampleOf,
  slashed,
  worded,
} from './invoice-sample.ts';
import { sheetOf } from './print-html.ts';
import {
  type Dice,
  diceOf,
  type NumberStyle,
  numberStyle,
  type RandomInvoice,
  storyOf,
  totalsOf,
} from './random-layouts.ts';
import { corrects, grid, lines, SHEET_CSS } from './random-papers.ts';

/**
 * Whole sheets as suppliers of many trades and their programs print them, with what leads astray: banks, insurers,
 * branches, contacts, goods sent elsewhere, partners of the firm, names of streets that are names of companies.
 * As in `random-layouts.ts`, even seeds are for looking at and odd ones only for totals.
 */

const COMPANIES = [
  'Robles Instalaciones Eléctricas, S.L.',
  'Calle Mayor Inversiones, S.L.',
  'Gestiones 2000, S.L.',
  'Pérez & Asociados Consultores, S.L.P.',
  'HIJOS DE RAMÓN OTERO, S.A.',
  '3D Lab Prototipos, S.L.',
  'Frigoríficos del Noroeste, S.A.U.',
  'Plataforma Logística Integral del Mediterráneo Occidental, S.L.',
  'Bodegas y Viñedos Altozano, S. Coop.',
  'Nave 9 Producciones, S.L.U.',
  'Total Clean Servicios, S.L.',
  'Vidrios Cuenca, C.B.',
  'Herederos de Tomás Lebrija, C.B.',
  'Grupo Lindero 2010, S.L.',
  'La Vía Verde Cicloturismo, S.L.',
  'Impremta Badal, S.C.C.L.',
  'TECNOFRÍO LEVANTE SL',
  'Asesores Reunidos de Castilla SA',
];
const BODIES = [
  'Comunidad de Propietarios Avda. de Burgos, 14',
  'Club Náutico de Altea',
  'Fundación Amigos del Románico',
  'Ayuntamiento de Alcalá la Real',
  'Asociación Española de Micología',
  'Universidad de Almería',
  'I.E.S. Gonzalo Nazareno',
];
const PEOPLE = [
  'Nekane Arrizabalaga Otxoa',
  'Oleksandr Kovalenko',
  'Fatoumata Diallo Sow',
  'Wang Xiaoli',
  'Juan Pablo Escobedo de la Torre',
  'Mª José Ferrándiz Guijarro',
  'Iñaki Urrutia Zubia',
  'PEDRO ALCÁNTARA DEL POZO RIVAS',
  'Montse Vilaró i Puig',
  'Raúl Sanchis Beneyto',
];
const POOL: Pool = {
  names: COMPANIES,
  streets: [
    'C/ Camino de Ronda, 84, 2º B',
    'Avenida del Cid 12, entlo. izda.',
    'Pol. Ind. La Mora, C/ Aluminio, 6',
    'Rambla de Catalunya, 91',
    'Carrer de la Pau 14, baixos',
    'Plaza Mayor, 3 - 1º',
    'Parque Empresarial Táctica, Ronda Narciso Monturiol, 7',
    'Ctra. de Valencia, km 207',
    'Cuesta del Chapiz, s/n',
    'Paseo de la Castellana, 141 planta 20',
    'Vía Augusta 200',
    'San Bernardo, 17',
  ],
  towns: [
    '18006 Granada',
    '46980 Paterna (Valencia)',
    '08008 Barcelona',
    '33201 Gijón',
    '28046 Madrid',
    '36202 Vigo (Pontevedra)',
    '02006 Albacete',
    '20018 Donostia-San Sebastián',
    '07703 Maó',
    '41900 Camas (Sevilla)',
  ],
  things: [
    'Filtro de aire AF-2210',
    'Mantenimiento ascensor 3er trimestre',
    'Tubo LED T8 18 W 120 cm',
    'Aceite 5W-30 garrafa 5 l',
    'Horas de oficial de 1ª',
    'Bobina film estirable 23 micras',
    'Servicio de catering para 40 personas según presupuesto aceptado',
    'Suscripción anual plataforma',
    'Cinta adhesiva 50 mm x 66 m',
    'Gestión de residuos no peligrosos',
    'Transporte y descarga en obra con camión pluma, incluido permiso municipal de ocupación',
    'Harina de fuerza saco 25 kg',
    'Toner HP CF259X compatible',
    'Revisión anual extintores 6 kg ABC',
    'Informe pericial',
    'Jamón de cebo ibérico 50 %',
    'Válvula esfera 1/2" H-H',
  ],
  numbers: [
    'FV-2600412',
    '26/000873',
    '2026/A/118',
    'INV/2026/00045',
    'V26.1187',
    '1-002341',
    'FA26100077',
    'S-4471',
    '2026-1-00392',
  ],
};
const BRANDS = ['robles', 'Grupo ALTIA', 'N9', 'casa otero desde 1954', 'FRIONOR', 'mora&co'];
const FAMILIES = [
  "'Liberation Sans'",
  "'Liberation Serif'",
  "'DejaVu Sans'",
  "'Nimbus Sans Narrow'",
  "'URW Gothic'",
  "'P052'",
  "'Nimbus Mono PS'",
  "'URW Bookman'",
  "'DejaVu Sans Condensed'",
];

export function randomSupplier(seed: number): RandomInvoice {
  const dice = diceOf(seed * 6_353 + 17);
  const { pick, chance } = dice;
  const story = storyOf(seed);
  const isAlone = chance(0.25);
  const pool = isAlone ? { ...POOL, issuers: { names: PEOPLE, arePeople: true } } : POOL;
  const drawn = sampleOf(seed + 40_000, story, { pool });
  const issuer = drawn.issuer;
  const isEntity = /^[A-Z]/.test(drawn.client.nif);
  const others = (isEntity ? [...COMPANIES, ...COMPANIES, ...BODIES] : PEOPLE).filter(
    (one) => one !== issuer.name,
  );
  const sample: Sample = { ...drawn, client: { ...drawn.client, name: pick(others) } };
  const number = numberStyle(dice);
  const tools = toolsOf(sample, dice, number, pick(['', '', ' €', '€', ' EUR']));
  const { css = '', body } = (SHEETS[(seed >> 1) % SHEETS.length] as Sheet)(sample, tools);
  const html = sheetOf(
    `body { font-family: ${pick(FAMILIES)}; font-size: ${pick([7, 7.5, 8, 8.5, 9, 10])}pt }
     ${SHEET_CSS} .foot { text-align: ${pick(['center', 'left'])} } .three > * { flex: 1 }
     .caps { text-transform: uppercase } .c { text-align: center } ${css}`,
    body,
  );
  return { sample, html };
}

interface Tools extends Dice {
  readonly bare: (party: SampleParty) => string;
  readonly nif: (party: SampleParty) => string;
  readonly nifName: string;
  readonly day: (iso: string) => string;
  readonly oneLine: (party: SampleParty) => string;
  readonly block: (party: SampleParty) => string;
  readonly register: string;
  readonly table: string;
  readonly totals: string;
  readonly brand: string;
  readonly contact: string;
  readonly bank: string;
}

function toolsOf(sample: Sample, dice: Dice, number: NumberStyle, euro: string): Tools {
  const { pick } = dice;
  const nifName = pick(['NIF', 'CIF', 'N.I.F.', 'C.I.F.', 'NIF/CIF', 'CIF/DNI', 'VAT', 'NIF/VAT']);
  const style = pick(['plain', 'plain', 'plain', 'dash', 'ES', 'blank']);
  const bare = ({ nif }: SampleParty) => {
    const isEntity = /^[A-Z]/.test(nif);
    const [head, tail] = isEntity
      ? [nif.slice(0, 1), nif.slice(1)]
      : [nif.slice(0, 8), nif.slice(8)];
    return style === 'dash'
      ? `${head}-${tail}`
      : style === 'blank'
        ? `${head} ${tail}`
        : style === 'ES'
          ? `ES${nif}`
          : nif;
  };
  const colon = pick([': ', ' ', ':', '.: ']);
  const nif = (party: SampleParty) => `${nifName}${colon}${bare(party)}`;
  const join = pick([', ', ' - ', ' · ', ' | ', '. ']);
  return {
    ...dice,
    bare,
    nif,
    nifName,
    day: pick<(iso: string) => string>([
      slashed,
      slashed,
      dashed,
      worded,
      (iso) => slashed(iso).replaceAll('/', '.'),
      (iso) => slashed(iso).replace(/20(\d\d)$/, '$1'),
    ]),
    oneLine: ({ street, town }) => `${street}${join}${town}`,
    block: ({ street, town }) => lines(street, town),
    register: pick([
      'Inscrita en el R.M. de Granada, Tomo 812, Folio 112, Hoja GR-14022, Inscripción 1ª',
      'Reg. Mercantil de Valencia, tomo 9812, libro 7094, folio 1, hoja V-155.312',
      'Insc. Reg. Merc. Barcelona, Vol. 44.012, Fol. 91, Full B-448.231',
    ]),
    table: linesOf(sample, dice, number, euro),
    totals: totalsOf(sample, dice, number, euro),
    brand: pick(BRANDS),
    contact: pick([
      'T. 958 12 33 44 · M. 600 10 20 30 · hola@ejemplo.es',
      'Telf.: 963 44 55 66   Fax: 963 44 55 67   www.ejemplo.es',
      '(+34) 93 210 33 21 | info@ejemplo.com | ejemplo.com',
      'Atención al cliente 900 112 233',
    ]),
    bank: pick([
      'Banco Santander, S.A. ES91 2100 0418 4502 0005 1332',
      'CaixaBank, S.A. · IBAN ES9121000418450200051332 · BIC CAIXESBBXXX',
      'Domiciliación en su cuenta de Banco Sabadell, S.A. ****1332',
    ]),
  };
}

function linesOf(
  { lines: list }: Sample,
  { pick, chance, int }: Dice,
  number: NumberStyle,
  euro: string,
): string {
  const isDiscounted = list.some(({ discount }) => discount > 0);
  const isMixed = new Set(list.map(({ rate }) => rate)).size > 1;
  const unit = chance(0.3) ? pick(['ud', 'h', 'UN', 'Uds']) : '';
  const decimals = pick([undefined, undefined, 2, 3]);
  const priceDecimals = pick([2, 2, 2, 3, 4]);
  type Column = readonly [string, (line: Sample['lines'][number], i: number) => string, boolean];
  const code: Column = [
    pick(['Código', 'Ref.', 'Art.', 'Referencia']),
    () => `${pick(['A', 'B', '', 'TX-'])}${int(1000, 99_999)}`,
    false,
  ];
  const text: Column = [
    pick([
      'Descripción',
      'Concepto',
      'Descripció / Descripción',
      'Artículo',
      'Item description',
      'DESCRIPCIÓN DEL SERVICIO',
    ]),
    ({ description }) => description,
    false,
  ];
  const quantity: Column = [
    pick(['Cant.', 'Cantidad', 'Uds.', 'Unid.', 'Qty', 'Quant.']),
    ({ quantity: many }) => number.plain(many, decimals) + (unit && chance(0.4) ? ` ${unit}` : ''),
    true,
  ];
  const unitColumn: Column = ['UM', () => unit, false];
  const price: Column = [
    pick(['Precio', 'Precio ud.', 'P.V.P.', 'Unit price', 'Preu', 'P. Unitario']),
    ({ priceCents }) => number.amount(priceCents, priceDecimals) + euro,
    true,
  ];
  const discount: Column = [
    pick(['Dto.', '%Dto', 'Dte.', '% Desc.']),
    ({ discount: off }) =>
      off ? number.plain(off, pick([undefined, 2])) + pick(['', '%', ' %']) : pick(['', '0', '-']),
    true,
  ];
  const rate: Column = [
    pick(['IVA', '%IVA', 'IVA %', 'Tipo']),
    ({ rate: per }) => `${per}${pick(['%', '', ' %'])}`,
    true,
  ];
  const net: Column = [
    pick(['Importe', 'Total', 'Neto', 'Amount', 'Import', 'SUBTOTAL']),
    ({ totalCents }) => number.amount(totalCents) + euro,
    true,
  ];
  const off = isDiscounted ? [discount] : [];
  const per = isMixed || chance(0.5) ? [rate] : [];
  const units = unit ? [unitColumn] : [];
  const codes = chance(0.5) ? [code] : [];
  const columns = pick<readonly Column[]>([
    [...codes, text, quantity, ...units, price, ...off, ...per, net],
    [...codes, text, ...per, quantity, price, ...off, net],
    [quantity, ...units, ...codes, text, price, ...off, net, ...per],
    [...codes, quantity, text, ...per, price, ...off, net],
    [...codes, text, price, quantity, ...off, ...per, net],
    [text, quantity, price, ...off, net, ...per],
  ]);
  const style = pick([
    '',
    '',
    'border-bottom: 1px solid #ccc',
    'border: 1px solid #333',
    'border-left: 1px solid #777; border-right: 1px solid #777',
    'border-bottom: 1px dotted #888',
  ]);
  const narrow = pick(['', '', 'width: 52mm', 'width: 40mm']);
  const under = chance(0.15) ? 'Lote: L26-041' : '';
  const css = `<style>.lines td, .lines th { ${style}; padding: ${pick(['1px 3px', '2px 4px', '5px 6px'])} } .lines .t { ${narrow} }
    ${chance(0.35) ? '.lines tr:nth-child(even) { background: #e6e6e6 }' : ''}</style>`;
  const row = (tag: string, texts: readonly string[], name = '') =>
    `<tr class="${name}">${texts.map((one, i) => `<${tag} class="${columns[i] === text ? 't' : columns[i]?.[2] ? 'f' : ''}">${one}${tag === 'td' && columns[i] === text && under ? `<br><i>${under}</i>` : ''}</${tag}>`).join('')}</tr>`;
  return `${css}<table class="lines">${row(
    'th',
    columns.map(([name]) => name),
    pick(['', '', 'dark', 'band', 'caps']),
  )}${list
    .map((line, i) =>
      row(
        'td',
        columns.map(([, say]) => say(line, i)),
      ),
    )
    .join('')}</table>`;
}

type Sheet = (sample: Sample, tools: Tools) => { readonly body: string; readonly css?: string };

const SHEETS: readonly Sheet[] = [
  /** Odoo's: the client alone at the right, what and when in columns, the firm at the foot. */
  (s, t) => ({
    body: `<div class="two"><div><span class="big">${t.brand}</span><br>${lines(s.issuer.name, s.issuer.street, s.issuer.town, 'España')}</div></div>
      <div style="margin-left: 105mm">${lines(s.client.name, s.client.street, s.client.town, 'España', t.nif(s.client))}</div>
      <h2>Factura ${s.number}</h2>${corrects(s)}<div class="two three"><div><b>Fecha de factura:</b><br>${t.day(s.date)}</div><div><b>Fecha de vencimiento:</b><br>${slashed(s.dueDate)}</div><div><b>Origen:</b><br>S00412</div></div>
      ${t.table}<br>${t.totals}<p>Plazos de pago: 30 días</p><p class="foot small c">${t.contact} ${t.nif(s.issuer)}</p>`,
  }),
  /** A letterhead with branches, each with its address; the client in a frame without a name. */
  (s, t) => ({
    body: `<div class="two"><div><b style="font-size: 14pt">${s.issuer.name}</b><br><span class="small">${t.oneLine(s.issuer)} · ${t.nif(s.issuer)}</span></div>
      <div class="small right">${lines('Delegaciones:', 'Madrid: C/ Alcalá, 412, 28027 Madrid', 'Bilbao: Gran Vía, 9, 48001 Bilbao', 'Sevilla: Avda. de la Raza, 2, 41012 Sevilla')}</div></div>
      <div class="two"><div>${grid([
        ['FACTURA', s.number],
        ['FECHA', t.day(s.date)],
        ['SU PEDIDO', '4500128831'],
        ['CLIENTE', '001187'],
      ])}</div>
      <div class="box" style="width: 85mm">${lines(s.client.name, s.client.street, s.client.town, t.nif(s.client))}</div></div>${corrects(s)}${t.table}<br>${t.totals}<p>${t.bank}</p><p class="foot small">${t.register}</p>`,
  }),
  /** A law firm: its partners down the margin. */
  (s, t) => ({
    css: '.side { width: 42mm; flex: none; font-size: 6.5pt; color: #444 } .sheet { display: flex; gap: 7mm }',
    body: `<div class="c"><span class="big">${t.brand}</span><br><span class="small">ABOGADOS Y ECONOMISTAS</span></div><div class="sheet"><div class="side">${lines('SOCIOS', 'Carlos Ibáñez Soto', 'Elena Prats Muñoz', 'Andrés Cano Ruiz', '&nbsp;', 'OF COUNSEL', 'José Mª Lillo Peris', '&nbsp;', s.issuer.name, t.nif(s.issuer), s.issuer.street, s.issuer.town)}</div>
      <div style="flex: 1"><p class="right">${worded(s.date)}</p><p>${lines(s.client.name, s.client.street, s.client.town, t.nif(s.client))}</p><p>${t.pick(['Factura núm.', 'FACTURA Nº', 'Minuta nº'])} ${s.number}</p>${corrects(s)}${t.table}<br>${t.totals}<p class="small">${t.bank}</p></div></div>`,
  }),
  /** A garage's carbon sheet: labels in small letters over what is filled in. */
  (s, t) => {
    const cell = (name: string, value: string, span = 1) =>
      `<td colspan="${span}" style="border: 1px solid #333"><span style="font-size: 6pt">${name}</span><br>${value}</td>`;
    return {
      body: `<div class="two"><div><b style="font-size: 15pt">${s.issuer.name}</b><br>${t.oneLine(s.issuer)}<br>${t.nif(s.issuer)} ${t.contact}</div></div>
        <table><tr>${cell('Cliente', s.client.name, 2)}${cell(t.nifName, t.bare(s.client))}</tr><tr>${cell('Domicilio', s.client.street, 2)}${cell('C.P. y población', s.client.town)}</tr>
        <tr>${cell('Matrícula', '4512 LKM')}${cell('Nº factura', s.number)}${cell('Fecha', t.day(s.date))}</tr></table>${corrects(s)}<br>${t.table}<br>${t.totals}<p class="small">${t.register}</p>`,
    };
  },
  /** A web shop's: two addresses, that of delivery first, of somebody else. */
  (s, t) => ({
    body: `<div class="two"><div class="big">${t.brand}</div><div class="right"><b>FACTURA</b><br>${t.day(s.date)}<br>#${s.number}</div></div>
      <div class="two three"><div><b>${t.pick(['Dirección de entrega', 'Enviar a:', 'Dirección de envío'])}</b><br>${lines('Laura Gómez Sanz', 'C/ Olmo, 3, bajo', '28012 Madrid', 'España', '600 123 123')}</div>
      <div><b>${t.pick(['Dirección de facturación', 'Facturar a:', 'Datos de facturación'])}</b><br>${lines(s.client.name, s.client.street, s.client.town, 'España', t.bare(s.client))}</div></div>
      ${grid(
        [
          ['Número de factura', 'Fecha de la factura', 'Ref. de pedido', 'Fecha de pedido'],
          [s.number, t.day(s.date), 'XKBKNABJK', slashed(s.date)],
        ],
        '',
      )}${corrects(s)}<br>${t.table}<br>${t.totals}
      <p class="small c">${lines(`${s.issuer.name} - ${t.oneLine(s.issuer)}`, `${t.nif(s.issuer)} - Para más ayuda, contacte con el soporte: Tel. 960 11 22 33`)}</p>`,
  }),
  /** All of the firm at the foot in three columns; on top only a mark and the client under a rule. */
  (s, t) => ({
    body: `<div class="big">${t.brand}</div><hr><div class="two"><div>${lines('<b>Facturado a</b>', s.client.name, t.nif(s.client), s.client.street, s.client.town)}</div><div class="right">${lines(`Factura ${s.number}`, `Emitida el ${t.day(s.date)}`, `Vence el ${slashed(s.dueDate)}`)}</div></div>${corrects(s)}
      ${t.table}<br>${t.totals}<div class="foot small"><div class="two three"><div>${lines(s.issuer.name, t.nif(s.issuer))}</div><div>${lines(s.issuer.street, s.issuer.town)}</div><div>${t.bank}</div></div></div>`,
  }),
  /** FacturaPlus and its like: a dotted grid, the client's NIF in a strip, what is due at the foot. */
  (s, t) => ({
    body: `<div class="two"><div>${lines(`<b>${s.issuer.name}</b>`, s.issuer.street, s.issuer.town, `${t.nif(s.issuer)}`, 'Tel: 958 12 33 44')}</div><div class="box" style="width: 80mm">${lines(s.client.name, 'A/A Dpto. Contabilidad', s.client.street, s.client.town)}</div></div>
      ${grid(
        [
          ['FACTURA', 'FECHA', 'CLIENTE', t.nifName, 'FORMA DE PAGO'],
          [s.number, t.day(s.date), '43000112', t.bare(s.client), 'RECIBO 30 DÍAS'],
        ],
        'box',
      )}${corrects(s)}<br>${t.table}<br>${t.totals}<p>VENCIMIENTOS: ${slashed(s.dueDate)}</p><p class="small">${t.register}</p>`,
  }),
  /** Security or cleaning: the service has a place of its own; who pays is somebody else. */
  (s, t) => ({
    body: `<div class="two"><div>${lines(`<b class="big">${t.brand}</b>`, s.issuer.name, t.oneLine(s.issuer), t.nif(s.issuer))}</div><div>${lines(`Nº de factura: ${s.number}`, `Fecha de emisión: ${t.day(s.date)}`)}</div></div>
      <div class="two three"><div class="box"><b>DATOS DEL SERVICIO</b><br>${lines('Centro comercial La Loma', 'Ctra. de Bailén, s/n', '23009 Jaén')}</div><div class="box"><b>DATOS FISCALES</b><br>${lines(s.client.name, t.nif(s.client), s.client.street, s.client.town)}</div></div>${corrects(s)}${t.table}<br>${t.totals}<p class="small">Empresa asegurada en Mapfre España, S.A., póliza 0552012345. Certificada por Bureau Veritas Iberia, S.L.</p><p class="foot small">${t.register}</p>`,
  }),
  /** Catalan and English beside each other. */
  (s, t) => ({
    body: `<div class="two"><div>${lines(`<b>${s.issuer.name}</b>`, `${s.issuer.street}`, s.issuer.town, `NIF ${t.bare(s.issuer)}`)}</div><h2>FACTURA / INVOICE</h2></div>
      <div class="two"><div>${lines('<i>Facturar a / Invoice to</i>', s.client.name, s.client.street, s.client.town, `NIF / VAT no.: ${t.bare(s.client)}`)}</div>${grid(
        [
          ['Núm. factura / Invoice no.', s.number],
          ['Data / Date', t.day(s.date)],
          ['Venciment / Due date', slashed(s.dueDate)],
          ['Contacte / Contact', 'Jordi Mas'],
        ],
      )}</div>${corrects(s)}${t.table}<br>${t.totals}<p class="small">${t.register}</p>`,
  }),
  /** Everything said of the firm in the heading, in two columns on both sides of its mark. */
  (s, t) => ({
    body: `<div class="two three small"><div>${lines(s.issuer.name, t.nif(s.issuer))}</div><div class="c big">${t.brand}</div><div class="right">${lines(s.issuer.street, s.issuer.town, '958 12 33 44')}</div></div><hr>
      <div class="two"><div><b>FACTURA ${s.number}</b><br>${t.day(s.date)}</div><div>${lines(t.pick(['CLIENTE', 'Sres.', 'Destinatario']), s.client.name, `${t.bare(s.client)}`, t.oneLine(s.client))}</div></div>${corrects(s)}${t.table}<br>${t.totals}<p>${t.bank}</p>`,
  }),
  /** A distributor's: two frames that look alike, each headed by a dark band. */
  (s, t) => {
    const frame = (name: string, party: SampleParty, more = '') =>
      `<div class="box" style="padding: 0"><div class="dark" style="padding: 1mm 2mm">${name}</div><div style="padding: 2mm">${lines(party.name, party.street, party.town, t.nif(party), more)}</div></div>`;
    return {
      body: `<div class="c"><h2>FACTURA</h2></div><div class="two three">${frame(t.pick(['EMISOR', 'Datos del emisor', 'PROVEEDOR', 'Empresa']), s.issuer, 'admin@ejemplo.es')}${frame(t.pick(['RECEPTOR', 'Datos del cliente', 'CLIENTE']), s.client, 'compras@cliente.es')}</div>
      ${grid([[`Nº: ${s.number}`, `Fecha: ${t.day(s.date)}`, 'Hoja: 1/1']])}${corrects(s)}${t.table}<br>${t.totals}`,
    };
  },
  /** A self-employed person's plain page: the trade in big letters, the name in small ones, the client in a sentence. */
  (s, t) => ({
    body: `<p style="font-size: 16pt">${t.pick(['Reformas y pintura', 'Fisioterapia Aurea', 'Estudio de diseño', 'Fontanería 24 h'])}</p><p class="small">${s.issuer.name} · ${t.bare(s.issuer)} · ${t.oneLine(s.issuer)} · 600 111 222</p><br>
      <p>Factura n.º <b>${s.number}</b>, de ${worded(s.date)}</p><p>${t.pick(['Cliente:', 'Para:', 'A la atención de'])} ${s.client.name}, ${t.nif(s.client)}, ${s.client.street}, ${s.client.town}</p>${corrects(s)}${t.table}<br>${t.totals}<p>${t.bank}</p>`,
  }),
  /** A rental company's: codes over the address in its window, the contract beside. */
  (s, t) => ({
    body: `<div class="two"><div class="big">${t.brand}</div><div class="small right">${lines(s.issuer.name, t.oneLine(s.issuer), `${t.register}. ${t.nif(s.issuer)}`)}</div></div>
      <div class="two"><div style="padding-top: 12mm"><span style="font-size: 6pt">0004512-00118/3 P-1</span><br>${lines(s.client.name, 'ATT. PROVEEDORES', s.client.street, s.client.town)}</div>${grid(
        [
          ['Número de factura', s.number],
          ['Fecha de factura', t.day(s.date)],
          ['Contrato', '118-26-0041'],
          [`${t.nifName} del cliente`, t.bare(s.client)],
          ['Matrícula', '1187 MNB'],
          ['Modo de pago', 'Domiciliado'],
        ],
      )}</div>${corrects(s)}${t.table}<br>${t.totals}<p class="small">El importe se cargará en ${t.bank}</p>`,
  }),
  /** Lines without any rule, the firm's stamp at the foot, the client at the left under «Sr.». */
  (s, t) => ({
    body: `<p class="right">${t.day(s.date)}</p><p>FACTURA ${s.number}</p><p>Sr./Sra.:<br>${lines(s.client.name, `${s.client.street}`, `${s.client.town}`, `${t.nifName} ${t.bare(s.client)}`)}</p>${corrects(s)}<br>${t.table}<br>${t.totals}<br><br><div style="margin-left: 100mm; border: 2px solid #335; padding: 2mm; width: 60mm; text-align: center">${lines(`<b>${s.issuer.name}</b>`, s.issuer.street, s.issuer.town, `${t.nif(s.issuer)}`)}</div>`,
  }),
  /** Spreadsheet: both parties as rows of one grid with names at the left. */
  (s, t) => ({
    css: '.g td { border: 1px solid #999 }',
    body: `<b style="font-size: 13pt">${t.pick(['FACTURA DE VENTA', 'FACTURA'])}</b>${grid(
      [
        [
          '',
          t.pick(['Expedidor', 'Emisor', 'Empresa']),
          t.pick(['Destinatario', 'Cliente', 'Receptor']),
        ],
        [t.pick(['Nombre o razón social', 'Razón social', 'Nombre']), s.issuer.name, s.client.name],
        [t.nifName, t.bare(s.issuer), t.bare(s.client)],
        ['Domicilio', s.issuer.street, s.client.street],
        ['C.P. y localidad', s.issuer.town, s.client.town],
      ],
      'g',
    )}<br>${grid([['Número', s.number, 'Fecha', t.day(s.date)]], 'g auto')}${corrects(s)}<br>${t.table}<br>${t.totals}`,
  }),
  /** An installer's: name in the mark's letters, below it everything in one centred line each. */
  (s, t) => ({
    body: `<div class="c">${lines(`<span class="big">${s.issuer.name.replace(/,? S\..*$/, '')}</span>`, s.issuer.street, s.issuer.town, t.contact)}</div><hr><div class="two"><div>${lines('Factura nº', `<b>${s.number}</b>`, '&nbsp;', 'Fecha', `<b>${t.day(s.date)}</b>`)}</div><div style="width: 90mm">${lines('<b>Cliente</b>', s.client.name, s.client.street, s.client.town, t.nif(s.client), 'Contacto: Pilar Sáez')}</div></div>${corrects(s)}${t.table}<br>${t.totals}
      <p class="foot small c">${s.issuer.name} ${t.nif(s.issuer)} ${t.register}</p>`,
  }),
  /** A factoring notice over everything: the bank is nobody here. */
  (s, t) => ({
    body: `<div class="box small">Crédito cedido a Banco Bilbao Vizcaya Argentaria, S.A., NIF A48265169, a quien deberá pagarse esta factura.</div><br><div class="two"><div>${lines(`<b>${s.issuer.name}</b>`, t.nif(s.issuer), s.issuer.street, s.issuer.town)}</div><div>${lines('<b>Cliente</b>', s.client.name, t.nif(s.client), s.client.street, s.client.town)}</div></div>
      <div class="band">Factura ${s.number} &nbsp;&nbsp; Fecha ${t.day(s.date)}</div>${corrects(s)}<br>${t.table}<br>${t.totals}`,
  }),
  /** The client and the number at the left, the firm in a column down the right margin, in grey. */
  (s, t) => ({
    css: '.sheet { display: flex; gap: 6mm } .side { width: 38mm; flex: none; font-size: 7pt; color: #666; text-align: right; padding-top: 30mm }',
    body: `<div class="sheet"><div style="flex: 1"><h2>Factura</h2>${grid([
      ['Número', s.number],
      ['Fecha', t.day(s.date)],
    ])}<br>${lines(s.client.name, s.client.street, s.client.town, t.nif(s.client))}${corrects(s)}<br><br>${t.table}<br>${t.totals}</div><div class="side">${lines(`<b>${s.issuer.name}</b>`, s.issuer.street, s.issuer.town, '&nbsp;', t.nif(s.issuer), '&nbsp;', '958 12 33 44', 'www.ejemplo.es')}</div></div>`,
  }),
  /** A gas station's or a café's narrow slip, with who asked for the invoice at the foot. */
  (s, t) => ({
    css: 'body { width: 100mm } ',
    body: `<div class="c">${lines(`<b>${t.brand}</b>`, s.issuer.name, t.nif(s.issuer), s.issuer.street, s.issuer.town, 'Tfno. 958 12 33 44')}</div><br>${lines(`FACTURA: ${s.number}`, `Fecha: ${t.day(s.date)} 14:22`, 'Le atendió: Marta')}${corrects(s)}${t.table}${t.totals}<br>${lines('DATOS CLIENTE', s.client.name, t.bare(s.client), s.client.street, s.client.town)}<p class="c">GRACIAS POR SU VISITA</p>`,
  }),
  /** A publicity agency's: who is advertised, the agency that pays, who issues in a band. */
  (s, t) => ({
    body: `<div class="dark" style="padding: 3mm"><b>${s.issuer.name}</b><br><span class="small">${t.oneLine(s.issuer)} · ${t.nif(s.issuer)}</span></div><br><div class="two"><div>${lines('FACTURAR A', `<b>${s.client.name}</b>`, s.client.street, s.client.town, t.nif(s.client))}</div><div>${lines('ANUNCIANTE', 'Turrones La Fama, S.A.', 'Campaña: Navidad 2026', 'Medio: Radio')}</div><div>${lines(`FACTURA ${s.number}`, `FECHA ${t.day(s.date)}`)}</div></div>${corrects(s)}${t.table}<br>${t.totals}<p class="small">${t.bank}</p>`,
  }),
  /** The law's paragraph on data at the foot names the firm again; the heading has its shop's name. */
  (s, t) => ({
    body: `<div class="two"><div><span class="big">${t.brand}</span><br><span class="small">${s.issuer.street} · ${s.issuer.town}</span></div><div>${lines('Factura', s.number, t.day(s.date))}</div></div><p>${lines(`Nombre: ${s.client.name}`, `Dirección: ${s.client.street}`, `Población: ${s.client.town}`, `${t.nif(s.client)}`)}</p>${corrects(s)}${t.table}<br>${t.totals}<p class="small">De conformidad con el Reglamento (UE) 2016/679 le informamos de que sus datos son tratados por ${s.issuer.name}, con ${t.nifName} ${t.bare(s.issuer)}, como responsable, con la finalidad de gestionar la facturación. Puede ejercer sus derechos en ${t.oneLine(s.issuer)}.</p>`,
  }),
  /** Two frames side by side, goods and invoice, the same client in both; the firm above in capitals. */
  (s, t) => ({
    body: `<b class="caps" style="font-size: 12pt">${s.issuer.name}</b><br><span class="small">${t.oneLine(s.issuer)} ${t.contact} ${t.nif(s.issuer)}</span><br><br><div class="two three"><div class="box"><u>Dirección de envío</u><br>${lines(s.client.name, 'Almacén 2 - Pol. Sur, parcela 9', '03006 Alicante')}</div><div class="box"><u>Dirección fiscal</u><br>${lines(s.client.name, s.client.street, s.client.town, t.nif(s.client))}</div></div>${grid(
      [
        ['Factura', 'Fecha', 'Albarán', 'Agente'],
        [s.number, t.day(s.date), '26/4412', 'J. Robles'],
      ],
      'box',
    )}${corrects(s)}<br>${t.table}<br>${t.totals}`,
  }),
  /** A property manager's: who owns, who lives there, through whom. */
  (s, t) => ({
    body: `<div class="two"><div>${lines('<b>ARRENDADOR</b>', s.issuer.name, t.nif(s.issuer), s.issuer.street, s.issuer.town)}</div><div>${lines('<b>ARRENDATARIO</b>', s.client.name, t.nif(s.client), s.client.street, s.client.town)}</div></div><p class="small">Administra: Fincas Galdós, S.L. · C/ Serrano, 8, 28001 Madrid · Tel. 910 00 11 22</p><p>Recibo-factura nº ${s.number} &nbsp; Fecha: ${t.day(s.date)}</p>${corrects(s)}${t.table}<br>${t.totals}`,
  }),
  /** Names and values in two columns of a frame, the labels aligned right and in grey. */
  (s, t) => ({
    css: '.k td:first-child { color: #777; text-align: right; font-size: 90% }',
    body: `<div class="two"><div>${grid(
      [
        ['De', s.issuer.name],
        [t.nifName, t.bare(s.issuer)],
        ['Dirección', s.issuer.street],
        ['', s.issuer.town],
        ['Email', 'hola@ejemplo.es'],
      ],
      'auto k',
    )}</div><div>${grid(
      [
        ['Para', s.client.name],
        [t.nifName, t.bare(s.client)],
        ['Dirección', s.client.street],
        ['', s.client.town],
        ['Email', 'pagos@cliente.es'],
      ],
      'auto k',
    )}</div></div>${grid(
      [
        ['Factura', s.number],
        ['Fecha', t.day(s.date)],
      ],
      'auto k',
    )}${corrects(s)}${t.table}<br>${t.totals}`,
  }),
];
