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

/**
 * Whole sheets as those who send them print them: the light, a gestoría, a hotel, a carrier, a shop, software
 * by the month, somebody alone with Word. What sets them apart from `random-heads.ts` is what stands between
 * and around the parties: registered data at the foot or up the margin, a holder and a place of supply, a side
 * strip, headings printed white on black, data in one line. As there, even seeds are for looking at and odd
 * ones only for totals.
 */

const COMPANIES = [
  'Talleres Hnos. Berrocal, S.L.',
  'Suministros Eléctricos Levante 2010 S.L.',
  'GRUPO ALIMENTARIO CASTRO-URDIALES SA',
  'Bodegas y Viñedos Arlanza, S. Coop.',
  'Lázaro & Mesa Abogados, S.L.P.',
  'Transportes Frigoríficos Pascual e Hijos, S.L.U.',
  'Nubeware Technologies, S.L.',
  'Energía Clara Comercializadora, S.A.U.',
  'Clínica Veterinaria Can Roure, S.C.P.',
  'Explotaciones Hoteleras Puerto Chico, S.A.',
  'ASESORÍA GÓMEZ-PINTADO, S.L.',
  'Herederos de Ramón Ulecia, C.B.',
  'El Rincón de Pepa, S.L.',
  'Imprenta 3 Letras, S.L.L.',
  'Taller 21, S.L.',
  'Frutas del Segre, S.A.T.',
  'Iberplaca Sociedad Limitada',
  'A. García Logística, S.L.',
  'Fundación Amigos del Prado',
  'Red Móvil Ibérica, S.A. Unipersonal',
];
const PEOPLE = [
  'Ana Belén Tejedor Ruano',
  'José Mª Pérez-Llorca Rodríguez',
  'Miren Arrizabalaga Etxaniz',
  'Xoán Figueiras Lema',
  'Mohamed El Amrani',
  'Laia Puig i Cadafalch',
  'Ángel de la Torre y Díaz',
  'Francisco J. Ortega Sanz',
  'ROSA MARÍA BENÍTEZ OLMO',
  'Íñigo Sáenz de Buruaga',
];
/** Who works alone may do it under another name. */
const ALONE = [
  'Fontanería Robledo',
  'Elena Vidal-Quadras, abogada',
  'Pinturas y Decoración Hnos. Mora',
  'Taller Mecánico El Cruce',
  'Quiroga Sanz, María Elena',
  'Librería La Luna',
];
const POOL: Pool = {
  names: COMPANIES,
  streets: [
    'C/ Ramón y Cajal, 14, bajo A',
    'Avda. del Mediterráneo nº 88',
    'Mercamurcia, puestos 12-14',
    'Edificio Azul, planta 3ª, of. 12',
    'Barrio de la Estación, s/n',
    "Carrer d'Aragó, 255, 2n 1a",
    'Pza. Mayor 1',
    'Autovía A-3, salida 112',
    'Rambla de Catalunya, 12 ático',
    'Alameda de Colón 15',
    'Pº de la Castellana, 200 - 4ª planta',
    'Callejón del Gato, 9',
    'Parque Tecnológico, calle 2, nave 7B',
    'Doctor Fleming 33',
    'San Bernardo, 122 1º izq.',
    'C.C. Las Dunas, local 24',
    'Ctra. N-II km 459',
  ],
  towns: [
    '28020 Madrid',
    '03201 Elche (Alicante)',
    '46988 Paterna - Valencia',
    '08940 Cornellà de Llobregat',
    '20018 Donostia-San Sebastián',
    '47012 Valladolid',
    '28931 Móstoles, Madrid',
    '07800 Eivissa',
    '30001 Murcia',
    '15401 Ferrol (A Coruña)',
    '41013 Sevilla',
    '35007 Las Palmas de Gran Canaria',
    '33203 Gijón (Asturias)',
  ],
  things: [
    'Alojamiento habitación doble',
    'Porte Burgos - Getafe, 12 palés',
    'Licencia mensual por usuario',
    'Nóminas y seguros sociales del mes',
    'Redacción de demanda',
    'Cambio de aceite y filtro',
    'Tomate pera cat. I',
    'Consumo de energía punta',
    'Limpieza de oficinas',
    'Queso curado 3 kg',
    'Tarjetas de visita 350 g (500 uds.)',
    'Montaje de mampara',
    'Sesión de fisioterapia',
    'Auriculares inalámbricos BT-20',
    'Cuota colegial segundo semestre',
    'Solado de gres porcelánico 60x60',
  ],
  numbers: [
    'FE26/00317',
    '2026/A/118',
    'PMR26-0004417',
    '26-1187',
    'F000482',
    'INV-3F21A7-0009',
    'ES-2026-0091822',
    '0412/2026',
    'H/26/2209',
    'T26.00931',
  ],
};
const BRANDS = ['kalia', 'LUMINA', 'Hotel Bahía ***', 'Ofitodo.es', 'TRANSVÍA', 'La Huerta de Ana'];
const TRADES = [
  'Asesoría fiscal, laboral y contable',
  'Reparación del automóvil',
  'Instalaciones eléctricas y climatización',
  'Distribución de frutas y verduras',
  'Estudio de arquitectura',
  'Transporte nacional e internacional',
  'Diseño gráfico y comunicación',
  'Administración de fincas',
];

