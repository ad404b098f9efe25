import {
  dashed,
  euros,
  figure,
  type Pool,
  type Sample,
  type SampleLine,
  type SampleParty,
  slashed,
  worded,
} from './invoice-sample.ts';
import { type HtmlLayout, sheetOf, tableOf } from './print-html.ts';

/** Layouts whose scans were looked at: tables and parties unlike those of the others. */
export const OPEN: Readonly<Record<string, HtmlLayout>> = {
  mayorista,
  asesoria,
  telefonia,
  imprenta,
  hotel,
  clinica,
  obra,
  transporte,
  tienda,
  abogada,
  ferreteria,
  nube,
};

export const OPEN_POOL: Pool = {
  names: [
    ...[
      'Comercial Ruiz Zabaleta, S.L.',
      'Bodegas Arribes del Duero, S.A.',
      'Marta Peláez Cifuentes',
    ],
    ...[
      'Vidrios y Espejos Cantabria, S.L.U.',
      'Íñigo Yáñez Barrutia',
      'Hotel Puerta de Gredos, S.A.',
    ],
    ...['Asociación Cultural La Tahona', 'Informática Nervión, S.L.L.', 'Pescados Riveira, S.C.'],
    ...['Lavandería Las Nieves, S.L.'],
  ],
  streets: [
    ...['C/ Fernández de la Hoz, 71, 4º D', 'Avda. Reino de Valencia 9', 'Ctra. N-340, km 12,6'],
    ...['Glorieta de Quevedo, 3 1º', 'Paseo Marítimo, 44', 'Calle del Río s/n'],
  ],
  towns: [
    ...['29640 Fuengirola (Málaga)', '05001 Ávila', '38003 Santa Cruz de Tenerife'],
    ...['20014 Donostia', '30201 Cartagena', '24003 León'],
  ],
  things: [
    ...['Vino tinto crianza 75 cl', 'Espejo biselado 60 x 90', 'Lavado de mantelería'],
    ...['Asesoramiento fiscal trimestral', 'Disco SSD 1 TB NVMe', 'Merluza de pincho'],
    ...['Montaje y desmontaje de escenario con dos operarios en horario nocturno'],
    ...['Habitación doble con desayuno', 'Tinta cian 70 ml', 'Porte urgente a península'],
    ...[
      'Sustitución de vidrio laminado 4+4 en puerta de acceso al portal',
      'Gestión de nóminas (12)',
    ],
    ...['Licencia anual por puesto'],
  ],
  numbers: ['FRA-26/0214', '2026/A/77', '26000418', 'W-26-0093', 'S1/2026/305', '902', '26F0117'],
};

export const isDiscounted = ({ lines }: Sample) => lines.some(({ discount }) => discount > 0);
export const title = ({ rectifies }: Sample) => (rectifies ? 'Factura rectificativa' : 'Factura');
export const address = ({ street, town }: SampleParty) => `${street}<br>${town}`;
export const rectified = ({ rectifies }: Sample, text: string) =>
  rectifies ? `<p>${text} ${rectifies}</p>` : '';

export function sumsOf(
  sample: Sample,
  say: {
    base: string;
    tax: string;
    recargo: string;
    irpf: string;
    total: string;
    due?: string;
    euro?: string;
  },
): (readonly [string, string])[] {
  const money = (cents: number) => `${euros(cents)}${say.euro ?? ''}`;
  return [
    [say.base, money(sample.baseCents)],
    ...sample.groups.flatMap(({ rate, quotaCents, recargo, recargoCents }) => [
      [say.tax.replace('@', sample.tax).replace('#', String(rate)), money(quotaCents)] as const,
      ...(recargo
        ? [[say.recargo.replace('#', figure(recargo)), money(recargoCents)] as const]
        : []),
    ]),
    ...(sample.irpf
      ? [[say.irpf.replace('#', String(sample.irpf)), money(-sample.irpfCents)] as const]
      : []),
    [say.total, money(say.due ? sample.totalCents : sample.totalCents - sample.irpfCents)],
    ...(say.due && sample.irpf
      ? [[say.due, money(sample.totalCents - sample.irpfCents)] as const]
      : []),
  ];
}

