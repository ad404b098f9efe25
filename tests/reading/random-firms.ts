import {
  type Pool,
  type Sample,
  type SampleParty,
  sampleOf,
  slashed,
  worded,
} from './invoice-sample.ts';
import { sheetOf } from './print-html.ts';
import { diceOf, numberStyle, type RandomInvoice, storyOf } from './random-layouts.ts';
import { corrects, grid, lines, type PaperTools, paperTools, SHEET_CSS } from './random-papers.ts';

/**
 * Whole sheets of firms that `random-papers.ts` does not draw: forms filled in by hand, both parties in one
 * table, an owner under the name of his trade, templates of an office program, rents, sentences, tickets made
 * invoices. As there, even seeds are for looking at and odd ones only for totals.
 */

const COMPANIES = [
  'Climatizaciones Segura y Asociados, S.L.',
  'CASH EUROPA DEL NORTE, S.A.',
  'Mármoles y Granitos Macael 96, S.L.',
  'Grúas Hermanos Tejero SL',
  'La Despensa de Olite, S. Coop.',
  'Bufete Arnaiz-Cuesta, S.L.P.',
  'Autocares Vila Real, S.A.U.',
  'Comercial Química Besaya, S.L.',
  'Hermanos Otero, C.B.',
  'Papelería Técnica Goya, S.L.',
  'Neumáticos Sport Oria, S.L.U.',
  'Cítricos Vall de Segó, Coop. V.',
  'INTEGRA DATOS Y REDES, S.L.',
  'Asociación Cultural El Molino',
  'Residencial Pinar de Campoverde, S.L.',
  'Telecomunicaciones del Alto Ebro, S.A.',
];
const PEOPLE = [
  'Joaquín Sabater Moll',
  'M.ª Ángeles Rueda Pozo',
  'Iker Olabarria Sagasti',
  'Carmen de Miguel Arroyo',
  'DAVID LORENZO CAÑAS',
  'Noelia Fdez. Carballo',
  'Óscar Puigdevall Serra',
  'Inmaculada Reyes Torralba',
  'Youssef Benali',
];
const POOL: Pool = {
  names: COMPANIES,
  streets: [
    'Calle del Pinar, 23',
    'C/. San Vicente Ferrer, 7 - 3ª',
    'Avenida Diagonal 640, planta 6',
    'Pol. Ind. de Bértoa, parcela C-11',
    'Plaza de España, nº 3, 2º D',
    'Cuesta de San Francisco 18',
    'Paseo Marítimo, 5, local 2',
    'Carretera de Cádiz, Km. 178',
    'Virgen de la Paloma, 44',
    'Cno. de los Yébenes, s/n',
    'Ronda de Toledo, 12-14',
    'Larios 4',
  ],
  towns: [
    '28046 Madrid',
    '46500 Sagunto (Valencia)',
    '08029 Barcelona',
    '15105 Carballo - A Coruña',
    '29005 Málaga',
    '31390 Olite',
    '04867 Macael (Almería)',
    '39300 Torrelavega',
    '45003 Toledo',
    '20600 Eibar, Gipuzkoa',
  ],
  things: [
    'Mano de obra oficial de 1ª',
    'Sustitución de llave de paso 3/4"',
    'Aceite girasol garrafa 25 l',
    'Detergente industrial 10 kg',
    'Estudio de antecedentes y redacción de contestación a la demanda',
    'Neumático 205/55 R16 91V',
    'Equilibrado y montaje',
    'Menú degustación (2 personas)',
    'Cuota mensual centralita virtual',
    'Pack 6 botellas agua 1,5 l',
    'Renta del local comercial, mensualidad corriente',
    'Servicio de grúa, 35 km',
    'Encimera granito nacional 2 cm',
    'Impresión de 1.000 folletos A5',
    'Taladro percutor 18 V',
    'Harina de fuerza saco 25 kg',
  ],
  numbers: [
    'FV26-00871',
    '2026/000412',
    'A/1187',
    '26F0093',
    '118-26',
    'FRA-2026-77',
    'S26/4412',
    '60012345',
  ],
};
const TRADE_NAMES = [
  ['FONTANERÍA Y GAS SABATER', 'Instalador autorizado nº 1187'],
  ['Taller Puente Romano', 'Mecánica rápida · Neumáticos · Pre-ITV'],
  ['Estudio 44', 'Diseño · Comunicación · Web'],
  ['CASA MARUJA', 'Restaurante - Arrocería'],
  ['Clínica Dental Sonríe', 'Odontología general'],
  ['Reformas Costa Blanca', 'Presupuestos sin compromiso'],
] as const;

