import {
  dashed,
  euros,
  figure,
  type Pool,
  type Sample,
  type SampleLine,
  type Story,
  slashed,
  worded,
} from './invoice-sample.ts';
import { address, isDiscounted, lineTable, rectified, sumsOf } from './open-layouts.ts';
import { type HtmlLayout, sheetOf, tableOf } from './print-html.ts';

/** The paper of one trade or program: its words, and what its invoices are like. */
export interface Stationery {
  readonly layout: HtmlLayout;
  readonly pool: Pool;
  /** Stories that such an invoice never has. */
  readonly unfit: readonly Story[];
  /** What is special in these invoices: exempt, or of single amounts. */
  readonly retouch?: (sample: Sample) => Sample;
}

/** Names of clients who are people, for those whose NIF is a person's. */
const PEOPLE = [
  ...['Rosario Alcaide Montes', 'Joan Capdevila i Prat', 'Ainhoa Etxeberria Lasa'],
  ...['Francisco J. del Castillo Rey', 'Mª Ángeles Bru Soler', 'Óscar Teijeiro Vilas'],
  ...['Lucía de la Fuente Arce', 'Nicolás Ugarte Peña', 'Purificación Moya Gil'],
];

/** The client is a person if the NIF is. */
export function withPeople(sample: Sample): Sample {
  const digits = Number(sample.client.nif.slice(1, 8));
  if (!/^\d/.test(sample.client.nif)) return sample;
  return {
    ...sample,
    client: { ...sample.client, name: PEOPLE[digits % PEOPLE.length] as string },
  };
}

const series = (count: number, write: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => write(i));
const padded = (value: number, digits: number) => String(value).padStart(digits, '0');

/** Without a mark of thousands: `123456` → `'1234,56'`. */
export const unmarked = (cents: number) => euros(cents).replaceAll('.', '');
export const gross = ({ totalCents, rate }: SampleLine) =>
  totalCents + Math.sign(totalCents) * Math.round((Math.abs(totalCents) * rate) / 100);

/** A drawing without letters in place of the issuer's logo. */
export const logo = (color: string, mm = 18) =>
  `<img alt="" style="width: ${mm}mm; height: ${mm}mm" src="data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><circle cx="20" cy="20" r="19" fill="${color}"/><path d="M8 27 L18 11 L24 21 L28 15 L34 27 Z" fill="#fff"/></svg>`,
  )}">`;

const discountColumn =
  (heading: string, mark = '') =>
  (sample: Sample) =>
    isDiscounted(sample)
      ? [
          [
            heading,
            ({ discount }: SampleLine) => (discount ? `${figure(discount)}${mark}` : ''),
          ] as const,
        ]
      : [];

