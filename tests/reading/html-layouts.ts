import { euros, figure, type Sample, slashed, worded } from './invoice-sample.ts';
import { type HtmlLayout, sheetOf, tableOf } from './print-html.ts';

/** Layouts printed by a browser that the reader is tuned with. */
export const TUNED_HTML: Readonly<Record<string, HtmlLayout>> = { papeleria, taller, servicios };

/** A stationer's: client without a label at the window of the envelope, sums in a strip. */
function papeleria(sample: Sample): string {
  const { issuer, client } = sample;
  const lines = tableOf(
    ['Ref.', 'Denominación', 'Uds.>', 'P.V.P.>', '% Dto.>', `% ${sample.tax}>`, 'Importe>'],
    sample.lines.map((line, i) => [
      `${1200 + i}`,
      line.description,
      figure(line.quantity, 2),
      euros(line.priceCents),
      figure(line.discount, 2),
      figure(line.rate, 2),
      euros(line.totalCents),
    ]),
    'ruled',
  );
  const strip = tableOf(
    [
      'Imp. bruto>',
      'Base imponible>',
      `% ${sample.tax}>`,
      `Imp. ${sample.tax}>`,
      '% R.E.>',
      'Imp. R.E.>',
    ],
    sample.groups.map((group) => [
      euros(group.baseCents),
      euros(group.baseCents),
      figure(group.rate, 2),
      euros(group.quotaCents),
      group.recargo ? figure(group.recargo, 2) : '',
      group.recargo ? euros(group.recargoCents) : '',
    ]),
    'ruled',
  );
  return sheetOf(
    `.ruled td, .ruled th { border: 1px solid #666; font-size: 9pt } .ruled th { background: #eee } .top { display: flex; justify-content: space-between }
     .window { margin-top: 18mm; width: 80mm } .big { text-align: right; font-size: 13pt }`,
    `<div class="top"><div><b>${issuer.name}</b><br>${issuer.nif}<br>${issuer.street}<br>${issuer.town}<br>Tfno. 948 10 20 30 · www.ejemplo.es
      <p>${sample.rectifies ? 'Factura rectificativa' : 'Factura'}: <b>${sample.number}</b><br>Fecha: ${slashed(sample.date)}<br>Cliente: 004312<br>Pedido: 7781 de 02/01/2026
      ${sample.rectifies ? `<br>Factura que rectifica: ${sample.rectifies}` : ''}</p></div>
     <div class="window">${client.name}<br>${client.street}<br>${client.town}<br>CIF/DNI ${client.nif}</div></div>
     ${lines}<br>${strip}${sample.irpf ? `<p>I.R.P.F. ${sample.irpf} % &nbsp; ${euros(-sample.irpfCents)}</p>` : ''}
     <p class="big">Importe total: <b>${euros(sample.totalCents)} EUR</b></p>`,
  );
}