/** Columns of a line: heading (`>` for figures) and what it says. */
export type Column = readonly [string, (line: SampleLine, i: number) => string];
export const lineTable = (sample: Sample, columns: readonly Column[], className: string) =>
  tableOf(
    columns.map(([name]) => name),
    sample.lines.map((line, i) => columns.map(([, say]) => say(line, i))),
    className,
  );

/** Small sans print in full boxes, codes with zeros, units in a column, quantities with three decimals. */
function mayorista(sample: Sample): string {
  const { issuer, client } = sample;
  return sheetOf(
    `body { font-size: 8pt } .l td, .l th { border: 1px solid #000; padding: 1px 3px } .l th { background: #dde; font-weight: bold } .box { border: 1px solid #000; padding: 3mm; width: 88mm } .f { display: flex; justify-content: space-between; margin-bottom: 4mm } .s { margin-top: 4mm } .s td, .s th { border: 1px solid #000 }`,
    `<div class="f"><div><b style="font-size: 12pt">${issuer.name}</b><br>${address(issuer)}<br>C.I.F.: ${issuer.nif}</div>
      <div class="box">Cliente: 00${sample.lines.length}417<br><b>${client.name}</b><br>${address(client)}<br>N.I.F.: ${client.nif}</div></div>
     <div style="width: 110mm; margin-bottom: 3mm">${tableOf(['Nº Factura', 'Fecha', 'Vencimiento', 'Pág.'], [[sample.number, slashed(sample.date), slashed(sample.dueDate), '1']], 'l')}</div>${rectified(sample, 'Rectifica la factura')}
     ${lineTable(
       sample,
       [
         ['Código', (_, i) => `000${117 + 31 * i}`],
         ['Descripción', ({ description }) => description],
         ['Ud.', () => 'UN'],
         ['Cantidad>', ({ quantity }) => figure(quantity, 3)],
         ['Precio>', ({ priceCents }) => euros(priceCents)],
         ...(isDiscounted(sample)
           ? [
               [
                 '% Dto.>',
                 ({ discount }: SampleLine) => (discount ? figure(discount, 2) : ''),
               ] as const,
             ]
           : []),
         [`${sample.tax}>`, ({ rate }) => String(rate)],
         ['Importe>', ({ totalCents }) => euros(totalCents)],
       ],
       'l',
     )}
     ${tableOf(
       [
         'Base Imponible>',
         `% ${sample.tax}>`,
         `Cuota ${sample.tax}>`,
         '% R.E.>',
         'Cuota R.E.>',
         'TOTAL FACTURA>',
       ],
       sample.groups.map((g, i) => [
         euros(g.baseCents),
         figure(g.rate, 2),
         euros(g.quotaCents),
         g.recargo ? figure(g.recargo, 2) : '',
         g.recargo ? euros(g.recargoCents) : '',
         i === 0 ? `<b>${euros(sample.totalCents)}</b>` : '',
       ]),
       's',
     )}${sample.irpf ? `<p>Retención I.R.P.F. ${sample.irpf} %: ${euros(-sample.irpfCents)}</p>` : ''}`,
  );
}

/** Serif letters, no rules, quantity after price, sums in words beside dots. */
function asesoria(sample: Sample): string {
  const { issuer, client } = sample;
  return sheetOf(
    `body { font: 10.5pt/1.5 'Liberation Serif' } th { font-style: italic; font-weight: normal; border-bottom: 0.5pt solid #000 } .s { width: 60%; margin: 6mm 0 0 auto } h1 { font-size: 15pt; letter-spacing: 2px }`,
    `<h1>${issuer.name}</h1><div>${issuer.street} · ${issuer.town} · NIF ${issuer.nif}</div><br>
     <div style="margin-left: 95mm">${client.name}<br>${address(client)}<br>NIF ${client.nif}</div>
     <p>${title(sample)} núm. ${sample.number}<br>${worded(sample.date)}</p>${rectified(sample, 'Anula en parte la factura')}
     ${lineTable(
       sample,
       [
         ['Concepto', ({ description }) => description],
         ['Precio>', ({ priceCents }) => `${euros(priceCents)} €`],
         ['Cantidad>', ({ quantity }) => figure(quantity)],
         ...(isDiscounted(sample)
           ? [
               [
                 'Descuento>',
                 ({ discount }: SampleLine) => (discount ? `${figure(discount)} %` : ''),
               ] as const,
             ]
           : []),
         ['Importe>', ({ totalCents }) => `${euros(totalCents)} €`],
       ],
       '',
     )}${tableOf(['', '>'], sumsOf(sample, { base: 'Base imponible', tax: '@ (# %)', recargo: 'Recargo de equivalencia (# %)', irpf: 'Retención de IRPF (# %)', total: 'Total a percibir', euro: ' €' }), 's')}
     <p style="font-size: 8pt">Inscrita en el Registro Mercantil, tomo 4.118, folio 22.</p>`,
  );
}