/** Layouts as the programs and the trades of small Spanish firms print them; their mistakes may be looked at. */
export const OPEN_THREE: Readonly<Record<string, Stationery>> = {
  nubeModerna: {
    layout: nubeModerna,
    retouch: withPeople,
    unfit: ['recargo'],
    pool: {
      names: [
        ...['Mareas Digitales, S.L.', 'Estudio Bermejo y Cano, S.L.', 'Quesería Alto Lozoya, S.L.'],
        ...['Robles & Ledesma Consultores, S.L.', 'Ciclos Navacerrada, S.L.U.'],
        ...[
          'Brotes Tiernos Jardinería, S.L.',
          'Lab Gourmet Ibérico, S.L.',
          'Tres Torres Coworking, S.L.',
        ],
      ],
      streets: [
        ...[
          'Calle de Embajadores, 181, 2º izda.',
          'Avenida de América, 32 - 5ºC',
          'Calle Larios, 4',
        ],
        ...['C/ Poeta Querol 11, entlo.', 'Paseo de la Habana 202 bis', 'Calle Nueva s/n'],
      ],
      towns: [
        ...[
          '28045 Madrid',
          '28028 Madrid',
          '29005 Málaga',
          '46002 València',
          '28740 Rascafría (Madrid)',
        ],
        '07001 Palma',
      ],
      things: [
        ...['Gestión de redes sociales', 'Pack bienvenida', 'Sesión fotográfica de producto'],
        ...['Puesto fijo coworking (mes)', 'Hosting + dominio .es', 'Diseño UX/UI app móvil'],
        ...['Queso curado de oveja 1 kg', 'Taller de iniciación a la cata', 'Poda de seto'],
      ],
      numbers: [
        ...series(12, (i) => `F26${padded(17 + 31 * i, 4)}`),
        ...series(6, (i) => `2026/${52 + 9 * i}`),
      ],
    },
  },
  matricial: {
    layout: matricial,
    retouch: withPeople,
    unfit: [],
    pool: {
      names: [
        ...[
          'SUMINISTROS BARRANCO Y NIETO, S.L.',
          'ALMACENES OLIVARES, S.L.',
          'HIJOS DE TOMÁS GARRIDO, S.L.',
        ],
        ...['BEBIDAS CAMPIÑA SUR, S.L.', 'RECAMBIOS LA LOMA, S.L.', 'MARTÍN PASCUAL, S.L.'],
        ...['FONTANERÍA Y GAS ÉCIJA, S.L.', 'HOSTELERA DEL GUADIATO, S.L.'],
      ],
      streets: [
        ...['C/ CONCEPCIÓN, 14', 'POL. IND. LA RED, PARC. 22', 'AVDA. DE ANDALUCÍA, 107 BJ.'],
        ...['CTRA. DE CARMONA, KM. 3', 'C/ SAN FERNANDO, 8 1º A', 'PLAZA DE ESPAÑA, S/N'],
      ],
      towns: [
        ...['41400 ÉCIJA (SEVILLA)', '41500 ALCALÁ DE GUADAÍRA', '14200 PEÑARROYA-PUEBLONUEVO'],
        ...['23400 ÚBEDA (JAÉN)', '06900 LLERENA (BADAJOZ)'],
      ],
      things: [
        ...[
          'TUBO COBRE 18 MM ROLLO',
          'CODO 90 LATÓN 1/2"',
          'LLAVE ESCUADRA CROMO',
          'SIFÓN BOTELLA BLANCO',
        ],
        ...['CERVEZA 1/3 CAJA 24', 'REFRESCO NARANJA 2 L', 'FILTRO ACEITE W712', 'CORREA 6PK1190'],
        ...['TEFLÓN 12 MM X 50 M', 'AGUA 1,5 L PACK 6', 'BATERÍA 70 AH 640 A'],
      ],
      numbers: [
        ...series(10, (i) => `${1_204 + 87 * i}`),
        ...series(8, (i) => `A/${padded(311 + 43 * i, 6)}`),
      ],
    },
  },
  taller: {
    layout: taller,
    retouch: withPeople,
    unfit: ['retención', 'recargo', 'varios tipos'],
    pool: {
      issuers: {
        names: [
          ...['Automoción Lázaro, S.L.', 'Talleres Hnos. Coll, S.L.', 'Neumáticos Vallejo, S.L.'],
          ...['Carrocerías El Pinar, S.L.', 'Autos Sierra de Gata, S.L.'],
        ],
        arePeople: false,
      },
      names: [
        ...['Reparto Veloz Aragón, S.L.', 'Construcciones Mainar, S.L.', 'Gil Berges, S.L.'],
        ...['Panificadora San Lamberto, S.L.', 'Viveros Ebro, S.L.'],
      ],
      streets: [
        ...[
          'Polígono Malpica, C/ F, nave 31',
          'C/ Monasterio de Siresa, 12',
          'Avda. Cataluña, 245 local',
        ],
        ...['Camino de las Torres, 90', 'C/ Mayor, 3, Bajo B'],
      ],
      towns: [
        ...[
          '50016 Zaragoza',
          '50171 La Puebla de Alfindén (Zaragoza)',
          '22004 Huesca',
          '44002 Teruel',
        ],
      ],
      things: [
        ...[
          'Sustituir pastillas delanteras',
          'Kit de distribución con bomba',
          'Cambio de aceite y filtros',
        ],
        ...['Pastillas freno BOSCH 0986494', 'Filtro de habitáculo', 'Aceite 5W30 C3 (litro)'],
        ...[
          'Diagnosis electrónica',
          'Neumático 205/55 R16 91V',
          'Alineado de dirección',
          'Anticongelante 5 l',
        ],
        ...['Reciclaje de residuos', 'Escobillas limpiaparabrisas (juego)'],
      ],
      numbers: [
        ...series(12, (i) => `T-26/${padded(88 + 57 * i, 5)}`),
        ...series(5, (i) => `26.${301 + 77 * i}`),
      ],
    },
  },
  minuta: {
    layout: minuta,
    retouch: (sample) => withPeople(singly(sample)),
    unfit: ['recargo', 'descuentos', 'varios tipos', 'varias páginas'],
    pool: {
      issuers: {
        names: [
          ...['Ignacio Rubio de Celis', 'Carmen Sotomayor Lagos', 'Eduardo Pons Barrachina'],
          ...['Mª José Albarracín Díez', 'Álvaro Peñalver San Juan'],
        ],
        arePeople: true,
      },
      names: [
        ...[
          'García-Baquero Inversiones, S.L.',
          'Promociones Aljarafe Norte, S.L.',
          'Ramos Carrasco, S.L.',
        ],
        ...[
          'Cdad. Prop. Edificio Miraflores',
          'Gestoría Peinado Hermanos, S.L.',
          'Dehesa de Abajo, S.L.',
        ],
      ],
      streets: [
        ...['Avenida de la Borbolla, 47, 3º Dcha.', 'Calle Virgen de Luján 28', 'C/ Asunción, 80'],
        ...['Plaza de Cuba nº 6, planta 2ª', 'Calle Betis, 12'],
      ],
      towns: ['41013 Sevilla', '41011 Sevilla', '41930 Bormujos (Sevilla)', '21001 Huelva'],
      things: [
        ...['Interposición de recurso de reposición'],
        ...['Redacción y presentación de demanda de juicio ordinario en reclamación de cantidad'],
        ...['Asistencia a juicio', 'Estudio de documentación y dictamen', 'Escrito de alegaciones'],
        ...['Asistencia letrada en acto de conciliación ante el CMAC'],
        ...[
          'Asesoramiento jurídico mensual',
          'Redacción de contrato de arrendamiento de local de negocio',
        ],
      ],
      numbers: [
        ...series(14, (i) => `${3 + 4 * i}/2026`),
        ...series(6, (i) => `M-2026-${padded(12 + i, 3)}`),
      ],
    },
  },
  dental: {
    layout: dental,
    retouch: (sample) => withPeople(exempt(sample)),
    unfit: ['retención', 'recargo', 'IGIC', 'varios tipos'],
    pool: {
      issuers: {
        names: [
          ...[
            'Clínica Dental Bustamante, S.L.P.',
            'Odontología Sardinero, S.L.',
            'Dental Trueba Gómez, S.L.P.',
          ],
          ...['Centro Médico Peña Castillo, S.L.'],
        ],
        arePeople: false,
      },
      names: [
        ...['Mutua Cántabra de Salud, S.L.', 'Colegio La Montaña, S.L.', 'Seguros Bahía, S.L.'],
        ...['Club Deportivo Cabarga, S.L.', 'Transportes Pisueña, S.L.'],
      ],
      streets: [
        'C/ Burgos, 11, 1º',
        'Calle Castelar, 3',
        'Avda. de los Castros, 61 2ºB',
        'Bº La Sierra, 104',
      ],
      towns: ['39008 Santander', '39004 Santander', '39005 Santander', '39600 Maliaño (Cantabria)'],
      things: [
        ...['Limpieza y pulido', 'Endodoncia molar', 'Obturación composite', 'Corona de circonio'],
        ...[
          'Implante de titanio',
          'Férula de descarga',
          'Radiografía panorámica',
          'Exodoncia simple',
        ],
        ...['Primera visita', 'Blanqueamiento en clínica'],
      ],
      numbers: [
        ...series(15, (i) => `CD26-${padded(140 + 61 * i, 5)}`),
        ...series(5, (i) => `${20_261_017 + 93 * i}`),
      ],
    },
  },
  catalana: {
    layout: catalana,
    retouch: withPeople,
    unfit: ['IGIC', 'recargo'],
    pool: {
      names: [
        ...['Puig i Ferrer, S.L.', 'Fusteria Casadevall, S.L.', 'Impremta Torras Vila, S.L.'],
        ...[
          'Caves Sant Quintí, S.L.',
          'Serralleria Bosch Germans, S.L.',
          "L'Obrador de l'Anna, S.L.",
        ],
        ...['Instal·lacions Empordà, S.L.', 'Roca Pujol Associats, S.L.P.'],
      ],
      streets: [
        ...[
          'C/ Sant Pere Més Alt, 21, 1r 2a',
          'Av. Diagonal, 433 bis',
          'Carrer del Mar, 8, baixos',
        ],
        ...['Ctra. de Vic, 104', 'Rambla Nova, 66, 3r', 'Pol. Ind. Les Comes, nau 9'],
      ],
      towns: [
        ...['08003 Barcelona', '17600 Figueres (Girona)', '08700 Igualada', '43003 Tarragona'],
        ...['08770 Sant Sadurní d’Anoia', '25001 Lleida'],
      ],
      things: [
        ...[
          'Cartells DIN A3 a quatre tintes',
          'Porta corredissa de faig',
          "Hores d'oficial de primera",
        ],
        ...['Cava brut nature 75 cl', 'Targetes de visita (500 u.)', 'Reixa de ferro galvanitzat'],
        ...[
          'Desplaçament',
          'Coca de recapte',
          "Col·locació d'aixeta",
          'Revisió anual de la caldera',
        ],
      ],
      numbers: [
        ...series(12, (i) => `FV26/${padded(61 + 23 * i, 4)}`),
        ...series(6, (i) => `2026-${padded(9 + 14 * i, 3)}`),
      ],
    },
  },
};

