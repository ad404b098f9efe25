/**
 * Held out: the reader is not tuned with these, and their mistakes are not looked at. By somebody who had not
 * read the reader, nor run it on them before they were fixed.
 */

import {
  euros,
  figure,
  type Sample,
  type SampleLine,
  type SampleParty,
  slashed,
  worded,
} from './invoice-sample.ts';
import { logo, type Stationery, unmarked, withPeople } from './open-three.ts';
import { sheetOf, tableOf } from './print-html.ts';

const numbers = (count: number, write: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => write(i));
const zeros = (value: number, digits: number) => String(value).padStart(digits, '0');
/** `'1 234,56'`, its space one that does not break. */
const spaced = (cents: number) => euros(cents).replaceAll('.', '\u00a0');
/** `'1,234.56'`. */
const english = (cents: number) =>
  euros(cents).replace(/[.,]/g, (mark) => (mark === '.' ? ',' : '.'));
const SHORT_MONTHS = [
  ...['ene', 'feb', 'mar', 'abr', 'may', 'jun'],
  ...['jul', 'ago', 'sep', 'oct', 'nov', 'dic'],
];
const monthed = (iso: string) =>
  `${iso.slice(8)}-${SHORT_MONTHS[Number(iso.slice(5, 7)) - 1]}-${iso.slice(0, 4)}`;
const hasDiscounts = (sample: Sample) => sample.lines.some(({ discount }) => discount > 0);
const corrected = ({ rectifies }: Sample, words: string) =>
  rectifies ? `<p>${words} ${rectifies}</p>` : '';
const twoRows = ({ street, town }: SampleParty) => `${street}<br>${town}`;

type Column = readonly [string, (line: SampleLine, i: number) => string];
const table = (lines: readonly SampleLine[], columns: readonly Column[], className: string) =>
  tableOf(
    columns.map(([heading]) => heading),
    lines.map((line, i) => columns.map(([, say]) => say(line, i))),
    className,
  );
const onlyIf = (condition: boolean, column: Column): readonly Column[] =>
  condition ? [column] : [];

