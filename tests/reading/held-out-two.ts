import { LAWYER, OPERATOR, PLUMBER, SHOP, WHOLESALER, WORKSHOP } from './held-out-words.ts';
import {
  euros,
  figure,
  type Pool,
  type Sample,
  type Story,
  slashed,
  worded,
} from './invoice-sample.ts';
import { type HtmlLayout, sheetOf, tableOf } from './print-html.ts';

export interface Trade {
  readonly layout: HtmlLayout;
  readonly pool: Pool;
  /** What such a trade never bills. */
  readonly unfit: readonly Story[];
}

/**
 * The second group of layouts that only measure, each with the words of its trade. Whoever drew them had
 * not read the reader, nor run it on them. Whoever learns from one moves it out of here.
 */
export const HELD_OUT_TWO: Readonly<Record<string, Trade>> = {
  fontanero: { layout: plumber, pool: PLUMBER, unfit: [] },
  mayorista: { layout: wholesaler, pool: WHOLESALER, unfit: ['retención'] },
  abogado: { layout: lawyer, pool: LAWYER, unfit: ['varios tipos', 'recargo'] },
  taller: { layout: workshop, pool: WORKSHOP, unfit: ['retención', 'recargo'] },
  comercioWeb: { layout: shop, pool: SHOP, unfit: ['retención'] },
  operadora: { layout: operator, pool: OPERATOR, unfit: ['retención', 'recargo'] },
};