/** Lines of one amount each, without quantities or prices. */
function singly(sample: Sample): Sample {
  const lines = sample.lines.map((line) => ({
    ...line,
    quantity: 1,
    priceCents: line.totalCents,
  }));
  return { ...sample, lines };
}

/** Ley 37/1992 art. 20.uno.5.º: dentists charge no IVA. */
function exempt(sample: Sample): Sample {
  return {
    ...sample,
    lines: sample.lines.map((line) => ({ ...line, rate: 0 })),
    groups: [{ rate: 0, baseCents: sample.baseCents, quotaCents: 0, recargo: 0, recargoCents: 0 }],
    quotaCents: 0,
    totalCents: sample.baseCents,
  };
}

/** As invoicing in the cloud prints by default: logo, pale letters, each line also with its IVA included. */
function nubeModerna(sample: Sample): string {
  const { issuer, client, rectifies } = sample;
  return sheetOf(
    `body { font-size: 9pt; color: #222 } .two { display: flex; justify-content: space-between } h1 { font-size: 20pt; font-weight: normal; margin: 0 } small { color: #888; font-size: 8pt } .l { margin-top: 8mm } .l th { font-size: 7.5pt; color: #888; font-weight: normal; border-bottom: 1px solid #ccc; text-transform: uppercase } .l td { border-bottom: 1px solid #eee; padding: 6px 5px } .s { width: 72mm; margin: 8mm 0 0 auto } .s tr:last-child td { font-size: 12pt; font-weight: bold; border-top: 1px solid #222 } .foot { margin-top: 14mm; font-size: 8pt }`,
    `<div class="two"><div><h1>${rectifies ? 'Factura rectificativa' : 'Factura'} <span style="color: #3b7">#${sample.number}</span></h1><br><small>Fecha</small> ${slashed(sample.date)}<br><small>Vencimiento</small> ${slashed(sample.dueDate)}${rectified(sample, '<small>Rectifica a</small>')}</div>${logo('#33bb77', 22)}</div><br>
     <div class="two"><div style="width: 85mm"><b>${client.name}</b><br>${client.nif}<br>${address(client)}</div><div style="width: 75mm"><b>${issuer.name}</b><br>${issuer.nif}<br>${address(issuer)}<br>facturas@ejemplo.es</div></div>
     ${lineTable(
       sample,
       [
         ['Concepto', ({ description }) => description],
         ['Precio>', ({ priceCents }) => `${euros(priceCents)}€`],
         ['Unidades>', ({ quantity }) => figure(quantity)],
         ...discountColumn('Dto.>', '%')(sample),
         ['Subtotal>', ({ totalCents }) => `${euros(totalCents)}€`],
         [`${sample.tax}>`, ({ rate }) => `${rate}%`],
         ['Total>', (line) => `${euros(gross(line))}€`],
       ],
       'l',
     )}${tableOf(['', '>'], sumsOf(sample, { base: 'BASE IMPONIBLE', tax: '@ #%', recargo: '', irpf: 'IRPF -#%', total: 'TOTAL', euro: '€' }), 's')}
     <p class="foot"><b>Condiciones de pago</b><br>Pagar por transferencia bancaria al siguiente número de cuenta: ES79 2100 0813 6101 2345 6789</p>`,
  );
}