export const HELD_OUT_THREE: Readonly<Record<string, Stationery>> = {
  hojaDeCalculo: {
    layout: hojaDeCalculo,
    retouch: withPeople,
    unfit: ['recargo', 'varias páginas'],
    pool: {
      names: [
        ...['Cerrajería Morales, S.L.', 'Pinturas Quintanar, S.L.', 'Sanz Herráiz, S.L.'],
        ...['Climatizaciones La Mancha, S.L.', 'Distribuciones Belinchón, S.L.U.'],
        ...[
          'Comunidad de Regantes El Záncara',
          'Excavaciones Toledo Sur, S.L.',
          'Vega e Hijas, S.L.',
        ],
      ],
      streets: [
        ...['C/ Los Tintes, 9', 'Calle del Ángel, 33, 1º C', 'Avda. Castilla-La Mancha 18'],
        ...['Pol. Ind. Romica, calle 4, nº 21', 'Ronda de Toledo, 12 bajo'],
      ],
      towns: ['16004 Cuenca', '02007 Albacete', '13001 Ciudad Real', '45600 Talavera de la Reina'],
      things: [
        ...['Pintado de fachada', 'Cambio de bombín de seguridad', 'Alquiler de andamio (día)'],
        ...[
          'Carga de gas R32',
          'Zanja de 60 cm',
          'Mano de obra oficial 1ª',
          'Retirada de escombros',
        ],
        ...['Apertura de puerta en horario nocturno', 'Split 3.000 frigorías'],
      ],
      numbers: [
        ...numbers(10, (i) => `${14 + 9 * i}`),
        ...numbers(8, (i) => `26-${zeros(21 + 13 * i, 3)}`),
      ],
    },
  },
  autonoma: {
    layout: autonoma,
    retouch: withPeople,
    unfit: ['recargo', 'varias páginas', 'varios tipos'],
    pool: {
      issuers: {
        names: [
          ...['Sara Monteagudo Rivas', 'Iker Olabarria Sanz', 'Noelia Vázquez Ouro'],
          ...['Guillem Serra Tomàs', 'Andrea de Miguel Pozo'],
        ],
        arePeople: true,
      },
      names: [
        ...['Editorial Lince Rojo, S.L.', 'Bravo Murillo Media, S.L.', 'Fundación Aula Abierta'],
        ...['Nómada Films, S.L.', 'Cafés Orús Tostadores, S.L.', 'Agencia Petricor, S.L.U.'],
      ],
      streets: [
        ...['C/ Argumosa, 21, 4º int. izq.', 'Rúa do Vilar, 40, 2º', 'Calle Sagasta, 7, 5º A'],
        ...['Carrer de Blanes, 15, 3-2', 'Alameda de Urquijo 58'],
      ],
      towns: ['28012 Madrid', '15705 Santiago de Compostela', '46023 Valencia', '48011 Bilbao'],
      things: [
        ...['Corrección ortotipográfica', 'Ilustración de cubierta', 'Edición de vídeo'],
        ...['Consultoría SEO', 'Maquetación de catálogo', 'Locución en castellano'],
        ...['Rediseño de la identidad visual y manual de uso', 'Formación in company'],
      ],
      numbers: [
        ...numbers(9, (i) => `2026-${zeros(3 + 5 * i, 2)}`),
        ...numbers(9, (i) => `SM${zeros(26_004 + 11 * i, 5)}`),
      ],
    },
  },
  contrato: {
    layout: contrato,
    retouch: withPeople,
    unfit: ['retención', 'recargo', 'descuentos'],
    pool: {
      issuers: {
        names: [
          ...[
            'Fibra Comarcal Telecom, S.L.',
            'Aguas del Jiloca, S.L.',
            'Energía Cercana 2020, S.L.',
          ],
          ...['Vigilia Alarmas, S.L.U.'],
        ],
        arePeople: false,
      },
      names: [
        ...['Hostal Los Tilos, S.L.', 'Peluquería Nati Abad, S.L.', 'Farmacia Lafuente, C.B.'],
        ...['Ganados Monreal, S.L.', 'Academia Einstein, S.L.', 'Bar Casa Perico, S.L.'],
      ],
      streets: [
        ...['Calle Mayor, 60, bajo', 'Avda. de Sagunto, 114', 'C/ San Roque, 5, 2º'],
        ...['Plaza de la Iglesia, 1', 'Camino Real s/n'],
      ],
      towns: [
        '44200 Calamocha (Teruel)',
        '50300 Calatayud',
        '19300 Molina de Aragón',
        '42001 Soria',
      ],
      things: [
        ...['Cuota fibra 600 Mb', 'Línea móvil 30 GB', 'Cuota de servicio', 'Alquiler de equipos'],
        ...['Llamadas a números 902', 'IP fija', 'Mantenimiento de alarma', 'Centralita virtual'],
        ...['Consumo bloque I', 'Canon de saneamiento'],
      ],
      numbers: [
        ...numbers(10, (i) => `FT26${zeros(104_877 + 3_211 * i, 8)}`),
        ...numbers(8, (i) => `26/M${zeros(7_012 + 417 * i, 6)}`),
      ],
    },
  },
  almacen: {
    layout: almacen,
    retouch: withPeople,
    unfit: ['retención', 'IGIC'],
    pool: {
      names: [
        ...['Mercería Aurora, S.L.', 'Juguetes Don Pío, S.L.', 'Papelería Técnica Norba, S.L.'],
        ...['Confecciones Trujillo Mena, S.L.', 'Droguería Perfumería Elvas, S.L.'],
        ...['Frutos Secos Hurdes, S.L.', 'Calzados Román Román, S.L.'],
      ],
      streets: [
        ...[
          'C/ Pintores, 26',
          'Avda. Virgen de Guadalupe, 40, local 3',
          'Pol. Ganadero, C/ Acebo 15',
        ],
        ...['Plaza Mayor, 11', 'Travesía San Blas, 2, bajo izq.'],
      ],
      towns: ['10003 Cáceres', '10600 Plasencia (Cáceres)', '06011 Badajoz', '06800 Mérida'],
      things: [
        ...[
          'HILO TORZAL 50 M NEGRO',
          'CREMALLERA 20 CM',
          'Puzzle 1000 piezas',
          'Libreta A5 cuadros',
        ],
        ...['Almendra marcona repelada kg', 'Zapatilla lona T-38', 'Cola blanca 250 g'],
        ...['Muñeca articulada con accesorios', 'Botón nácar 15 mm (bolsa 100)'],
      ],
      numbers: [
        ...numbers(12, (i) => `1-${zeros(260_113 + 207 * i, 6)}`),
        ...numbers(6, (i) => `B${2_204 + 61 * i}`),
      ],
    },
  },
  euskera: {
    layout: euskera,
    retouch: withPeople,
    unfit: ['IGIC', 'recargo'],
    pool: {
      names: [
        ...['Arregi Mekanizatuak, S.L.', 'Zubia Ingeniaritza, S.L.', 'Harategia Goñi, S.L.'],
        ...['Olatu Komunikazioa, S.L.', 'Muebles Txindoki, S.L.', 'Aranzadi eta Lizarraga, S.L.'],
        ...['Bidaiak Ortzadar, S.L.'],
      ],
      streets: [
        ...['Kale Nagusia, 17, 2. ezk.', 'C/ Iparraguirre, 9', 'Zubiaurre industrialdea, 4 pab.'],
        ...['Askatasunaren etorbidea, 31', 'Calle Dato, 22, 1º'],
      ],
      towns: [
        '20240 Ordizia (Gipuzkoa)',
        '48300 Gernika-Lumo',
        '01005 Vitoria-Gasteiz',
        '20004 Donostia',
      ],
      things: [
        ...['Torneado de ejes', 'Kaleko kartelak 70 x 100', 'Txistorra kg', 'Mahai biribila'],
        ...[
          'Asistencia técnica',
          'Ardatzen doikuntza',
          'Web orriaren mantentzea',
          'Viaje de grupo',
        ],
      ],
      numbers: [
        ...numbers(12, (i) => `26/${zeros(118 + 37 * i, 4)}`),
        ...numbers(6, (i) => `FA-${2_601 + 19 * i}`),
      ],
    },
  },
  apaisada: {
    layout: apaisada,
    retouch: withPeople,
    unfit: ['recargo'],
    pool: {
      names: [
        ...[
          'Componentes Martorell Auto, S.L.',
          'Grupaje y Frío Murcia, S.L.',
          'Envases Segura, S.L.',
        ],
        ...['Cítricos Pacheco Vidal, S.L.', 'Etiquetas Thader, S.L.', 'López y López Export, S.L.'],
      ],
      streets: [
        ...[
          'Pol. Ind. Oeste, C/ Uruguay, 13',
          'Ctra. de Balsicas, km 1,8',
          'Avda. Río Segura, 6, 3º D',
        ],
        ...['C/ Azarbe del Papel, 20', 'Mercamurcia, nave 7, módulo 3'],
      ],
      towns: [
        '30169 San Ginés (Murcia)',
        '30720 San Javier',
        '30120 El Palmar (Murcia)',
        '03300 Orihuela',
      ],
      things: [
        ...[
          'Caja cartón 60x40x20',
          'Palet EUR homologado',
          'Transporte frigorífico Murcia-Perpignan',
        ],
        ...['Etiqueta térmica 100x150', 'Film estirable 23 micras', 'Limón Verna cat. I'],
        ...['Repuesto cinta transportadora ref. 8812/B'],
      ],
      numbers: [
        ...numbers(10, (i) => `FVE-26-${zeros(1_033 + 71 * i, 5)}`),
        ...numbers(8, (i) => `M26${zeros(801 + 29 * i, 4)}`),
      ],
    },
  },
};