/** A sample of that story as one of those sheets of that seed. */
export function randomPaper(seed: number): RandomInvoice {
  const dice = diceOf(seed * 8_191 + 41);
  const { pick, chance } = dice;
  const story = storyOf(seed);
  const isAlone = chance(0.35);
  const pool = isAlone ? { ...POOL, issuers: { names: PEOPLE, arePeople: true } } : POOL;
  const drawn = sampleOf(seed + 30_000, story, { pool });
  const isEntity = ({ nif }: SampleParty) => /^[A-Z]/.test(nif);
  const issuer = { ...drawn.issuer, name: pick(isAlone ? [...PEOPLE, ...ALONE] : COMPANIES) };
  const others = (isEntity(drawn.client) ? COMPANIES : PEOPLE).filter((one) => one !== issuer.name);
  const sample: Sample = { ...drawn, issuer, client: { ...drawn.client, name: pick(others) } };
  const number = numberStyle(dice);
  const euro = pick(['', ' €', '€', ' EUR']);
  const tools = paperTools(sample, dice, number, euro);
  const { css = '', body } = pick(PAPERS)(sample, tools);
  const font = pick(["'Liberation Sans'", "'DejaVu Sans'", "'Liberation Serif'"]);
  const html = sheetOf(
    `body { font-family: ${font}; font-size: ${pick([8, 9, 9.5, 10.5])}pt }
     ${SHEET_CSS} .foot { text-align: ${pick(['center', 'left'])} } ${css} ${chance(0.3) ? 'body { letter-spacing: 0.2px }' : ''}`,
    body,
  );
  return { sample, html };
}

/** What the sheets' classes look like. */
export const SHEET_CSS = `.two { display: flex; justify-content: space-between; gap: 8mm; margin-bottom: 5mm }
     .box { border: 1px solid #555; padding: 2mm 3mm } .small { font-size: 6.5pt } .big { font-size: 19pt }
     .grey { color: #666 } .right { text-align: right } .f { text-align: right; white-space: nowrap }
     .auto { width: auto } .totals { width: auto; margin-left: auto } .totals td { text-align: right }
     .dark { background: #223; color: #fff } .band { background: #e4e7ec; padding: 2mm }
     .foot { position: fixed; bottom: 0; left: 0; right: 0; }
     .margin { position: fixed; left: 0; top: 60mm; writing-mode: vertical-rl; transform: rotate(180deg); font-size: 6pt; white-space: nowrap }
     p { margin: 1.5mm 0 }`;

export interface PaperTools extends Dice {
  /** A NIF as it is written here, and with its name. */
  readonly bare: (party: SampleParty) => string;
  readonly nif: (party: SampleParty) => string;
  readonly nifName: string;
  readonly day: (iso: string) => string;
  /** Street and town in one line. */
  readonly oneLine: (party: SampleParty) => string;
  /** Registered data in one line: the law's, at the foot or up the margin. */
  readonly registered: string;
  readonly table: string;
  readonly totals: string;
  readonly brand: string;
  readonly trade: string;
  readonly contact: string;
}