/** A program of MS-DOS on paper of 80 columns: no rules but dashes, and sums carried from sheet to sheet. */
function matricial(sample: Sample): string {
  const { issuer, client } = sample;
  const rule = '-'.repeat(80);
  const perSheet = 24;
  const left = (text: string, width: number) => text.padEnd(width).slice(0, width);
  const right = (text: string, width: number) => text.padStart(width);
  const sheets = Array.from({ length: Math.ceil(sample.lines.length / perSheet) }, (_, at) =>
    sample.lines.slice(at * perSheet, (at + 1) * perSheet),
  );
  const sumUpTo = (end: number) =>
    sample.lines.slice(0, end).reduce((sum, { totalCents }) => sum + totalCents, 0);
  const head = (page: number) => [
    `${left(issuer.name, 48)}${sample.rectifies ? 'FACTURA RECTIFICATIVA' : 'F A C T U R A'}`,
    issuer.street,
    issuer.town,
    `C.I.F. ${issuer.nif}   TLF. 954 83 21 10`,
    '',
    ...[client.name, client.street, client.town, `N.I.F.: ${client.nif}`].map(
      (text) => `${' '.repeat(40)}${text}`,
    ),
    '',
    `NUMERO: ${left(sample.number, 14)}FECHA: ${slashed(sample.date)}     CLIENTE: 430${padded(sample.lines.length * 7, 4)}    HOJA: ${page}`,
    ...(sample.rectifies ? [`RECTIFICA A LA FACTURA: ${sample.rectifies}`] : []),
    rule,
    `${left('ARTICULO', 10)}${left('DESCRIPCION', 32)}${right('CANTIDAD', 9)}${right('PRECIO', 10)}${right('%DTO', 7)}${right('IMPORTE', 12)}`,
    rule,
  ];
  const row = (line: SampleLine, i: number) =>
    `${left(`${20_417 + 113 * i}`, 10)}${left(line.description, 32)}${right(figure(line.quantity, 2), 9)}${right(euros(line.priceCents), 10)}${right(line.discount ? figure(line.discount, 2) : '', 7)}${right(euros(line.totalCents), 12)}`;
  const carried = (label: string, cents: number) =>
    `${' '.repeat(44)}${label}${right(euros(cents), 36 - label.length)}`;
  const sums = [
    rule,
    ` BASE IMPON.    %${sample.tax}      CUOTA    %R.E.    CUOTA R.E.`,
    ...sample.groups.map(
      (g) =>
        `${right(euros(g.baseCents), 12)}${right(figure(g.rate, 2), 9)}${right(euros(g.quotaCents), 11)}${g.recargo ? `${right(figure(g.recargo, 2), 9)}${right(euros(g.recargoCents), 14)}` : ''}`,
    ),
    rule,
    ...(sample.irpf
      ? [carried(`RETENCION I.R.P.F. ${figure(sample.irpf)}%`, -sample.irpfCents)]
      : []),
    carried(
      sample.irpf ? 'LIQUIDO A PERCIBIR' : 'TOTAL FACTURA',
      sample.totalCents - sample.irpfCents,
    ),
    '',
    `FORMA DE PAGO: GIRO 30 DIAS     VENCIMIENTO: ${slashed(sample.dueDate)}`,
  ];
  const pages = sheets.map((lines, at) => {
    const isLast = at === sheets.length - 1;
    const end = at * perSheet + lines.length;
    return [
      ...head(at + 1),
      ...(at ? [carried('SUMA ANTERIOR', sumUpTo(at * perSheet))] : []),
      ...lines.map((line, i) => row(line, at * perSheet + i)),
      '',
      ...(isLast ? sums : [carried('SUMA Y SIGUE', sumUpTo(end))]),
    ].join('\n');
  });
  return sheetOf(
    `pre { font: 9.5pt/1.35 'Liberation Mono'; margin: 0 } pre + pre { break-before: page }`,
    pages.map((page) => `<pre>${page}</pre>`).join(''),
  );
}