/** A spreadsheet: all cells with rules, empty rows below, sums to the left, spaces between thousands. */
function hojaDeCalculo(sample: Sample): string {
  const { issuer, client } = sample;
  const isDiscounted = hasDiscounts(sample);
  const width = isDiscounted ? 5 : 4;
  const empty = Array.from({ length: Math.max(0, 12 - sample.lines.length) }, () =>
    Array.from({ length: width }, () => '&nbsp;'),
  );
  const columns: readonly Column[] = [
    ['CONCEPTO', ({ description }) => description],
    ['UDS>', ({ quantity }) => figure(quantity)],
    ['P. UNIT.>', ({ priceCents }) => `${spaced(priceCents)} €`],
    ...onlyIf(isDiscounted, ['DTO>', ({ discount }) => (discount ? `${figure(discount)}%` : '')]),
    ['IMPORTE>', ({ totalCents }) => `${spaced(totalCents)} €`],
  ];
  const due = sample.totalCents - sample.irpfCents;
  return sheetOf(
    `body { font: 10pt/1.3 Carlito, 'Liberation Sans' } td, th { border: 0.5pt solid #777 } .l { margin-top: 5mm } .l th { background: #fce4d6 } .s { width: 82mm; margin-top: 5mm } .s tr:last-child td { background: #fce4d6; font-weight: bold } .top td:first-child { width: 45mm; background: #f2f2f2 }`,
    `<div style="font-size: 18pt; font-weight: bold; text-align: center">${sample.rectifies ? 'FACTURA RECTIFICATIVA' : 'FACTURA'}</div>
     ${tableOf(
       ['', ''],
       [
         ['EMPRESA', `<b>${issuer.name}</b>`],
         ['CIF', issuer.nif],
         ['DIRECCIÓN', `${issuer.street}, ${issuer.town}`],
       ],
       'top',
     )}
     ${tableOf(
       ['', ''],
       [
         ['CLIENTE', `<b>${client.name}</b>`],
         ['CIF / NIF', client.nif],
         ['DIRECCIÓN', `${client.street}, ${client.town}`],
         ['Nº FACTURA', sample.number],
         ['FECHA', monthed(sample.date)],
         ...(sample.rectifies ? [['RECTIFICA A', sample.rectifies]] : []),
       ],
       'top',
     )}
     ${tableOf(
       columns.map(([heading]) => heading),
       [...sample.lines.map((line, i) => columns.map(([, say]) => say(line, i))), ...empty],
       'l',
     )}
     ${tableOf(
       ['', '>'],
       [
         ['SUMA', `${spaced(sample.baseCents)} €`],
         ...sample.groups.map((g) => [
           `${sample.tax} ${g.rate}%${sample.groups.length > 1 ? ` s/ ${spaced(g.baseCents)} €` : ''}`,
           `${spaced(g.quotaCents)} €`,
         ]),
         ...(sample.irpf ? [[`IRPF ${sample.irpf}%`, `${spaced(-sample.irpfCents)} €`]] : []),
         ['TOTAL', `${spaced(due)} €`],
       ],
       's',
     )}
     <p>Nº cuenta: ES44 3190 2088 1420 0033 4455</p>`,
  );
}

