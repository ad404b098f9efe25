import {
  dashed,
  euros,
  figure,
  type Pool,
  type Sample,
  slashed,
  worded,
} from './invoice-sample.ts';
import { address, isDiscounted, lineTable, rectified, sumsOf, title } from './open-layouts.ts';
import { type HtmlLayout, sheetOf, tableOf } from './print-html.ts';

/** Layouts whose scans were looked at: issuers and recipients in many places, and with many labels. */
export const OPEN_PARTIES: Readonly<Record<string, HtmlLayout>> = {
  dosCajas,
  membrete,
  facturarA,
  pagador,
  nifAlLado,
  lateral,
  tresColumnas,
  impreso,
  marca,
  centrada,
  bilingue,
  listado,
};

export const OPEN_PARTIES_POOL: Pool = {
  issuers: {
    names: [
      ...['Calle Real Hostelería, S.L.', 'Ronda Norte Automoción, S.A.', 'Fundación Pinares'],
      ...['Electricidad y Climatización Hermanos Bermúdez, S.L.', 'Fincas Ribera Alta, S.C.'],
      ...['Puerta Grande Asesores, S.L.P.', 'Vía Láctea Quesos Artesanos, S.L.U.'],
      ...['Grupo Hostelero 1890, S.L.', 'Olivarera Valdemoro, S. Coop. And.'],
    ],
    arePeople: false,
  },
  names: [
    ...['Calle Real Hostelería, S.L.', 'Ronda Norte Automoción, S.A.', 'Consuelo Paredes Lillo'],
    ...['Comunidad de Propietarios Avda. de América, 12', 'Grupo Hostelero 1890, S.L.'],
    ...['Puerta Grande Asesores, S.L.P.', 'Vía Láctea Quesos Artesanos, S.L.U.'],
    ...['Joaquín de la Fuente Rey', 'Ayuntamiento de Valdemorillo', 'Fincas Ribera Alta, S.C.'],
    ...['Electricidad y Climatización Hermanos Bermúdez, S.L.', 'IES Pérez Galdós'],
  ],
  streets: [
    ...['C/ Alcalde Ramírez, 14, 2º izda.', 'Avenida del Puerto 120', 'Pol. Ind. El Pino, parc. 7'],
    ...['Príncipe de Vergara, 131', 'Carretera de Toledo, km 8,5', 'Gran Vía, 28, esc. B, 5º C'],
    ...['Urb. Los Olivos, 44', 'Plaza Mayor s/n', 'Rúa do Vilar, 9'],
  ],
  towns: [
    ...['28220 Majadahonda (Madrid)', '08800 Vilanova i la Geltrú', '15705 Santiago de Compostela'],
    ...['41927 Mairena del Aljarafe, Sevilla', '46014 València', '33207 Gijón (Asturias)'],
  ],
  things: [
    ...['Consulta de fisioterapia', 'Queso curado de oveja', 'Cambio de aceite y filtros'],
    ...['Arrendamiento local comercial, planta baja', 'Gasóleo A', 'Cuota de comunidad'],
    ...['Menú del día para grupos con bebida y café incluidos en el salón grande'],
    ...['Mano de obra oficial 1ª', 'Bombilla LED 10 W', 'Manguera H07V-K 2,5 mm'],
    ...['Revisión anual de extintores y bocas de incendio', 'Asesoría laboral'],
  ],
  numbers: ['F/2026/0412', '26-01198', 'A26000731', '2026-0055', 'FV-26/118', '7741', 'B/26-0009'],
};

/** `1234,5` without marks between thousands. */
const plain = (cents: number) => euros(cents).replaceAll('.', '');
const rows = (...pairs: readonly (readonly [string, string])[]) =>
  pairs.map(([name, value]) => `<tr><td>${name}</td><td>${value}</td></tr>`).join('');