/** A garage: the car's box, work apart from parts with a sum under each, the issuer's NIF at the foot. */
function taller(sample: Sample): string {
  const { issuer, client } = sample;
  const half = Math.ceil(sample.lines.length / 2);
  const seed = Number(client.nif.replace(/\D/g, '').slice(0, 7));
  const part = (heading: string, unit: string, lines: readonly SampleLine[]) =>
    lines.length === 0
      ? ''
      : `<div class="h">${heading}</div>${lineTable(
          { ...sample, lines },
          [
            ['Descripción', ({ description }) => description],
            ['Cant.>', ({ quantity }) => `${figure(quantity, 2)} ${unit}`],
            ['Precio>', ({ priceCents }) => euros(priceCents)],
            ...discountColumn('% Dto.>')(sample),
            ['Importe>', ({ totalCents }) => euros(totalCents)],
          ],
          'l',
        )}<div class="n" style="padding: 1mm 5px">Total ${heading.toLowerCase()} &nbsp; ${euros(lines.reduce((sum, { totalCents }) => sum + totalCents, 0))}</div>`;
  return sheetOf(
    `body { font-size: 9pt } .two { display: flex; justify-content: space-between; align-items: center } .car { border: 1.5px solid #036; margin: 3mm 0 } .car th { background: #036; color: #fff; font-size: 7.5pt } .h { font-weight: bold; border-bottom: 1.5px solid #036; margin-top: 3mm; color: #036 } .l th { font-size: 7.5pt; color: #555 } .s { width: 70mm; margin: 5mm 0 0 auto; border: 1.5px solid #036 } .foot { position: fixed; bottom: 0; left: 0; right: 0; font-size: 6.5pt; text-align: center; color: #333 }`,
    `<div class="two">${logo('#003366')}<div style="text-align: right"><b style="font-size: 14pt; color: #036">${issuer.name}</b><br>${issuer.street} · ${issuer.town}<br>Mecánica, electricidad, chapa y pintura · Tel. 976 57 10 22</div></div>
     <div class="two" style="align-items: flex-start; margin-top: 4mm"><div>${sample.rectifies ? 'FACTURA RECTIFICATIVA' : 'FACTURA'} Nº <b>${sample.number}</b><br>Fecha factura: ${dashed(sample.date)}<br>O.R. nº 26/${2_000 + (seed % 7_000)}${rectified(sample, 'Rectifica a la factura nº')}</div>
       <div style="width: 88mm">Sr./Sra.: <b>${client.name}</b><br>${address(client)}<br>Tel.: 6${padded(seed, 8).slice(0, 8)} &nbsp; NIF/CIF: ${client.nif}</div></div>
     ${tableOf(['Matrícula', 'Marca y modelo', 'Bastidor', 'Kilómetros', 'F. entrada'], [[`${padded(seed % 10_000, 4)} LKM`, 'Seat León 2.0 TDI', `VSSZZZ5FZJR${padded(seed % 1_000_000, 6)}`, euros((seed % 250_000) * 100).slice(0, -3), slashed(sample.date)]], 'car')}
     ${part('Mano de obra', 'h', sample.lines.slice(0, half))}${part('Recambios', 'ud', sample.lines.slice(half))}
     ${tableOf(['', '>'], sumsOf(sample, { base: 'Base imponible', tax: '@ # %', recargo: '', irpf: '', total: 'TOTAL FACTURA', euro: ' €' }), 's')}
     <p style="font-size: 7.5pt">Garantía de la reparación: 3 meses o 2.000 km (R.D. 1457/1986). Piezas sustituidas a disposición del cliente.</p>
     <div class="foot">${issuer.name} · NIF ${issuer.nif} · Nº de registro industrial de talleres 50/10.447 · R. M. de Zaragoza, tomo 3.018, libro 0, folio 96, hoja Z-33.127</div>`,
  );
}