/** A freelance's sheet in two columns: hours with their unit, the issuer and the sums in the coloured one. */
function autonoma(sample: Sample): string {
  const { issuer, client } = sample;
  const due = sample.totalCents - sample.irpfCents;
  return sheetOf(
    `body { font: 9.5pt/1.5 Lato, 'Liberation Sans' } .all { display: flex; gap: 8mm } .side { width: 54mm; background: #f6e9dc; padding: 6mm 4mm; min-height: 250mm } .main { flex: 1; padding-top: 4mm } h1 { font-size: 24pt; font-weight: 300; margin: 0 0 4mm; letter-spacing: 3px } .k { text-transform: uppercase; font-size: 7pt; letter-spacing: 1px; color: #a0632f; margin-top: 4mm } .l { margin-top: 8mm } .l th { font-size: 7pt; color: #a0632f; text-transform: uppercase } .l td { border-top: 0.5pt solid #e0cdb9; padding: 2mm 1mm } .s td { padding: 1mm 0 }`,
    `<div class="all"><div class="side">${logo('#a0632f', 16)}<br><br><b>${issuer.name}</b><br>${twoRows(issuer)}<br>${issuer.nif}<div class="k">Contacto</div>hola@estudio.example<br>+34 655 01 02 03<div class="k">Pago</div>Transferencia a<br>ES21 1465 0100 7220 3087 6293<div class="k">Importes</div>${tableOf(
      ['', '>'],
      [
        ['Base', `${euros(sample.baseCents)} €`],
        ...sample.groups.map((g) => [`${sample.tax} ${g.rate} %`, `${euros(g.quotaCents)} €`]),
        ...(sample.irpf
          ? [[`IRPF ${sample.irpf} %`, `${euros(-sample.irpfCents).replace('-', '−')} €`]]
          : []),
        ['<b>Total</b>', `<b>${euros(due)} €</b>`],
      ],
      's',
    )}</div>
     <div class="main"><h1>${sample.rectifies ? 'Rectificativa' : 'Factura'}</h1><div class="k">Número</div>${sample.number}<div class="k">Fecha</div>${worded(sample.date)}${corrected(sample, 'Esta factura rectifica la factura')}<div class="k">Para</div><b>${client.name}</b><br>${client.nif}<br>${twoRows(client)}
     ${table(
       sample.lines,
       [
         ['Servicio', ({ description }) => description],
         ['Tiempo>', ({ quantity }) => `${figure(quantity)} h`],
         ['Tarifa>', ({ priceCents }) => `${euros(priceCents)} €/h`],
         ...onlyIf(hasDiscounts(sample), [
           'Dto.>',
           ({ discount }) => (discount ? `${figure(discount)} %` : '–'),
         ]),
         ['Importe>', ({ totalCents }) => `${euros(totalCents)} €`],
       ],
       'l',
     )}</div></div>`,
  );
}