/** A sample of that story as one of those sheets of that seed. */
export function randomFirm(seed: number): RandomInvoice {
  const dice = diceOf(seed * 6_947 + 31);
  const { pick, chance } = dice;
  const story = storyOf(seed);
  const sheet = pick(SHEETS);
  const isAlone = chance(sheet.alone);
  const drawn = sampleOf(seed + 60_000, story, {
    pool: isAlone ? { ...POOL, issuers: { names: PEOPLE, arePeople: true } } : POOL,
  });
  const { client } = drawn;
  const isPerson = /^\d/.test(client.nif);
  const sample: Sample = {
    ...drawn,
    client: isPerson
      ? { ...client, name: pick(PEOPLE.filter((name) => name !== drawn.issuer.name)) }
      : client,
  };
  const tools = paperTools(sample, dice, numberStyle(dice), pick(['', ' €', '€', ' EUR']));
  const { css = '', body } = sheet.draw(sample, tools);
  const font = pick(["'Liberation Sans'", "'DejaVu Sans'", "'Liberation Serif'"]);
  // Names and addresses have no room in narrow columns.
  const narrow = pick(['', '', '.two > div { max-width: 58mm }', '.two > div { max-width: 46mm }']);
  return {
    sample,
    html: sheetOf(
      `body { font-family: ${font}; font-size: ${pick([8.5, 9, 10, 10.5])}pt } ${SHEET_CSS}
       .rule td { border: 1px solid #555 } .dots { border-bottom: 1px dotted #555 } .mid { text-align: center } ${narrow} ${css}`,
      body,
    ),
  };
}

interface Sheet {
  /** How often somebody alone issues it. */
  readonly alone: number;
  readonly draw: (
    sample: Sample,
    tools: PaperTools,
  ) => { readonly body: string; readonly css?: string };
}

const SHEETS: readonly Sheet[] = [
  { alone: 0.8, draw: filledForm },
  { alone: 0.9, draw: ownerUnderTrade },
  { alone: 0.3, draw: bothInATable },
  { alone: 0.2, draw: officeTemplate },
  { alone: 0.6, draw: rent },
  { alone: 0.8, draw: feesInASentence },
  { alone: 0.3, draw: workshop },
  { alone: 0.1, draw: threeColumns },
  { alone: 0.2, draw: webShop },
  { alone: 0.5, draw: ticket },
  { alone: 0.1, draw: operator },
  { alone: 0.4, draw: onlineProgram },
  { alone: 0.2, draw: deliveryWindow },
  { alone: 0.7, draw: plainWords },
];

const numberOf = (t: PaperTools) =>
  t.pick(['Factura nº', 'Nº factura', 'FACTURA Nº', 'Nº de factura', 'Factura', 'Núm. factura']);
const dateOf = (t: PaperTools) =>
  t.pick(['Fecha', 'FECHA', 'Fecha factura', 'Fecha de expedición', 'Fecha de emisión']);

/** A printed form, its blanks filled in: names of data in front of dotted lines. */
function filledForm(sample: Sample, t: PaperTools) {
  const { issuer, client, number, date } = sample;
  const [code, town] = splitTown(client);
  const blank = (name: string, value: string) =>
    `${name} <span class="dots">&nbsp;${value}&nbsp;</span>`;
  return {
    body: `<div class="two"><div>${lines(`<b class="${t.pick(['', 'big'])}">${issuer.name}</b>`, t.trade, t.oneLine(issuer), t.nif(issuer), t.contact)}</div>
    <div>${lines(blank(`${numberOf(t)}:`, number), blank(`${dateOf(t)}:`, t.day(date)))}</div></div>
    <div class="box" style="line-height: ${t.pick([1.5, 1.8])}">${lines(
      blank(t.pick(['D./Dña.', 'Sr. D.', 'Cliente:', 'Nombre o razón social:']), client.name),
      blank(t.pick(['Domicilio:', 'Dirección:', 'Domicilio']), client.street),
      t.pick([
        `${blank('C.P.:', code)} &nbsp; &nbsp; ${blank(t.pick(['Localidad:', 'Población:']), town)}`,
        blank(t.pick(['Población:', 'Localidad:', 'C.P. y población:']), client.town),
      ]),
      blank(`${t.nifName}:`, t.bare(client)),
    )}</div>${corrects(sample)}<br>${t.table}<br>${t.totals}`,
  };
}

