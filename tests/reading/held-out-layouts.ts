import { dashed, euros, figure, type Sample, slashed, worded } from './invoice-sample.ts';
import { type HtmlLayout, sheetOf, tableOf } from './print-html.ts';

/**
 * Layouts that only measure: nobody looked at what the reader made of them one by one. Whoever learns
 * from one moves it to `LEARNT` and draws another.
 */
export const HELD_OUT: Readonly<Record<string, HtmlLayout>> = { tienda, nube, minuta, obra };

/** Held out until their first run together with those above; the reader has learnt from them since. */
export const LEARNT: Readonly<Record<string, HtmlLayout>> = {
  almacen,
  suscripcion,
  hojaDeCalculo,
  distribuidor,
};

const isDiscounted = ({ lines }: Sample) => lines.some(({ discount }) => discount > 0);
/** A cell that is there only when it has something to say. */
const when = (condition: unknown, ...cells: string[]): string[] => (condition ? cells : []);
const due = ({ totalCents, irpfCents }: Sample) => totalCents - irpfCents;

/** A shop-counter program of always: boxes, client without a label, a strip of totals at the foot. */
function almacen(sample: Sample): string {
  const { issuer, client } = sample;
  const boxes = tableOf(
    ['DOCUMENTO', 'NÚMERO', 'PÁGINA', 'FECHA'],
    [
      [
        sample.rectifies ? 'Fact. Rectificativa' : 'Factura',
        sample.number,
        '1',
        slashed(sample.date),
      ],
    ],
    'box',
  );
  const lines = tableOf(
    ['ARTÍCULO', 'DESCRIPCIÓN', 'CANTIDAD>', 'PRECIO UNIDAD>', 'DTO.>', 'TOTAL>'],
    sample.lines.map((line, i) => [
      `0${4000 + i * 7}`,
      line.description,
      figure(line.quantity, 2),
      euros(line.priceCents),
      line.discount ? figure(line.discount, 2) : '',
      euros(line.totalCents),
    ]),
    'box lines',
  );
  const foot = tableOf(
    ['TIPO>', 'IMPORTE>', 'DESCUENTO>', 'PORTES>', 'BASE>', `${sample.tax}>`, 'R.E.>'],
    sample.groups.map((group) => [
      figure(group.rate, 2),
      euros(group.baseCents),
      '',
      '',
      euros(group.baseCents),
      euros(group.quotaCents),
      group.recargo ? euros(group.recargoCents) : '',
    ]),
    'box',
  );
  return sheetOf(
    `.box td, .box th { border: 1px solid #444 } .box th { font-size: 7.5pt } .head { display: flex; gap: 8mm }
     .head > div { flex: 1 } .client { border: 1px solid #444; border-radius: 6px; padding: 8px }
     .lines td { border-bottom: 0; border-top: 0 } .total { text-align: right; font-size: 14pt; font-weight: bold }`,
    `<div class="head"><div><b style="font-size:15pt">${issuer.name}</b><br>${issuer.street}<br>${issuer.town}<br>
      Tlf: 954 11 22 33 &nbsp; Fax: 954 11 22 34<br>N.I.F.: ${issuer.nif}</div>
      <div class="client">${client.name}<br>${client.street}<br>${client.town}<br><br>N.I.F.: ${client.nif}</div></div><br>
     ${boxes}<br>${sample.rectifies ? `<p>Rectifica la factura ${sample.rectifies}</p>` : ''}${lines}<br>${foot}
     ${sample.irpf ? `<p>RETENCIÓN ${figure(sample.irpf, 2)} % : ${euros(sample.irpfCents)}</p>` : ''}
     <p class="total">TOTAL: &nbsp; ${euros(sample.totalCents)}</p>
     <small>Forma de pago: CONTADO. Inscrita en el Registro Mercantil de Sevilla, tomo 4021, folio 77, hoja SE-60.112</small>`,
  );
}