const SUMS = {
  base: 'Base imponible',
  tax: '@ # %',
  recargo: 'Recargo de equivalencia # %',
  irpf: 'Retención IRPF # %',
  total: 'Total factura',
};

/** Two boxes with coloured heads, and a label before each value. */
function dosCajas(sample: Sample): string {
  const box = (head: string, { name, nif, street, town }: Sample['issuer']) =>
    `<div class="b"><div class="h">${head}</div><table>${rows(['Nombre o razón social:', name], ['NIF/CIF:', nif], ['Dirección:', street], ['C.P. / Población:', town])}</table></div>`;
  return sheetOf(
    `body { font-size: 9pt } .two { display: flex; gap: 6mm } .b { flex: 1; border: 1px solid #357 } .h { background: #357; color: #fff; padding: 1mm 2mm; font-weight: bold } .b td:first-child { width: 30mm } .l th { background: #dde6ee } .l td { border-bottom: 1px solid #bcd } .s { width: 70mm; margin: 4mm 0 0 auto }`,
    `<h2>${title(sample).toUpperCase()}</h2><p>Número: <b>${sample.number}</b> &nbsp;&nbsp; Fecha de expedición: <b>${slashed(sample.date)}</b></p>${rectified(sample, 'Factura rectificada:')}
     <div class="two">${box('DATOS DEL EMISOR', sample.issuer)}${box('DATOS DEL RECEPTOR', sample.client)}</div><br>
     ${lineTable(
       sample,
       [
         ['Descripción', ({ description }) => description],
         ['Cantidad>', ({ quantity }) => figure(quantity, 2)],
         ['Precio unitario>', ({ priceCents }) => `${euros(priceCents)} €`],
         ...(isDiscounted(sample)
           ? [
               [
                 'Dto.>',
                 ({ discount }: Sample['lines'][number]) => `${figure(discount)} %`,
               ] as const,
             ]
           : []),
         [`${sample.tax}>`, ({ rate }) => `${rate} %`],
         ['Importe>', ({ totalCents }) => `${euros(totalCents)} €`],
       ],
       'l',
     )}${tableOf(['', '>'], sumsOf(sample, { ...SUMS, euro: ' €' }), 's')}`,
  );
}

/** A letterhead with a slogan, the recipient in the window of an envelope, the issuer's NIF only at the foot. */
function membrete(sample: Sample): string {
  const { issuer, client } = sample;
  return sheetOf(
    `body { font-size: 9.5pt } .l th { border-bottom: 1pt solid #000 } .s { width: 75mm; margin: 5mm 0 0 auto } .foot { font-size: 7pt; text-align: center; margin-top: 18mm; border-top: 0.5pt solid #888; padding-top: 2mm }`,
    `<div style="font-size: 19pt; font-weight: bold; color: #053">${issuer.name}</div><div style="color: #666">Calidad y confianza desde 1978</div><div style="font-size: 8pt">${issuer.street} · ${issuer.town}<br>Tel. 912 345 678 · info@ejemplo.es · www.ejemplo.es</div>
     <div style="margin: 10mm 0 8mm 95mm; font-size: 11pt">${client.name}<br>${address(client)}</div>
     <table style="width: auto"><tr><td>Factura n.º</td><td><b>${sample.number}</b></td></tr><tr><td>Fecha</td><td>${worded(sample.date)}</td></tr><tr><td>Su NIF</td><td>${client.nif}</td></tr></table>${rectified(sample, 'Rectifica la factura')}<br>
     ${lineTable(
       sample,
       [
         ['Cant.>', ({ quantity }) => figure(quantity, 1)],
         ['Concepto', ({ description }) => description],
         ['Precio>', ({ priceCents }) => plain(priceCents)],
         ...(isDiscounted(sample)
           ? [['% Dto>', ({ discount }: Sample['lines'][number]) => figure(discount, 1)] as const]
           : []),
         ['Importe>', ({ totalCents }) => plain(totalCents)],
       ],
       'l',
     )}${tableOf(['', '>'], sumsOf(sample, SUMS), 's')}
     <div class="foot">${issuer.name} · Inscrita en el Registro Mercantil de Madrid, tomo 12.345, folio 67, hoja M-234567 · N.I.F. ${issuer.nif}</div>`,
  );
}

