import type { Layout, Sheet } from './draw.ts';
import {
  dashed,
  euros,
  figure,
  type Sample,
  type SampleGroup,
  type SampleLine,
  slashed,
  worded,
} from './invoice-sample.ts';

/** Layouts that the reader is tuned with, as `more-layouts.ts`. Those of `held-out-layouts.ts` it is not. */
export const LAYOUTS: Readonly<Record<string, Layout>> = {
  clasica,
  aMedida,
  rejilla,
  centrada,
  etiquetas,
  autonomo,
};

const BOTTOM = 700;

/** `3`, or `2,5` where there are halves. */
const quantity = (line: SampleLine) => figure(line.quantity);
/** What a line without a column for it says of its discount. */
const lessening = (line: SampleLine) => (line.discount ? `${figure(line.discount)} %` : '');
const isDiscounted = ({ lines }: Sample) => lines.some(({ discount }) => discount > 0);
/** Groups with recargo de equivalencia. */
const charged = (sample: Sample): SampleGroup[] =>
  sample.groups.filter(({ recargo }) => recargo > 0);
const title = ({ rectifies }: Sample) => (rectifies ? 'FACTURA RECTIFICATIVA' : 'FACTURA');

/** Draws the rows of a table, on as many pages as they need; answers where it ended. */
function table(
  sheet: Sheet,
  sample: Sample,
  top: number,
  step: number,
  head: (y: number) => void,
  row: (line: Sample['lines'][number], y: number) => void,
): number {
  let y = top;
  head(y);
  y += step * 1.3;
  for (const line of sample.lines) {
    if (y > BOTTOM) {
      sheet.addPage();
      y = 60;
      head(y);
      y += step * 1.3;
    }
    row(line, y);
    y += step;
  }
  if (y > BOTTOM - 60) {
    sheet.addPage();
    y = 60;
  }
  return y + 16;
}

/** Issuer on the left, client on the right, totals under each other. */
function clasica(sheet: Sheet, sample: Sample): void {
  const { issuer, client } = sample;
  sheet.text(issuer.name, 40, 40, { size: 14, bold: true });
  for (const [i, text] of [
    issuer.street,
    issuer.town,
    `NIF: ${issuer.nif}`,
    'Tel. 912 345 678',
  ].entries())
    sheet.text(text, 40, 60 + i * 13);
  sheet.text(title(sample), 0, 40, { size: sample.rectifies ? 13 : 18, bold: true, right: 555 });
  if (sample.rectifies) sheet.text(`Rectifica a: ${sample.rectifies}`, 400, 108);
  sheet.text(`Nº factura: ${sample.number}`, 400, 66);
  sheet.text(`Fecha: ${slashed(sample.date)}`, 400, 80);
  sheet.text(`Vencimiento: ${slashed(sample.dueDate)}`, 400, 94);
  sheet.text('Cliente', 320, 130, { bold: true });
  for (const [i, text] of [client.name, client.street, client.town, `NIF: ${client.nif}`].entries())
    sheet.text(text, 320, 145 + i * 13);
  let y = table(
    sheet,
    sample,
    230,
    16,
    (at) => {
      sheet.text('Descripción', 40, at, { bold: true });
      for (const [text, right] of [
        ['Cantidad', 340],
        ['Precio', 410],
        [sample.tax, 480],
        ...(isDiscounted(sample) ? [['Dto.', 446] as const] : []),
        ['Importe', 550],
      ] as const)
        sheet.text(text, 0, at, { bold: true, right });
    },
    (line, at) => {
      sheet.text(line.description, 40, at);
      sheet.text(quantity(line), 0, at, { right: 340 });
      sheet.text(euros(line.priceCents), 0, at, { right: 410 });
      sheet.text(lessening(line), 0, at, { right: 446 });
      sheet.text(`${line.rate}%`, 0, at, { right: 480 });
      sheet.text(euros(line.totalCents), 0, at, { right: 550 });
    },
  );
  const row = (label: string, cents: number) => {
    sheet.text(label, 360, y);
    sheet.text(`${euros(cents)} €`, 0, y, { right: 550 });
    y += 15;
  };
  row('Base imponible', sample.baseCents);
  for (const group of sample.groups) row(`${sample.tax} ${group.rate}%`, group.quotaCents);
  for (const { recargo, recargoCents } of charged(sample))
    row(`R.E. ${figure(recargo)}%`, recargoCents);
  if (sample.irpf) row(`Retención IRPF ${sample.irpf}%`, -sample.irpfCents);
  row('Total factura', sample.totalCents);
  if (sample.irpf) row('Total a pagar', sample.totalCents - sample.irpfCents);
}