export function paperTools(
  sample: Sample,
  dice: Dice,
  number: NumberStyle,
  euro: string,
): PaperTools {
  const { pick } = dice;
  const { issuer } = sample;
  const nifName = pick(['NIF', 'CIF', 'N.I.F.', 'C.I.F.', 'NIF/CIF', 'CIF/NIF', 'NIF-IVA']);
  const colon = pick([': ', ' ', ':', '. ']);
  const style = pick(['plain', 'plain', 'plain', 'dash', 'ES', 'dots']);
  const bare = ({ nif }: SampleParty) => {
    const isEntity = /^[A-Z]/.test(nif);
    if (style === 'dash')
      return isEntity ? `${nif[0]}-${nif.slice(1)}` : `${nif.slice(0, 8)}-${nif[8]}`;
    if (style === 'dots')
      return isEntity
        ? `${nif[0]}-${nif.slice(1, 3)}.${nif.slice(3, 6)}.${nif.slice(6)}`
        : `${nif.slice(0, 2)}.${nif.slice(2, 5)}.${nif.slice(5, 8)}-${nif[8]}`;
    return style === 'ES' ? `ES${nif}` : nif;
  };
  const nif = (party: SampleParty) => `${nifName}${colon}${bare(party)}`;
  const join = pick([', ', ' - ', '. ', ' · ', ', ']);
  const oneLine = ({ street, town }: SampleParty) => `${street}${join}${town}`;
  const register = pick([
    'Inscrita en el Registro Mercantil de Madrid, T. 12.345, F. 67, S. 8, H. M-234567, Insc. 1ª',
    'R.M. Valencia, Tomo 4512, Libro 1820, Folio 93, Hoja V-22341',
    'Reg. Merc. de Murcia T-1812 F-44 H-MU-31882',
  ]);
  const isAlone = /^\d/.test(issuer.nif);
  const registered = pick(
    isAlone
      ? [
          `${issuer.name} - ${nif(issuer)} - ${oneLine(issuer)}`,
          `${issuer.name} · ${oneLine(issuer)} · ${nif(issuer)}`,
          `Titular: ${issuer.name}. ${nif(issuer)}. ${oneLine(issuer)}`,
        ]
      : [
          `${issuer.name}. ${register}. ${nif(issuer)}. Domicilio social: ${oneLine(issuer)}`,
          `${issuer.name} · ${nif(issuer)} · ${oneLine(issuer)} · ${register}`,
          `${issuer.name} - ${oneLine(issuer)} - ${nif(issuer)}`,
          `${issuer.name}, ${nif(issuer)}, ${oneLine(issuer)}. ${register}.`,
          `${register} - ${issuer.name} - ${nif(issuer)}`,
        ],
  );
  const shortMonth = (iso: string) => worded(iso).replace(/ de (...)\p{L}* de /u, '-$1-');
  const day = pick<(iso: string) => string>([
    slashed,
    slashed,
    dashed,
    worded,
    (iso) => slashed(iso).replaceAll('/', '.'),
    (iso) => slashed(iso).replace(/20(\d\d)$/, '$1'),
    (iso) =>
      dashed(iso)
        .replace(/-20(\d\d)$/, '.$1')
        .replace('-', '.'),
    (iso) => iso,
    shortMonth,
    (iso) => worded(iso).replace(/ de (\p{L}+) de /u, ' $1 '),
    (iso) => slashed(iso).split('/').map(Number).join('/'),
    (iso) => slashed(iso).replaceAll('/', ' / '),
  ]);
  return {
    ...dice,
    bare,
    nif,
    nifName,
    day,
    oneLine,
    registered,
    table: linesOf(sample, dice, number, euro),
    totals: totalsOf(sample, dice, number, euro),
    brand: pick(BRANDS),
    trade: pick(TRADES),
    contact: pick([
      'Tel. 968 112 233 · administracion@ejemplo.es',
      'Tfno. 91 555 12 34 - Fax 91 555 12 35',
      'www.ejemplo.com',
      'M. 655 010 203',
      '✆ 600 12 34 56 ✉ hola@ejemplo.es',
    ]),
  };
}