/** Where it is billed and where it is sent, beside each other; the issuer to the right, flush right. */
function facturarA(sample: Sample): string {
  const { issuer, client } = sample;
  return sheetOf(
    `body { font-size: 9pt; color: #222 } .l th { background: #333; color: #fff } .l td { padding: 6px 5px } .two { display: flex; justify-content: space-between } .two > div { width: 58mm } .s { width: 60mm; margin-left: auto }`,
    `<div class="two"><div style="font-size: 22pt">${title(sample)}</div><div style="text-align: right; width: 90mm"><b>${issuer.name}</b><br>${issuer.nif}<br>${address(issuer)}<br>España</div></div><br>
     <div class="two"><div><b>Facturar a</b><br>${client.name}<br>${address(client)}<br>${client.nif}</div><div><b>Enviar a</b><br>Almacén central<br>Calle Industria, 8<br>28906 Getafe</div><div><b>Factura n.º</b> ${sample.number}<br><b>Fecha</b> ${slashed(sample.date)}<br><b>Vence</b> ${slashed(sample.dueDate)}</div></div>${rectified(sample, 'Rectifica la')}<br>
     ${lineTable(
       sample,
       [
         ['Cant.', ({ quantity }) => figure(quantity)],
         ['Descripción', ({ description }) => description],
         ['Precio unitario>', ({ priceCents }) => euros(priceCents)],
         ...(isDiscounted(sample)
           ? [['Dto. %>', ({ discount }: Sample['lines'][number]) => figure(discount)] as const]
           : []),
         ['Importe>', ({ totalCents }) => euros(totalCents)],
       ],
       'l',
     )}<hr>${tableOf(['', '>'], sumsOf(sample, { ...SUMS, base: 'Subtotal', total: 'TOTAL' }), 's')}`,
  );
}

/** Labels of two words with a slash, values in boxes; issuer and recipient one below the other. */
function pagador(sample: Sample): string {
  const { issuer, client } = sample;
  return sheetOf(
    `.b { border: 1px solid #888; border-radius: 6px; padding: 3mm; margin-bottom: 3mm } small { font-size: 7.5pt; color: #555 } .l td, .l th { border-bottom: 1px dotted #555 } .s { width: 50%; margin: 4mm 0 0 50% }`,
    `<div class="b"><small>CENTRO / PRESTADOR</small><br><b>${issuer.name}</b> &nbsp; CIF: ${issuer.nif}<br>${issuer.street}, ${issuer.town}</div>
     <div class="b"><small>PACIENTE / PAGADOR</small><br><b>${client.name}</b> &nbsp; NIF: ${client.nif}<br>${client.street}, ${client.town}</div>
     <p>FACTURA ${sample.number} de fecha ${slashed(sample.date)}</p>${rectified(sample, 'Rectifica la factura')}
     ${lineTable(
       sample,
       [
         ['Servicio', ({ description }) => `${description}`],
         ['Sesiones>', ({ quantity }) => figure(quantity)],
         ['Tarifa>', ({ priceCents }) => `${euros(priceCents)} €`],
         ...(isDiscounted(sample)
           ? [
               [
                 'Bonif.>',
                 ({ discount }: Sample['lines'][number]) => `${figure(discount)} %`,
               ] as const,
             ]
           : []),
         ['Total>', ({ totalCents }) => `${euros(totalCents)} €`],
       ],
       'l',
     )}${tableOf(['', '>'], sumsOf(sample, { ...SUMS, euro: ' €' }), 's')}`,
  );
}