/** A garage's: the car's data, numbers of other papers, sums of parts before the total. */
function taller(sample: Sample): string {
  const { issuer, client } = sample;
  const isDiscounted = sample.lines.some(({ discount }) => discount > 0);
  const cells = (line: Sample['lines'][number]) => [
    line.description,
    figure(line.quantity),
    euros(line.priceCents),
    ...(isDiscounted ? [line.discount ? figure(line.discount) : ''] : []),
    euros(line.totalCents),
  ];
  const lines = tableOf(
    [
      'Operación / recambio',
      'Cantidad>',
      'Precio €>',
      ...(isDiscounted ? ['Dto %>'] : []),
      'Importe €>',
    ],
    sample.lines.map(cells),
    'lines',
  );
  const sums = [
    ['Suma', euros(sample.baseCents)],
    ...sample.groups.flatMap((group) => [
      [`Base ${sample.tax} ${group.rate} %`, euros(group.baseCents)],
      [`Cuota ${sample.tax} ${group.rate} %`, euros(group.quotaCents)],
      ...(group.recargo ? [[`Recargo ${figure(group.recargo)} %`, euros(group.recargoCents)]] : []),
    ]),
    ...(sample.irpf ? [[`Retención ${sample.irpf} %`, euros(sample.irpfCents)]] : []),
    ['<b>TOTAL A PAGAR</b>', `<b>${euros(sample.totalCents - sample.irpfCents)}</b>`],
  ];
  return sheetOf(
    `.two { display: flex; gap: 8mm; margin-bottom: 6mm } .two > div { flex: 1; border: 1px solid #bbb; padding: 6px }
     .lines th { border-bottom: 2px solid #000 } .sums { width: 45%; margin: 5mm 0 0 55% } h2 { margin: 0 0 4mm }`,
    `<h2>${issuer.name}</h2><p>${issuer.street} | ${issuer.town} | NIF: ${issuer.nif} | Tel.: 913 00 11 22</p>
     <div class="two"><div><b>${sample.rectifies ? 'RECTIFICATIVA' : 'FACTURA'} Nº:</b> ${sample.number}<br><b>FECHA:</b> ${slashed(sample.date)}<br>
      <b>Orden de reparación nº:</b> 5521<br><b>Matrícula:</b> 4471 KLM <b>Km:</b> 84.210${sample.rectifies ? `<br><b>Rectifica a:</b> ${sample.rectifies}` : ''}</div>
     <div><b>Cliente:</b> ${client.name}<br><b>Domicilio:</b> ${client.street}<br><b>Población:</b> ${client.town}<br><b>NIF:</b> ${client.nif}</div></div>
     ${lines}${tableOf(['', '>'], sums, 'sums')}<p>Garantía: 3 meses o 2.000 km. Fecha de entrega: ${slashed(sample.dueDate)}</p>`,
  );
}

/** A company of services: labels over values, a period, tax detail beside the sums. */
function servicios(sample: Sample): string {
  const { issuer, client } = sample;
  const lines = tableOf(
    ['Servicio', 'Unidades>', 'Tarifa>', 'Descuento>', 'Impuesto>', 'Total neto>'],
    sample.lines.map((line) => [
      line.description,
      figure(line.quantity),
      `${euros(line.priceCents)} €`,
      line.discount ? `${figure(line.discount)} %` : '-',
      `${sample.tax} ${line.rate} %`,
      `${euros(line.totalCents)} €`,
    ]),
    'lines',
  );
  const sums = [
    ['Importe neto', `${euros(sample.baseCents)} €`],
    ...sample.groups.flatMap((group) => [
      [`${sample.tax} al ${group.rate} %`, `${euros(group.quotaCents)} €`],
      ...(group.recargo
        ? [[`Recargo eq. al ${figure(group.recargo)} %`, `${euros(group.recargoCents)} €`]]
        : []),
    ]),
    ['Total con impuestos', `${euros(sample.totalCents)} €`],
    ...(sample.irpf
      ? [
          [`IRPF al ${sample.irpf} %`, `-${euros(sample.irpfCents)} €`],
          ['Neto a pagar', `${euros(sample.totalCents - sample.irpfCents)} €`],
        ]
      : []),
  ];
  return sheetOf(
    `body { font-family: 'DejaVu Sans', sans-serif; font-size: 8.5pt } .three { display: flex; gap: 6mm; margin: 5mm 0 } .three > div { flex: 1 } small { color: #777; display: block }
     .lines th { background: #333; color: #fff } .lines td { border-bottom: 1px solid #ddd } .sums { width: 50%; margin-left: 50% }`,
    `<div class="three"><div><small>Emisor</small><b>${issuer.name}</b><br>${issuer.street}<br>${issuer.town}<br>NIF ${issuer.nif}</div>
      <div><small>Datos de facturación</small><b>${client.name}</b><br>${client.street}<br>${client.town}<br>NIF ${client.nif}</div></div>
     <div class="three"><div><small>${sample.rectifies ? 'Factura rectificativa número' : 'Número de factura'}</small>${sample.number}</div><div><small>Fecha de expedición</small>${worded(sample.date)}</div>
      <div><small>Periodo</small>01/01/2026 - 31/01/2026</div><div><small>Vencimiento</small>${slashed(sample.dueDate)}</div></div>
     ${sample.rectifies ? `<p>Corrige la factura ${sample.rectifies} por devolución.</p>` : ''}
     ${lines}<br>${tableOf(['', '>'], sums, 'sums')}<p>IBAN ES91 2100 0418 4502 0005 1332</p>`,
  );
}