/** An online shop's, with the order's data and a detail of taxes. */
function tienda(sample: Sample): string {
  const { issuer, client } = sample;
  const discounted = isDiscounted(sample);
  const data = tableOf(
    ['Número de factura', 'Fecha de factura', 'Referencia de pedido', 'Fecha de pedido'],
    [[sample.number, slashed(sample.date), 'XKBKNABJK', slashed(sample.date)]],
    'grey',
  );
  const lines = tableOf(
    [
      ...['Referencia', 'Producto', 'Tipo impositivo', 'Precio unitario<br>(imp. excl.)>'],
      ...when(discounted, 'Dto.>'),
      ...['Cant.', 'Total<br>(imp. excl.)>'],
    ],
    sample.lines.map((line, i) => [
      `demo_${i + 1}`,
      line.description,
      `${line.rate} %`,
      `${euros(line.priceCents)} €`,
      ...when(discounted, line.discount ? `${figure(line.discount)} %` : '--'),
      figure(line.quantity),
      `${euros(line.totalCents)} €`,
    ]),
    'grey',
  );
  const taxes = tableOf(
    ['Detalle de impuestos', 'Tipo>', 'Base>', 'Total impuesto>'],
    sample.groups.flatMap((group) => [
      [
        'Productos',
        `${figure(group.rate, 3)} %`,
        `${euros(group.baseCents)} €`,
        `${euros(group.quotaCents)} €`,
      ],
      ...(group.recargo
        ? [
            [
              'Recargo equiv.',
              `${figure(group.recargo, 3)} %`,
              `${euros(group.baseCents)} €`,
              `${euros(group.recargoCents)} €`,
            ],
          ]
        : []),
    ]),
    'grey half',
  );
  const sums = tableOf(
    ['', '>'],
    [
      ['Total productos', `${euros(sample.baseCents)} €`],
      ['Gastos de envío', 'Gratis'],
      ['Total (imp. excl.)', `${euros(sample.baseCents)} €`],
      ['Total impuestos', `${euros(sample.quotaCents + sample.recargoCents)} €`],
      ...(sample.irpf
        ? [[`Retención IRPF ${sample.irpf} %`, `- ${euros(sample.irpfCents)} €`]]
        : []),
      ['<b>Total</b>', `<b>${euros(sample.totalCents)} €</b>`],
    ],
    'half',
  );
  return sheetOf(
    `.grey th { background: #ddd; font-size: 8pt } .grey td { font-size: 9pt; border-bottom: 1px solid #eee }
     .two { display: flex; gap: 10mm; align-items: flex-start; margin: 6mm 0 } .two > * { flex: 1 } h1 { text-align: right; font-size: 14pt }`,
    `<h1>${sample.rectifies ? 'FACTURA DE ABONO' : 'FACTURA'}<br><small>${slashed(sample.date)}<br>#${sample.number}</small></h1>
     <div class="two"><div><b>Dirección de facturación</b><br><br>${client.name}<br>${client.nif}<br>${client.street}<br>${client.town}</div>
     <div><b>Vendido por</b><br><br>${issuer.name}<br>${issuer.street}<br>${issuer.town}<br>${issuer.nif}</div></div>
     ${data}${sample.rectifies ? `<p>Abono de la factura ${sample.rectifies}</p>` : '<br>'}${lines}<div class="two">${taxes}${sums}</div>
     <small>Método de pago: Tarjeta. Transportista: Recogida en tienda.</small>`,
  );
}