/** Something that is there only when it has something to say. */
const when = <T>(condition: unknown, ...given: T[]): T[] => (condition ? given : []);
const isDiscounted = ({ lines }: Sample) => lines.some(({ discount }) => discount > 0);
const due = ({ totalCents, irpfCents }: Sample) => totalCents - irpfCents;
/** `2026-03-05` → `05/03/26`. */
const shortly = (iso: string) => slashed(iso.slice(2));
/** The town of `28013 Madrid`. */
const placeOf = (town: string) => town.replace(/^\d+ /, '').replace(/ \(.*/, '');
const pairs = (rows: readonly (readonly string[])[], className = '') =>
  tableOf(['', '>'], rows, className).replace(/<thead>.*<\/thead>/, '');

/** A plumber's sheet, written over last month's in a word processor: a grid that ends in its sums. */
function plumber(sample: Sample): string {
  const { issuer, client } = sample;
  const discounted = isDiscounted(sample);
  const tax = sample.tax === 'IVA' ? 'I.V.A.' : 'I.G.I.C.';
  const rows = sample.lines.map((line) => [
    line.description,
    figure(line.quantity),
    euros(line.priceCents),
    ...when(discounted, line.discount ? `${figure(line.discount)}%` : ''),
    `${euros(line.totalCents)} €`,
  ]);
  const sums = [
    ['Suma', sample.baseCents],
    ...sample.groups.flatMap((group) => [
      [
        sample.groups.length > 1
          ? `${group.rate}% ${tax} de ${euros(group.baseCents)}`
          : `${group.rate}% ${tax}`,
        group.quotaCents,
      ],
      ...when(group.recargo, [`${figure(group.recargo)}% Rec. equiv.`, group.recargoCents]),
    ]),
    ...when(sample.groups.length > 1, [`Suma ${tax}`, sample.quotaCents]),
    [sample.irpf ? 'Total' : 'TOTAL FACTURA', sample.totalCents],
    ...when(
      sample.irpf,
      [`Retención ${sample.irpf}% I.R.P.F.`, -sample.irpfCents],
      ['TOTAL A COBRAR', due(sample)],
    ),
  ].map(
    ([label, cents]) =>
      `<tr><td class="none" colspan="${discounted ? 2 : 1}"></td><td colspan="2">${label}</td><td class="n">${euros(cents as number)} €</td></tr>`,
  );
  const heads = ['Concepto', 'Uds.>', 'Precio>', ...when(discounted, 'Dto.>'), 'Importe>'];
  return sheetOf(
    `@page { margin: 22mm 24mm } body { font: 11pt/1.3 'Carlito', 'Liberation Serif', serif } h1 { font-size: 20pt; margin: 0; color: #1f4e79 }
     .grid td, .grid th { border: 1px solid #000 } .grid th { background: #deeaf6; text-align: center } .grid .none { border: 0 }
     .client { margin: 6mm 0 6mm 50% } .grid tr { break-inside: avoid }`,
    `<h1>${issuer.name}</h1><i>Fontanería – Calefacción – Gas. Instalador autorizado nº 4.471</i><br>
     ${issuer.street} – ${issuer.town}<br>NIF ${issuer.nif} – Móvil 636 20 48 15 – avisos@fontaneria.example
     <div class="client"><b>${client.name}</b><br>${client.street}<br>${client.town}<br>NIF ${client.nif}</div>
     <p><b>FACTURA ${sample.rectifies ? 'RECTIFICATIVA ' : ''}Nº ${sample.number}</b></p>
     <p>${placeOf(issuer.town)}, a ${worded(sample.date)}</p>
     ${sample.rectifies ? `<p>Esta factura corrige la nº ${sample.rectifies} por devolución de material.</p>` : '<p>Por los trabajos realizados en su domicilio, según presupuesto aceptado:</p>'}
     ${tableOf(heads, rows, 'grid').replace('</tbody>', `${sums.join('')}</tbody>`)}
     <p>Pueden hacer el ingreso en la cuenta ES60 0049 1500 0512 3456 7892.<br>Garantía de la reparación: 6 meses. Un saludo y gracias.</p>`,
  );
}

/** A food wholesaler's ERP: its head on every page, delivery notes between the lines, lots, boxes at the foot. */
function wholesaler(sample: Sample): string {
  const { issuer, client } = sample;
  const heads = [
    ...['CÓDIGO', 'LOTE', 'ARTÍCULO', 'UDS.>', 'PRECIO>', 'DTO>', 'IMPORTE>', `${sample.tax}>`],
  ];
  const notes = Math.ceil(sample.lines.length / 12);
  const lines = sample.lines.flatMap((line, i) => [
    ...when(
      i % 12 === 0,
      `<tr><td colspan="8"><b>ALBARÁN ${26_004_100 + i * 3} DE ${shortly(sample.date)}</b>${notes > 1 ? ` (${i / 12 + 1}/${notes})` : ''}</td></tr>`,
    ),
    `<tr>${[
      String(100_230 + ((i * 4817) % 60_000)),
      `L${26_000 + ((i * 37) % 400)}`,
      line.description,
    ]
      .map((text) => `<td>${text}</td>`)
      .join('')}${[
      figure(line.quantity, 2),
      euros(line.priceCents),
      line.discount ? figure(line.discount, 2) : '',
      euros(line.totalCents),
      String(line.rate),
    ]
      .map((text) => `<td class="n">${text}</td>`)
      .join('')}</tr>`,
  ]);
  const data = tableOf(
    ['Nº FACTURA', 'FECHA', 'CLIENTE', 'N.I.F.', 'RUTA', 'AGENTE'],
    [[sample.number, shortly(sample.date), '0043018', client.nif, '14', '07 ZONA CENTRO']],
    'box',
  );
  const taxes = tableOf(
    ['BASE>', `% ${sample.tax}>`, 'CUOTA>', '% R.E.>', 'CUOTA R.E.>'],
    sample.groups.map((group) => [
      euros(group.baseCents),
      figure(group.rate, 2),
      euros(group.quotaCents),
      ...(group.recargo ? [figure(group.recargo, 2), euros(group.recargoCents)] : ['0,00', '0,00']),
    ]),
    'box',
  );
  const sums = tableOf(
    ['SUMA BASES>', `SUMA ${sample.tax}>`, 'SUMA R.E.>', 'TOTAL EUROS>'],
    [
      [
        euros(sample.baseCents),
        euros(sample.quotaCents),
        euros(sample.recargoCents),
        `<b style="font-size:13pt">${euros(sample.totalCents)}</b>`,
      ],
    ],
    'box',
  );
  const head = `<div class="two"><div><b style="font-size:13pt">${issuer.name}</b><br>${issuer.street} · ${issuer.town}<br>
      N.I.F. ${issuer.nif} · RGSEAA 40.011872/M · Pedidos 900 10 20 30</div><div class="client">${client.name}<br>${client.street}<br>${client.town}</div></div>
     <b>${sample.rectifies ? `FACTURA RECTIFICATIVA (ABONO DE ${sample.rectifies})` : 'FACTURA'}</b>${data}<br>`;
  return sheetOf(
    `@page { margin: 10mm 10mm 14mm; @bottom-right { content: 'Pág. ' counter(page) ' de ' counter(pages); font: 7pt sans-serif } }
     body { font-size: 8pt } .box td, .box th { border: 1px solid #000 } .box th, .lines .h th { font-size: 6.5pt; background: #e4e4e4 } .two { display: flex; gap: 8mm; margin-bottom: 3mm } .two > div { flex: 1 }
     .client { border: 1px solid #000; padding: 6px 10px; min-height: 20mm; font-size: 9pt } .lines td { padding: 1px 5px } .lines .head { padding: 0; font-weight: normal } .feet { margin-top: 4mm; break-inside: avoid }`,
    `<table class="lines"><thead><tr><th class="head" colspan="8">${head}</th></tr><tr class="h">${heads
      .map((text) =>
        text.endsWith('>') ? `<th class="n">${text.slice(0, -1)}</th>` : `<th>${text}</th>`,
      )
      .join('')}</tr></thead><tbody>${lines.join('')}</tbody></table>
     <div class="feet">${taxes}<br>${sums}<p>F. PAGO: GIRO 30 DÍAS &nbsp; VTO: ${shortly(sample.dueDate)} &nbsp; BULTOS: ${sample.lines.length}
     <br>No se admiten reclamaciones pasadas 24 horas. Inscrita en el Registro Mercantil, tomo 2.318, folio 140, hoja Z-9.071.</p></div>`,
  );
}

/** A lawyer's bill on letterhead: who and what for in sentences, fees, and what is withheld after the total. */
function lawyer(sample: Sample): string {
  const { issuer, client } = sample;
  const discounted = isDiscounted(sample);
  const lines = tableOf(
    ['Actuación profesional', 'Uds.>', 'Honorarios>', ...when(discounted, 'Bonif.>'), 'Total>'],
    sample.lines.map((line) => [
      line.description,
      figure(line.quantity),
      `${euros(line.priceCents)} €`,
      ...when(discounted, line.discount ? `${figure(line.discount)} %` : '–'),
      `${euros(line.totalCents)} €`,
    ]),
    'lines',
  );
  const sums = [
    ['Total honorarios', euros(sample.baseCents)],
    ...sample.groups.map((group) => [
      `+ ${sample.tax} ${group.rate} %${sample.groups.length > 1 ? ` (s/ ${euros(group.baseCents)} €)` : ''}`,
      euros(group.quotaCents),
    ]),
    ...when(sample.groups.length > 1, [`Total ${sample.tax}`, euros(sample.quotaCents)]),
    ['Importe total de la minuta', euros(sample.totalCents)],
    ...when(
      sample.irpf,
      [`– Retención IRPF ${sample.irpf} %`, euros(sample.irpfCents)],
      ['Líquido a su cargo', euros(due(sample))],
    ),
  ].map(([label = '', amount = '']) => [label, `${amount} €`]);
  return sheetOf(
    `@page { margin: 25mm } body { font: 10.5pt/1.45 'Liberation Serif', serif } header { text-align: center; letter-spacing: 1px; margin-bottom: 9mm }
     header b { font-size: 15pt; letter-spacing: 4px } .lines th { border-bottom: 1px solid #7a1f2b; font-weight: normal; font-variant: small-caps } .lines td { padding: 5px }
     .sums { width: 58%; margin: 5mm 0 0 42% } .sums tr:last-child td { border-top: 1px solid #7a1f2b; font-weight: bold } footer { margin-top: 12mm; font-size: 8.5pt; color: #555 }`,
    `<header><b>${issuer.name.toUpperCase()}</b><br>DESPACHO DE ABOGADOS · COL. 5.218<br><small>${issuer.street} – ${issuer.town} – NIF ${issuer.nif} – Tel. 975 21 30 44</small></header>
     <p><b>MINUTA DE HONORARIOS ${sample.rectifies ? 'RECTIFICATIVA ' : ''}N.º ${sample.number}</b><br>Fecha: ${worded(sample.date)}</p>
     ${sample.rectifies ? `<p>Rectifica la minuta n.º ${sample.rectifies}.</p>` : ''}
     <p>A la atención de:<br>${client.name}<br>${client.street}<br>${client.town}<br>NIF/CIF ${client.nif}</p>
     <p>Asunto: Juicio ordinario 412/2025, Juzgado de Primera Instancia n.º 3. N/Ref.: 25-0188.</p>
     ${lines}${pairs(sums, 'sums')}
     <footer>Transferencia a ES60 0049 1500 0512 3456 7892, indicando el número de minuta. No se incluyen los derechos del procurador,
     que se giran aparte. Sus datos se tratan conforme al Reglamento (UE) 2016/679.</footer>`,
  );
}

/** A garage's: the car and the job order on top, labour and parts apart with their own sums. */
function workshop(sample: Sample): string {
  const { issuer, client } = sample;
  const half = Math.ceil(sample.lines.length / 2);
  const parts = [
    ['MANO DE OBRA', sample.lines.slice(0, half)],
    ['RECAMBIOS Y MATERIALES', sample.lines.slice(half)],
  ] as const;
  const rows = parts.flatMap(([title, lines], part) =>
    lines.length === 0
      ? []
      : [
          `<tr class="part"><td colspan="6">${title}</td></tr>`,
          ...lines.map(
            (line, i) =>
              `<tr><td>${part ? `1K0${615_301 + i * 92}` : `MO-${110 + i * 5}`}</td><td>${line.description}</td><td class="n">${figure(line.quantity, 2)}</td>
               <td class="n">${euros(line.priceCents)}</td><td class="n">${line.discount ? figure(line.discount, 2) : ''}</td><td class="n">${euros(line.totalCents)}</td></tr>`,
          ),
          `<tr class="sum"><td colspan="5" class="n">Total ${title.toLowerCase()}</td><td class="n">${euros(
            lines.reduce((sum, line) => sum + line.totalCents, 0),
          )}</td></tr>`,
        ],
  );
  const car = tableOf(
    ['Matrícula', 'Vehículo', 'Nº bastidor', 'Kilómetros', 'Orden rep.', 'Fecha entrada'],
    [
      [
        ...['4471 KLM', 'SEAT León 1.6 TDI', 'VSSZZZ5FZHR018842', '128.450', '26/01877'],
        slashed(sample.date),
      ],
    ],
    'box',
  );
  const taxes = tableOf(
    ['Base Imp.>', `${sample.tax} %>`, `Importe ${sample.tax}>`],
    [
      ...sample.groups.map((group) => [
        euros(group.baseCents),
        String(group.rate),
        euros(group.quotaCents),
      ]),
      ...when(sample.groups.length > 1, [
        `<b>${euros(sample.baseCents)}</b>`,
        'Suma',
        `<b>${euros(sample.quotaCents)}</b>`,
      ]),
    ],
    'box',
  );
  return sheetOf(
    `body { font-size: 9pt } .two { display: flex; gap: 8mm; margin-bottom: 4mm; break-inside: avoid } .two > * { flex: 1 } .logo { background: #c8102e; color: #fff; font: italic bold 17pt sans-serif; padding: 4mm }
     .box td, .box th { border: 1px solid #bbb; font-size: 8pt } .box th { background: #f3f3f3; font-weight: normal; color: #555 } .lines { margin: 4mm 0 } .lines th { border-bottom: 2px solid #c8102e } .part td { font-weight: bold; padding-top: 8px }
     .sum td { border-top: 1px solid #bbb; font-style: italic } .total { border: 2px solid #c8102e; padding: 3mm; text-align: center; font-size: 12pt } .label { color: #555; font-size: 8pt } .small { font-size: 7pt; color: #555 }`,
    `<div class="two"><div><div class="logo">${issuer.name}</div>${issuer.street}. ${issuer.town}<br>CIF ${issuer.nif} · Registro Especial Talleres 33/10.224<br>Tel. 985 14 20 20</div>
      <div><span class="label">${sample.rectifies ? 'Factura rectificativa núm.' : 'Factura núm.'}</span> <b>${sample.number}</b><br><span class="label">Fecha</span> ${slashed(sample.date)}
      ${sample.rectifies ? `<br><span class="label">Rectifica</span> ${sample.rectifies}` : ''}<hr><span class="label">Titular</span> ${client.name}<br><span class="label">Domicilio</span> ${client.street}<br>
      <span class="label">Población</span> ${client.town}<br><span class="label">DNI/CIF</span> ${client.nif}</div></div>
     ${car}
     <table class="lines"><thead><tr><th>Ref.</th><th>Descripción</th><th class="n">Cant./Tpo.</th><th class="n">P.V.P.</th><th class="n">Dto %</th><th class="n">Importe</th></tr></thead><tbody>${rows.join('')}</tbody></table>
     <div class="two"><div>${taxes}</div><div class="total">TOTAL FACTURA<br><b>${euros(sample.totalCents)} €</b></div></div>
     <p class="small">Reparación garantizada 3 meses o 2.000 km (RD 1457/1986). Las piezas sustituidas quedan a disposición del cliente. Forma de pago: tarjeta.</p>`,
  );
}

const MONTHS = [
  ...['enero', 'febrero', 'marzo', 'abril', 'mayo', 'junio'],
  ...['julio', 'agosto', 'septiembre', 'octubre', 'noviembre', 'diciembre'],
];
/** `2026-03-05` → `5 marzo, 2026`, as shops on a blog's engine write it. */
const blogged = (iso: string) =>
  `${Number(iso.slice(8))} ${MONTHS[Number(iso.slice(5, 7)) - 1]}, ${iso.slice(0, 4)}`;

/** A shop on a blog's engine: the client twice, to bill and to send, and the order's number beside the invoice's. */
function shop(sample: Sample): string {
  const { issuer, client } = sample;
  const discounted = isDiscounted(sample);
  const lines = tableOf(
    [
      ...['Producto', 'SKU', 'Precio>', 'Cantidad>'],
      ...when(discounted, 'Descuento>'),
      ...['Subtotal>', 'Impuesto>'],
    ],
    sample.lines.map((line, i) => [
      line.description,
      `CMP-${311 + i * 17}`,
      `${euros(line.priceCents)}€`,
      figure(line.quantity),
      ...when(discounted, line.discount ? `-${figure(line.discount)}%` : ''),
      `${euros(line.totalCents)}€`,
      `${line.rate}%`,
    ]),
    'lines',
  );
  const sums = [
    ['Subtotal', sample.baseCents],
    ['Envío', 'Envío gratuito'],
    ...sample.groups.flatMap((group) => [
      [`${sample.tax} ${group.rate}%`, group.quotaCents],
      ...when(group.recargo, [
        `Recargo de equivalencia ${figure(group.recargo)}%`,
        group.recargoCents,
      ]),
    ]),
    ...when(sample.groups.length > 1, [`Total ${sample.tax}`, sample.quotaCents]),
    ['Total', sample.totalCents],
  ].map(([label, amount]) => [
    label as string,
    typeof amount === 'number' ? `${euros(amount)}€` : (amount as string),
  ]);
  const address = `${client.name}<br>${client.street}<br>${client.town}`;
  return sheetOf(
    `@page { margin: 18mm } body { font-size: 9.5pt } .two { display: flex; gap: 6mm; margin-bottom: 8mm } .two > * { flex: 1 } h1 { font-size: 17pt; margin: 0 0 5mm } h3 { font-size: 9.5pt; margin: 0 }
     .lines th { background: #000; color: #fff } .lines td { border-bottom: 1px solid #ccc; padding: 6px 5px } .sums { width: 50%; margin: 4mm 0 0 50% } .sums td { border-bottom: 1px solid #ccc } .sums tr:last-child { font-weight: bold }
     .two > .data { flex: none; width: auto } .data td { padding: 0 4px 0 0; white-space: nowrap } footer { margin-top: 15mm; border-top: 1px solid #ccc; font-size: 8pt; text-align: center; color: #666 }`,
    `<div class="two"><div style="font: bold 22pt 'DejaVu Serif', serif; color: #2f6f4f">${issuer.name.replace(/,.*/, '').toLowerCase()}</div>
      <div><h3>${issuer.name}</h3>${issuer.street}<br>${issuer.town}<br>CIF: ${issuer.nif}<br>pedidos@tienda.example</div></div>
     <h1>${sample.rectifies ? 'FACTURA RECTIFICATIVA' : 'FACTURA'}</h1>
     <div class="two"><div>${address}<br>NIF/CIF: ${client.nif}<br>cliente@correo.example<br>622 33 10 48</div><div><h3>Enviar a:</h3>${address}</div>
     <table class="data"><tr><td>Número de factura:</td><td>${sample.number}</td></tr><tr><td>Fecha de factura:</td><td>${blogged(sample.date)}</td></tr>
     <tr><td>Número de pedido:</td><td>20418</td></tr><tr><td>Fecha de pedido:</td><td>${blogged(sample.date)}</td></tr>
     ${sample.rectifies ? `<tr><td>Factura original:</td><td>${sample.rectifies}</td></tr>` : ''}<tr><td>Método de pago:</td><td>Bizum</td></tr></table></div>
     ${lines}${pairs(sums, 'sums')}<footer>Dispones de 14 días naturales para devolver tu pedido. Consulta las condiciones en nuestra web.</footer>`,
  );
}

/** A telephone company's: a summary to be understood at a glance, then the detail; who issues, in small letters at the foot. */
function operator(sample: Sample): string {
  const { issuer, client } = sample;
  const discounted = isDiscounted(sample);
  const month = MONTHS[Number(sample.date.slice(5, 7)) - 1];
  const shortDate = (iso: string) =>
    `${iso.slice(8)} ${MONTHS[Number(iso.slice(5, 7)) - 1]?.slice(0, 3)} ${iso.slice(0, 4)}`;
  const summary = pairs(
    [
      ['Tus servicios (base imponible)', euros(sample.baseCents)],
      ...sample.groups.map((group) => [
        `${sample.tax} (${group.rate}%)${sample.groups.length > 1 ? ` sobre ${euros(group.baseCents)} €` : ''}`,
        euros(group.quotaCents),
      ]),
      ...when(sample.groups.length > 1, [`Total ${sample.tax}`, euros(sample.quotaCents)]),
      ['<b>Total factura</b>', `<b>${euros(sample.totalCents)}</b>`],
    ].map(([label = '', amount = '']) => [label, `${amount} €`]),
    'summary',
  );
  const lines = tableOf(
    [
      ...['Servicio', 'Periodo', 'Uds.>', 'Tarifa>'],
      ...when(discounted, 'Promoción>'),
      'Importe (€)>',
    ],
    sample.lines.map((line) => [
      line.description,
      `1-${new Date(Date.UTC(2026, Number(sample.date.slice(5, 7)), 0)).getUTCDate()} ${month?.slice(0, 3)}`,
      figure(line.quantity),
      euros(line.priceCents),
      ...when(discounted, line.discount ? `-${figure(line.discount)}%` : ''),
      euros(line.totalCents),
    ]),
    'lines',
  );
  return sheetOf(
    `body { font-size: 9.5pt; color: #222 } .two { display: flex; gap: 12mm; margin-bottom: 8mm } .two > * { flex: 1 } .brand { font: bold 24pt 'DejaVu Sans', sans-serif; color: #6b2fa0; letter-spacing: -1px }
     .card { background: #f3ecf9; border-radius: 10px; padding: 5mm } .big { font-size: 22pt; font-weight: bold; color: #6b2fa0 } .window { padding: 12mm 0 0 6mm } h2 { color: #6b2fa0; font-size: 12pt; border-bottom: 2px solid #6b2fa0 }
     .summary td { border-bottom: 1px solid #d9c8ea; padding: 5px } .lines th { font-size: 8pt; color: #6b2fa0 } .lines td { border-bottom: 1px solid #eee } .legal { font-size: 6.5pt; color: #666; margin-top: 10mm }`,
    `<div class="two"><div><div class="brand">${issuer.name.split(' ')[0]?.replace(',', '').toLowerCase()}</div><br>
      <b>${sample.rectifies ? 'Tu factura rectificativa' : 'Tu factura'} de ${month}</b><br>N.º de factura: ${sample.number}<br>Fecha de emisión: ${shortDate(sample.date)}<br>
      ${sample.rectifies ? `Rectifica la factura: ${sample.rectifies}<br>` : ''}N.º de cliente: 70044128<br>NIF: ${client.nif}</div>
      <div class="window">${client.name}<br>${client.street}<br>${client.town}</div></div>
     <div class="two"><div class="card">${sample.totalCents < 0 ? 'Total a devolver' : 'Total a pagar'}<div class="big">${euros(sample.totalCents)} €</div>
      ${sample.totalCents < 0 ? 'Lo abonaremos' : 'Lo cargaremos'} el ${shortDate(sample.dueDate)} en tu cuenta ES60 **** **** **** **** 7892</div><div>${summary}</div></div>
     <h2>Detalle de tu factura</h2>${lines}
     <p class="legal">${issuer.name}. Domicilio social: ${issuer.street}, ${issuer.town}. NIF ${issuer.nif}. Inscrita en el Registro Mercantil, tomo 31.204, folio 88, hoja M-561.770.
     Atención al cliente: 1717 (gratuito). Puedes reclamar ante la Oficina de Atención al Usuario de Telecomunicaciones (usuariosteleco.gob.es).</p>`,
  );
}