const splitTown = ({ town }: SampleParty) =>
  [town.slice(0, 5), town.slice(6)] as readonly [string, string];

/** A trade in big letters; whose it is, smaller. */
function ownerUnderTrade(sample: Sample, t: PaperTools) {
  const { issuer, client, number, date } = sample;
  const [trade, says] = t.pick(TRADE_NAMES);
  const owner = t.pick([
    lines(issuer.name, t.nif(issuer), t.oneLine(issuer)),
    lines(`${issuer.name} - ${t.nif(issuer)}`, t.oneLine(issuer)),
    lines(`de ${issuer.name}`, `${t.oneLine(issuer)}`, `${t.nif(issuer)} · ${t.contact}`),
    lines(`Titular: ${issuer.name}`, issuer.street, issuer.town, t.nif(issuer)),
    lines(t.oneLine(issuer), `${issuer.name} ${t.nif(issuer)}`),
  ]);
  return {
    body: `<div class="${t.pick(['', 'mid'])}">${lines(`<b class="big">${trade}</b>`, t.pick([says, false]))}<br>${owner}</div><br>
    <div class="two"><div class="${t.pick(['box', ''])}">${lines(
      t.pick(['<b>CLIENTE</b>', 'Cliente:', '<b>Datos del cliente</b>', false]),
      client.name,
      t.pick([lines(client.street, client.town), t.oneLine(client)]),
      t.nif(client),
    )}</div><div>${lines(`<b>${t.pick(['FACTURA', 'Factura'])}</b>`, `${t.pick(['Nº', 'Número:', 'Núm.:'])} ${number}`, `${dateOf(t)}: ${t.day(date)}`)}</div></div>
    ${corrects(sample)}${t.table}<br>${t.totals}<p class="small">${t.pick(['', 'Gracias por su confianza', `Pago por transferencia. Titular de la cuenta: ${issuer.name}`])}</p>`,
  };
}

/** Who issues and who receives, side by side in the rows of one table. */
function bothInATable(sample: Sample, t: PaperTools) {
  const { issuer, client, number, date } = sample;
  const [from, to] = t.pick([
    ['EMISOR', 'RECEPTOR'],
    ['Emisor', 'Cliente'],
    ['PROVEEDOR', 'CLIENTE'],
    ['Datos del emisor', 'Datos del destinatario'],
    ['Vendedor', 'Comprador'],
  ] as const);
  const rows = [
    [t.pick(['Razón social', 'Nombre', 'Nombre / Razón social']), issuer.name, client.name],
    [t.nifName, t.bare(issuer), t.bare(client)],
    [t.pick(['Domicilio', 'Dirección', 'Domicilio fiscal']), issuer.street, client.street],
    [t.pick(['Población', 'CP y población', 'Localidad']), issuer.town, client.town],
  ];
  const isNamedOnce = t.chance(0.5);
  const body = isNamedOnce
    ? grid([['', from, to], ...rows], t.pick(['rule', '']))
    : grid(
        [
          [from, '', to, ''],
          ...rows.map(([name = '', one = '', other = '']) => [`${name}:`, one, `${name}:`, other]),
        ],
        t.pick(['rule', '']),
      );
  return {
    body: `<div class="two"><b class="big">${t.pick(['FACTURA', 'Factura', t.brand])}</b><div>${grid(
      [
        [numberOf(t), number],
        [dateOf(t), t.day(date)],
      ],
    )}</div></div>${body}${corrects(sample)}<br>${t.table}<br>${t.totals}`,
  };
}

