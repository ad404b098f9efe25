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
 * Invoices whose heads are as the trades and programs of Spain print them: who issues, to whom, the
 * number and the day, in blocks, boxes, forms, sentences, strips and feet. The lines are a plain table.
 * As in `random-layouts.ts`, even seeds are for looking at and odd ones only for totals.
 */

const POOL: Pool = {
  names: [
    'Reformas Integrales Duero, S.L.',
    'Cdad. Prop. Edificio Las Torres',
    'Ayuntamiento de Valdeolmos',
    'Mª del Carmen Seisdedos Prieto',
    'José Luis de la Fuente Ríos',
    'HOSTELERÍA MAR DE FONDO, S.L.U.',
    'Bar Casa Lucio, C.B.',
    'Clínica Dental 32 Perlas, S.L.P.',
    'Colegio Santa Engracia, S. Coop. Mad.',
    'Distribuciones Alimentarias del Sureste Hermanos Peñalver, S.A.',
    'Nuria Etxeberria Goñi',
    'Viveros El Jaral, S.C.',
  ],
  streets: [
    'C/ Alcalde Sáinz de Baranda, 32, 4º C',
    'Avda. de América 117 - 2º Izda.',
    'Plaza Nueva, 6',
    'Polígono Industrial El Saladar, parcela 14',
    'Gran Vía de les Corts Catalanes, 583',
    'Urb. Montealina, 12',
    'Rúa do Vilar 40, baixo',
    'Apartado de Correos 214',
    'Glorieta de Bilbao, 3',
    'Ctra. N-340, km 512,6',
  ],
  towns: [
    '28009 Madrid',
    '30850 Totana (Murcia)',
    '08011 Barcelona',
    '15705 Santiago de Compostela',
    '48001 Bilbao',
    '29640 Fuengirola (Málaga)',
    '01005 Vitoria-Gasteiz',
    '07001 Palma',
  ],
  things: [
    'Mano de obra oficial',
    'Sustitución de bajante',
    'Asesoramiento jurídico',
    'Pastillas de freno delanteras',
    'Cuota fibra y móvil',
    'Sudadera con capucha',
    'Caja de naranjas 15 kg',
    'Pintura plástica blanca 15 l',
    'Clases de inglés',
    'Gestión de redes sociales',
  ],
  numbers: [
    '26/0148',
    'F-2026/31',
    '2026-00077',
    'A26-1290',
    '004512',
    'WEB-26-00912',
    'TA/26/88',
    'M-14/2026',
    'CI0927345118',
  ],
};

/** A sample of that story under a head of that seed. */
export function randomHead(seed: number): RandomInvoice {
  const dice = diceOf(seed * 5_119 + 3);
  const { pick } = dice;
  const story = storyOf(seed);
  const sample = sampleOf(seed + 20_000, story, { pool: POOL });
  const number = numberStyle(dice);
  const euro = pick(['', ' €', '€']);
  const { above, below = '', css = '' } = pick(HEADS)(sample, toolsOf(dice));
  const font = pick(["'Liberation Sans'", "'DejaVu Sans'", "'Liberation Serif'"]);
  const html = sheetOf(
    `body { font-family: ${font}; font-size: ${pick([8.5, 9, 10, 10.5])}pt }
     .two { display: flex; justify-content: space-between; gap: 10mm; margin-bottom: 5mm }
     .box { border: 1px solid #666; padding: 2mm 3mm } .small { font-size: 7pt } .big { font-size: 18pt }
     .right { text-align: right } .f { text-align: right; white-space: nowrap } .auto { width: auto }
     .totals { width: auto; margin-left: auto } .totals td { text-align: right } p { margin: 1.5mm 0 } ${css}`,
    `${above}${tableOf(sample, dice, number, euro)}<br>${totalsOf(sample, dice, number, euro)}<br>${below}`,
  );
  return { sample, html };
}