/** NIF beside the names, a code of the client before it, addresses of two lines, quantities with three decimals. */
function nifAlLado(sample: Sample): string {
  const { issuer, client } = sample;
  return sheetOf(
    `body { font: 8.5pt/1.3 'Liberation Sans Narrow' } .l th { border-top: 1px solid; border-bottom: 1px solid } .l .n { padding-right: 3mm } .c { border: 1px solid; padding: 2mm; width: 95mm; margin-left: auto } .s { width: 55mm; margin: 4mm 0 0 auto } .s td { border-bottom: 1px solid #aaa }`,
    `<div><b style="font-size: 13pt">${issuer.name}</b> &nbsp;&nbsp;&nbsp; N.I.F. ${issuer.nif}</div><div>${issuer.street} - ${issuer.town}</div><div>Teléfono 954 112 233 &nbsp; Fax 954 112 234</div>
     <div class="c">CLIENTE Nº 430.0127 &nbsp;&nbsp;&nbsp; N.I.F.: ${client.nif}<br><b>${client.name.toUpperCase()}</b><br>${address(client)}</div><br>
     <b>${title(sample).toUpperCase()} Nº ${sample.number}</b> &nbsp;&nbsp;&nbsp; FECHA ${dashed(sample.date)}${rectified(sample, 'RECTIFICA FACTURA')}<br><br>
     ${lineTable(
       sample,
       [
         ['ARTÍCULO', (_, i) => `${10_442 + 17 * i}`],
         ['DESCRIPCIÓN', ({ description }) => description],
         ['CANTIDAD>', ({ quantity }) => figure(quantity, 3)],
         ['PRECIO>', ({ priceCents }) => `${plain(priceCents)}0`],
         ['DTO>', ({ discount }) => (discount ? figure(discount, 2) : '')],
         ['IMPORTE>', ({ totalCents }) => plain(totalCents)],
       ],
       'l',
     )}${tableOf(['', '>'], sumsOf(sample, SUMS), 's')}`,
  );
}

/** The issuer in a narrow column to the left, where names and streets break, the invoice to the right. */
function lateral(sample: Sample): string {
  const { issuer, client } = sample;
  return sheetOf(
    `.all { display: flex; gap: 6mm } .side { width: 42mm; background: #eef; padding: 4mm; font-size: 8.5pt; min-height: 240mm } .main { flex: 1; font-size: 9pt } .l td { border-bottom: 1px solid #dde } .s { width: 62mm; margin: 4mm 0 0 auto }`,
    `<div class="all"><div class="side"><b>${issuer.name}</b><br><br>${issuer.street}<br>${issuer.town}<br><br>NIF ${issuer.nif}<br><br>hola@ejemplo.es<br>600 112 233</div>
     <div class="main"><b style="font-size: 16pt">${title(sample)}</b><br>${sample.number} · ${worded(sample.date)}<br><br><span style="color: #667">Cliente</span><br><b>${client.name}</b><br>${client.street}<br>${client.town}<br>NIF ${client.nif}<br>${rectified(sample, 'Rectifica la factura')}<br>
     ${lineTable(
       sample,
       [
         ['Concepto', ({ description }) => description],
         ['Uds.>', ({ quantity }) => figure(quantity)],
         ['Precio>', ({ priceCents }) => `${euros(priceCents)} €`],
         ...(isDiscounted(sample)
           ? [
               [
                 'Dto.>',
                 ({ discount }: Sample['lines'][number]) => `${figure(discount)} %`,
               ] as const,
             ]
           : []),
         ['Total>', ({ totalCents }) => `${euros(totalCents)} €`],
       ],
       'l',
     )}${tableOf(['', '>'], sumsOf(sample, { ...SUMS, total: 'Total', euro: ' €' }), 's')}</div></div>`,
  );
}