/** The template that comes with an office program. */
function officeTemplate(sample: Sample, t: PaperTools) {
  const { issuer, client, number, date } = sample;
  const to = lines(client.name, t.pick([t.nif(client), false]), client.street, client.town);
  const hasNif = to.includes(t.bare(client));
  return {
    body: `<div class="two"><div>${lines(`<b style="font-size: 14pt">${issuer.name}</b>`, '<i>El eslogan de su empresa</i>', '&nbsp;', issuer.street, issuer.town, 'Teléfono 966 12 34 56 &nbsp; Fax 966 12 34 57', t.nif(issuer))}</div><div class="right"><b class="big">FACTURA</b><br>${lines(
      `FACTURA N.º ${number}`,
      `FECHA: ${t.day(date)}`,
    )}</div></div>
    <div class="two"><div><b>${t.pick(['Facturar a:', 'PARA:', 'FACTURAR A', 'Cliente:'])}</b><br>${to}${hasNif ? '' : `<br>${t.nif(client)}`}</div>
    <div><b>${t.pick(['Enviar a:', 'ENVÍO:', 'Para:', 'Concepto:'])}</b><br>${t.pick([lines('Almacén central', 'Calle Industria, 9', '03690 San Vicente'), 'Trabajos del mes'])}</div></div>
    ${corrects(sample)}${t.table}<br>${t.totals}<p>Extienda todos los cheques a nombre de ${issuer.name}</p><p class="mid"><b>GRACIAS POR SU CONFIANZA</b></p>`,
  };
}

/** A rent: owner and tenant, and a place that is neither's. */
function rent(sample: Sample, t: PaperTools) {
  const { issuer, client, number, date } = sample;
  const who = (name: string, one: SampleParty) =>
    t.pick([
      lines(`${name}: ${one.name}`, `${t.nif(one)}`, `Domicilio: ${t.oneLine(one)}`),
      lines(`<b>${name.toUpperCase()}</b>`, one.name, t.oneLine(one), t.nif(one)),
      lines(`${name}: ${one.name}, ${t.nif(one)}`, `${one.street}, ${one.town}`),
    ]);
  const [owner, tenant] = [
    t.pick(['Arrendador', 'Propietario', 'Arrendadora']),
    t.pick(['Arrendatario', 'Inquilino', 'Arrendataria']),
  ];
  const isOwnerIssuer = owner !== 'Propietario';
  return {
    body: `<h2>${t.pick(['FACTURA DE ALQUILER', 'FACTURA', 'RECIBO DE ALQUILER'])}</h2>${lines(`${numberOf(t)}: ${number}`, `${dateOf(t)}: ${t.day(date)}`)}<br><br>
    <div class="${t.pick(['two', ''])}"><div>${who(isOwnerIssuer ? owner : 'Arrendador', issuer)}</div><br><div>${who(tenant, client)}</div></div><br>
    <div>Finca: C/ Comercio, 2, bajo, 30203 Cartagena</div><div>Ref. catastral 9872023VH5797S0001WX</div>${corrects(sample)}<br>${t.table}<br>${t.totals}`,
  };
}

/** A professional's: whose it is in the middle, who pays in a sentence. */
function feesInASentence(sample: Sample, t: PaperTools) {
  const { issuer, client, number, date } = sample;
  const owes = t.pick([
    `${client.name}, con ${t.nifName} ${t.bare(client)} y domicilio en ${client.street}, ${client.town}, DEBE a ${issuer.name}:`,
    `Honorarios devengados por los servicios prestados a ${client.name}, ${t.nifName} ${t.bare(client)}, domicilio: ${client.street}, ${client.town}.`,
  ]);
  return {
    body: `<div class="mid">${lines(`<span style="font-size: 14pt">${issuer.name}</span>`, t.pick(['ABOGADO', 'Procurador de los Tribunales', 'Economista', 'Arquitecta técnica', t.trade]), t.oneLine(issuer), `${t.nif(issuer)} · Col. 4.518`)}</div><hr>
    <div class="two"><div>${t.pick(['MINUTA', 'FACTURA', 'Factura'])} ${t.pick(['núm.', 'Nº', 'nº'])} ${number}</div><div>${issuer.town.replace(/^\d+ /, '').replace(/[ ,(-]+.*/, '')}, ${t.pick([worded(date), t.day(date)])}</div></div>
    <p>${owes}</p>${corrects(sample)}<br>${t.table}<br>${t.totals}<p class="right">Fdo.: ${issuer.name}</p>`,
  };
}