/** The lines, as offices print them: grids, stripes, headings white on black. */
function linesOf(
  { lines }: Sample,
  { pick, chance, int }: Dice,
  number: NumberStyle,
  euro: string,
) {
  const isDiscounted = lines.some(({ discount }) => discount > 0);
  const isMixed = new Set(lines.map(({ rate }) => rate)).size > 1;
  const code = pick(['', '', 'Código', 'Ref.']);
  const quantityFirst = chance(0.3);
  const quantity = pick(['Cant.', 'Uds.', 'Cantidad', 'Unidades']);
  const hasRate = isMixed || chance(0.4);
  const heads = [
    ...(code ? [code] : []),
    ...(quantityFirst ? [quantity] : []),
    pick(['Descripción', 'Concepto', 'Detalle', 'Producto o servicio']),
    ...(quantityFirst ? [] : [quantity]),
    pick(['Precio', 'Precio unitario', 'P. unit.', 'Tarifa']),
    ...(isDiscounted ? [pick(['Dto. %', '% Dto.', 'Dto.'])] : []),
    ...(hasRate ? [pick(['IVA', '% IVA'])] : []),
    pick(['Importe', 'Total', 'Neto', 'Subtotal']),
  ];
  const at = heads.findIndex((head) => /^(Desc|Conc|Det|Prod)/.test(head));
  const rows = lines.map((line) => [
    ...(code ? [String(int(1000, 99_999))] : []),
    ...(quantityFirst ? [number.plain(line.quantity, 2)] : []),
    line.description,
    ...(quantityFirst ? [] : [number.plain(line.quantity)]),
    number.amount(line.priceCents) + euro,
    ...(isDiscounted ? [line.discount ? `${number.plain(line.discount)}%` : ''] : []),
    ...(hasRate ? [`${line.rate}%`] : []),
    number.amount(line.totalCents) + euro,
  ]);
  const row = (tag: string, texts: readonly string[], name = '') =>
    `<tr class="${name}">${texts.map((text, i) => `<${tag} class="${i === at || (code && i === 0) ? '' : 'f'}">${text}</${tag}>`).join('')}</tr>`;
  const style = pick([
    'border: 1px solid #444',
    'border-bottom: 1px solid #bbb',
    '',
    'border-left: 1px solid #777; border-right: 1px solid #777',
  ]);
  const stripe = chance(0.3);
  const css = `<style>.lines td, .lines th { ${style}; padding: ${pick(['2px 4px', '4px 6px', '7px 8px'])} } ${stripe ? '.lines tr:nth-child(even) { background: #e9edf2 }' : ''}</style>`;
  return `${css}<table class="lines">${row('th', heads, pick(['', '', 'dark', 'band']))}${rows.map((texts) => row('td', texts)).join('')}</table>`;
}

export const lines = (...texts: readonly (string | false)[]) => texts.filter(Boolean).join('<br>');
export const grid = (pairs: readonly (readonly string[])[], name = 'auto') =>
  `<table class="${name}">${pairs.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')}</table>`;
export const corrects = ({ rectifies }: Sample) =>
  rectifies ? `<p>Factura rectificativa. Rectifica a la factura ${rectifies}</p>` : '';

type Paper = (
  sample: Sample,
  tools: PaperTools,
) => { readonly body: string; readonly css?: string };