/** A subscription's, by an international card processor, in its Spanish. */
function suscripcion(sample: Sample): string {
  const { issuer, client } = sample;
  const discounted = isDiscounted(sample);
  const lines = tableOf(
    [
      'Descripción',
      'Cant.>',
      'Precio unitario>',
      ...when(discounted, 'Descuento>'),
      'Impuesto>',
      'Importe>',
    ],
    sample.lines.map((line) => [
      line.description,
      figure(line.quantity),
      `${euros(line.priceCents)} €`,
      ...when(discounted, line.discount ? `${figure(line.discount)} %` : ''),
      `${line.rate} %`,
      `${euros(line.totalCents)} €`,
    ]),
    'lines',
  );
  const place = sample.tax === 'IGIC' ? 'Canarias' : 'España';
  const sums = [
    ['Subtotal', euros(sample.baseCents)],
    ['Total sin impuestos', euros(sample.baseCents)],
    ...sample.groups.flatMap((group) => [
      [
        `${sample.tax} - ${place} (${group.rate} % sobre ${euros(group.baseCents)} €)`,
        euros(group.quotaCents),
      ],
      ...(group.recargo
        ? [
            [
              `Recargo de equivalencia (${figure(group.recargo)} % sobre ${euros(group.baseCents)} €)`,
              euros(group.recargoCents),
            ],
          ]
        : []),
    ]),
    ['Total', euros(sample.totalCents)],
    ...(sample.irpf ? [[`Retención IRPF (${sample.irpf} %)`, `-${euros(sample.irpfCents)}`]] : []),
    ['<b>Importe adeudado</b>', `<b>${euros(due(sample))}</b>`],
  ].map(([label = '', amount = '']) => [label, amount.replace(/(<\/b>)?$/, ' €$1')]);
  return sheetOf(
    `h1 { font-size: 20pt; margin: 0 0 6mm } .data td { padding: 1px 12px 1px 0; width: 1%; white-space: nowrap } .two { display: flex; margin: 8mm 0 }
     .two > div { width: 50% } .lines th { color: #666; font-weight: normal; font-size: 8.5pt; border-bottom: 1px solid #111 } .sums { width: 62%; margin-left: 38% } .sums td { border-top: 1px solid #ddd }`,
    `<h1>${sample.rectifies ? 'Nota de crédito' : 'Factura'}</h1>
     <table class="data"><tr><td><b>Número de factura</b></td><td><b>${sample.number}</b></td><td></td></tr>
     ${sample.rectifies ? `<tr><td>Rectifica a</td><td>${sample.rectifies}</td></tr>` : ''}
     <tr><td>Fecha de emisión</td><td>${worded(sample.date)}</td></tr><tr><td>Fecha de vencimiento</td><td>${worded(sample.dueDate)}</td></tr></table>
     <div class="two"><div><b>${issuer.name}</b><br>${issuer.street}<br>${issuer.town}<br>España<br>hola@ejemplo.es<br>ES VAT ES${issuer.nif}</div>
     <div><b>Facturar a</b><br>${client.name}<br>${client.street}<br>${client.town}<br>España<br>ES VAT ES${client.nif}</div></div>
     <h2>${euros(due(sample))} € con vencimiento el ${worded(sample.dueDate)}</h2>
     ${lines}<br>${tableOf(['', '>'], sums, 'sums')}`,
  );
}

/** A program in the cloud: its lines carry the amount without the tax and, last, with it. */
function nube(sample: Sample): string {
  const { issuer, client } = sample;
  const discounted = isDiscounted(sample);
  const withTax = ({ totalCents, rate }: Sample['lines'][number]) =>
    Math.round((totalCents * (100 + rate)) / 100);
  const lines = tableOf(
    [
      'CONCEPTO',
      'PRECIO>',
      'UNIDADES>',
      ...when(discounted, 'DTO.>'),
      'SUBTOTAL>',
      `${sample.tax}>`,
      'TOTAL>',
    ],
    sample.lines.map((line) => [
      `<b>${line.description}</b>`,
      `${euros(line.priceCents)}€`,
      figure(line.quantity),
      ...when(discounted, `${figure(line.discount)}%`),
      `${euros(line.totalCents)}€`,
      `${line.rate}%`,
      `${euros(withTax(line))}€`,
    ]),
    'lines',
  );
  const sums = [
    ['BASE IMPONIBLE', `${euros(sample.baseCents)}€`],
    ...sample.groups.flatMap((group) => [
      [`${sample.tax} ${group.rate}%`, `${euros(group.quotaCents)}€`],
      ...(group.recargo
        ? [[`REC. EQ. ${figure(group.recargo)}%`, `${euros(group.recargoCents)}€`]]
        : []),
    ]),
    ...(sample.irpf ? [[`IRPF -${sample.irpf}%`, `-${euros(sample.irpfCents)}€`]] : []),
    ['TOTAL', `${euros(due(sample))}€`],
  ];
  return sheetOf(
    `.top { display: flex; justify-content: space-between } h1 { color: #2a5bd7; font-size: 18pt; margin: 0 } .lines { margin: 8mm 0 }
     .lines th { background: #2a5bd7; color: #fff; font-size: 8pt } .sums { width: 45%; margin-left: 55% } .small { font-size: 8.5pt; color: #444 }`,
    `<div class="top"><div><h1>${sample.rectifies ? 'Factura rectificativa' : 'Factura'}</h1>
      <p><b>Número #</b> ${sample.number}<br><b>Fecha</b> ${slashed(sample.date)}<br><b>Vencimiento</b> ${slashed(sample.dueDate)}
      ${sample.rectifies ? `<br><b>Rectifica</b> ${sample.rectifies}` : ''}</p></div>
      <div class="small" style="text-align:right"><b>${issuer.name}</b><br>${issuer.nif}<br>${issuer.street}<br>${issuer.town}</div></div>
     <p><b>${client.name}</b><br>${client.nif}<br>${client.street}<br>${client.town}</p>
     ${lines}${tableOf(['', '>'], sums, 'sums')}
     <p class="small">Condiciones de pago: transferencia bancaria a 30 días. ES91 2100 0418 4502 0005 1332</p>`,
  );
}