/** A garage's: the client's data and the car's side by side. */
function workshop(sample: Sample, t: PaperTools) {
  const { issuer, client, number, date } = sample;
  const [code, town] = splitTown(client);
  const colon = t.pick([':', '', ' :']);
  const car = grid([
    [`Matrícula${colon}`, '4512 LKM'],
    [`Marca${colon}`, 'SEAT'],
    [`Modelo${colon}`, 'LEÓN 1.5 TSI'],
    [`Km${colon}`, '88.120'],
    [`Bastidor${colon}`, 'VSSZZZ5FZJR012345'],
  ]);
  const who = t.pick([
    grid([
      [t.pick([`Nombre${colon}`, `Cliente${colon}`, `Titular${colon}`]), client.name],
      [t.pick([`Domicilio${colon}`, `Dirección${colon}`]), client.street],
      [t.pick([`Población${colon}`, `Localidad${colon}`]), client.town],
      [`${t.nifName}${colon}`, t.bare(client)],
      [`Teléfono${colon}`, '600 11 22 33'],
    ]),
    grid([
      [`Nombre${colon}`, client.name],
      [`Dirección${colon}`, client.street],
      [`C.P.${colon}`, code],
      [`Población${colon}`, town],
      [`${t.nifName}${colon}`, t.bare(client)],
    ]),
    lines(client.name, client.street, client.town, t.nif(client), 'Tel. 600 11 22 33'),
  ]);
  return {
    body: `<div class="two"><div>${lines(`<b class="big">${t.pick([issuer.name, t.brand])}</b>`, t.pick(['Taller multimarca', 'Servicio oficial', t.trade]), issuer.name, `${issuer.street} - ${issuer.town}`, `${t.nif(issuer)} - R.I. 28/4512`)}</div><div class="box">${lines(`${numberOf(t)}: ${number}`, `${dateOf(t)}: ${t.day(date)}`, `O.R.: 26/${t.int(1000, 4000)}`, 'Asesor: Javier M.')}</div></div>
    <div class="two"><div class="box" style="flex: 1">${lines(t.pick(['<b>DATOS DEL CLIENTE</b>', '<b>CLIENTE</b>', '<b>DATOS CLIENTE</b>']), '')}${who}</div><div class="box" style="flex: 1">${lines(t.pick(['<b>DATOS DEL VEHÍCULO</b>', '<b>VEHÍCULO</b>', '<b>DATOS VEHÍCULO</b>']), '')}${car}</div></div>
    ${corrects(sample)}${t.table}<br>${t.totals}<p class="small">Garantía de las reparaciones: 3 meses o 2.000 km (RD 1457/1986).</p>`,
  };
}

/** A wholesaler's: mark, firm and client's window in three columns, a strip of data under them. */
function threeColumns(sample: Sample, t: PaperTools) {
  const { issuer, client, number, date } = sample;
  return {
    body: `<div class="two"><div class="big">${t.pick(['CE', '◆ ', 'GC'])}<br>${t.brand}</div>
    <div class="small mid">${lines(`<b>${issuer.name}</b>`, issuer.street, issuer.town, 'Tel. 942 88 11 22 (6 líneas)', t.nif(issuer), 'pedidos@ejemplo.es')}</div>
    <div class="box" style="min-width: 70mm">${lines(t.pick([false, 'Cliente: 000412', '(412)']), client.name, t.pick([false, 'BAR EL PUENTE', 'Supermercado La Plaza']), client.street, client.town, t.pick([t.nif(client), false]))}</div></div>
    ${grid(
      [
        ['FACTURA', 'FECHA', 'CLIENTE', t.nifName, 'VENDEDOR', 'PÁG.'],
        [number, t.day(date), '412', t.bare(client), '07 LUIS', '1/1'],
      ],
      t.pick(['rule', '']),
    )}${corrects(sample)}<br>${t.table}<br>${t.totals}<p class="small">${t.registered}</p>`,
  };
}