function tableOf({ lines }: Sample, { pick }: Dice, number: NumberStyle, euro: string): string {
  const isDiscounted = lines.some(({ discount }) => discount > 0);
  const heads = [
    pick(['Descripción', 'Concepto', 'Artículo']),
    pick(['Cant.', 'Unidades', 'Uds.']),
    pick(['Precio', 'P. unitario', 'PVP']),
    ...(isDiscounted ? ['% Dto.'] : []),
    'IVA',
    'Importe',
  ];
  const rows = lines.map((line) => [
    line.description,
    number.plain(line.quantity),
    number.amount(line.priceCents) + euro,
    ...(isDiscounted ? [number.plain(line.discount)] : []),
    `${line.rate}%`,
    number.amount(line.totalCents) + euro,
  ]);
  const row = (tag: string, texts: readonly string[]) =>
    `<tr>${texts.map((text, i) => `<${tag}${i > 0 ? ' class="f"' : ''}>${text}</${tag}>`).join('')}</tr>`;
  return `<br><table>${row('th', heads)}${rows.map((texts) => row('td', texts)).join('')}</table>`;
}

interface Tools extends Dice {
  /** `NIF: B12345674`, as this issuer says it each time. */
  readonly nif: (party: SampleParty) => string;
  readonly nifName: string;
  /** The kind of paper with its number, in words. */
  readonly number: (sample: Sample) => string;
  /** What its number and its day are called. */
  readonly numberName: string;
  readonly dateName: string;
  readonly date: (sample: Sample) => string;
  /** Letters of a mark or a shop's name, which is nobody's name in law. */
  readonly brand: string;
  readonly contact: string;
}

function toolsOf(dice: Dice): Tools {
  const { pick } = dice;
  const nifName = pick(['NIF', 'CIF', 'N.I.F.', 'C.I.F.', 'NIF/CIF', 'N.I.F./C.I.F.', 'DNI/CIF']);
  const colon = pick([': ', ' ', ':']);
  const dots = pick([true, false, false, false]);
  const written = (nif: string) =>
    dots && /^\d/.test(nif)
      ? `${nif.slice(0, 2)}.${nif.slice(2, 5)}.${nif.slice(5, 8)}-${nif.slice(8)}`
      : pick(
          [nif, nif, nif, `${nif.slice(0, 1)}-${nif.slice(1)}`].slice(0, /^\d/.test(nif) ? 3 : 4),
        );
  const paper = pick(['Factura', 'FACTURA', 'Fra.', 'Minuta', 'Minuta de honorarios', 'Factura']);
  return {
    ...dice,
    nifName,
    nif: (party) => `${nifName}${colon}${written(party.nif)}`,
    number: ({ number, rectifies }) =>
      rectifies
        ? `Factura rectificativa ${pick(['nº ', 'núm. ', ''])}${number}`
        : `${paper} ${pick(['nº ', 'Nº: ', 'n.º ', 'núm. ', '', 'número: '])}${number}`,
    numberName: pick([
      ...['Nº factura', 'Nº de factura', 'Número de factura', 'Factura', 'Núm. factura', 'Nº'],
      ...[
        'Factura nº',
        'Número',
        'Nº Fra.',
        'Nº documento',
        'Referencia factura',
        'N.º de factura',
      ],
    ]),
    dateName: pick([
      ...['Fecha', 'Fecha factura', 'Fecha de emisión', 'Fecha emisión', 'Fecha de factura'],
      ...['Fecha expedición', 'Emitida', 'Fecha de la factura', 'F. emisión', 'Fecha fra.'],
    ]),
    date: pick<(sample: Sample) => string>([
      ({ date }) => slashed(date),
      ({ date }) => slashed(date),
      ({ date }) => dashed(date),
      ({ date }) => worded(date),
      ({ date }) => worded(date).replace(/ de (...)\p{L}* de /u, ' $1 '),
      ({ date }) => worded(date).replace(/ de (...)\p{L}* de /u, ' $1. '),
      ({ date }) => slashed(date).replace(/20(\d\d)$/, '$1'),
      ({ date }) => dashed(date).replaceAll('-', '.'),
    ]),
    brand: pick([
      'FONTARREG',
      'el desván de Alba',
      'MotorPlus',
      'LexIuris',
      'tribu.shop',
      'NetOla',
    ]),
    contact: pick([
      'Tel. 968 112 233 · admin@ejemplo.es',
      'Tfno: 91 555 12 34 Fax: 91 555 12 35',
      'www.ejemplo.es - info@ejemplo.es - 600 123 456',
      'Móvil 655 010 203',
    ]),
  };
}