/** A supply's bill: what is to be paid in large letters, the holder in the window, the detail below. */
function contrato(sample: Sample): string {
  const { issuer, client } = sample;
  const seed = Number(client.nif.replace(/\D/g, '').slice(0, 7));
  const month = sample.date.slice(0, 8);
  return sheetOf(
    `body { font: 8.5pt/1.4 'Open Sans', 'Liberation Sans' } .two { display: flex; justify-content: space-between } .box { background: #eaf3fb; border-radius: 3mm; padding: 4mm; width: 92mm } .box table td { padding: 0.6mm 0 } .l { margin-top: 3mm } .l th { border-bottom: 1.2pt solid #0b5fa5; color: #0b5fa5; text-align: left } .l th.n { text-align: right } .l td { border-bottom: 0.4pt solid #cdd } .s { width: 84mm; margin: 3mm 0 0 auto } .fine { font-size: 6pt; color: #555; margin-top: 8mm; text-align: justify }`,
    `<div class="two"><div>${logo('#0b5fa5', 20)}<br>Atención al cliente 900 11 22 33</div><div class="box">${tableOf(
      ['', '>'],
      [
        [sample.rectifies ? 'Nº factura rectificativa' : 'Nº de factura', sample.number],
        ...(sample.rectifies ? [['Rectifica a la nº', sample.rectifies]] : []),
        ['Fecha de emisión', slashed(sample.date)],
        ['Periodo facturado', `${slashed(`${month}01`)} - ${slashed(sample.date)}`],
        ['Nº de contrato', `C-${zeros(seed % 1_000_000, 7)}`],
        ['Fecha de cargo', slashed(sample.dueDate)],
      ],
    )}<div style="font-size: 15pt; color: #0b5fa5; text-align: right">Total a pagar <b>${euros(sample.totalCents)} €</b></div></div></div>
     <div style="margin: 8mm 0 8mm 95mm; font-size: 10pt">${client.name}<br>${twoRows(client)}</div>
     <div>Titular del contrato: ${client.name} · NIF ${client.nif}<br>Domiciliación: ES60 2085 **** **** **** 1188</div>
     <h3 style="color: #0b5fa5; margin: 5mm 0 0">Detalle de la factura</h3>
     ${table(
       sample.lines,
       [
         ['Concepto', ({ description }) => description],
         ['Unidades>', ({ quantity }) => figure(quantity)],
         ['Precio unitario>', ({ priceCents }) => `${unmarked(priceCents)} €`],
         ['Importe sin impuestos>', ({ totalCents }) => `${unmarked(totalCents)} €`],
       ],
       'l',
     )}
     ${tableOf(
       ['', '>'],
       [
         ['Importe total sin impuestos', `${unmarked(sample.baseCents)} €`],
         ...sample.groups.map((g) => [
           `${sample.tax} (${g.rate}%) sobre ${unmarked(g.baseCents)} €`,
           `${unmarked(g.quotaCents)} €`,
         ]),
         ['<b>Total factura</b>', `<b>${unmarked(sample.totalCents)} €</b>`],
       ],
       's',
     )}
     <p class="fine">${issuer.name}, con domicilio social en ${issuer.street}, ${issuer.town} y NIF ${issuer.nif}. Inscrita en el Registro Mercantil de Teruel, tomo 214, folio 7, hoja TE-3.901. Puede presentar una reclamación ante la Oficina de Atención al Usuario de Telecomunicaciones (901 33 66 99).</p>`,
  );
}