const PAPERS: readonly Paper[] = [
  /** Light: a mark, the holder and where it is supplied, an envelope's window, the law at the foot. */
  (sample, t) => {
    const { client, number, date } = sample;
    const supply = t.pick(['C/ del Contador, 8, 28045 Madrid', t.oneLine(client)]);
    return {
      body: `<div class="two"><div class="big">${t.brand}</div><div class="box small">${lines(
        '<b>DATOS DE LA FACTURA</b>',
        `${t.pick(['Nº factura', 'Número de factura', 'Factura nº'])}: ${number}`,
        `${t.pick(['Fecha de emisión', 'Fecha factura', 'Fecha emisión factura'])}: ${t.day(date)}`,
        `Periodo de facturación: ${slashed('2026-01-01')} a ${slashed('2026-01-31')}`,
        `Fecha de cargo: ${slashed(sample.dueDate)}`,
      )}</div></div>
      <div style="margin: 4mm 0 8mm ${t.pick(['95mm', '0'])}">${lines(client.name, client.street, client.town)}</div>
      <div class="box">${lines(
        '<b>DATOS DEL CONTRATO</b>',
        `Titular: ${client.name}`,
        `${t.nifName} titular: ${t.bare(client)}`,
        `Dirección de suministro: ${supply}`,
        'CUPS: ES0021000012345678AB',
        'Referencia del contrato: 200118834',
      )}</div>${corrects(sample)}<br>${t.table}<br>${t.totals}<p class="foot small">${t.registered}</p>`,
    };
  },
  /** A telephone company's: everything by the month, its law up the margin. */
  (sample, t) => {
    const { issuer, client, number, date } = sample;
    return {
      css: 'body { padding-left: 7mm }',
      body: `<p class="margin">${t.registered}</p><div class="two"><div>${lines(
        `<b class="big">${t.brand}</b>`,
        t.chance(0.5) && issuer.name,
        t.chance(0.5) && t.nif(issuer),
      )}</div><div class="right">${lines(client.name, client.street, client.town)}</div></div>
      ${grid([
        ['Factura', number],
        [t.pick(['Fecha de emisión', 'Fecha de factura', 'Emitida el']), t.day(date)],
        ['Periodo', 'del 01/01/2026 al 31/01/2026'],
        [`${t.nifName} cliente`, t.bare(client)],
        ['Línea', '600 123 456'],
      ])}${corrects(sample)}<br>${t.table}<br>${t.totals}`,
    };
  },
  /** A gestoría's: a heading in the middle, and a form with its rules. */
  (sample, t) => {
    const { issuer, client, number, date } = sample;
    return {
      body: `<div style="text-align: center">${lines(`<b class="big">${issuer.name}</b>`, t.trade, 'Colegiado nº 4.518 · Graduado Social', t.oneLine(issuer), `${t.contact} · ${t.nif(issuer)}`)}</div>
      <hr>${grid(
        [
          [t.pick(['MINUTA Nº', 'FACTURA Nº', 'Factura']), number, 'FECHA', t.day(date)],
          ['CLIENTE', client.name, t.nifName, t.bare(client)],
          ['DOMICILIO', client.street, 'POBLACIÓN', client.town],
          ['CÓDIGO', '0412', 'EXPEDIENTE', '26/118'],
        ],
        t.pick(['', 'auto']),
      )}${corrects(sample)}<br>${t.table}<br>${t.totals}`,
      css: t.pick(['', 'table.auto td { border: 1px solid #999 }']),
    };
  },
  /** A lawyer's letter. */
  (sample, t) => {
    const { issuer, client, number, date } = sample;
    const city = issuer.town.replace(/^\d+ /, '').replace(/[ ,(-]+.*/, '');
    return {
      body: `<div class="${t.pick(['', 'right'])}">${lines(issuer.name, t.oneLine(issuer), t.nif(issuer), t.contact)}</div><br>
      <p>${lines(t.pick(['Sr. D.', 'A la atención de:', 'Att.', '']), client.name, t.oneLine(client), t.nif(client))}</p>
      <p class="${t.pick(['right', ''])}">${t.pick([`En ${city}, a ${worded(date)}`, `${city}, ${worded(date)}`, `${city} a ${worded(date)}.`, `En ${city} a ${worded(date).replace(/de (\d{4})/, 'del $1')}`])}</p>
      <p><b>${t.pick(['FACTURA', 'MINUTA', 'Factura', 'FACTURA DE HONORARIOS'])} ${t.pick(['', 'Nº ', 'núm. '])}${number}</b></p>
      <p>Asunto: Procedimiento ordinario 218/2025 (J.P.I. nº 3)</p>${corrects(sample)}${t.table}<br>${t.totals}
      <p>Forma de pago: transferencia a ES91 2100 0418 4502 0005 1332</p>`,
    };
  },
  /** Software by the month: two columns, English here and there. */
  (sample, t) => {
    const { issuer, client, number, date } = sample;
    const who = (one: SampleParty) => lines(one.name, one.street, one.town, 'España', t.nif(one));
    return {
      body: `<div class="two"><h1>${t.pick(['Factura', 'Invoice', 'Factura / Invoice'])}</h1><b class="grey">${t.brand}</b></div>
      ${grid([
        [t.pick(['Número de factura', 'Invoice number', 'Nº de factura']), number],
        [t.pick(['Fecha de emisión', 'Fecha de la factura', 'Date of issue']), t.day(date)],
        [t.pick(['Fecha de vencimiento', 'Vence el', 'Date due']), t.day(sample.dueDate)],
      ])}<br><div class="two"><div style="flex: 1"><b>${t.pick([issuer.name, 'De', 'From'])}</b><br>${who(issuer)}</div>
      <div style="flex: 1"><b>${t.pick(['Facturar a', 'Bill to', 'Para', 'Cliente'])}</b><br>${who(client)}</div></div>${corrects(sample)}
      ${t.table}<br>${t.totals}<p class="small grey">${issuer.name} · ${t.nif(issuer)}</p>`,
    };
  },
  /** A shop of many sellers: who sold it, where it went, three columns of addresses. */
  (sample, t) => {
    const { issuer, client, number, date } = sample;
    return {
      body: `<div class="two"><b class="big">${t.brand}</b><div>${lines('<b>Pagado</b>', `Número de referencia de pago 4F9X${t.int(1000, 9999)}`, `Vendido por ${issuer.name}`, `${t.pick(['IVA', 'NIF', 'N.º IVA'])} ${t.bare(issuer)}`)}<br>${grid(
        [
          [t.pick(['Fecha de la factura', 'Fecha de la factura/Fecha de la entrega']), t.day(date)],
          ['Número de la factura', number],
          ['Fecha del pedido', slashed(date.replace(/\d\d$/, '01'))],
        ],
      )}</div></div>
      <div class="two">${[
        [
          'Dirección de facturación',
          lines(client.name, client.street, client.town, 'ES', t.nif(client)),
        ],
        [
          'Dirección de envío',
          lines(client.name, 'C/ del Almacén, 2', '28850 Torrejón de Ardoz', 'ES'),
        ],
        ['Vendido por', lines(issuer.name, issuer.street, issuer.town, 'ES', t.nif(issuer))],
      ]
        .map(([label, text]) => `<div style="flex: 1"><b>${label}</b><br>${text}</div>`)
        .join(
          '',
        )}</div><p>Información del pedido<br>Número del pedido 405-1182${t.int(100, 999)}-77</p>${corrects(sample)}${t.table}<br>${t.totals}`,
    };
  },
  /** Somebody alone, with Word: nothing has a name, two blocks face each other. */
  (sample, t) => {
    const { issuer, client, number, date } = sample;
    const at = t.pick(['0', '85mm', '100mm']);
    return {
      body: `<p>${lines(issuer.name, t.nif(issuer), issuer.street, issuer.town, t.contact)}</p>
      <p style="margin-left: ${at}">${lines(client.name, t.pick([t.bare(client), t.nif(client)]), t.pick([`${client.street}<br>${client.town}`, t.oneLine(client)]))}</p>
      <p>${t.pick([`Factura ${number} de ${worded(date)}`, `FACTURA: ${number}<br>FECHA: ${t.day(date)}`, `Factura nº ${number}, a ${worded(date)}`, `Nº ${number}<br>${t.day(date)}`])}</p>${corrects(sample)}${t.table}<br>${t.totals}`,
    };
  },
  /** A hotel's: a guest, a firm that pays, a stay; who issues only at the foot. */
  (sample, t) => {
    const { client, number, date } = sample;
    return {
      body: `<div style="text-align: center" class="big">${t.brand}</div><div style="text-align: center" class="small">Paseo Marítimo s/n · Reservas: 942 00 11 22 · www.ejemplo.com</div><br>
      <div class="two"><div>${lines(
        `${t.pick(['Empresa', 'Facturar a', 'Cliente'])}: ${client.name}`,
        `${t.nif(client)}`,
        client.street,
        client.town,
      )}</div><div>${grid([
        ['Factura', number],
        ['Fecha', t.day(date)],
        ['Huésped', 'SR. PETERSEN, LARS'],
        ['Habitación', '204'],
        ['Entrada', slashed(date.replace(/\d\d$/, '02'))],
        ['Salida', slashed(date.replace(/\d\d$/, '03'))],
      ])}</div></div>${corrects(sample)}${t.table}<br>${t.totals}<br><p class="${t.pick(['foot', ''])} small">${t.registered}</p>`,
    };
  },
  /** A carrier's: who loads and who receives, neither of whom pays. */
  (sample, t) => {
    const { issuer, client, number, date } = sample;
    return {
      body: `<div class="two"><div>${lines(`<b class="big">${t.pick([t.brand, issuer.name])}</b>`, issuer.name, t.oneLine(issuer), `${t.nif(issuer)} ${t.contact}`, 'Tarjeta transporte MDP-12345678')}</div>
      <div class="box" style="min-width: 70mm">${lines(`<b>${t.pick(['FACTURAR A', 'CLIENTE', 'Cargador contractual'])}</b>`, client.name, client.street, client.town, t.nif(client))}</div></div>
      <div class="two small"><div class="box">${lines('REMITENTE', 'Cerámicas Onda, S.A.', 'Pol. Sur, nave 2, 12200 Onda')}</div><div class="box">${lines('CONSIGNATARIO', 'Almacenes Burgo', 'Ctra. Logroño km 8, 09007 Burgos')}</div></div>
      ${grid(
        [
          ['FACTURA', 'FECHA', 'MATRÍCULA', 'VENCIMIENTO'],
          [number, t.day(date), '4512-LKM', slashed(sample.dueDate)],
        ],
        '',
      )}${corrects(sample)}<br>${t.table}<br>${t.totals}`,
      css: t.pick(['', 'tr:first-child td { font-weight: bold }']),
    };
  },
  /** A side strip, narrow, with all of who issues; the rest beside it. */
  (sample, t) => {
    const { issuer, client, number, date } = sample;
    return {
      css: '.side { width: 44mm; flex: none; font-size: 8pt } .sheet { display: flex; gap: 6mm }',
      body: `<div class="sheet"><div class="side ${t.pick(['', 'band'])}">${lines(
        `<b>${issuer.name}</b>`,
        t.trade,
        '&nbsp;',
        issuer.street,
        issuer.town,
        t.nif(issuer),
        '&nbsp;',
        '968 112 233',
        'hola@ejemplo.es',
      )}</div><div style="flex: 1">${lines(
        `<b class="big">${t.pick(['FACTURA', 'Factura'])}</b>`,
        `${t.pick(['Número', 'Nº', 'Nº factura'])}: ${number}`,
        `Fecha: ${t.day(date)}`,
      )}<br><br>${lines(t.pick(['Cliente', 'Para', '']), `<b>${client.name}</b>`, client.street, client.town, t.nif(client))}
      ${corrects(sample)}<br><br>${t.table}<br>${t.totals}</div></div>`,
    };
  },
  /** Two strips across the sheet: who issues in one, what and when and to whom in the other, names over values. */
  (sample, t) => {
    const { issuer, client, number, date } = sample;
    const cell = (label: string, value: string) =>
      `<td><span class="small grey">${label}</span><br>${value}</td>`;
    return {
      body: `<table class="band"><tr><td>${lines(`<b>${issuer.name}</b>`, t.nif(issuer))}</td><td>${lines(issuer.street, issuer.town)}</td><td>${t.contact}</td></tr></table><br>
      <table><tr>${cell(t.pick(['FACTURA', 'Nº FACTURA', 'Factura nº']), number)}${cell('FECHA', t.day(date))}${cell('F. VALOR', slashed(sample.dueDate))}${cell(t.pick(['CLIENTE', 'RAZÓN SOCIAL']), client.name)}${cell(t.nifName, t.bare(client))}</tr></table>
      <table><tr>${cell(t.pick(['DOMICILIO', 'DIRECCIÓN FISCAL', 'DIRECCIÓN']), t.oneLine(client))}</tr></table>${corrects(sample)}<br>${t.table}<br>${t.totals}`,
    };
  },
  /** Builders: a work, its promoter, a certification; the firm's name in letters apart. */
  (sample, t) => {
    const { issuer, client, number, date } = sample;
    return {
      body: `<p style="font-size: 15pt; letter-spacing: ${t.pick(['0', '1px'])}">${issuer.name.toUpperCase()}</p><p class="small">${lines(t.trade, `${issuer.street}. ${issuer.town}`, t.contact)}</p>
      <div class="two"><div class="box">${lines(
        `${t.pick(['PROMOTOR', 'PROPIEDAD', 'CLIENTE'])}: ${client.name}`,
        `${t.nif(client)}`,
        `Domicilio: ${t.oneLine(client)}`,
        'Obra: Reforma de vivienda en C/ Nueva, 3, Cartagena',
        'Certificación nº 3',
      )}</div><div>${lines(`Factura nº: ${number}`, `Fecha: ${t.day(date)}`, 'Hoja 1 de 1')}</div></div>${corrects(sample)}${t.table}<br>${t.totals}
      <p class="small">${t.pick([`${issuer.name} ${t.nif(issuer)}`, `${t.nif(issuer)}`, t.registered])}</p>`,
    };
  },
  /** Another tongue of Spain, or two at once. */
  (sample, t) => {
    const { issuer, client, number, date } = sample;
    const words = t.pick([
      { paper: 'Factura núm.', date: 'Data', to: 'Client', at: 'Adreça', town: 'Població' },
      {
        paper: 'Núm. de factura',
        date: 'Data de factura',
        to: 'Dades del client',
        at: 'Adreça',
        town: 'Població',
      },
      { paper: 'Factura Nº', date: 'Data', to: 'Cliente', at: 'Enderezo', town: 'Concello' },
      {
        paper: 'Factura zk.',
        date: 'Data',
        to: 'Bezeroa / Cliente',
        at: 'Helbidea',
        town: 'Herria',
      },
      {
        paper: 'Núm. factura / Nº factura',
        date: 'Data / Fecha',
        to: 'Client / Cliente',
        at: 'Domicili',
        town: 'CP i població',
      },
    ]);
    return {
      body: `<div class="two"><div>${lines(`<b>${issuer.name}</b>`, issuer.street, issuer.town, t.nif(issuer))}</div><div>${lines(`${words.paper}: ${number}`, `${words.date}: ${t.day(date)}`)}</div></div>
      <div class="box">${t.pick([
        lines(`<b>${words.to}</b>`, client.name, client.street, client.town, t.nif(client)),
        lines(
          `${words.to}: ${client.name}`,
          `${words.at}: ${client.street}`,
          `${words.town}: ${client.town}`,
          t.nif(client),
        ),
      ])}</div>${corrects(sample)}<br>${t.table}<br>${t.totals}`,
    };
  },
  /** A billing program's: the client's window at the right with its code, what and when in a strip, the firm at the left. */
  (sample, t) => {
    const { issuer, client, number, date } = sample;
    return {
      body: `<div class="two"><div>${lines(`<b style="font-size: 13pt">${issuer.name}</b>`, t.pick([t.trade, false]), issuer.street, issuer.town, `${t.nif(issuer)}`, 'Tel: 953 00 11 22 &nbsp; Fax: 953 00 11 23')}</div>
      <div style="min-width: 80mm; padding-top: 10mm">${lines(t.pick([false, 'Cliente nº 4512', '430.00127']), client.name, t.pick([false, 'Dpto. de Administración', 'Att. Sra. Marta Gil']), client.street, client.town, t.pick([false, 'ESPAÑA']))}</div></div>
      ${grid(
        [
          ['Documento', 'Número', 'Página', 'Fecha', `${t.nifName}`],
          ['Factura', number, '1', t.day(date), t.bare(client)],
        ],
        t.pick(['box', '']),
      )}${corrects(sample)}<br>${t.table}<br>${t.totals}<p class="small">${t.pick(['', t.registered])}</p>`,
    };
  },
  /** A clinic's or a school's: whom it is about is not who pays. */
  (sample, t) => {
    const { issuer, client, number, date } = sample;
    return {
      body: `<div class="two"><div class="big">${t.brand}</div><div class="right small">${lines(issuer.name, t.nif(issuer), t.oneLine(issuer), t.contact)}</div></div>
      <p><b>${t.pick(['Factura', 'Recibo', 'FACTURA'])} ${number}</b> ${t.pick([' - ', ' &nbsp; &nbsp; &nbsp; ', '<br>', ' | '])} ${t.pick(['Fecha: ', '', 'con fecha '])}${t.day(date)}</p>
      ${t.pick([
        lines(
          `Pagador: ${client.name} (${t.nif(client)})`,
          `Dirección: ${t.oneLine(client)}`,
          'Paciente: Hugo Tejedor, 8 años',
        ),
        lines(
          'Paciente: Hugo Tejedor, 8 años',
          `Responsable del pago: ${client.name}`,
          `${t.nif(client)}`,
          t.oneLine(client),
        ),
        lines('<b>Datos fiscales</b>', client.name, t.nif(client), t.oneLine(client)),
      ])}${corrects(sample)}<br><br>${t.table}<br>${t.totals}`,
    };
  },
  /** A wholesaler's: its name, registers and telephones as a block, the client's data in a frame with its route. */
  (sample, t) => {
    const { issuer, client, number, date } = sample;
    return {
      body: `<div class="two"><div class="small">${lines(`<b style="font-size: 12pt">${issuer.name}</b>`, t.trade, 'R.G.S.E.A.A. 40.012345/MU · RIA 1182', `${issuer.street}`, `${issuer.town}`, `Telfs.: 968 30 11 22 - 968 30 11 23`, `${t.nif(issuer)}`)}</div>
      <div class="box">${grid([
        [t.pick(['Cliente:', 'Nombre:']), client.name],
        ['N. comercial:', 'BAR LA PARADA'],
        [t.pick(['Dirección:', 'Domicilio:']), client.street],
        [t.pick(['Población:', 'C.P./Pob.:']), client.town],
        [`${t.nifName}:`, t.bare(client)],
        ['Ruta:', '07 - Costa'],
      ])}</div></div>
      <div class="${t.pick(['dark', 'band', 'box'])}">FACTURA: ${number} &nbsp; &nbsp; FECHA: ${t.day(date)} &nbsp; &nbsp; AGENTE: 12 &nbsp; &nbsp; F. PAGO: CONTADO</div>${corrects(sample)}<br>${t.table}<br>${t.totals}`,
    };
  },
];