/** Recipient first; pale grey zebra; narrow description that wraps; figures in the middle of the row. */
function telefonia(sample: Sample): string {
  const { issuer, client } = sample;
  return sheetOf(
    `body { font-size: 9pt; color: #333 } .l td { vertical-align: middle; padding: 5px } .l th { background: #0a6; color: #fff; padding: 6px } .l tr:nth-child(even) td { background: #eef2f0 } .d { display: inline-block; width: 52mm } .s td { border-top: 1px solid #ccc } .s { width: 46%; margin-left: auto } .foot { font-size: 7.5pt; border-top: 2px solid #0a6; margin-top: 10mm; padding-top: 2mm }`,
    `<div style="display: flex; gap: 10mm"><div style="flex: 1"><small>TITULAR</small><br><b>${client.name}</b><br>${address(client)}<br>NIF: ${client.nif}</div>
      <div style="flex: 1; background: #eef2f0; padding: 3mm">${title(sample)}: <b>${sample.number}</b><br>Fecha de emisión: ${slashed(sample.date)}<br>Fecha de cargo: ${slashed(sample.dueDate)}</div></div>${rectified(sample, 'Factura que se rectifica:')}<br>
     ${lineTable(
       sample,
       [
         ['Descripción', ({ description }) => `<span class="d">${description}</span>`],
         ['Unidades>', ({ quantity }) => figure(quantity)],
         ['Precio unidad>', ({ priceCents }) => `${euros(priceCents)} €`],
         ...(isDiscounted(sample)
           ? [
               [
                 'Dto.>',
                 ({ discount }: SampleLine) => (discount ? `${figure(discount)}%` : '—'),
               ] as const,
             ]
           : []),
         [`${sample.tax}>`, ({ rate }) => `${rate}%`],
         ['Total>', ({ totalCents }) => `${euros(totalCents)} €`],
       ],
       'l',
     )}<br>${tableOf(['', '>'], sumsOf(sample, { base: 'Importe sin impuestos', tax: '@ #%', recargo: 'Recargo equivalencia #%', irpf: 'Retención #%', total: 'Total factura', due: 'Total a pagar', euro: ' €' }), 's')}
     <div class="foot">${issuer.name} · ${issuer.street} · ${issuer.town} · CIF ${issuer.nif}</div>`,
  );
}

/** A dark band with the headings, thin rules that touch the letters, sums inside the table. */
function imprenta(sample: Sample): string {
  const { issuer, client } = sample;
  const head = [
    'Cant.',
    'Descripción',
    'Precio',
    ...(isDiscounted(sample) ? ['Dto.'] : []),
    'Importe',
  ];
  const rows = sample.lines.map(
    (l) =>
      `<tr><td class="c">${figure(l.quantity)}</td><td>${l.description}</td><td class="n">${euros(l.priceCents)}</td>${isDiscounted(sample) ? `<td class="n">${l.discount ? `${figure(l.discount)}%` : ''}</td>` : ''}<td class="n">${euros(l.totalCents)}</td></tr>`,
  );
  const sums = sumsOf(sample, {
    base: 'Base imponible',
    tax: '@ # %',
    recargo: 'R.E. # %',
    irpf: 'I.R.P.F. # %',
    total: 'TOTAL',
    euro: '',
  }).map(
    ([name, amount]) =>
      `<tr><td colspan="${head.length - 1}" class="n">${name}</td><td class="n"><b>${amount}</b></td></tr>`,
  );
  return sheetOf(
    `body { font-size: 9pt; line-height: 1.15 } .l td { padding: 0 4px; border: 0.5pt solid #444 } .l th { background: #222; color: #fff; padding: 3px 4px } .c { text-align: center } .two { display: flex; justify-content: space-between; margin: 6mm 0 }`,
    `<div style="text-align: center"><b style="font-size: 16pt">${issuer.name}</b><br>${issuer.street} - ${issuer.town} - C.I.F. ${issuer.nif}</div>
     <div class="two"><div>${title(sample).toUpperCase()} Nº ${sample.number}<br>FECHA ${dashed(sample.date)}</div><div style="border: 1px solid; border-radius: 5px; padding: 2mm 5mm">SR/ES.:<br>${client.name}<br>${address(client)}<br>C.I.F./N.I.F.: ${client.nif}</div></div>${rectified(sample, 'Rectifica:')}
     <table class="l"><tr>${head.map((h) => `<th>${h}</th>`).join('')}</tr>${rows.join('')}${sums.join('')}</table>`,
  );
}