/** A head of three columns in small letters: name, address, contact; recipient with its labels in one line each. */
function tresColumnas(sample: Sample): string {
  const { issuer, client } = sample;
  return sheetOf(
    `body { font-size: 9pt } .head { display: flex; gap: 5mm; font-size: 7.5pt; border-bottom: 2px solid #a33; padding-bottom: 3mm } .head div { flex: 1 } .l td, .l th { border: 1px solid #999 } .s { width: 100%; margin-top: 4mm } .s td, .s th { border: 1px solid #999 }`,
    `<div class="head"><div style="font-size: 12pt; color: #a33"><b>${issuer.name}</b></div><div>${address(issuer)}</div><div>NIF: ${issuer.nif}<br>Tel.: 985 223 344<br>administracion@ejemplo.es</div></div>
     <p>Cliente: <b>${client.name}</b><br>Domicilio: ${client.street}<br>Población: ${client.town}<br>NIF: ${client.nif}</p>
     <p><b>${title(sample)} nº: ${sample.number}</b><br>Fecha: ${slashed(sample.date)}<br>Forma de pago: transferencia a ES91 2100 0418 4502 0005 1332</p>${rectified(sample, 'Rectifica:')}
     ${lineTable(
       sample,
       [
         ['Código', (_, i) => `AR-${310 + 7 * i}`],
         [
           'Descripción',
           ({ description }) =>
             `${description}<br><small>Albarán ${sample.number.length}018 de ${slashed(sample.date)}</small>`,
         ],
         ['Cant.>', ({ quantity }) => figure(quantity, 2)],
         ['P.V.P.>', ({ priceCents }) => euros(priceCents)],
         ...(isDiscounted(sample)
           ? [['% Dto.>', ({ discount }: Sample['lines'][number]) => figure(discount)] as const]
           : []),
         ['Subtotal>', ({ totalCents }) => euros(totalCents)],
       ],
       'l',
     )}${tableOf(
       ['Base imponible>', `% ${sample.tax}>`, 'Cuota>', 'R.E.>'],
       sample.groups.map((g) => [
         euros(g.baseCents),
         figure(g.rate, 2),
         euros(g.quotaCents),
         g.recargo ? euros(g.recargoCents) : '',
       ]),
       's',
     )}${sample.irpf ? `<p>Retención IRPF ${sample.irpf} %: ${euros(-sample.irpfCents)} €</p>` : ''}<p style="text-align: right; font-size: 12pt"><b>TOTAL FACTURA: ${euros(sample.totalCents)} €</b></p>`,
  );
}

/** A printed form: small labels above each value, all in boxes that touch. */
function impreso(sample: Sample): string {
  const { issuer, client } = sample;
  const cell = (label: string, value: string, part = 1) =>
    `<div style="flex: ${part}"><small>${label}</small><br>${value}</div>`;
  return sheetOf(
    `body { font-size: 9pt } small { font-size: 6.5pt } .r { display: flex } .r > div { border: 1px solid #000; margin: -1px -1px 0 0; padding: 0.5mm 1.5mm } .l td, .l th { border: 1px solid #000 } .s { width: 70mm; margin: -1px 0 0 auto } .s td { border: 1px solid #000 }`,
    `<div class="r"><div style="flex: 2"><b style="font-size: 12pt">${issuer.name}</b><br>${issuer.street}<br>${issuer.town}<br>CIF ${issuer.nif}</div>${cell(title(sample).toUpperCase(), `Nº ${sample.number}`)}${cell('FECHA', slashed(sample.date))}</div>
     <div class="r">${cell('NOMBRE O RAZÓN SOCIAL', client.name, 3)}${cell('N.I.F.', client.nif)}</div>
     <div class="r">${cell('DOMICILIO', client.street, 3)}${cell('C.P.', client.town.slice(0, 5))}${cell('POBLACIÓN', client.town.slice(6), 2)}</div>${rectified(sample, 'Rectifica la factura')}<br>
     ${lineTable(
       sample,
       [
         ['CANTIDAD>', ({ quantity }) => figure(quantity)],
         ['CONCEPTO', ({ description }) => description],
         ['PRECIO>', ({ priceCents }) => euros(priceCents)],
         ...(isDiscounted(sample)
           ? [['DTO.>', ({ discount }: Sample['lines'][number]) => figure(discount)] as const]
           : []),
         ['IMPORTE>', ({ totalCents }) => euros(totalCents)],
       ],
       'l',
     )}${tableOf(['', '>'], sumsOf(sample, { ...SUMS, base: 'SUMA', recargo: 'R.E. # %', irpf: 'I.R.P.F. # %', total: 'TOTAL' }), 's')}`,
  );
}