/** A warehouse's program: delivery notes among the lines, and a table of bases, taxes and surcharges. */
function almacen(sample: Sample): string {
  const { issuer, client } = sample;
  const seed = Number(client.nif.replace(/\D/g, '').slice(0, 7));
  const isDiscounted = hasDiscounts(sample);
  const columns: readonly Column[] = [
    ['Artículo', (_, i) => `${8_400 + i * 37}${String.fromCharCode(65 + (i % 26))}`],
    ['Descripción', ({ description }) => description],
    ['Cantidad>', ({ quantity }) => figure(quantity, 2)],
    ['Precio>', ({ priceCents }) => euros(priceCents)],
    ...onlyIf(isDiscounted, ['Dto.>', ({ discount }) => (discount ? figure(discount, 2) : '')]),
    ['Subtotal>', ({ totalCents }) => euros(totalCents)],
    ['IVA>', ({ rate }) => figure(rate, 2)],
  ];
  const isFigure = columns.map(([heading]) => heading.endsWith('>'));
  const half = Math.ceil(sample.lines.length / 2);
  const note = (i: number) =>
    `<tr><td></td><td colspan="${columns.length - 1}"><i>ALBARÁN ${26_000 + (seed % 900) + i} DE FECHA ${slashed(sample.date)}</i></td></tr>`;
  const rows = sample.lines
    .map((line, i) => {
      const cells = columns.map(
        ([, say], at) => `<td${isFigure[at] ? ' class="n"' : ''}>${say(line, i)}</td>`,
      );
      return `${i === 0 || i === half ? note(i) : ''}<tr>${cells.join('')}</tr>`;
    })
    .join('');
  const headings = columns
    .map(
      ([heading], at) => `<th${isFigure[at] ? ' class="n"' : ''}>${heading.replace('>', '')}</th>`,
    )
    .join('');
  return sheetOf(
    `body { font-size: 8.5pt } .two { display: flex; justify-content: space-between; gap: 6mm } .round { border: 1px solid #444; border-radius: 2mm; padding: 2mm 3mm; flex: 1 } .l { margin-top: 4mm } .l th { background: #444; color: #fff } .l td { padding: 1px 5px } .s { margin-top: 6mm } .s td, .s th { border: 1px solid #444 }`,
    `<div class="two"><div class="round"><b style="font-size: 11pt">${issuer.name}</b><br>${twoRows(issuer)}<br>Tfno.: 927 22 14 05 &nbsp; N.I.F.: ${issuer.nif}</div>
      <div class="round"><small>Cliente ${zeros(seed % 1_000, 5)}</small><br><b>${client.name}</b><br>${twoRows(client)}<br>N.I.F.: ${client.nif}</div></div>
     <div style="margin-top: 3mm; width: 120mm">${tableOf(['Documento', 'Número', 'Página', 'Fecha'], [[sample.rectifies ? 'F. RECTIFICATIVA' : 'FACTURA', sample.number, '1', slashed(sample.date)]], 's')}</div>${corrected(sample, 'Rectifica la factura')}
     <table class="l"><thead><tr>${headings}</tr></thead><tbody>${rows}</tbody></table>
     ${tableOf(
       ['Tipo>', 'Importe>', 'Base>', '% IVA>', 'IVA>', '% R.E.>', 'R.E.>'],
       sample.groups.map((g) => [
         figure(g.rate, 2),
         euros(g.baseCents),
         euros(g.baseCents),
         figure(g.rate, 2),
         euros(g.quotaCents),
         g.recargo ? figure(g.recargo, 2) : '',
         g.recargo ? euros(g.recargoCents) : '',
       ]),
       's',
     )}
     <div class="two" style="margin-top: 3mm"><div>Forma de pago: RECIBO A 30 DÍAS<br>Vencimientos: ${slashed(sample.dueDate)} &nbsp; ${euros(sample.totalCents)}</div><div style="border: 1.5px solid #444; padding: 2mm 5mm; font-size: 13pt">TOTAL: <b>${euros(sample.totalCents)}</b></div></div>`,
  );
}