/** Client first; a table of bases, rates and quotas at the foot. */
function aMedida(sheet: Sheet, sample: Sample): void {
  const { issuer, client } = sample;
  sheet.text(`${issuer.name}`, 300, 36, { size: 12, bold: true });
  sheet.text(`CIF ${issuer.nif} · ${issuer.street} · ${issuer.town}`, 300, 52, { size: 7 });
  if (sample.rectifies)
    sheet.text(`Factura rectificativa de la ${sample.rectifies}`, 300, 90, { size: 9 });
  sheet.text('Facturar a:', 40, 90, { size: 9 });
  for (const [i, text] of [
    client.name,
    `CIF/NIF ${client.nif}`,
    client.street,
    client.town,
  ].entries())
    sheet.text(text, 40, 104 + i * 13);
  for (const [x, label, value] of [
    [300, 'Número', sample.number],
    [390, 'Fecha', dashed(sample.date)],
    [480, 'Vencimiento', dashed(sample.dueDate)],
  ] as const) {
    sheet.text(label, x, 120, { bold: true, size: 9 });
    sheet.text(value, x, 134, { size: 9 });
  }
  const y = table(
    sheet,
    sample,
    200,
    15,
    (at) => {
      for (const [text, right] of [
        ['Cant.', 70],
        ['Precio', 410],
        ...(isDiscounted(sample) ? [['Dto', 446] as const] : []),
        ['Total', 555],
      ] as const)
        sheet.text(text, 0, at, { bold: true, right, size: 9 });
      sheet.text('Concepto', 90, at, { bold: true, size: 9 });
      sheet.text(`% ${sample.tax}`, 0, at, { bold: true, right: 490, size: 9 });
    },
    (line, at) => {
      sheet.text(figure(line.quantity, 2), 0, at, { right: 70, size: 9 });
      sheet.text(line.description, 90, at, { size: 9 });
      sheet.text(euros(line.priceCents), 0, at, { right: 410, size: 9 });
      if (line.discount) sheet.text(figure(line.discount, 2), 0, at, { right: 446, size: 9 });
      sheet.text(`${line.rate},00`, 0, at, { right: 490, size: 9 });
      sheet.text(euros(line.totalCents), 0, at, { right: 555, size: 9 });
    },
  );
  for (const [text, right] of [
    ['Base imponible', 130],
    [`% ${sample.tax}`, 190],
    [`Cuota ${sample.tax}`, 270],
    ...(charged(sample).length > 0
      ? ([
          ['% R.E.', 330],
          ['Cuota R.E.', 400],
        ] as const)
      : []),
    ['TOTAL FACTURA', 555],
  ] as const)
    sheet.text(text, 0, y, { bold: true, right, size: 9 });
  for (const [i, group] of sample.groups.entries()) {
    const at = y + 16 + i * 14;
    sheet.text(euros(group.baseCents), 0, at, { right: 130, size: 9 });
    sheet.text(`${group.rate},00 %`, 0, at, { right: 190, size: 9 });
    sheet.text(euros(group.quotaCents), 0, at, { right: 270, size: 9 });
    if (!group.recargo) continue;
    sheet.text(figure(group.recargo, 2), 0, at, { right: 330, size: 9 });
    sheet.text(euros(group.recargoCents), 0, at, { right: 400, size: 9 });
  }
  sheet.text(`${euros(sample.totalCents)} €`, 0, y + 16, { right: 555, bold: true });
  if (sample.irpf)
    sheet.text(`Retención IRPF ${sample.irpf} %: ${euros(sample.irpfCents)}`, 300, y + 50, {
      size: 9,
    });
}