/** A spreadsheet's template, its labels aligned to the right. */
function hojaDeCalculo(sample: Sample): string {
  const { issuer, client } = sample;
  const discounted = isDiscounted(sample);
  const lines = tableOf(
    ['CANTIDAD', 'DESCRIPCIÓN', 'PRECIO POR UNIDAD>', ...when(discounted, '% DTO>'), 'IMPORTE>'],
    sample.lines.map((line) => [
      figure(line.quantity),
      line.description,
      euros(line.priceCents),
      ...when(discounted, figure(line.discount, 2)),
      euros(line.totalCents),
    ]),
    'grid',
  );
  const sums = [
    ['SUBTOTAL', euros(sample.baseCents)],
    ...sample.groups.flatMap((group) => [
      [
        `${sample.tax} ${figure(group.rate, 2)}%${sample.groups.length > 1 ? ` de ${euros(group.baseCents)}` : ''}`,
        euros(group.quotaCents),
      ],
      ...(group.recargo
        ? [[`RECARGO EQUIVALENCIA ${figure(group.recargo, 2)}%`, euros(group.recargoCents)]]
        : []),
    ]),
    ...(sample.irpf ? [[`RETENCIÓN ${figure(sample.irpf, 2)}%`, euros(-sample.irpfCents)]] : []),
    [sample.irpf ? 'LÍQUIDO A PERCIBIR' : 'TOTAL', `${euros(due(sample))} €`],
  ];
  return sheetOf(
    `body { font-family: 'Liberation Sans Narrow', Arial; font-size: 11pt } .r { text-align: right } .grid td, .grid th, .sums td { border: 1px solid #999 }
     .sums { width: 60%; margin-left: 40% } .sums td:first-child { text-align: right } h1 { text-align: right; color: #888; letter-spacing: 3px }`,
    `<table><tr><td><b>${issuer.name}</b><br>${issuer.street}<br>${issuer.town}<br>CIF: ${issuer.nif}<br>Teléfono: 600 100 200</td>
      <td class="r"><h1>${sample.rectifies ? 'FACTURA RECTIFICATIVA' : 'FACTURA'}</h1></td></tr></table><br>
     <table><tr><td>FACTURAR A:<br><b>${client.name}</b><br>${client.street}<br>${client.town}<br>CIF/NIF: ${client.nif}</td>
     <td class="r">FACTURA N.º:<br>FECHA:<br>VENCE:${sample.rectifies ? '<br>RECTIFICA:' : ''}</td>
     <td class="r">${sample.number}<br>${slashed(sample.date)}<br>${slashed(sample.dueDate)}${sample.rectifies ? `<br>${sample.rectifies}` : ''}</td></tr></table><br>
     ${lines}${tableOf(['', '>'], sums, 'sums')}<p class="r">¡Gracias por su confianza!</p>`,
  );
}