/** A lawyer's letter in a word processor: a paragraph and an amount, place and date in words at the end. */
function minuta(sample: Sample): string {
  const { issuer, client } = sample;
  const city = issuer.town.slice(6).replace(/ \(.*/, '');
  return sheetOf(
    `body { font: 11pt/1.45 'Liberation Serif' } .l td { padding: 2mm 0 } .l td:first-child { padding-right: 12mm; text-align: justify } .s td { padding: 1mm 0 } .s { width: 90mm; margin: 4mm 0 0 auto } .s tr:last-child { font-weight: bold }`,
    `<div style="text-align: center"><span style="font-size: 15pt; letter-spacing: 1px">${issuer.name.toUpperCase()}</span><br><i>Abogado · Colegiado núm. 9.417 I.C.A.S.</i><br>${issuer.street} – ${issuer.town}<br>N.I.F. ${issuer.nif} – Tfno. 954 27 11 90</div><br>
     <p>Cliente: <b>${client.name}</b><br>N.I.F.: ${client.nif}<br>Domicilio: ${client.street}, ${client.town}</p>
     <p style="text-align: center"><b><u>${sample.rectifies ? 'FACTURA RECTIFICATIVA' : 'FACTURA DE HONORARIOS PROFESIONALES'} Nº ${sample.number}</u></b></p>${rectified(sample, 'Rectificativa de la factura número')}
     ${lineTable(
       sample,
       [
         ['CONCEPTO', ({ description }) => description],
         ['IMPORTE>', ({ totalCents }) => `${euros(totalCents)} €`],
       ],
       'l',
     )}${tableOf(['', '>'], sumsOf(sample, { base: 'Total honorarios (base imponible)', tax: '@ # %', recargo: '', irpf: 'Retención I.R.P.F. # %', total: 'TOTAL A PERCIBIR', euro: ' €' }), 's')}
     <p>En ${city}, a ${worded(sample.date)}.</p><br><br><p>Fdo.: ${issuer.name}</p>
     <p style="font-size: 9pt">Ruego abono en la cuenta ES12 0182 5566 7100 1122 3344, indicando el número de factura.</p>`,
  );
}

/** A dentist's: each line with its day and tooth, nothing of IVA but why there is none. */
function dental(sample: Sample): string {
  const { issuer, client } = sample;
  const day = (i: number) =>
    `${sample.date.slice(0, 8)}${padded(1 + ((i * 3) % Number(sample.date.slice(8))), 2)}`;
  return sheetOf(
    `body { font-size: 9.5pt } .l { margin-top: 5mm } .l th { background: #d7eef2; border-bottom: 1px solid #2a8a9c } .l td { border-bottom: 1px dotted #2a8a9c } .s { width: 68mm; margin: 5mm 0 0 auto } .two { display: flex; justify-content: space-between } .s tr:last-child td { font-weight: bold; background: #d7eef2 }`,
    `<div class="two"><div>${logo('#2a8a9c', 14)}</div><div style="text-align: right; font-size: 8.5pt"><b>${issuer.name}</b><br>CIF ${issuer.nif}<br>${address(issuer)}<br>942 21 00 37 · Registro sanitario CS-1147</div></div>
     <h2 style="color: #2a8a9c; margin: 4mm 0">${sample.rectifies ? 'FACTURA RECTIFICATIVA' : 'FACTURA'}</h2>
     <div class="two"><div>Número: <b>${sample.number}</b><br>Fecha: <b>${slashed(sample.date)}</b><br>Historia nº: ${4_000 + 7 * sample.lines.length}</div><div style="width: 92mm">Paciente / Titular: <b>${client.name}</b><br>NIF: ${client.nif}<br>Dirección: ${client.street}<br>Población: ${client.town}</div></div>${rectified(sample, 'Rectifica la factura')}
     ${lineTable(
       sample,
       [
         ['Fecha', (_, i) => slashed(day(i))],
         ['Pieza', (_, i) => (i % 3 === 1 ? '' : String(11 + ((i * 7) % 8) + 10 * (i % 4)))],
         ['Tratamiento', ({ description }) => description],
         ['Cant.>', ({ quantity }) => figure(quantity)],
         ['Precio>', ({ priceCents }) => unmarked(priceCents)],
         ...discountColumn('Dto. %>')(sample),
         ['Importe>', ({ totalCents }) => unmarked(totalCents)],
       ],
       'l',
     )}${tableOf(
       ['', '>'],
       [
         ['Base imponible', `${unmarked(sample.baseCents)} €`],
         ['IVA (exento)', '0,00 €'],
         ['TOTAL', `${unmarked(sample.totalCents)} €`],
       ],
       's',
     )}
     <p style="font-size: 8pt">Operación exenta de IVA según el art. 20.Uno.5º de la Ley 37/1992. Forma de pago: tarjeta.</p>
     <p style="font-size: 6.5pt; color: #555">Responsable del tratamiento de sus datos: ${issuer.name}. Puede ejercer sus derechos en ${issuer.street}, ${issuer.town}.</p>`,
  );
}

/** In Catalan: sums to the left in a box, the bank and the registry at the foot. */
function catalana(sample: Sample): string {
  const { issuer, client } = sample;
  return sheetOf(
    `body { font-size: 9.5pt } .two { display: flex; justify-content: space-between } .l { margin-top: 4mm; border: 1px solid #000 } .l th { border: 1px solid #000; background: #eee } .l td { border-left: 1px solid #000; border-right: 1px solid #000 } .s { width: 75mm; border: 1px solid #000; margin-top: 5mm } .s tr:last-child td { border-top: 1px solid #000; font-weight: bold } .foot { font-size: 7pt; margin-top: 8mm; border-top: 0.5pt solid #000 }`,
    `<div class="two"><div><b style="font-size: 15pt">${issuer.name}</b><br>${address(issuer)}<br>NIF: ${issuer.nif}<br>Tel. 93 305 41 17</div><div style="text-align: right"><b style="font-size: 13pt">${sample.rectifies ? 'FACTURA RECTIFICATIVA' : 'FACTURA'}</b></div></div><br>
     <div class="two"><div style="width: 70mm">${tableOf(['Factura núm.', 'Data'], [[sample.number, slashed(sample.date)]], 'l')}</div><div style="border: 1px solid #000; padding: 3mm; width: 90mm"><b>${client.name}</b><br>${address(client)}<br>NIF: ${client.nif}</div></div>${rectified(sample, 'Rectifica la factura núm.')}
     ${lineTable(
       sample,
       [
         ['Quantitat>', ({ quantity }) => figure(quantity, 2)],
         ['Descripció', ({ description }) => description],
         ['Preu>', ({ priceCents }) => euros(priceCents)],
         ...discountColumn('% Dte.>')(sample),
         ['Import>', ({ totalCents }) => euros(totalCents)],
       ],
       'l',
     )}${tableOf(['', '>'], sumsOf(sample, { base: 'Base imposable', tax: '@ # %', recargo: '', irpf: 'Retenció IRPF # %', total: 'Total factura', euro: ' €' }), 's')}
     <p>Forma de pagament: transferència. Venciment: ${slashed(sample.dueDate)}<br>IBAN: ES35 2100 3300 8722 0011 2233</p>
     <div class="foot">${issuer.name}. Inscrita al Registre Mercantil de Barcelona, volum 41.206, foli 118, full B-380.447, inscripció 1a.</div>`,
  );
}