/** Everything within ruled boxes. */
function rejilla(sheet: Sheet, sample: Sample): void {
  const { issuer, client } = sample;
  const columns = [36, 290, 350, 420, 470, 560];
  for (const [x, title, party] of [
    [40, 'EMISOR', issuer],
    [310, 'CLIENTE', client],
  ] as const) {
    sheet.text(title, x, 44, { bold: true, size: 8 });
    for (const [i, text] of [party.name, party.nif, party.street, party.town].entries())
      sheet.text(text, x, 58 + i * 13);
  }
  const name = sample.rectifies ? 'Factura rectificativa' : 'Factura';
  sheet.text(`${name} ${sample.number}`, 40, 130, { size: 13, bold: true });
  if (sample.rectifies)
    sheet.text(`Factura rectificada: ${sample.rectifies}`, 40, 150, { size: 8 });
  sheet.text(`Fecha de expedición: ${slashed(sample.date)}`, 310, 132);
  const y = table(
    sheet,
    sample,
    170,
    18,
    (at) => {
      sheet.line(36, at - 5, 560, at - 5);
      for (const [i, text] of [
        ...['Artículo', 'Uds.', 'P. unit.'],
        ...[isDiscounted(sample) ? 'Dto.' : `${sample.tax} %`, 'Importe'],
      ].entries())
        sheet.text(text, (columns[i] ?? 0) + 4, at, { bold: true, size: 9 });
      sheet.line(36, at + 13, 560, at + 13);
    },
    (line, at) => {
      for (const [i, text] of [
        line.description,
        quantity(line),
        euros(line.priceCents),
        isDiscounted(sample) ? lessening(line) : String(line.rate),
        euros(line.totalCents),
      ].entries()) {
        if (i === 0) sheet.text(text, 40, at, { size: 9 });
        else sheet.text(text, 0, at, { right: (columns[i + 1] ?? 0) - 4, size: 9 });
      }
      for (const x of columns) sheet.line(x, at - 5, x, at + 13);
      sheet.line(36, at + 13, 560, at + 13);
    },
  );
  let at = y;
  for (const group of sample.groups) {
    sheet.text(`Base al ${group.rate} %`, 330, at, { size: 9 });
    sheet.text(euros(group.baseCents), 0, at, { right: 450, size: 9 });
    sheet.text(`${sample.tax} ${euros(group.quotaCents)}`, 0, at, { right: 556, size: 9 });
    at += 14;
    if (!group.recargo) continue;
    sheet.text(`Recargo de equivalencia ${figure(group.recargo)} %`, 330, at, { size: 9 });
    sheet.text(euros(group.recargoCents), 0, at, { right: 556, size: 9 });
    at += 14;
  }
  if (sample.irpf)
    sheet.text(`IRPF ${sample.irpf} %   -${euros(sample.irpfCents)}`, 330, at, { size: 9 });
  sheet.text('Importe total', 330, at + 16, { bold: true });
  sheet.text(`${euros(sample.totalCents)} EUR`, 0, at + 16, { right: 556, bold: true });
}