/** A brand on top, whose owner is only named at the foot, in the line of its register. */
function marca(sample: Sample): string {
  const { issuer, client } = sample;
  return sheetOf(
    `body { font-size: 9pt } .l th { text-transform: uppercase; font-size: 7pt; color: #777; border-bottom: 1px solid #777 } .two { display: flex; justify-content: space-between } .s { width: 65mm; margin: 6mm 0 0 auto } .foot { position: fixed; bottom: 0; font-size: 6.5pt; color: #444 }`,
    `<div class="two"><div style="font-size: 26pt; letter-spacing: 2px; color: #d50">naranjal</div><div><b>${title(sample)} ${sample.number}</b><br>${worded(sample.date)}</div></div><br>
     <div style="font-size: 7.5pt; color: #777">Datos de facturación</div>${client.name}<br>${address(client)}<br>DNI/CIF ${client.nif}<br>${rectified(sample, 'Rectifica la factura')}<br>
     ${lineTable(
       sample,
       [
         ['Producto', ({ description }) => description],
         ['Precio>', ({ priceCents }) => `${euros(priceCents)}€`],
         ['Cantidad>', ({ quantity }) => figure(quantity)],
         ...(isDiscounted(sample)
           ? [
               [
                 'Descuento>',
                 ({ discount }: Sample['lines'][number]) => `${figure(discount)}%`,
               ] as const,
             ]
           : []),
         ['Importe>', ({ totalCents }) => `${euros(totalCents)}€`],
       ],
       'l',
     )}${tableOf(['', '>'], sumsOf(sample, { ...SUMS, euro: '€' }), 's')}
     <div class="foot">${issuer.name}. Domicilio social: ${issuer.street}, ${issuer.town}. Inscrita en el R.M. de Barcelona, T 44.120, F 8, H B-450112. CIF: ${issuer.nif}</div>`,
  );
}

/** All of the head centred, with a label before each thing of the recipient in one paragraph. */
function centrada(sample: Sample): string {
  const { issuer, client } = sample;
  return sheetOf(
    `body { font: 10pt/1.4 'Liberation Serif' } .c { text-align: center } .l td, .l th { padding: 1px 6px } .s { width: 60%; margin: 5mm auto 0 }`,
    `<div class="c"><div style="font-size: 17pt; text-transform: uppercase; letter-spacing: 1px">${issuer.name}</div>${issuer.street}<br>${issuer.town}<br>NIF: ${issuer.nif}</div><hr>
     <p class="c"><b>${title(sample).toUpperCase()} ${sample.number}</b><br>${worded(sample.date)}</p>${rectified(sample, 'Rectifica la factura')}
     <p>Datos fiscales del cliente: ${client.name}, con NIF ${client.nif} y domicilio en ${client.street}, ${client.town}.</p>
     ${lineTable(
       sample,
       [
         ['Uds.', ({ quantity }) => figure(quantity)],
         ['Detalle', ({ description }) => description],
         ['Precio/ud.>', ({ priceCents }) => `${euros(priceCents)} €`],
         ...(isDiscounted(sample)
           ? [
               [
                 'Dto.>',
                 ({ discount }: Sample['lines'][number]) => `${figure(discount)} %`,
               ] as const,
             ]
           : []),
         ['Importe>', ({ totalCents }) => `${euros(totalCents)} €`],
       ],
       'l',
     )}${tableOf(['', '>'], sumsOf(sample, { ...SUMS, euro: ' €' }), 's')}`,
  );
}

