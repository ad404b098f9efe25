import { describe, expect, it } from 'vitest';
import { drawPdf, type Layout } from '../../tests/reading/draw.ts';
import { dashed, sampleOf } from '../../tests/reading/invoice-sample.ts';
import { XML_FORMATS } from '../../tests/reading/invoice-xml.ts';
import { LAYOUTS } from '../../tests/reading/layouts.ts';
import { qrPng } from '../../tests/reading/qr-png.ts';
import { urlQr } from '../domain/verifactu/qr.ts';
import { readDocument } from './read-document.ts';

const clasica = LAYOUTS.clasica as Layout;
const TODAY = '2026-11-20';

describe('a PDF with an invoice attached', () => {
  it.each(Object.entries(XML_FORMATS))(
    'believes its %s, and says where it is printed',
    async (_format, { name, write }) => {
      const sample = sampleOf(31, 'sencilla');
      // The printed number is different.
      const printed = { ...sample, number: 'OTRA-1' };
      const files = [{ name, content: Buffer.from(write(sample)) }];
      const file = await drawPdf(clasica, printed, { files });
      const { campos, lineas } = await readDocument(file, {
        ownNif: sample.issuer.nif,
        today: TODAY,
      });
      expect(campos.numero).toMatchObject({ valor: sample.number, origen: 'xml', confianza: 0.99 });
      expect(campos.total).toMatchObject({ valor: BigInt(sample.totalCents), origen: 'xml' });
      expect(campos.total?.caja).toBeDefined();
      expect(lineas.map(({ totalCents }) => Number(totalCents))).toEqual(
        sample.lines.map(({ totalCents }) => totalCents),
      );
    },
  );

  it('reads the page if the attachment is not an invoice', async () => {
    const sample = sampleOf(31, 'sencilla');
    const files = [{ name: 'pedido.xml', content: Buffer.from('<pedido><linea/></pedido>') }];
    const file = await drawPdf(clasica, sample, { files });
    const { campos } = await readDocument(file, { ownNif: sample.issuer.nif, today: TODAY });
    expect(campos.numero).toMatchObject({ valor: sample.number, origen: 'texto' });
  });
});

describe('a PDF with text', () => {
  it.each(['recargo', 'IGIC', 'rectificativa', 'descuentos', 'varias páginas'] as const)(
    'reads one with %s',
    async (story) => {
      const sample = sampleOf(23, story);
      const file = await drawPdf(clasica, sample);
      const read = await readDocument(file, { ownNif: sample.issuer.nif, today: TODAY });
      expect(read.cuadra).toBe(true);
      expect(read.impuesto).toBe(sample.tax);
      expect(read.esRectificativa).toBe(sample.rectifies !== '');
      expect(read.tramos.map(({ recargoCents }) => Number(recargoCents))).toEqual(
        sample.groups.map(({ recargoCents }) => recargoCents),
      );
      expect(read.campos.numero?.valor).toBe(sample.number);
      expect(read.campos.total?.valor).toBe(BigInt(sample.totalCents));
      expect(read.lineas.map(({ discount = '0' }) => Number(discount))).toEqual(
        sample.lines.map(({ discount }) => discount),
      );
    },
  );

  it('takes the issuer from the QR when the client uploads it', async () => {
    const sample = sampleOf(23, 'sencilla');
    const importe = (sample.totalCents / 100).toFixed(2);
    const datos = { nif: sample.issuer.nif, numSerie: sample.number, importe };
    const qr = await qrPng(urlQr('pruebas', { ...datos, fecha: dashed(sample.date) }));
    const file = await drawPdf((sheet, given) => {
      clasica(sheet, given);
      sheet.image(qr, 200, 30, 90);
    }, sample);
    const { campos, avisos } = await readDocument(file, {
      ownNif: sample.client.nif,
      today: TODAY,
    });
    expect(campos).toMatchObject({
      nifEmisor: { valor: sample.issuer.nif, origen: 'qr' },
      nombreEmisor: { valor: sample.issuer.name },
      nifCliente: { valor: sample.client.nif },
      nombreCliente: { valor: sample.client.name },
    });
    expect(avisos).toEqual([]);
  });

  it('marks what does not add up, and does not guess', async () => {
    const sample = sampleOf(23, 'sencilla');
    const file = await drawPdf(clasica, { ...sample, quotaCents: 1, totalCents: 777_777 });
    const read = await readDocument(file, { ownNif: sample.issuer.nif, today: TODAY });
    expect(read.cuadra).toBe(false);
    expect(read.avisos).toContain('Los importes leídos no cuadran entre sí. Revísalos.');
    expect(read.campos.total).toMatchObject({ valor: 777_777n, confianza: 0.4 });
  });
});