/** Heading in the middle, date in words, lines without their rate. */
function centrada(sheet: Sheet, sample: Sample): void {
  const { issuer, client } = sample;
  sheet.text(issuer.name, 220, 40, { size: 15, bold: true });
  sheet.text(`${issuer.street} - ${issuer.town} - N.I.F. ${issuer.nif}`, 160, 60, { size: 8 });
  sheet.text(`${title(sample)} Nº ${sample.number}`, 40, 100, { bold: true, size: 12 });
  if (sample.rectifies) sheet.text(`Por abono de la factura ${sample.rectifies}`, 40, 180);
  sheet.text(`Madrid, a ${worded(sample.date)}`, 360, 100);
  sheet.text(`Sr./Sra.: ${client.name}`, 40, 130);
  sheet.text(`Domicilio: ${client.street}, ${client.town}`, 40, 145);
  sheet.text(`N.I.F.: ${client.nif}`, 40, 160);
  let y = table(
    sheet,
    sample,
    200,
    17,
    (at) => {
      sheet.text('CONCEPTO', 40, at, { bold: true });
      for (const [text, right] of [
        ['UNIDADES', 370],
        ['PRECIO', 450],
        ...(isDiscounted(sample) ? [['DTO', 490] as const] : []),
        ['IMPORTE', 550],
      ] as const)
        sheet.text(text, 0, at, { bold: true, right });
    },
    (line, at) => {
      sheet.text(line.description, 40, at);
      sheet.text(quantity(line), 0, at, { right: 370 });
      sheet.text(`${euros(line.priceCents)} €`, 0, at, { right: 450 });
      if (line.discount) sheet.text(`-${lessening(line)}`, 0, at, { right: 490 });
      sheet.text(`${euros(line.totalCents)} €`, 0, at, { right: 550 });
    },
  );
  const row = (label: string, text: string) => {
    sheet.text(label, 330, y);
    sheet.text(text, 0, y, { right: 550 });
    y += 15;
  };
  row('Suma', `${euros(sample.baseCents)} €`);
  for (const group of sample.groups)
    row(
      `${group.rate}% ${sample.tax} s/ ${euros(group.baseCents)}`,
      `${euros(group.quotaCents)} €`,
    );
  for (const { recargo, recargoCents, baseCents } of charged(sample))
    row(`${figure(recargo)}% R. equiv. s/ ${euros(baseCents)}`, `${euros(recargoCents)} €`);
  if (sample.irpf) row(`${sample.irpf}% I.R.P.F.`, `-${euros(sample.irpfCents)} €`);
  row('TOTAL', `${euros(sample.totalCents)} €`);
}

/** Labels and values in pairs of columns, amounts with the euro in front column. */
function etiquetas(sheet: Sheet, sample: Sample): void {
  const { issuer, client } = sample;
  const pair = (label: string, value: string, x: number, y: number) => {
    sheet.text(label, x, y, { size: 8 });
    sheet.text(value, x + 90, y, { size: 9 });
  };
  sheet.text('Datos del emisor', 40, 40, { bold: true });
  for (const [i, [label, value]] of (
    [
      ['Nombre:', issuer.name],
      ['NIF:', issuer.nif],
      ['Dirección:', issuer.street],
      ['Población:', issuer.town],
    ] as const
  ).entries())
    pair(label, value, 40, 58 + i * 14);
  sheet.text('Datos del cliente', 310, 40, { bold: true });
  for (const [i, [label, value]] of (
    [
      ['Nombre:', client.name],
      ['NIF:', client.nif],
      ['Dirección:', client.street],
      ['Población:', client.town],
    ] as const
  ).entries())
    pair(label, value, 310, 58 + i * 14);
  pair(sample.rectifies ? 'Rectificativa nº:' : 'Factura número:', sample.number, 40, 130);
  if (sample.rectifies) pair('Factura original:', sample.rectifies, 310, 130);
  pair('Fecha factura:', slashed(sample.date), 40, 144);
  pair('Fecha vencimiento:', slashed(sample.dueDate), 310, 144);
  let y = table(
    sheet,
    sample,
    180,
    15,
    (at) => {
      sheet.text('Descripción del servicio', 40, at, { bold: true, size: 9 });
      for (const [text, right] of [
        ['Cantidad', 320],
        ['Precio unitario', 400],
        [sample.tax, 440],
        ...(isDiscounted(sample) ? [['Descuento', 494] as const] : []),
        ['Total', 550],
      ] as const)
        sheet.text(text, 0, at, { bold: true, right, size: 9 });
    },
    (line, at) => {
      sheet.text(line.description, 40, at, { size: 9 });
      sheet.text(`${quantity(line)} ud`, 0, at, { right: 320, size: 9 });
      sheet.text(lessening(line), 0, at, { right: 494, size: 9 });
      sheet.text(euros(line.priceCents), 0, at, { right: 400, size: 9 });
      sheet.text(`${line.rate} %`, 0, at, { right: 440, size: 9 });
      sheet.text(euros(line.totalCents), 0, at, { right: 550, size: 9 });
    },
  );
  for (const group of sample.groups) {
    pair(`Base imponible ${group.rate} %`, euros(group.baseCents), 330, y);
    pair(`Cuota ${sample.tax} ${group.rate} %`, euros(group.quotaCents), 330, y + 14);
    if (group.recargo)
      pair(`Recargo ${figure(group.recargo)} %`, euros(group.recargoCents), 330, y + 28);
    y += group.recargo ? 44 : 30;
  }
  if (sample.irpf) pair(`Retención ${sample.irpf} %`, euros(sample.irpfCents), 330, y);
  pair('Total factura', euros(sample.totalCents), 330, y + 16);
}