/** A shop on the web: where it is invoiced and where it is sent, who sells at the foot or in a corner. */
function webShop(sample: Sample, t: PaperTools) {
  const { issuer, client, number, date } = sample;
  const seller = t.pick([
    lines(`Vendedor: ${issuer.name}`, t.nif(issuer), issuer.street, issuer.town),
    lines(issuer.name, t.oneLine(issuer), t.nif(issuer)),
  ]);
  const isFoot = t.chance(0.5);
  const isSame = t.chance(0.5);
  return {
    body: `<div class="two"><div class="big">${t.brand}</div><div class="right small">${isFoot ? 'www.ejemplo.es<br>Atención al cliente: 910 00 11 22' : seller}</div></div>
    <h3>${t.pick(['Factura', 'FACTURA', 'Factura de compra'])} ${t.pick(['#', 'Nº ', ''])}${number}</h3>
    <div>${lines(`${t.pick(['Fecha de factura', 'Fecha', 'Fecha de la factura'])}: ${t.day(date)}`, `Pedido: #${t.int(10_000, 99_999)}`, `Fecha del pedido: ${slashed(date.replace(/\d\d$/, '01'))}`, 'Método de pago: Tarjeta')}</div><br>
    <div class="two"><div style="flex: 1"><b>${t.pick(['Dirección de facturación', 'Facturar a', 'Datos de facturación'])}</b><br>${lines(client.name, t.nif(client), client.street, client.town, t.pick(['España', false]))}</div>
    <div style="flex: 1"><b>${t.pick(['Dirección de envío', 'Enviar a', 'Datos de envío'])}</b><br>${isSame ? lines(client.name, client.street, client.town) : lines('Lucía Prats', 'Avda. Europa 11, 5º B', '28108 Alcobendas')}</div></div>
    ${corrects(sample)}${t.table}<br>${t.totals}${isFoot ? `<p class="foot small">${t.registered}</p>` : ''}`,
  };
}

/** A restaurant's: everything in the middle, as its tickets. */
function ticket(sample: Sample, t: PaperTools) {
  const { issuer, client, number, date } = sample;
  const [trade, says] = t.pick(TRADE_NAMES);
  return {
    css: '.totals { margin: 0 auto }',
    body: `<div class="mid">${lines(`<b class="big">${trade}</b>`, t.pick([says, false]), issuer.name, `${t.nif(issuer)}`, issuer.street, issuer.town, 'Tel. 954 11 22 33')}<br><br>${lines(
      `<b>${t.pick(['FACTURA', 'FACTURA COMPLETA'])}: ${number}</b>`,
      `Fecha: ${t.day(date)} &nbsp; Hora: 15:42`,
      'Mesa: 12 &nbsp; Camarero: Toni',
    )}</div><br><div class="${t.pick(['mid', ''])}">${t.pick([
      lines(
        'DATOS DEL CLIENTE',
        client.name,
        t.nif(client),
        t.pick([t.oneLine(client), lines(client.street, client.town)]),
      ),
      lines(
        `Cliente: ${client.name}`,
        `${t.nif(client)}`,
        `Dirección: ${client.street}`,
        client.town,
      ),
    ])}</div>${corrects(sample)}<br>${t.table}<br>${t.totals}`,
  };
}

/** Light, gas or telephone: a summary, a holder, who charges in small letters. */
function operator(sample: Sample, t: PaperTools) {
  const { issuer, client, number, date } = sample;
  const small = t.pick([
    `${issuer.name} - Domicilio social: ${t.oneLine(issuer)}. ${t.nif(issuer)}`,
    `${issuer.name}. ${t.nif(issuer)}. ${t.oneLine(issuer)}. Reg. Merc. de Madrid, tomo 4.512, folio 12, hoja M-99.881`,
    `Emisor: ${issuer.name} · ${t.nif(issuer)} · ${t.oneLine(issuer)}`,
  ]);
  const atTop = t.chance(0.4);
  return {
    body: `<div class="two"><div><b class="big">${t.brand}</b>${atTop ? `<br><span class="small">${small}</span>` : ''}</div></div>
    <div class="two"><div class="box">${lines('<b>Resumen de su factura</b>', `${numberOf(t)}: ${number}`, `${t.pick(['Fecha de factura', 'Emitida el', 'Fecha emisión'])}: ${t.pick([worded(date), t.day(date)])}`, `Periodo facturado: 01/01/2026 - 31/01/2026`, 'Nº de contrato: 88120045', 'Se cobrará el 05/12/2026')}</div>
    <div style="padding-top: 10mm">${lines(client.name, client.street, client.town)}</div></div>
    ${lines(`${t.pick(['Titular del contrato', 'Titular', 'Cliente', 'Nombre del titular'])}: ${client.name}`, `${t.nifName}: ${t.bare(client)}`, `${t.pick(['Dirección fiscal', 'Domicilio'])}: ${t.oneLine(client)}`, 'IBAN: ES91 2100 **** **** **** 1332')}
    ${corrects(sample)}<br><br>${t.table}<br>${t.totals}${atTop ? '' : `<p class="foot small">${small}</p>`}`,
  };
}

/** A program on the web's: a great title, data in columns under their names, the firm in a foot of one line. */
function onlineProgram(sample: Sample, t: PaperTools) {
  const { issuer, client, number, date } = sample;
  const cell = (name: string, value: string) =>
    `<div style="flex: 1"><span class="small grey">${name}</span><br>${value}</div>`;
  return {
    body: `<div class="two"><div><span class="big">${t.pick(['Factura', 'Factura de venta'])}</span><br>${t.pick(['', '#'])}${number}</div><div class="right">${lines(`<b>${issuer.name}</b>`, t.bare(issuer), issuer.street, issuer.town, 'hola@ejemplo.es')}</div></div><hr>
    <div class="two">${cell(t.pick(['Cliente', 'Para', 'Contacto']), lines(`<b>${client.name}</b>`, t.bare(client), client.street, client.town))}${cell('Fecha', t.day(date))}${cell('Vencimiento', slashed(sample.dueDate))}</div>
    ${corrects(sample)}${t.table}<br>${t.totals}<p class="small grey">Condiciones: transferencia a 30 días. ${issuer.name} · ${t.nif(issuer)}</p>`,
  };
}

/** Sent and invoiced to different places, both in boxes; the firm's data under its mark. */
function deliveryWindow(sample: Sample, t: PaperTools) {
  const { issuer, client, number, date } = sample;
  return {
    body: `<b class="big">${t.pick([t.brand, issuer.name])}</b><br>${lines(t.pick([issuer.name, false]), `${t.oneLine(issuer)} · ${t.contact}`, `${t.pick([issuer.name, t.trade])} · ${t.nif(issuer)}`)}<br><br>
    <div class="two"><div class="box" style="flex: 1">${lines(t.pick(['Lugar de entrega', 'DIRECCIÓN DE ENTREGA', 'Entregar en']), 'Obra Torre Sur', 'Av. del Puerto, 300', '46024 Valencia')}</div><div class="box" style="flex: 1">${lines(t.pick(['Razón social', 'DATOS DE FACTURACIÓN', 'Cliente', 'Facturado a']), client.name, client.street, client.town, t.nif(client))}</div></div>
    ${grid(
      [
        [t.pick(['Nº Factura', 'Factura']), 'Fecha', 'S/ Pedido', 'N/ Albarán', 'Forma de pago'],
        [number, t.day(date), 'PC-4512', 'ALB-1881', 'Giro 30 d.f.f.'],
      ],
      t.pick(['rule', '']),
    )}${corrects(sample)}<br>${t.table}<br>${t.totals}<p class="small">${t.registered}</p>`,
  };
}

/** Typed by somebody alone: no boxes, things after each other. */
function plainWords(sample: Sample, t: PaperTools) {
  const { issuer, client, number, date } = sample;
  const who = (one: SampleParty) =>
    t.pick([
      lines(one.name, `${t.nif(one)}`, t.oneLine(one)),
      lines(one.name, one.street, one.town, t.nif(one)),
      lines(`${one.name} (${t.nif(one)})`, t.oneLine(one)),
    ]);
  return {
    body: `<p><b>${t.pick(['FACTURA', 'Factura'])} ${t.pick(['Nº ', 'nº ', ''])}${number}</b></p><p>${t.pick(['Fecha: ', 'En fecha ', ''])}${t.day(date)}</p>
    <p>${t.pick(['De:', 'Emisor:', 'Expedida por:', 'DATOS DEL EMISOR'])}<br>${who(issuer)}</p><p>${t.pick(['A:', 'Para:', 'Cliente:', 'DATOS DEL CLIENTE', 'Expedida a:'])}<br>${who(client)}</p>
    ${corrects(sample)}${t.table}<br>${t.totals}<p>IBAN ES91 2100 0418 4502 0005 1332</p>`,
  };
}