/** Dates before each line, everything left aligned, wide letters. */
function hotel(sample: Sample): string {
  const { issuer, client } = sample;
  return sheetOf(
    `body { font: 8.5pt/1.5 'DejaVu Sans' } .l th, .s th { text-align: left; border-top: 1px solid; border-bottom: 1px solid } .l td { white-space: nowrap } .l td:nth-child(2) { white-space: normal } .n { text-align: left }`,
    `<b>${issuer.name}</b><br>${address(issuer)}<br>CIF: ${issuer.nif}<hr>
     <table><tr><td>Huésped / empresa</td><td>${client.name}</td><td>Factura</td><td>${sample.number}</td></tr><tr><td>Dirección</td><td>${client.street}</td><td>Fecha</td><td>${slashed(sample.date)}</td></tr><tr><td></td><td>${client.town}</td><td>Habitación</td><td>214</td></tr><tr><td>NIF</td><td>${client.nif}</td><td>Noches</td><td>3</td></tr></table>${rectified(sample, 'Rectifica la factura')}<br>
     ${lineTable(
       sample,
       [
         ['Fecha', (_, i) => `${String(1 + (i % 28)).padStart(2, '0')}/02/26`],
         ['Servicio', ({ description }) => description],
         ['Uds.>', ({ quantity }) => figure(quantity, 2)],
         ['Precio>', ({ priceCents }) => euros(priceCents)],
         ...(isDiscounted(sample)
           ? [['Dto.>', ({ discount }: SampleLine) => `${figure(discount, 2)} %`] as const]
           : []),
         ['Neto>', ({ totalCents }) => euros(totalCents)],
       ],
       'l',
     )}<hr>${tableOf(['', '>'], sumsOf(sample, { base: 'Base imponible', tax: '@ #,00 %', recargo: 'Recargo # %', irpf: 'IRPF # %', total: 'Total EUR' }), 's')}`,
  );
}

/** Labels over values in boxes; two rows per line: the description over its figures. */
function clinica(sample: Sample): string {
  const { issuer, client } = sample;
  const cell = (label: string, value: string) =>
    `<div style="border: 1px solid #99a; padding: 1.5mm 2mm; flex: 1"><small style="color: #667; display: block; font-size: 7pt">${label}</small>${value}</div>`;
  const rows = sample.lines.map(
    (l) =>
      `<tr><td colspan="4" style="padding-top: 5px"><b>${l.description}</b></td></tr><tr style="border-bottom: 1px solid #ccd"><td style="padding-left: 8mm">${figure(l.quantity)} × ${euros(l.priceCents)} €${l.discount ? ` (-${figure(l.discount)} %)` : ''}</td><td></td><td></td><td class="n">${euros(l.totalCents)} €</td></tr>`,
  );
  return sheetOf(
    `.f { display: flex; gap: 2mm; margin-bottom: 2mm } .s { width: 50%; margin: 4mm 0 0 50% } .s tr:last-child td { background: #334; color: #fff; font-weight: bold }`,
    `<div class="f">${cell('EMISOR', `<b>${issuer.name}</b><br>${address(issuer)}<br>${issuer.nif}`)}${cell('PACIENTE / PAGADOR', `<b>${client.name}</b><br>${address(client)}<br>${client.nif}`)}</div>
     <div class="f">${cell('N.º DE FACTURA', sample.number)}${cell('FECHA', slashed(sample.date))}${cell('VENCIMIENTO', slashed(sample.dueDate))}</div>${rectified(sample, 'Rectifica la factura')}
     <table><tr style="border-bottom: 2px solid #334"><th>Tratamiento</th><th></th><th></th><th class="n">Importe</th></tr>${rows.join('')}</table>
     ${tableOf(['', '>'], sumsOf(sample, { base: 'Base imponible', tax: '@ # %', recargo: 'Recargo # %', irpf: 'IRPF # %', total: 'Total', euro: ' €' }), 's')}`,
  );
}