/** In Basque and Spanish: both words of each label, the Basque one first. */
function euskera(sample: Sample): string {
  const { issuer, client } = sample;
  const [year, month, day] = sample.date.split('-');
  const due = sample.totalCents - sample.irpfCents;
  return sheetOf(
    `body { font-size: 9pt } .two { display: flex; justify-content: space-between } .l { margin-top: 5mm } .l th { border-top: 1.5pt solid #1d6b35; border-bottom: 1.5pt solid #1d6b35; font-size: 8pt } .l td { padding: 1.2mm 5px } .s { width: 88mm; margin: 6mm 0 0 auto } .s tr:last-child td { border-top: 1.5pt solid #1d6b35; font-weight: bold } .foot { position: fixed; bottom: 0; font-size: 6.5pt }`,
    `<div class="two"><div>${logo('#1d6b35')}</div><div style="text-align: right"><b style="font-size: 12pt">${issuer.name}</b><br>${issuer.street}<br>${issuer.town}<br>IFZ / NIF: ${issuer.nif}</div></div>
     <p style="font-size: 14pt; color: #1d6b35">${sample.rectifies ? 'FAKTURA ZUZENTZAILEA / FACTURA RECTIFICATIVA' : 'FAKTURA / FACTURA'}</p>
     <div class="two"><div>Zenbakia / Número: <b>${sample.number}</b><br>Data / Fecha: <b>${day}/${month}/${year}</b><br>Muga-eguna / Vencimiento: ${slashed(sample.dueDate)}</div>
      <div style="width: 88mm">Bezeroa / Cliente:<br><b>${client.name}</b><br>${twoRows(client)}<br>IFZ / NIF: ${client.nif}</div></div>${corrected(sample, 'Zuzendutako faktura / Factura rectificada:')}
     ${table(
       sample.lines,
       [
         ['Kontzeptua / Concepto', ({ description }) => description],
         ['Kopurua / Cantidad>', ({ quantity }) => figure(quantity)],
         ['Prezioa / Precio>', ({ priceCents }) => euros(priceCents)],
         ...onlyIf(hasDiscounts(sample), [
           'Desk. / Dto. %>',
           ({ discount }) => (discount ? figure(discount) : ''),
         ]),
         ['Zenbatekoa / Importe>', ({ totalCents }) => euros(totalCents)],
       ],
       'l',
     )}
     ${tableOf(
       ['', '>'],
       [
         ['Zerga-oinarria / Base imponible', `${euros(sample.baseCents)} €`],
         ...sample.groups.map((g) => [`BEZ / IVA ${g.rate} %`, `${euros(g.quotaCents)} €`]),
         ...(sample.irpf
           ? [[`PFEZ / IRPF ${sample.irpf} %`, `${euros(-sample.irpfCents)} €`]]
           : []),
         ['GUZTIRA / TOTAL', `${euros(due)} €`],
       ],
       's',
     )}
     <div class="foot">Ordainketa / Pago: Kutxa ES08 2095 5000 1010 6666 7777 · Gipuzkoako Merkataritza Erregistroa, 1.904 liburukia, 112. folioa, SS-22.118 orria</div>`,
  );
}