/** A professional's: a single column, little else. */
function autonomo(sheet: Sheet, sample: Sample): void {
  const { issuer, client } = sample;
  for (const [i, text] of [issuer.name, `NIF ${issuer.nif}`, issuer.street, issuer.town].entries())
    sheet.text(text, 60, 50 + i * 15, { size: 11 });
  sheet.text(sample.rectifies ? 'Abono' : 'Factura', 60, 130, { size: 20, bold: true });
  if (sample.rectifies) sheet.text(`Corrige la factura ${sample.rectifies}`, 60, 194, { size: 11 });
  sheet.text(`N.º ${sample.number}`, 60, 160, { size: 11 });
  sheet.text(`Fecha de emisión ${slashed(sample.date)}`, 60, 176, { size: 11 });
  sheet.text('DESTINATARIO', 340, 130, { size: 8 });
  for (const [i, text] of [client.name, `NIF ${client.nif}`, client.street, client.town].entries())
    sheet.text(text, 340, 144 + i * 15, { size: 11 });
  let y = table(
    sheet,
    sample,
    240,
    18,
    (at) => {
      sheet.text('Detalle', 60, at, { size: 9 });
      for (const [text, right] of [
        ['Horas', 360],
        ['Tarifa', 440],
        ...(isDiscounted(sample) ? [['Desc.', 480] as const] : []),
        ['Subtotal', 540],
      ] as const)
        sheet.text(text, 0, at, { right, size: 9 });
    },
    (line, at) => {
      sheet.text(line.description, 60, at, { size: 11 });
      sheet.text(quantity(line), 0, at, { right: 360, size: 11 });
      sheet.text(lessening(line), 0, at, { right: 480, size: 11 });
      sheet.text(euros(line.priceCents), 0, at, { right: 440, size: 11 });
      sheet.text(euros(line.totalCents), 0, at, { right: 540, size: 11 });
    },
  );
  const row = (label: string, cents: number) => {
    sheet.text(label, 320, y, { size: 11 });
    sheet.text(euros(cents), 0, y, { right: 540, size: 11 });
    y += 17;
  };
  row('Subtotal', sample.baseCents);
  for (const group of sample.groups) row(`${sample.tax} (${group.rate} %)`, group.quotaCents);
  for (const { recargo, recargoCents } of charged(sample))
    row(`Rec. equivalencia (${figure(recargo)} %)`, recargoCents);
  row('Total factura', sample.totalCents);
  if (sample.irpf) row(`IRPF (${sample.irpf} %)`, -sample.irpfCents);
  if (sample.irpf) row('Líquido', sample.totalCents - sample.irpfCents);
}