/** Numbered lines with units beside quantities, prices with four decimals of zeros, vertical rules only. */
function obra(sample: Sample): string {
  const { issuer, client } = sample;
  return sheetOf(
    `body { font-size: 9pt } .l { border: 1px solid } .l td, .l th { border-left: 1px solid; border-right: 1px solid; padding: 2px 4px } .l th { border-bottom: 1px solid; text-align: center } .two { display: flex; gap: 5mm } .two div { flex: 1 } .s { width: auto; margin: 4mm 0 0 auto } .s td { border: 1px solid }`,
    `<div class="two"><div><b>PROVEEDOR</b><br>${issuer.name}<br>${issuer.nif}<br>${address(issuer)}</div><div><b>PROMOTOR</b><br>${client.name}<br>${client.nif}<br>${address(client)}</div></div>
     <p><b>${title(sample).toUpperCase()} ${sample.number}</b> &nbsp; Fecha: ${slashed(sample.date)} &nbsp; Certificación n.º 3</p>${rectified(sample, 'Rectifica a la factura')}
     ${lineTable(
       sample,
       [
         ['Nº', (_, i) => String(i + 1)],
         ['Partida', ({ description }) => description],
         ['Medición>', ({ quantity }) => `${figure(quantity, 2)} ud`],
         ['Precio unit.>', ({ priceCents }) => `${euros(priceCents)}`],
         ...(isDiscounted(sample)
           ? [
               [
                 'Baja %>',
                 ({ discount }: SampleLine) => (discount ? figure(discount) : ''),
               ] as const,
             ]
           : []),
         ['Importe €>', ({ totalCents }) => euros(totalCents)],
       ],
       'l',
     )}${tableOf(['', '>'], sumsOf(sample, { base: 'Base imponible', tax: '@ # %', recargo: 'Recargo # %', irpf: 'Retención IRPF # %', total: 'TOTAL FACTURA', due: 'LÍQUIDO A PERCIBIR' }), 's')}`,
  );
}

/** Letters of one width, everything from left to right, codes before and rates after. */
function transporte(sample: Sample): string {
  const { issuer, client } = sample;
  return sheetOf(
    `body { font: 8pt/1.3 'Liberation Mono' } .l th { border-top: 1px dashed; border-bottom: 1px dashed } .l td, .l th { padding: 1px 4px }`,
    `${issuer.name}<br>${issuer.street} ${issuer.town}<br>CIF ${issuer.nif}<br><br>
     <div style="margin-left: 90mm">${client.name}<br>${address(client)}<br>CIF ${client.nif}</div><br>
     FACTURA: ${sample.number} &nbsp;&nbsp; FECHA: ${slashed(sample.date)} &nbsp;&nbsp; CLIENTE: 4301<br>${rectified(sample, 'RECTIFICA:')}<br>
     ${lineTable(
       sample,
       [
         ['ALBARAN', (_, i) => `A${4410 + i}`],
         ['CONCEPTO', ({ description }) => description],
         ['CANT>', ({ quantity }) => figure(quantity, 2)],
         ['PRECIO>', ({ priceCents }) => euros(priceCents)],
         ['DTO>', ({ discount }) => figure(discount, 2)],
         ['IMPORTE>', ({ totalCents }) => euros(totalCents)],
         ['IVA>', ({ rate }) => `${rate}`],
       ],
       'l',
     )}<br>${tableOf(
       ['BASE>', `%${sample.tax}>`, 'CUOTA>', '%REC>', 'RECARGO>'],
       sample.groups.map((g) => [
         euros(g.baseCents),
         figure(g.rate, 2),
         euros(g.quotaCents),
         g.recargo ? figure(g.recargo, 2) : '',
         g.recargo ? euros(g.recargoCents) : '',
       ]),
       'l',
     )}
     ${sample.irpf ? `<br>RETENCION ${sample.irpf}%: ${euros(-sample.irpfCents)}<br>` : ''}<br>TOTAL FACTURA: ${euros(sample.totalCents)} EUR`,
  );
}