type Head = (
  sample: Sample,
  tools: Tools,
) => { readonly above: string; readonly below?: string; readonly css?: string };

const lines = (...texts: readonly (string | false)[]) => texts.filter(Boolean).join('<br>');
const rowsOf = (pairs: readonly (readonly string[])[], className = 'auto') =>
  `<table class="${className}">${pairs.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')}</table>`;
const corrects = ({ rectifies }: Sample) =>
  rectifies ? `<p>Rectifica a la factura ${rectifies}</p>` : '';
/** How the law or good manners call somebody. */
const courtesy = ({ nif }: SampleParty, { pick }: Tools) =>
  /^\d/.test(nif) ? pick(['D. ', 'Dña. ', 'Sr. D. ', 'Don ', 'Sra. Dña. ', '']) : '';

const HEADS: readonly Head[] = [
  /** A mark, and the firm in a small line at the foot of the sheet. */
  (sample, tools) => {
    const { issuer, client } = sample;
    const label = tools.pick(['Cliente', 'Facturar a:', 'DATOS DEL CLIENTE', '', 'Destinatario:']);
    return {
      above: `<div class="two"><div class="big">${tools.brand}</div>
        <div>${lines(tools.number(sample), `${tools.dateName}: ${tools.date(sample)}`)}</div></div>
        <div class="box">${lines(label, client.name, client.street, client.town, tools.nif(client))}</div>${corrects(sample)}`,
      below: `<p class="small">${issuer.name} · ${tools.nif(issuer)} · ${issuer.street}, ${issuer.town}${tools.pick(
        ['', ' · Inscrita en el Registro Mercantil de Madrid, tomo 12.345, folio 67, hoja M-89012'],
      )}</p>`,
    };
  },
  /** A mark over the firm's own data, and an envelope's window with the client's. */
  (sample, tools) => {
    const { issuer, client } = sample;
    return {
      above: `<div class="two"><div><span class="big">${tools.brand}</span><br>${lines(
        issuer.name,
        tools.nif(issuer),
        `${issuer.street}`,
        issuer.town,
        tools.contact,
      )}</div><div class="${tools.pick(['', 'box'])}" style="margin-top: 14mm">${lines(
        `${courtesy(client, tools)}${client.name}`,
        client.street,
        client.town,
      )}</div></div>
      ${rowsOf(
        [
          [tools.numberName, tools.dateName, 'Cód. cliente', `${tools.nifName} cliente`],
          [sample.number, tools.date(sample), '4300127', client.nif],
        ],
        '',
      )}${corrects(sample)}`,
    };
  },
  /** A form: each thing by its name, in front of it. */
  (sample, tools) => {
    const { issuer, client } = sample;
    const [code, town] = [client.town.slice(0, 5), client.town.slice(6)];
    const fill = tools.pick(['', '', ' ..... ']);
    const name = tools.pick([
      'Nombre',
      'Razón social',
      'Nombre o razón social',
      'Cliente',
      'Nombre y apellidos',
    ]);
    const fields = [
      [`${name}:`, client.name],
      [tools.pick(['Domicilio:', 'Dirección:', 'Calle:']), client.street],
      ...tools.pick([
        [['C.P. y población:', `${code} ${town}`]],
        [
          ['C.P.:', code],
          ['Población:', town],
        ],
        [['Localidad:', `${code} ${town}`]],
      ]),
      [`${tools.nifName}:`, client.nif],
    ];
    const form = tools.chance(0.5)
      ? rowsOf(fields)
      : lines(...fields.map(([a, b]) => `${a} ${fill}${b}`));
    const title = tools.pick(['', 'DATOS DEL CLIENTE', 'Datos del cliente:', 'CLIENTE']);
    return {
      above: `<p><b class="big">${issuer.name}</b><br>${lines(
        tools.pick([
          'Fontanería · Gas · Calefacción',
          'Taller mecánico y chapa',
          'Asesoría de empresas',
        ]),
        `${issuer.street} - ${issuer.town}`,
        `${tools.nif(issuer)} ${tools.contact}`,
      )}</p><div class="two"><div class="box">${title ? `<b>${title}</b><br>` : ''}${form}</div><div>${lines(
        `<b>${tools.number(sample)}</b>`,
        `${tools.dateName}: ${tools.date(sample)}`,
      )}</div></div>${corrects(sample)}`,
    };
  },
  /** Issuer and client in two columns, with what each row is at the left. */
  (sample, tools) => {
    const { issuer, client } = sample;
    return {
      above: `<p class="big">${tools.number(sample)}</p><p>${tools.dateName}: ${tools.date(sample)}</p>${rowsOf(
        [
          [
            '',
            tools.pick(['EMISOR', 'Expedida por', 'Proveedor']),
            tools.pick(['CLIENTE', 'Destinatario', 'Receptor']),
          ],
          [tools.pick(['Nombre', 'Razón social']), issuer.name, client.name],
          [tools.nifName, issuer.nif, client.nif],
          ['Domicilio', issuer.street, client.street],
          ['Población', issuer.town, client.town],
        ],
        '',
      )}${corrects(sample)}`,
    };
  },
  /** A professional's letter: the day in a sentence, the client addressed. */
  (sample, tools) => {
    const { issuer, client } = sample;
    const city = issuer.town.slice(6).replace(/ \(.*/, '');
    const day = tools.pick([
      `En ${city}, a ${worded(sample.date)}`,
      `${city}, ${worded(sample.date)}`,
      `${city}, a ${worded(sample.date)}.`,
    ]);
    return {
      above: `<div><b>${issuer.name}</b><br>${lines(
        tools.pick([
          'Abogada',
          'Arquitecto técnico',
          'Colegiado nº 12.345 del I.C.A.M.',
          'Economista',
        ]),
        `${issuer.street} · ${issuer.town}`,
        `${tools.nif(issuer)}`,
        tools.contact,
      )}</div><p class="right">${day}</p><p><b>${tools.number(sample).toUpperCase()}</b></p>
      <p>${lines(
        `${courtesy(client, tools)}${client.name}`,
        tools.nif(client),
        client.street,
        client.town,
      )}</p>${corrects(sample)}<p>${tools.pick(['Por los siguientes servicios profesionales:', 'Honorarios devengados:'])}</p>`,
    };
  },
  /** Where it is billed and where it is sent, side by side. */
  (sample, tools) => {
    const { issuer, client } = sample;
    const who = (label: string) =>
      `<div><b>${label}</b><br>${lines(client.name, client.street, client.town, label.startsWith('Dirección de f') && tools.nif(client))}</div>`;
    return {
      above: `<div class="two"><div class="big">${tools.brand}</div><div class="right">${lines(
        issuer.name,
        issuer.street,
        issuer.town,
        tools.nif(issuer),
      )}</div></div><div class="two">${who('Dirección de facturación')}${who(tools.pick(['Dirección de envío', 'Enviar a', 'Dirección de entrega']))}</div>
      ${rowsOf([
        [tools.pick(['Número de pedido', 'Nº pedido']), '1004512'],
        ['Fecha del pedido', slashed(sample.date.replace(/\d\d$/, '01'))],
        [`${tools.numberName}`, sample.number],
        [`${tools.dateName}`, tools.date(sample)],
        ['Método de pago', 'Tarjeta'],
      ])}${corrects(sample)}`,
    };
  },
  /** A contract's: holder, supply, period, and the day of issue among others. */
  (sample, tools) => {
    const { issuer, client } = sample;
    const month = sample.date.slice(0, 7);
    return {
      above: `<div class="two"><div>${lines(`<b class="big">${tools.brand}</b>`, issuer.name, `${tools.nif(issuer)}`, `${issuer.street}. ${issuer.town}`)}</div>
      <div style="margin-top: 18mm">${lines(client.name.toUpperCase(), client.street, client.town)}</div></div>
      <div class="two">${rowsOf([
        [`${tools.numberName}:`, sample.number],
        [`${tools.dateName}:`, tools.date(sample)],
        ['Periodo de facturación:', `${slashed(`${month}-01`)} - ${slashed(`${month}-28`)}`],
        ['Fecha de cargo:', slashed(sample.dueDate)],
      ])}${rowsOf([
        [tools.pick(['Titular:', 'Titular del contrato:', 'Cliente:']), client.name],
        [`${tools.nifName} titular:`, client.nif],
        [
          tools.pick(['Dirección fiscal:', 'Domicilio:', 'Dirección:']),
          `${client.street}, ${client.town}`,
        ],
        ['Nº contrato:', '0044512876'],
      ])}</div>${corrects(sample)}`,
    };
  },
  /** A garage's: client's box beside the vehicle's. */
  (sample, tools) => {
    const { issuer, client } = sample;
    return {
      above: `<div class="two"><div>${lines(`<b>${issuer.name}</b>`, issuer.street, issuer.town, `${tools.nif(issuer)} · ${tools.contact}`, 'R.I. 28/12345')}</div>
      <div class="box">${rowsOf([
        [tools.numberName, sample.number],
        [tools.dateName, tools.date(sample)],
        ['Orden nº', 'OR-8841'],
      ])}</div></div>
      <div class="two"><div class="box">${lines(
        `<b>${tools.pick(['CLIENTE', 'Datos del cliente', 'Propietario'])}</b>`,
        `${tools.pick(['', '', '00127 - '])}${client.name}`,
        client.street,
        client.town,
        tools.nif(client),
      )}</div><div class="box">${lines(
        `<b>${tools.pick(['VEHÍCULO', 'Datos del vehículo'])}</b>`,
        'Marca y modelo: Seat León 1.5 TSI',
        'Matrícula: 4512 LKM',
        'Bastidor: VSSZZZ5FZKR012345',
        'Kilómetros: 84.512',
      )}</div></div>${corrects(sample)}`,
    };
  },
  /** A wholesaler's: everything in a grid of labels over values. */
  (sample, tools) => {
    const { issuer, client } = sample;
    const cell = (label: string, value: string) =>
      `<td><span class="small">${label}</span><br>${value}</td>`;
    return {
      css: '.grid td { border: 1px solid #888 }',
      above: `<p>${lines(`<b class="big">${issuer.name}</b>`, `${issuer.street} ${issuer.town} ${tools.contact}`, tools.nif(issuer))}</p>
      <table class="grid"><tr>${cell('CLIENTE', '003127')}${cell(tools.pick(['NOMBRE', 'RAZÓN SOCIAL', 'Nombre fiscal']), client.name)}${cell(tools.nifName, client.nif)}</tr></table>
      <table class="grid"><tr>${cell(tools.pick(['DOMICILIO', 'Dirección']), client.street)}${cell(tools.pick(['POBLACIÓN', 'C.P. y localidad']), client.town)}</tr></table>
      <table class="grid"><tr>${cell(tools.numberName.toUpperCase(), sample.number)}${cell(tools.dateName.toUpperCase(), tools.date(sample))}${cell('REPARTIDOR', '07')}${cell('FORMA DE PAGO', 'GIRO 30 DÍAS')}</tr></table>${corrects(sample)}`,
    };
  },
  /** In one sentence each. */
  (sample, tools) => {
    const { issuer, client } = sample;
    return {
      above: `<p>${issuer.name}, con ${tools.nif(issuer)} y domicilio en ${issuer.street}, ${issuer.town}.</p>
      <p><b>${tools.number(sample)}</b>, de ${worded(sample.date)}.</p>
      <p>${tools.pick(['Cliente: ', 'A nombre de: ', 'Destinatario: '])}${client.name}, con ${tools.nif(client)} y domicilio en ${client.street}, ${client.town}.</p>${corrects(sample)}`,
    };
  },
  /** Everything of the issuer in the middle, the client under a rule. */
  (sample, tools) => {
    const { issuer, client } = sample;
    return {
      above: `<div style="text-align: center">${lines(`<b class="big">${issuer.name}</b>`, `${issuer.street} – ${issuer.town}`, `${tools.contact}`, `${tools.nif(issuer)}`)}</div><hr>
      <div class="two"><div>${lines(`${tools.pick(['Cliente: ', 'Sr/a: ', 'Sr. D.: ', 'Cliente '])}${client.name}`, `${tools.pick(['Dirección: ', 'Domicilio: ', ''])}${client.street}`, `${tools.pick(['Población: ', ''])}${client.town}`, tools.nif(client))}</div>
      <div>${lines(tools.number(sample), `${tools.dateName} ${tools.date(sample)}`)}</div></div>${corrects(sample)}`,
    };
  },
  /** A strip of labels over values for the number, and both parties in columns with headings. */
  (sample, tools) => {
    const { issuer, client } = sample;
    const party = (one: SampleParty) =>
      tools.pick([
        lines(one.name, tools.nif(one), one.street, one.town),
        lines(one.name, `${one.street}`, one.town, 'España', tools.nif(one)),
        lines(one.name, `${one.street}, ${one.town}`, tools.nif(one), tools.contact),
      ]);
    return {
      above: `<h1>${tools.pick(['FACTURA', 'Factura', 'INVOICE / FACTURA'])}</h1>${rowsOf(
        [
          [tools.numberName, tools.dateName, 'Vencimiento', 'Pedido'],
          [sample.number, tools.date(sample), slashed(sample.dueDate), 'PV-1182'],
        ],
        '',
      )}<br><div class="two"><div><b>${tools.pick(['De', 'Emisor', 'Vendedor', 'Datos del emisor', 'Empresa'])}</b><br>${party(issuer)}</div><div><b>${tools.pick(['Para', 'Cliente', 'Comprador', 'Facturado a', 'Datos de facturación'])}</b><br>${party(client)}</div></div>${corrects(sample)}`,
    };
  },
  /** A shop's name over who keeps it. */
  (sample, tools) => {
    const { issuer, client } = sample;
    return {
      above: `<div class="two"><div>${lines(
        `<b class="big">${tools.brand}</b>`,
        `${tools.pick(['Titular: ', 'de ', '', ''])}${issuer.name}`,
        tools.nif(issuer),
        issuer.street,
        issuer.town,
        tools.contact,
      )}</div><div>${lines(
        `<b>${tools.number(sample)}</b>`,
        `${tools.dateName}: ${tools.date(sample)}`,
        'Página 1 de 1',
      )}</div></div><div class="${tools.pick(['box', ''])}" style="margin-left: ${tools.pick(['0', '90mm'])}">${lines(
        tools.pick([
          'Cliente',
          'Facturar a',
          'A la atención de',
          'Señores:',
          false as unknown as string,
        ]),
        client.name,
        `${tools.nif(client)}`,
        client.street,
        client.town,
      )}</div>${corrects(sample)}`,
    };
  },
  /** The client's data run on, with labels between them. */
  (sample, tools) => {
    const { issuer, client } = sample;
    const gap = tools.pick([' &nbsp; &nbsp; &nbsp; &nbsp; ', ' &nbsp; ', ' - ']);
    return {
      above: `<div class="right">${lines(`<b>${issuer.name}</b>`, tools.nif(issuer), `${issuer.street}, ${issuer.town}`, tools.contact)}</div>
      <p>${tools.number(sample)}${gap}${tools.dateName}: ${tools.date(sample)}</p>
      <p>${lines(
        `${tools.pick(['Cliente', 'Nombre', 'Razón social'])}: ${client.name}${gap}${tools.nif(client)}`,
        `${tools.pick(['Domicilio', 'Dirección'])}: ${client.street}${gap}${tools.pick(['Población', 'Localidad', 'C.P./Población'])}: ${client.town}`,
      )}</p>${corrects(sample)}`,
    };
  },
  /** The number alone under a title; the client's name broken over two lines of a narrow box. */
  (sample, tools) => {
    const { issuer, client } = sample;
    return {
      above: `<div class="two"><div style="width: 60mm">${lines(`<b>${issuer.name}</b>`, issuer.street, issuer.town, tools.nif(issuer))}</div>
      <div class="right">${lines('<b class="big">FACTURA</b>', `${tools.pick(['Nº ', 'Nº: ', 'n.º ', '# '])}${sample.number}`, tools.date(sample))}</div></div>
      <div class="box" style="width: 58mm">${lines(`<b>${tools.pick(['Cliente', 'Facturar a', 'Destinatario'])}</b>`, client.name, client.street, client.town, tools.nif(client))}</div>${corrects(sample)}`,
    };
  },
  /** Its name on top, its NIF at the foot among telephones. */
  (sample, tools) => {
    const { issuer, client } = sample;
    return {
      above: `<div class="two"><div><span class="big">${issuer.name}</span><br>${tools.pick(['Fontanería, gas y calefacción', 'Servicios profesionales', 'Venta al por mayor', ''])}</div><div class="right">${lines(tools.number(sample), `${tools.dateName}: ${tools.date(sample)}`)}</div></div>
      <div>${lines(`<b>${tools.pick(['Cliente', 'Facturar a', 'Datos del cliente'])}</b>`, client.name, `${client.street}`, client.town, tools.nif(client))}</div>${corrects(sample)}`,
      below: `<p class="small" style="text-align: center">${tools.pick(['Gracias por su confianza<br>', ''])}${tools.nif(issuer)} · ${issuer.street} · ${issuer.town} · ${tools.contact}${tools.pick(['', ' · IBAN ES91 2100 0418 4502 0005 1332'])}</p>`,
    };
  },
  /** Who and what in one line, and what else is offered under it. */
  (sample, tools) => {
    const { issuer, client } = sample;
    const trade = tools.pick([
      'Fontanería y gas',
      'Abogada',
      'Asesoría fiscal y laboral',
      'Pintura y decoración',
    ]);
    return {
      above: `<p><b style="font-size: 14pt">${issuer.name}${tools.pick([' – ', ' - ', ' | ', ' · '])}${trade}</b><br>${lines(
        tools.pick(['Presupuestos sin compromiso', 'Colegiada núm. 84.512 ICAM', 'Desde 1982']),
        tools.nif(issuer),
        issuer.street,
        issuer.town,
        tools.contact,
      )}</p><hr><div class="two"><div>${lines(
        `${tools.pick(['Nombre del cliente: ', 'Cliente: ', 'Sr./Sra.: ', 'D./Dña.: '])}${client.name}`,
        `${tools.pick(['Dirección: ', 'Domicilio del cliente: ', 'Dirección del cliente: '])}${client.street}`,
        `${tools.pick(['Localidad: ', 'Población: ', 'C.P. y localidad: '])}${client.town}`,
        `${tools.pick(['', 'Tel.: 600 112 233'])}`,
        `${tools.nifName} del cliente: ${client.nif}`,
      )}</div><div>${lines(tools.number(sample), `${tools.dateName}: ${tools.date(sample)}`)}</div></div>${corrects(sample)}`,
    };
  },
  /** Trades between a name and its data, letters set apart. */
  (sample, tools) => {
    const { issuer, client } = sample;
    return {
      above: `<div class="two"><div><span style="letter-spacing: ${tools.pick(['0', '1px', '2px'])}; font-size: 15pt">${issuer.name.toUpperCase()}</span><br>${lines(
        tools.pick([
          'ABOGADOS Y ASESORES',
          'Chapa, pintura y mecánica rápida',
          'Frutas y verduras al por mayor',
        ]),
        tools.pick(['Colegiado nº 4.512', 'Taller autorizado', 'Puestos 14 y 15']),
        `${issuer.street}`,
        issuer.town,
        tools.contact,
        tools.nif(issuer),
      )}</div><div class="box" style="width: 80mm">${lines(
        tools.pick(['Cliente: 004512', 'Cód. cliente 4512', `<b>CLIENTE</b>`]),
        client.name.toUpperCase(),
        tools.pick([false as unknown as string, 'RESTAURANTE LA PARADA']),
        client.street,
        client.town,
        tools.nif(client),
      )}</div></div>${rowsOf(
        [
          [tools.numberName, tools.dateName, 'Agente', 'Ruta'],
          [sample.number, tools.date(sample), '03', '07'],
        ],
        '',
      )}${corrects(sample)}`,
    };
  },
  /** A shop's: who sells it, where it goes and whom it is billed to, the NIF apart. */
  (sample, tools) => {
    const { issuer, client } = sample;
    return {
      above: `<div class="two"><h1>${tools.brand}</h1><h2>Factura</h2></div>${rowsOf(
        [
          [`${tools.numberName}:`, sample.number, 'Nº de pedido:', '100-4512'],
          [
            `${tools.dateName}:`,
            tools.date(sample),
            'Fecha de pedido:',
            slashed(sample.date.replace(/\d\d$/, '01')),
          ],
        ],
        '',
      )}<br><div class="two"><div><b>${tools.pick(['Vendido por', 'Vendedor', 'Datos de la empresa'])}</b><br>${lines(issuer.name, issuer.street, issuer.town, tools.nif(issuer))}</div>
      <div><b>${tools.pick(['Dirección de envío', 'Enviado a', 'Datos de envío'])}</b><br>${lines(client.name, 'C/ del Almacén, 2', '28850 Torrejón de Ardoz')}</div>
      <div><b>${tools.pick(['Dirección de facturación', 'Facturado a', 'Datos de facturación'])}</b><br>${lines(client.name, client.street, client.town, `${tools.nifName}: ${client.nif}`)}</div></div>${corrects(sample)}`,
    };
  },
  /** A case or a work between whom it is for and what it costs. */
  (sample, tools) => {
    const { issuer, client } = sample;
    return {
      above: `<div style="text-align: ${tools.pick(['center', 'right', 'left'])}">${lines(`<span style="font-size: 16pt">${issuer.name}</span>`, tools.pick(['ABOGADA', 'Abogado', 'Procuradora de los Tribunales', 'Arquitecta']), `${issuer.street}`, `${issuer.town}`, tools.contact, tools.nif(issuer))}</div>
      <p>${tools.pick(['<b>MINUTA DE HONORARIOS</b>', '<b>FACTURA</b>', '<b>Nota de honorarios</b>'])}<br>${tools.pick(['Núm.: ', 'Nº ', 'Número '])}${sample.number}<br>${tools.dateName}: ${tools.date(sample)}</p>
      <p>${lines(
        `${tools.pick(['Cliente: ', 'Minutado a: ', 'A cargo de: ', 'Dirigida a: '])}${courtesy(client, tools)}${client.name}`,
        `${tools.pick(['', 'con domicilio en ', 'Domicilio: '])}${client.street}, ${client.town}`,
        tools.nif(client),
        `${tools.pick(['Asunto: ', 'Procedimiento: ', 'Obra: '])}Juicio verbal 512/2026, Juzgado nº 4`,
      )}</p>${corrects(sample)}`,
    };
  },
  /** Two forms side by side: the car's, and whose it is. */
  (sample, tools) => {
    const { issuer, client } = sample;
    const left = [
      ['Matrícula:', '4512 LKM'],
      ['Marca:', 'Seat León'],
      ['Kms.:', '84.512'],
      ['Bastidor:', 'VSSZZZ5FZKR012345'],
    ];
    const right = [
      [tools.pick(['Nombre:', 'Cliente:', 'Titular:']), client.name],
      [`${tools.nifName}:`, client.nif],
      [tools.pick(['Dirección:', 'Domicilio:']), client.street],
      [tools.pick(['Población:', 'C.P. Población:']), client.town],
    ];
    return {
      above: `<div class="two"><div>${lines(`<b class="big">${tools.pick([tools.brand, issuer.name])}</b>`, issuer.name, `${tools.nif(issuer)}`, `${issuer.street} · ${issuer.town}`)}</div><div>${lines(tools.number(sample), `${tools.dateName}: ${tools.date(sample)}`, 'O.R. 8841')}</div></div>
      ${rowsOf(
        left.map((pair, i) => [...pair, ...(right[i] as string[])]),
        '',
      )}${corrects(sample)}`,
    };
  },
  /** Nobody's name is called anything, and both stand in the same rows. */
  (sample, tools) => {
    const { issuer, client } = sample;
    const pairs = [
      [`<b>${issuer.name}</b>`, `<b>${client.name}</b>`],
      [issuer.street, client.street],
      [issuer.town, client.town],
      [tools.nif(issuer), tools.nif(client)],
      [tools.contact, ''],
    ];
    return {
      above: `${rowsOf(pairs, '')}<br>${rowsOf([
        [`${tools.numberName}:`, sample.number],
        [`${tools.dateName}:`, tools.date(sample)],
      ])}${corrects(sample)}`,
    };
  },
];