/** A lawyer's or an architect's bill, in a typewriter's letters with leading dots. */
function minuta(sample: Sample): string {
  const { issuer, client } = sample;
  const width = 78;
  const dotted = (label: string, amount: string) =>
    `${label} ${'.'.repeat(Math.max(3, width - label.length - amount.length - 2))} ${amount}`;
  const rows = sample.lines.flatMap((line) => [
    line.description,
    dotted(
      `   ${figure(line.quantity)} x ${euros(line.priceCents)}${line.discount ? ` - ${figure(line.discount)} %` : ''}`,
      euros(line.totalCents),
    ),
  ]);
  const sums = [
    dotted('Suma honorarios (base imponible)', euros(sample.baseCents)),
    ...sample.groups.flatMap((group) => [
      dotted(
        `${group.rate} % ${sample.tax} sobre ${euros(group.baseCents)}`,
        euros(group.quotaCents),
      ),
      ...(group.recargo
        ? [dotted(`${figure(group.recargo)} % recargo de equivalencia`, euros(group.recargoCents))]
        : []),
    ]),
    dotted('TOTAL MINUTA', euros(sample.totalCents)),
    ...(sample.irpf
      ? [
          dotted(`A deducir ${sample.irpf} % retención I.R.P.F.`, `-${euros(sample.irpfCents)}`),
          dotted('LÍQUIDO A PERCIBIR', euros(due(sample))),
        ]
      : []),
  ];
  const head = [
    issuer.name.toUpperCase(),
    `${issuer.street} - ${issuer.town}`,
    `N.I.F. ${issuer.nif}`,
    '',
    `${sample.rectifies ? 'FACTURA RECTIFICATIVA' : 'FACTURA'} NÚM.: ${sample.number}`,
    `FECHA: ${worded(sample.date)}`,
    ...when(sample.rectifies, `RECTIFICA A LA NÚM.: ${sample.rectifies}`),
    '',
    'CLIENTE:',
    client.name,
    client.street,
    client.town,
    `N.I.F. ${client.nif}`,
    '',
    dotted('CONCEPTO', 'IMPORTE').replaceAll('.', ' '),
    '-'.repeat(width),
  ];
  return sheetOf(
    'pre { font: 9.5pt/1.5 "Liberation Mono", "Courier New", monospace }',
    `<pre>${[...head, ...rows, '-'.repeat(width), ...sums].join('\n')}</pre>`,
  );
}

/** A wholesaler's ERP: codes, coloured bands, a table of bases with their recargo. */
function distribuidor(sample: Sample): string {
  const { issuer, client } = sample;
  const data = [
    ['Nº Documento', sample.number],
    ['Fecha Doc.', dashed(sample.date)],
    ['Cód. Cliente', 'C-00451'],
    ['C.I.F. Cliente', client.nif],
    ['Vencimiento', dashed(sample.dueDate)],
    ['Su pedido', 'PC-8841'],
    ...(sample.rectifies ? [['Doc. rectificado', sample.rectifies]] : []),
  ];
  const lines = tableOf(
    ['Código', 'Descripción', 'Cant.>', 'Precio>', '% Dto>', `% ${sample.tax}>`, 'Importe>'],
    sample.lines.map((line, i) => [
      `P${2001 + i * 13}`,
      line.description,
      figure(line.quantity, 2),
      euros(line.priceCents),
      line.discount ? figure(line.discount, 2) : '0,00',
      String(line.rate),
      euros(line.totalCents),
    ]),
    'band',
  );
  const taxes = tableOf(
    ['Base imponible>', `% ${sample.tax}>`, `Cuota ${sample.tax}>`, '% R.E.>', 'Cuota R.E.>'],
    sample.groups.map((group) => [
      euros(group.baseCents),
      figure(group.rate, 2),
      euros(group.quotaCents),
      group.recargo ? figure(group.recargo, 2) : '',
      group.recargo ? euros(group.recargoCents) : '',
    ]),
    'band',
  );
  return sheetOf(
    `.band th { background: #1d4030; color: #fff; font-size: 8pt } .band td { font-size: 9pt } .two { display: flex; gap: 10mm; margin: 5mm 0 } .two > * { flex: 1 }
     .data td { padding: 1px 6px } .data td:first-child { color: #1d4030; font-weight: bold } .sum { background: #eef3f0; padding: 8px; text-align: right } .foot { font-size: 6.5pt; margin-top: 8mm }`,
    `<div class="two"><div style="font-size:16pt;font-weight:bold;color:#1d4030">${issuer.name}</div>
     <div class="n" style="font-size:16pt">${sample.rectifies ? 'FACTURA RECTIFICATIVA' : 'FACTURA DE VENTA'}</div></div>
     <div class="two"><table class="data">${data.map(([a, b]) => `<tr><td>${a}</td><td>${b}</td></tr>`).join('')}</table>
     <div>${client.name}<br>${client.street}<br>${client.town}</div></div>
     ${lines}<br><div class="two"><div style="flex:2">${taxes}</div><div class="sum">${
       sample.irpf ? `Retención ${sample.irpf}%<br>${euros(sample.irpfCents)}<br>` : ''
     }TOTAL FACTURA (€)<br><b style="font-size:15pt">${euros(sample.totalCents)}</b></div></div>
     <p class="foot">${issuer.name} · ${issuer.street}, ${issuer.town} · NIF ${issuer.nif} · R.M. Tomo 1.204, Folio 33, Hoja M-20144</p>`,
  );
}

