import type { Layout } from './draw.ts';
import { euros, figure, slashed } from './invoice-sample.ts';

/** Held out once; the reader has learnt from them since. */
export const MORE_LAYOUTS: Readonly<Record<string, Layout>> = {
  /** A big program's: heading in a band, totals in a strip from left to right. */
  franja(sheet, sample) {
    const { issuer, client } = sample;
    sheet.text(client.name, 330, 120, { size: 10 });
    sheet.text(client.street, 330, 133);
    sheet.text(client.town, 330, 146);
    sheet.text(`CIF: ${client.nif}`, 330, 159);
    sheet.text(issuer.name, 36, 40, { bold: true, size: 13 });
    sheet.text(`${issuer.street}, ${issuer.town}`, 36, 58, { size: 8 });
    sheet.text(`C.I.F. ${issuer.nif}`, 36, 69, { size: 8 });
    for (const [x, label, value] of [
      [36, sample.rectifies ? 'FACT. RECTIF.' : 'FACTURA', sample.number],
      [120, 'FECHA', slashed(sample.date)],
      [200, 'COD. CLIENTE', '430123'],
    ] as const) {
      sheet.text(label, x, 120, { size: 8, bold: true });
      sheet.text(value, x, 132, { size: 9 });
    }
    let y = 210;
    const head = () => {
      sheet.text('Cód.', 36, y, { size: 8, bold: true });
      sheet.text('Descripción', 80, y, { size: 8, bold: true });
      for (const [text, right] of [
        ['Unid.', 350],
        ['Precio', 420],
        ['Dto.', 460],
        ['Neto', 555],
      ] as const) {
        sheet.text(text, 0, y, { size: 8, bold: true, right });
      }
      y += 18;
    };
    head();
    for (const [i, line] of sample.lines.entries()) {
      if (y > 690) {
        sheet.addPage();
        y = 60;
        head();
      }
      sheet.text(`A${100 + i}`, 36, y, { size: 9 });
      sheet.text(line.description, 80, y, { size: 9 });
      sheet.text(figure(line.quantity, 2), 0, y, { size: 9, right: 350 });
      sheet.text(euros(line.priceCents), 0, y, { size: 9, right: 420 });
      sheet.text(figure(line.discount, 2), 0, y, { size: 9, right: 460 });
      sheet.text(euros(line.totalCents), 0, y, { size: 9, right: 555 });
      y += 15;
    }
    y += 20;
    for (const [text, right] of [
      ['B. Imponible', 110],
      [sample.tax === 'IVA' ? '% I.V.A.' : '% I.G.I.C.', 170],
      [sample.tax === 'IVA' ? 'Imp. I.V.A.' : 'Imp. I.G.I.C.', 250],
      ...(sample.recargoCents
        ? ([
            ['% Rec.', 310],
            ['Imp. Rec.', 380],
          ] as const)
        : []),
      ['Total a pagar', 555],
    ] as const) {
      sheet.text(text, 0, y, { size: 8, bold: true, right });
    }
    y += 14;
    for (const [i, group] of sample.groups.entries()) {
      sheet.text(euros(group.baseCents), 0, y, { size: 9, right: 110 });
      sheet.text(`${group.rate},00`, 0, y, { size: 9, right: 170 });
      sheet.text(euros(group.quotaCents), 0, y, { size: 9, right: 250 });
      if (group.recargo) {
        sheet.text(figure(group.recargo, 2), 0, y, { size: 9, right: 310 });
        sheet.text(euros(group.recargoCents), 0, y, { size: 9, right: 380 });
      }
      if (i === 0) sheet.text(`${euros(sample.totalCents)} €`, 0, y, { bold: true, right: 555 });
      y += 13;
    }
    if (sample.irpf) {
      sheet.text(`Ret. I.R.P.F. ${sample.irpf}%  -${euros(sample.irpfCents)}`, 300, y + 14);
    }
  },

  /** An online tool's: airy, labels in grey over their values, client on the left. */
  moderna(sheet, sample) {
    const { issuer, client } = sample;
    sheet.text(`${sample.rectifies ? 'Rectificativa' : 'Factura'} #${sample.number}`, 50, 50, {
      size: 20,
    });
    if (sample.rectifies) sheet.text(`Rectifica a la factura ${sample.rectifies}`, 50, 76);
    const discounted = sample.lines.some(({ discount }) => discount > 0);
    sheet.text('De', 50, 100, { size: 8 });
    sheet.text('Para', 300, 100, { size: 8 });
    for (const [x, party] of [
      [50, issuer],
      [300, client],
    ] as const) {
      sheet.text(party.name, x, 114, { bold: true });
      sheet.text(party.nif, x, 129);
      sheet.text(party.street, x, 144);
      sheet.text(party.town, x, 159);
    }
    sheet.text('Fecha de emisión', 50, 190, { size: 8 });
    sheet.text(slashed(sample.date), 50, 202);
    sheet.text('Fecha de vencimiento', 200, 190, { size: 8 });
    sheet.text(slashed(sample.dueDate), 200, 202);
    let y = 240;
    for (const [text, right] of [
      ['Cant.', 340],
      ['Precio ud.', 410],
      [sample.tax, 485],
      ...(discounted ? [['Dto.', 450] as const] : []),
      ['Importe', 545],
    ] as const) {
      sheet.text(text, 0, y, { size: 9, right });
    }
    sheet.text('Producto o servicio', 50, y, { size: 9 });
    for (const line of sample.lines) {
      y += 20;
      if (y > 720) {
        sheet.addPage();
        y = 60;
      }
      sheet.text(line.description, 50, y);
      sheet.text(figure(line.quantity), 0, y, { right: 340 });
      sheet.text(`${euros(line.priceCents)}€`, 0, y, { right: 410 });
      if (discounted) sheet.text(`${figure(line.discount)}%`, 0, y, { right: 450 });
      sheet.text(`${line.rate}%`, 0, y, { right: 485 });
      sheet.text(`${euros(line.totalCents)}€`, 0, y, { right: 545 });
    }
    y += 30;
    const row = (label: string, text: string, bold = false) => {
      sheet.text(label, 350, y, { bold });
      sheet.text(text, 0, y, { right: 545, bold });
      y += 17;
    };
    row('Base imponible', `${euros(sample.baseCents)}€`);
    for (const group of sample.groups) {
      row(`${sample.tax} ${group.rate}%`, `${euros(group.quotaCents)}€`);
      if (group.recargo) row(`Rec. eq. ${figure(group.recargo)}%`, `${euros(group.recargoCents)}€`);
    }
    row('Total', `${euros(sample.totalCents)}€`, true);
    if (sample.irpf) row(`IRPF -${sample.irpf}%`, `-${euros(sample.irpfCents)}€`);
  },

  /** A word processor's: everything in sentences. */
  carta(sheet, sample) {
    const { issuer, client } = sample;
    sheet.text(`${issuer.name}, NIF ${issuer.nif}`, 60, 60, { size: 11 });
    sheet.text(`${issuer.street}, ${issuer.town}`, 60, 76, { size: 11 });
    const name = sample.rectifies ? 'Factura rectificativa' : 'Factura';
    sheet.text(`${name} núm. ${sample.number} de fecha ${slashed(sample.date)}`, 60, 120, {
      size: 12,
      bold: true,
    });
    if (sample.rectifies)
      sheet.text(`que rectifica la factura ${sample.rectifies}`, 60, 134, { size: 10 });
    const discounted = sample.lines.some(({ discount }) => discount > 0);
    sheet.text('Cliente:', 60, 150, { size: 11 });
    sheet.text(client.name, 120, 150, { size: 11 });
    sheet.text('NIF:', 60, 166, { size: 11 });
    sheet.text(client.nif, 120, 166, { size: 11 });
    sheet.text('Dirección:', 60, 182, { size: 11 });
    sheet.text(`${client.street}, ${client.town}`, 120, 182, { size: 11 });
    let y = 220;
    sheet.text('Cantidad', 60, y, { size: 10, bold: true });
    sheet.text('Concepto', 130, y, { size: 10, bold: true });
    sheet.text('Precio', 0, y, { size: 10, bold: true, right: 420 });
    if (discounted) sheet.text('Descuento', 0, y, { size: 10, bold: true, right: 480 });
    sheet.text('Importe', 0, y, { size: 10, bold: true, right: 535 });
    for (const line of sample.lines) {
      y += 17;
      if (y > 720) {
        sheet.addPage();
        y = 60;
      }
      sheet.text(figure(line.quantity), 75, y, { size: 10 });
      if (line.discount) sheet.text(`${figure(line.discount)}%`, 0, y, { size: 10, right: 480 });
      sheet.text(line.description, 130, y, { size: 10 });
      sheet.text(euros(line.priceCents), 0, y, { size: 10, right: 420 });
      sheet.text(euros(line.totalCents), 0, y, { size: 10, right: 535 });
    }
    y += 34;
    const row = (label: string, cents: number) => {
      sheet.text(label, 300, y, { size: 10 });
      sheet.text(`${euros(cents)} euros`, 0, y, { size: 10, right: 535 });
      y += 16;
    };
    row('Importe neto', sample.baseCents);
    for (const group of sample.groups) {
      row(`${sample.tax === 'IVA' ? 'I.V.A.' : 'I.G.I.C.'} ${group.rate} %`, group.quotaCents);
      if (group.recargo)
        row(`Recargo de equivalencia ${figure(group.recargo)} %`, group.recargoCents);
    }
    row('IMPORTE TOTAL', sample.totalCents);
    if (sample.irpf) row(`Retención ${sample.irpf} %`, -sample.irpfCents);
  },
};