/** In Spanish and English, recipient first, the issuer below the sums. */
function bilingue(sample: Sample): string {
  const { issuer, client } = sample;
  return sheetOf(
    `body { font-size: 9pt } .l th { border-bottom: 1.5px solid #000; font-size: 8pt } .two { display: flex; gap: 8mm } .two > div { flex: 1 } .s { width: 85mm; margin: 4mm 0 0 auto } .g { background: #f1f1f1; padding: 3mm }`,
    `<div class="two"><div class="g"><b>Cliente / Customer</b><br>${client.name}<br>${address(client)}<br>NIF / VAT: ${client.nif}</div><div class="g"><b>Factura / Invoice</b><br>Nº / No.: ${sample.number}<br>Fecha / Date: ${slashed(sample.date)}<br>Vencimiento / Due date: ${slashed(sample.dueDate)}</div></div>${rectified(sample, 'Rectifica la factura')}<br>
     ${lineTable(
       sample,
       [
         ['Descripción / Description', ({ description }) => description],
         ['Cant. / Qty>', ({ quantity }) => figure(quantity, 2)],
         ['Precio / Price>', ({ priceCents }) => euros(priceCents)],
         ...(isDiscounted(sample)
           ? [
               [
                 'Dto. / Disc.>',
                 ({ discount }: Sample['lines'][number]) => `${figure(discount)} %`,
               ] as const,
             ]
           : []),
         ['Importe / Amount>', ({ totalCents }) => euros(totalCents)],
       ],
       'l',
     )}${tableOf(['', '>'], sumsOf(sample, { ...SUMS, base: 'Base imponible / Net', total: 'Total / Total due', euro: ' €' }), 's')}
     <p class="g"><b>Proveedor / Supplier</b><br>${issuer.name}<br>${issuer.street}, ${issuer.town}<br>NIF / VAT: ${issuer.nif}</p>`,
  );
}

/** A program's listing: no rules, text that takes two rows, the issuer's name without its address above it. */
function listado(sample: Sample): string {
  const { issuer, client } = sample;
  return sheetOf(
    `body { font-size: 9pt } .l td { padding: 3px 4px } .d { display: inline-block; width: 48mm } .two { display: flex; justify-content: space-between } .s { width: 60mm; margin: 6mm 0 0 auto }`,
    `<div class="two"><div><span style="font-size: 14pt">${issuer.name}</span><br><br>${issuer.nif}<br>${issuer.street}<br>${issuer.town}</div><div style="width: 80mm">Destinatario:<br>${client.nif}<br>${client.name}<br>${address(client)}</div></div><br>
     <div class="two"><div>Factura ${sample.number}</div><div>Fecha factura ${slashed(sample.date)}</div><div>Vto. ${slashed(sample.dueDate)}</div></div>${rectified(sample, 'Rectifica la factura')}<br>
     ${lineTable(
       sample,
       [
         ['Ref.', (_, i) => `${700_114 + 3 * i}`],
         ['Descripción', ({ description }) => `<span class="d">${description}</span>`],
         ['Unidades>', ({ quantity }) => figure(quantity, 2)],
         ['Precio>', ({ priceCents }) => plain(priceCents)],
         ['% Dto>', ({ discount }) => (discount ? figure(discount, 2) : '')],
         [`% ${sample.tax}>`, ({ rate }) => figure(rate, 2)],
         ['Importe>', ({ totalCents }) => plain(totalCents)],
       ],
       'l',
     )}${tableOf(['', '>'], sumsOf(sample, { ...SUMS, total: 'Importe total' }), 's')}`,
  );
}