/** A shop's program: no rules, grey small headings in capitals, a lot of room between rows. */
function tienda(sample: Sample): string {
  const { issuer, client } = sample;
  return sheetOf(
    `body { font-size: 9.5pt; color: #222 } .l td { padding: 9px 5px; border-bottom: 1px solid #eee } .l th { color: #888; font-size: 7.5pt; font-weight: normal; text-transform: uppercase; letter-spacing: 0.5px } .two { display: flex; justify-content: space-between; margin-bottom: 8mm } .s { width: 45%; margin: 5mm 0 0 55% } small { color: #888 }`,
    `<div class="two"><div style="font-size: 20pt">${title(sample)}</div><div style="text-align: right"><b>${issuer.name}</b><br>${address(issuer)}<br>${issuer.nif}</div></div>
     <div class="two"><div><small>Para</small><br><b>${client.name}</b><br>${address(client)}<br>${client.nif}</div><div style="text-align: right"><small>Número</small><br>${sample.number}<br><small>Fecha</small><br>${slashed(sample.date)}</div></div>${rectified(sample, 'Corrige la factura')}
     ${lineTable(
       sample,
       [
         ['Artículo', ({ description }) => description],
         ['Cantidad>', ({ quantity }) => figure(quantity)],
         ['Precio>', ({ priceCents }) => `${euros(priceCents)} €`],
         ...(isDiscounted(sample)
           ? [
               [
                 'Descuento>',
                 ({ discount }: SampleLine) => (discount ? `−${figure(discount)} %` : ''),
               ] as const,
             ]
           : []),
         ['Total>', ({ totalCents }) => `${euros(totalCents)} €`],
       ],
       'l',
     )}${tableOf(['', '>'], sumsOf(sample, { base: 'Subtotal', tax: '@ # %', recargo: 'Recargo # %', irpf: 'IRPF # %', total: 'Total', euro: ' €' }), 's')}`,
  );
}

/** A professional's minuta: amounts only after quantities with «h», serif, justified. */
function abogada(sample: Sample): string {
  const { issuer, client } = sample;
  return sheetOf(
    `body { font: 11pt/1.4 'DejaVu Serif'; font-size: 9pt } .l td, .l th { border-bottom: 0.7pt solid #000; padding: 2px 6px } .s { width: 55%; margin-left: auto } .s td { padding: 1px 6px }`,
    `<div style="border: 1.5pt solid; padding: 3mm">A la atención de:<br>${client.name}<br>${client.street}, ${client.town}<br>N.I.F.: ${client.nif}</div>
     <p style="text-align: right">${issuer.town.replace(/^\d+ | \(.*/g, '')}, ${worded(sample.date)}</p><p><b>${sample.rectifies ? 'MINUTA RECTIFICATIVA' : 'MINUTA'} Nº ${sample.number}</b></p>${rectified(sample, 'Rectifica a la minuta')}
     ${lineTable(
       sample,
       [
         ['Actuación', ({ description }) => description],
         ['Horas>', ({ quantity }) => `${figure(quantity)} h`],
         ['Tarifa>', ({ priceCents }) => `${euros(priceCents)} €/h`],
         ...(isDiscounted(sample)
           ? [
               [
                 'Bonif.>',
                 ({ discount }: SampleLine) => (discount ? `${figure(discount)} %` : ''),
               ] as const,
             ]
           : []),
         ['Honorarios>', ({ totalCents }) => `${euros(totalCents)} €`],
       ],
       'l',
     )}<br>${tableOf(['', '>'], sumsOf(sample, { base: 'Suma de honorarios', tax: '# % @', recargo: '# % recargo', irpf: '# % IRPF', total: 'Total minuta', euro: ' €' }), 's')}
     <p>${issuer.name}<br>N.I.F. ${issuer.nif}<br>${issuer.street}. ${issuer.town}</p>`,
  );
}