/** A landscape sheet without rules, four decimals in prices and figures as in English; both NIF in one row. */
function apaisada(sample: Sample): string {
  const { issuer, client } = sample;
  const due = sample.totalCents - sample.irpfCents;
  return sheetOf(
    `@page { size: A4 landscape; margin: 12mm } body { font-size: 9pt } .two { display: flex; justify-content: space-between } .l { margin-top: 4mm } .l th { font-weight: bold; border: 0 } .l td { padding: 1px 5px } .s { margin-top: 6mm; width: 100% } .s th { font-weight: normal; color: #666; font-size: 7.5pt }`,
    `<div class="two"><div><b style="font-size: 13pt">${issuer.name}</b><br>${issuer.street} - ${issuer.town}</div><div style="text-align: right"><b style="font-size: 13pt">${sample.rectifies ? 'FACTURA RECTIFICATIVA' : 'FACTURA'} ${sample.number}</b><br>Fecha de expedición: ${slashed(sample.date)}</div></div>
     <div style="font-size: 7.5pt; color: #444">NIF/VAT ES${issuer.nif} · Tel. +34 968 80 11 22 · www.ejemplo.es</div><br>
     <div class="two"><div>Facturar a:<br><b>${client.name}</b><br>${twoRows(client)}</div><div>Su NIF: ${client.nif}<br>Su pedido: PO-${4_500_000 + sample.lines.length * 311}<br>Incoterm: DAP</div><div>Condiciones de pago: 60 días f.f.<br>Vencimiento: ${slashed(sample.dueDate)}<br>Moneda: EUR</div></div>${corrected(sample, 'Factura que se rectifica:')}
     ${table(
       sample.lines,
       [
         ['Pos.', (_, i) => zeros((i + 1) * 10, 4)],
         ['Referencia', (_, i) => `R${zeros(118 + 57 * i, 6)}`],
         ['Descripción', ({ description }) => description],
         ['Cantidad>', ({ quantity }) => quantity.toFixed(3)],
         ['Ud.', () => 'PCE'],
         ['Precio>', ({ priceCents }) => `${english(priceCents)}00`],
         ...onlyIf(hasDiscounts(sample), [
           'Dto.%>',
           ({ discount }) => (discount ? discount.toFixed(2) : ''),
         ]),
         [`${sample.tax}%>`, ({ rate }) => String(rate)],
         ['Importe>', ({ totalCents }) => english(totalCents)],
       ],
       'l',
     )}
     ${tableOf(
       [
         'Base imponible>',
         `% ${sample.tax}>`,
         `Importe ${sample.tax}>`,
         ...(sample.irpf ? [`IRPF ${sample.irpf}%>`] : []),
         'Total EUR>',
       ],
       sample.groups.map((g, i) => {
         const isLast = i === sample.groups.length - 1;
         return [
           english(g.baseCents),
           String(g.rate),
           english(g.quotaCents),
           ...(sample.irpf ? [isLast ? english(-sample.irpfCents) : ''] : []),
           isLast ? `<b>${english(due)}</b>` : '',
         ];
       }),
       's',
     )}`,
  );
}