/** A builder's certificate of work: quantity first, its unit in a column, totals in words of the trade. */
function obra(sample: Sample): string {
  const { issuer, client } = sample;
  const discounted = isDiscounted(sample);
  const lines = tableOf(
    [
      'Medición>',
      'Ud.',
      'Trabajos realizados',
      'P. Unitario>',
      ...when(discounted, 'Baja %>'),
      'Importe €>',
    ],
    sample.lines.map((line, i) => [
      figure(line.quantity, 2),
      ['ud', 'm2', 'ml', 'h'][i % 4] as string,
      line.description,
      euros(line.priceCents),
      ...when(discounted, line.discount ? figure(line.discount, 2) : ''),
      euros(line.totalCents),
    ]),
    'lines',
  );
  const sums = [
    ['Suma total', euros(sample.baseCents)],
    ...sample.groups.flatMap((group) => [
      [
        `${sample.tax === 'IVA' ? 'I.V.A.' : 'I.G.I.C.'} ${group.rate} % s/ ${euros(group.baseCents)}`,
        euros(group.quotaCents),
      ],
      ...(group.recargo
        ? [[`Rgo. equivalencia ${figure(group.recargo)} %`, euros(group.recargoCents)]]
        : []),
    ]),
    ['Total factura', euros(sample.totalCents)],
    ...(sample.irpf
      ? [
          [`Retención I.R.P.F. ${sample.irpf} %`, `-${euros(sample.irpfCents)}`],
          ['Total a pagar', euros(due(sample))],
        ]
      : []),
  ];
  return sheetOf(
    `body { font-family: 'Liberation Serif', serif; font-size: 11pt } .lines th { border-top: 2px solid; border-bottom: 2px solid } .lines td { border-bottom: 1px dotted #888 }
     .sums { width: 55%; margin-left: 45%; margin-top: 6mm } .sums tr:last-child { font-weight: bold } header { text-align: center; border-bottom: 3px double }`,
    `<header><b style="font-size:17pt">${issuer.name}</b><br>${issuer.street}. ${issuer.town}. C.I.F. ${issuer.nif}<br>Tels. 91 555 44 33 / 655 44 33 22</header>
     <p>Fra. ${sample.rectifies ? 'rectificativa ' : ''}n.º <b>${sample.number}</b><span style="float:right">Fecha: ${slashed(sample.date)}</span></p>
     <p>Datos del cliente<br>Nombre: ${client.name}<br>Dirección: ${client.street}<br>Población: ${client.town}<br>C.I.F./D.N.I.: ${client.nif}</p>
     ${sample.rectifies ? `<p>Anula y sustituye a la Fra. ${sample.rectifies}</p>` : ''}
     ${lines}${tableOf(['', '>'], sums, 'sums')}<p>Vencimiento: ${slashed(sample.dueDate)}. Domiciliado en ES91 2100 0418 4502 0005 1332</p>`,
  );
}