/** Eight columns in narrow letters of 7.5 points, prices with the euro in front, sums to the left. */
function ferreteria(sample: Sample): string {
  const { issuer, client } = sample;
  return sheetOf(
    `body { font: 7.5pt/1.25 'Liberation Sans Narrow' } .l td { border-right: 0.5pt solid #777; padding: 1px 4px } .l th { border: 0.5pt solid #777; background: #f3d9a0; padding: 2px 4px } .l { border: 0.5pt solid #777 } .two { display: flex; justify-content: space-between; margin-bottom: 4mm }`,
    `<div class="two"><div><span style="font-size: 15pt; font-weight: bold; color: #842">${issuer.name}</span><br>${issuer.street}, ${issuer.town}<br>CIF: ${issuer.nif} Tel: 964 110 220</div><div style="width: 75mm">${tableOf(['FACTURA', 'FECHA'], [[sample.number, slashed(sample.date)]], 'l')}</div></div>
     <div style="border: 0.5pt solid; padding: 2mm; margin: 0 0 4mm 100mm"><b>${client.name}</b><br>${address(client)}<br>NIF: ${client.nif}</div>${rectified(sample, 'Rectifica:')}
     ${lineTable(
       sample,
       [
         ['REF.', (_, i) => `FE-${2041 + 13 * i}`],
         ['ARTÍCULO', ({ description }) => description],
         ['CAJAS>', () => '1'],
         ['CANT.>', ({ quantity }) => figure(quantity, 2)],
         ['PRECIO>', ({ priceCents }) => `${euros(priceCents)}`],
         ['DTO.>', ({ discount }) => (discount ? figure(discount, 2) : '')],
         [`${sample.tax}>`, ({ rate }) => `${rate}%`],
         ['IMPORTE>', ({ totalCents }) => euros(totalCents)],
       ],
       'l',
     )}<br><div style="width: 60%">${tableOf(
       ['BASE>', `${sample.tax}>`, 'CUOTA>', 'R.E.>', 'CUOTA>'],
       sample.groups.map((g) => [
         euros(g.baseCents),
         `${g.rate}%`,
         euros(g.quotaCents),
         g.recargo ? `${figure(g.recargo)}%` : '',
         g.recargo ? euros(g.recargoCents) : '',
       ]),
       'l',
     )}</div>
     ${sample.irpf ? `<p>RETENCIÓN ${sample.irpf}%: ${euros(-sample.irpfCents)}</p>` : ''}<p style="font-size: 11pt"><b>TOTAL: ${euros(sample.totalCents)} €</b></p>`,
  );
}

/** A service's web invoice: period under each description, two columns of figures, issuer in the head without label. */
function nube(sample: Sample): string {
  const { issuer, client } = sample;
  return sheetOf(
    `body { font-size: 9pt } .l th { border-bottom: 2px solid #36c; color: #36c } .l td { border-bottom: 1px solid #ddd; padding: 6px 4px } .g { color: #888; font-size: 7.5pt } .s { width: 40%; margin: 4mm 0 0 60% }`,
    `<div style="display: flex; justify-content: space-between"><div><b style="font-size: 14pt; color: #36c">${issuer.name}</b></div><div>${sample.rectifies ? 'FACTURA RECTIFICATIVA' : 'FACTURA'}<br>Nº ${sample.number}<br>${slashed(sample.date)}</div></div>
     <div style="display: flex; gap: 10mm; margin: 6mm 0"><div style="flex: 1"><b>De</b><br>${issuer.name}<br>${address(issuer)}<br>NIF/CIF ${issuer.nif}</div><div style="flex: 1"><b>Facturado a</b><br>${client.name}<br>${address(client)}<br>NIF/CIF ${client.nif}</div></div>${rectified(sample, 'Rectifica la')}
     ${lineTable(
       sample,
       [
         ['Producto o servicio', ({ description }) => description],
         ['Precio>', ({ priceCents }) => `€ ${euros(priceCents)}`],
         ['Uds.>', ({ quantity }) => figure(quantity)],
         ...(isDiscounted(sample)
           ? [
               [
                 'Dto.>',
                 ({ discount }: SampleLine) => (discount ? `${figure(discount)} %` : ''),
               ] as const,
             ]
           : []),
         [`${sample.tax}>`, ({ rate }) => `${rate} %`],
         ['Importe>', ({ totalCents }) => `€ ${euros(totalCents)}`],
       ],
       'l',
     )}${tableOf(['', '>'], sumsOf(sample, { base: 'Base', tax: '@ # %', recargo: 'Recargo # %', irpf: 'Retención # %', total: 'Total', due: 'A pagar', euro: ' €' }), 's')}`,
  );
}
