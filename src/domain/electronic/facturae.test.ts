import { describe, expect, it } from 'vitest';
import { ELECTRONIC, electronic } from '../../../tests/fixtures/verifactu/electronic.ts';
import {
  CLIENTE,
  CLIENTE_UE,
  item,
  ORIGINAL,
  SAMPLES,
} from '../../../tests/fixtures/verifactu/invoices.ts';
import {
  all,
  sumAt,
  textAt,
  texts,
  toCents,
  type XmlElement,
  xmlTree,
} from '../../../tests/support/xml-tree.ts';
import { readEmbeddedXml } from '../../reading/embedded-xml.ts';
import type { IssuedInvoice } from '../invoice.ts';
import { facturaeOf } from './facturae.ts';

function made(invoice: IssuedInvoice): string {
  const exported = facturaeOf(invoice);
  if (!exported.ok) throw new Error(exported.sentences.join(' '));
  return exported.xml;
}

const treeOf = (invoice: IssuedInvoice): XmlElement => xmlTree(made(invoice));
const invoiceOf = (root: XmlElement): XmlElement => all(root, 'Invoices/Invoice')[0] ?? root;

function refusals(invoice: IssuedInvoice): readonly string[] {
  const exported = facturaeOf(invoice);
  return exported.ok ? [] : exported.sentences;
}

const cases = Object.entries(ELECTRONIC) as [keyof typeof ELECTRONIC, IssuedInvoice][];

describe('the figures of Facturae', () => {
  it.each(cases)('add up for %s, line by line and to the totals', (_name, invoice) => {
    const root = treeOf(invoice);
    const body = invoiceOf(root);
    const totals = all(body, 'InvoiceTotals')[0] ?? body;
    const total = (name: string) => toCents(textAt(totals, name));
    for (const line of all(body, 'Items/InvoiceLine')) {
      const exact = Number(textAt(line, 'Quantity')) * Number(textAt(line, 'UnitPriceWithoutTax'));
      const cost = toCents(textAt(line, 'TotalCost'));
      expect(Math.abs(cost / 100 - exact)).toBeLessThanOrEqual(0.0051);
      const discount = sumAt(line, 'DiscountsAndRebates/Discount/DiscountAmount');
      expect(toCents(textAt(line, 'GrossAmount'))).toBe(cost - discount);
    }
    expect(sumAt(body, 'Items/InvoiceLine/GrossAmount')).toBe(total('TotalGrossAmount'));
    expect(total('TotalGrossAmountBeforeTaxes')).toBe(total('TotalGrossAmount'));
    const taxes = 'TaxesOutputs/Tax';
    expect(
      sumAt(body, `${taxes}/TaxAmount/TotalAmount`) +
        sumAt(body, `${taxes}/EquivalenceSurchargeAmount/TotalAmount`),
    ).toBe(total('TotalTaxOutputs'));
    expect(sumAt(body, `${taxes}/TaxableBase/TotalAmount`)).toBe(total('TotalGrossAmount'));
    for (const tax of all(body, taxes)) {
      const base = toCents(textAt(tax, 'TaxableBase/TotalAmount'));
      const rate = Number(textAt(tax, 'TaxRate'));
      const quota = toCents(textAt(tax, 'TaxAmount/TotalAmount'));
      expect(Math.abs(quota - (base * rate) / 100)).toBeLessThanOrEqual(0.5);
    }
    expect(sumAt(body, 'TaxesWithheld/Tax/TaxAmount/TotalAmount')).toBe(
      total('TotalTaxesWithheld'),
    );
    expect(total('InvoiceTotal')).toBe(
      total('TotalGrossAmount') + total('TotalTaxOutputs') - total('TotalTaxesWithheld'),
    );
    // The AEAT's total, which does not consider the retention.
    expect(total('InvoiceTotal') + total('TotalTaxesWithheld')).toBe(toCents(invoice.total));
    const paid = sumAt(totals, 'TotalPaymentsOnAccount');
    expect(sumAt(totals, 'PaymentsOnAccount/PaymentOnAccount/PaymentOnAccountAmount')).toBe(paid);
    expect(total('TotalOutstandingAmount')).toBe(total('InvoiceTotal') - paid);
    const reimbursable = sumAt(totals, 'TotalReimbursableExpenses');
    expect(total('TotalExecutableAmount')).toBe(total('TotalOutstandingAmount') + reimbursable);
    expect(total('TotalExecutableAmount')).toBe(toCents(invoice.payable));
    // With a single invoice, the batch has the same totals.
    const batch = all(root, 'FileHeader/Batch')[0] ?? root;
    expect(sumAt(batch, 'TotalInvoicesAmount/TotalAmount')).toBe(total('InvoiceTotal'));
    expect(sumAt(batch, 'TotalExecutableAmount/TotalAmount')).toBe(total('TotalExecutableAmount'));
    const due = sumAt(body, 'PaymentDetails/Installment/InstallmentAmount');
    expect(due).toBe(Math.max(0, total('TotalExecutableAmount')));
  });
});

describe('read back by our own reader', () => {
  it.each(cases)('%s', (name, invoice) => {
    const reading = readEmbeddedXml(new TextEncoder().encode(made(invoice)));
    const campos = reading?.campos;
    expect(campos?.numero?.valor).toBe(invoice.numSerie);
    expect(campos?.fecha?.valor).toBe(invoice.fechaExpedicion);
    expect(campos?.nifEmisor?.valor).toBe(invoice.emisor.nif);
    expect(campos?.nombreEmisor?.valor).toBe(invoice.emisor.nombre);
    const { nif, idOtro } = invoice.cliente ?? {};
    const nifIva = idOtro?.IDType === '02' ? idOtro.ID : undefined;
    expect(campos?.nifCliente?.valor).toBe(nif ?? nifIva);
    expect(campos?.nombreCliente?.valor).toBe(invoice.cliente?.nombre);
    expect(reading?.lineas.map((line) => [line.description, line.totalCents])).toEqual(
      invoice.lines.map((line) => [line.description, BigInt(toCents(line.base))]),
    );
    expect(reading?.impuesto).toBe(name === 'igic' ? 'IGIC' : name === 'ipsi' ? 'IPSI' : 'IVA');
    expect(reading?.esRectificativa).toBe(invoice.tipoFactura.startsWith('R'));
    const recargo = reading?.tramos.reduce((sum, { recargoCents }) => sum + recargoCents, 0n) ?? 0n;
    // Its reader's total does not separate the recargo: the base and all taxes.
    expect(campos?.total?.valor).toBe(BigInt(toCents(invoice.total)));
    expect(recargo).toBe(BigInt(toCents(invoice.recargo)));
    expect(campos?.retencion?.valor).toBe(
      invoice.retencionRate === null ? undefined : BigInt(toCents(invoice.retencion)),
    );
  });
});

describe('what Facturae contains', () => {
  it('for a person its name and surnames, for an entity its name', () => {
    const root = treeOf(ELECTRONIC.administracion);
    const seller = 'Parties/SellerParty/';
    expect(textAt(root, `${seller}TaxIdentification/PersonTypeCode`)).toBe('F');
    expect(textAt(root, `${seller}Individual/Name`)).toBe('Marta');
    expect(textAt(root, `${seller}Individual/FirstSurname`)).toBe('Ruiz');
    expect(textAt(root, `${seller}Individual/SecondSurname`)).toBe('de la Fuente');
    expect(textAt(root, 'Parties/BuyerParty/TaxIdentification/PersonTypeCode')).toBe('J');
    expect(textAt(root, 'Parties/BuyerParty/LegalEntity/CorporateName')).toBe(
      'Ayuntamiento de Madrid',
    );
  });

  it.each([
    ['here', electronic({ items: [item('100')] }), 'R', '89890001K'],
    ['in the Union', ELECTRONIC['servicio-ue'], 'U', 'ES89890001K'],
    ['outside it', ELECTRONIC.exportacion, 'E', '89890001K'],
    [
      'in Monaco, of the Union for VAT alone,',
      electronic({ cliente: { ...CLIENTE_UE, countryCode: 'MC' }, items: [item('300', 'SERVUE')] }),
      'E',
      'ES89890001K',
    ],
  ])(
    'where a customer %s resides, and the number of the seller for it',
    (_, invoice, code, nif) => {
      const root = treeOf(invoice);
      const ofSeller = 'Parties/SellerParty/TaxIdentification/';
      expect(textAt(root, 'Parties/BuyerParty/TaxIdentification/ResidenceTypeCode')).toBe(code);
      expect(textAt(root, `${ofSeller}ResidenceTypeCode`)).toBe('R');
      expect(textAt(root, `${ofSeller}TaxIdentificationNumber`)).toBe(nif);
    },
  );

  it('for an administration, the code of each office', () => {
    const root = treeOf(ELECTRONIC.administracion);
    const centre = 'Parties/BuyerParty/AdministrativeCentres/AdministrativeCentre';
    expect(texts(root, `${centre}/CentreCode`)).toEqual(['LA0003294', 'L01280796', 'LA0003294']);
    expect(texts(root, `${centre}/RoleTypeCode`)).toEqual(['01', '02', '03']);
  });

  it('in an F3 whose tickets were paid, that payment and no due date', () => {
    const body = invoiceOf(treeOf(ELECTRONIC['canje-pagado']));
    const payment = all(body, 'InvoiceTotals/PaymentsOnAccount/PaymentOnAccount')[0] ?? body;
    expect(payment.children.map(({ name, text }) => [name, text])).toEqual([
      ['PaymentOnAccountDate', '2026-11-10'],
      ['PaymentOnAccountAmount', '22.00'],
    ]);
    // The schema fixes the order.
    const names = all(body, 'InvoiceTotals')[0]?.children.map(({ name }) => name);
    expect(names?.slice(-5)).toEqual([
      'InvoiceTotal',
      'PaymentsOnAccount',
      'TotalOutstandingAmount',
      'TotalPaymentsOnAccount',
      'TotalExecutableAmount',
    ]);
    expect(all(body, 'PaymentDetails')).toEqual([]);
  });

  it('in a rectificativa por diferencias, negative amounts and what it rectifies', () => {
    // 100.00 at 21 % and 69.71 at 10 %: 169.71 + 21.00 + 6.97 = 197.68 refunded.
    const body = invoiceOf(treeOf(ELECTRONIC.abono));
    expect(textAt(body, 'InvoiceTotals/InvoiceTotal')).toBe('-197.68');
    expect(texts(body, 'Items/InvoiceLine/Quantity')).toEqual(['-1', '-3']);
    expect(textAt(body, 'InvoiceHeader/InvoiceClass')).toBe('OR');
    const corrective = all(body, 'InvoiceHeader/Corrective')[0] ?? body;
    expect(corrective.children.map(({ name, text }) => [name, text]).slice(0, 3)).toEqual([
      ['InvoiceNumber', '00001/LO'],
      ['ReasonCode', '83'],
      ['ReasonDescription', 'Base imponible modificada por descuentos y bonificaciones'],
    ]);
    expect(textAt(corrective, 'TaxPeriod/StartDate')).toBe('2026-11-01');
    expect(textAt(corrective, 'TaxPeriod/EndDate')).toBe('2026-11-30');
    expect(textAt(corrective, 'CorrectionMethod')).toBe('02');
    expect(textAt(corrective, 'InvoiceIssueDate')).toBe('2026-11-10');
    expect(all(body, 'PaymentDetails')).toEqual([]);
  });

  it('in one por sustitución, all of its amounts', () => {
    const body = invoiceOf(treeOf(ELECTRONIC.sustitucion));
    expect(textAt(body, 'InvoiceHeader/Corrective/CorrectionMethod')).toBe('01');
    expect(textAt(body, 'InvoiceTotals/InvoiceTotal')).toBe('119.30');
  });

  it('quantities and prices without tax if those of the invoice include it', () => {
    const body = invoiceOf(treeOf(ELECTRONIC['canje-iva-incluido']));
    const line = 'Items/InvoiceLine';
    expect(texts(body, `${line}/Quantity`)).toEqual(['100', '1000', '1000', '2']);
    expect(texts(body, `${line}/UnitPriceWithoutTax`)).toEqual([
      '50.00',
      '0.82645',
      '0.82644',
      '10.00',
    ]);
    expect(texts(body, `${line}/GrossAmount`)).toEqual(['5000.00', '826.45', '826.44', '18.00']);
    expect(texts(body, `${line}/DiscountsAndRebates/Discount/DiscountRate`)).toEqual(['10.00']);
    expect(texts(body, 'TaxesOutputs/Tax/TaxableBase/TotalAmount')).toEqual(['6652.89', '18.00']);
    expect(textAt(body, 'InvoiceTotals/InvoiceTotal')).toBe('8069.80');
  });

  it('the reason of the rectification, by what happens to the base', () => {
    const reasonOf = (invoice: IssuedInvoice) =>
      textAt(invoiceOf(treeOf(invoice)), 'InvoiceHeader/Corrective/ReasonCode');
    // Invoiced at 21 % instead of 10 %: 11.00 refunded, with the same base.
    const otherRate = electronic({
      draft: { type: 'abono', invoiceToRectify: ORIGINAL.numSerie },
      items: [item('100'), item('-100', 'IVA10')],
      originals: [ORIGINAL],
      numSerie: '00001/LOR',
    });
    expect([otherRate.base, otherRate.total]).toEqual(['0.00', '-11.00']);
    expect(reasonOf(otherRate)).toBe('80');
    // A discount: 100.00 instead of 110.00.
    expect(reasonOf(ELECTRONIC.sustitucion)).toBe('83');
    const less = { base: '90.00', cuota: '18.90', recargo: '0.00' };
    expect(reasonOf({ ...ELECTRONIC.sustitucion, importeRectificacion: less })).toBe('80');
  });

  it('in words, the other invoices that it rectifies', () => {
    const other = { ...ORIGINAL, numSerie: '00002/LO' };
    const body = invoiceOf(
      treeOf({ ...ELECTRONIC.abono, rectifies: [...ELECTRONIC.abono.rectifies, other] }),
    );
    expect(textAt(body, 'InvoiceHeader/Corrective/AdditionalReasonDescription')).toBe(
      'Rectifica también 00002/LO de 10/11/2026',
    );
  });

  it('why no tax is charged', () => {
    const [, , exempt] = all(invoiceOf(treeOf(ELECTRONIC.mixta)), 'Items/InvoiceLine');
    expect(exempt && textAt(exempt, 'SpecialTaxableEvent/SpecialTaxableEventCode')).toBe('01');
    expect(exempt && textAt(exempt, 'SpecialTaxableEvent/SpecialTaxableEventReason')).toBe(
      `01 ${ELECTRONIC.mixta.menciones[0]}`,
    );
    const outside = invoiceOf(treeOf(ELECTRONIC['no-sujeta']));
    expect(textAt(outside, 'Items/InvoiceLine/SpecialTaxableEvent/SpecialTaxableEventCode')).toBe(
      '02',
    );
    const reverse = invoiceOf(treeOf(ELECTRONIC.isp));
    expect(textAt(reverse, 'LegalLiterals/LegalReference')).toMatch(/^Inversión del sujeto pasivo/);
  });

  it('where the seller is registered', () => {
    const datosRegistrales = 'Registro Mercantil de Zaragoza, tomo 4211';
    const invoice = ELECTRONIC['nacional-21'];
    const body = invoiceOf(treeOf({ ...invoice, emisor: { ...invoice.emisor, datosRegistrales } }));
    expect(textAt(body, 'LegalLiterals/LegalReference')).toBe(datosRegistrales);
  });

  it('nothing of the margin of used goods, of which the customer knows only the price', () => {
    const body = invoiceOf(treeOf(ELECTRONIC.rebu));
    // 1,000.00 on the margin, and 50.00 at 21 %.
    expect(texts(body, 'TaxesOutputs/Tax/TaxAmount/TotalAmount').sort()).toEqual(['0.00', '10.50']);
    expect(textAt(body, 'InvoiceTotals/InvoiceTotal')).toBe('1060.50');
    expect(textAt(invoiceOf(treeOf(ELECTRONIC.agencia)), 'TaxesOutputs/Tax/TaxTypeCode')).toBe(
      '17',
    );
  });

  it('retention, recargo and suplidos', () => {
    const irpf = invoiceOf(treeOf(ELECTRONIC.irpf));
    expect(textAt(irpf, 'TaxesWithheld/Tax/TaxTypeCode')).toBe('04');
    expect(textAt(irpf, 'InvoiceTotals/InvoiceTotal')).toBe('1060.00');
    const recargo = invoiceOf(treeOf(ELECTRONIC.recargo));
    expect(texts(recargo, 'TaxesOutputs/Tax/EquivalenceSurcharge')).toEqual(['5.20', '1.40']);
    const suplidos = invoiceOf(treeOf(ELECTRONIC.suplidos));
    expect(textAt(suplidos, 'InvoiceTotals/TotalExecutableAmount')).toBe('133.50');
  });

  it('when and where it is paid, and the AEAT’s verification address', () => {
    const body = invoiceOf(treeOf(ELECTRONIC['nacional-21']));
    const installment = all(body, 'PaymentDetails/Installment')[0] ?? body;
    expect(textAt(installment, 'InstallmentDueDate')).toBe('2026-12-20');
    expect(textAt(installment, 'PaymentMeans')).toBe('04');
    expect(textAt(installment, 'AccountToBeCredited/IBAN')).toBe('ES9121000418450200051332');
    expect(textAt(body, 'AdditionalData/InvoiceAdditionalInformation')).toContain(
      ELECTRONIC['nacional-21'].qr,
    );
    // The format does not know a transfer without an account.
    const { iban: _iban, ...without } = ELECTRONIC['nacional-21'];
    const other = invoiceOf(treeOf(without));
    expect(textAt(other, 'PaymentDetails/Installment/PaymentMeans')).toBe('13');
  });

  it('no characters that XML cannot hold, and texts and numbers of at most the allowed length', () => {
    const long = electronic({
      items: [{ ...item('1'), description: `<a>&"\u0000\ud800${'x'.repeat(3000)}` }],
      cliente: {
        ...CLIENTE,
        nif: 'B12345674',
        nombre: 'Ñ'.repeat(120),
        direccion: 'c'.repeat(300),
      },
      numSerie: `${'A'.repeat(19)}-${'7'.repeat(19)}`,
    });
    const xml = made(long);
    const body = invoiceOf(xmlTree(xml));
    expect(textAt(body, 'Items/InvoiceLine/ItemDescription')).toHaveLength(2500);
    expect(textAt(body, 'Items/InvoiceLine/ItemDescription')).toMatch(/^<a>&"x/);
    expect(textAt(xmlTree(xml), 'Parties/BuyerParty/LegalEntity/CorporateName')).toBe(
      'Ñ'.repeat(80),
    );
    expect(
      textAt(body, 'InvoiceHeader/InvoiceSeriesCode') + textAt(body, 'InvoiceHeader/InvoiceNumber'),
    ).toBe(long.numSerie);
    expect(textAt(body, 'InvoiceHeader/InvoiceNumber')).toHaveLength(20);
  });
});

describe('what prevents it', () => {
  it('names each missing field and where it is filled in', () => {
    const { municipio: _own, ...emisor } = ELECTRONIC['nacional-21'].emisor;
    const cliente = { ...CLIENTE, postCode: '' };
    expect(refusals({ ...ELECTRONIC['nacional-21'], emisor, cliente })).toEqual([
      'Falta el municipio de tu empresa: escríbelo en Perfil → Información de empresa.',
      `Falta el código postal de ${CLIENTE.nombre}: escríbelo en la ficha del cliente.`,
      `Falta el municipio de ${CLIENTE.nombre}: escríbelo en la ficha del cliente.`,
    ]);
  });

  it('tells apart whose address it is', () => {
    const cliente = { ...CLIENTE, direccion: '', municipio: 'Getafe' };
    expect(refusals({ ...ELECTRONIC['nacional-21'], cliente })).toEqual([
      `Falta la dirección de ${CLIENTE.nombre}: escríbela en la ficha del cliente.`,
    ]);
  });

  it('a simplified invoice has no recipient, and one that corrects it can be exchanged together with it', () => {
    expect(refusals(electronic(SAMPLES.f2))).toEqual([
      'Una factura simplificada no lleva destinatario y Facturae lo exige. Cámbiala por una completa («Canjear») y descarga la nueva.',
    ]);
    expect(refusals(electronic(SAMPLES['r5-sustitucion']))).toEqual([
      expect.stringMatching(
        / Cámbiala por una completa \(«Canjear»\) junto con la 00001\/LOS que corrige y descarga la nueva\.$/,
      ),
    ]);
  });

  it('a number that does not fit, a person without surname, an office without the others', () => {
    const dir3 = {
      oficinaContable: 'L01280796',
      organoGestor: '',
      unidadTramitadora: 'L01280796',
      organoProponente: '',
    };
    const invoice = electronic({
      items: [item('1')],
      numSerie: 'A'.repeat(41),
      cliente: { ...CLIENTE, nombre: 'Marta', dir3 },
    });
    expect(refusals(invoice)).toEqual([
      expect.stringContaining('más largo que los 40'),
      expect.stringContaining('«Marta» es una sola palabra'),
      expect.stringContaining('DIR3 de órgano gestor'),
    ]);
  });

  it('lines that do not add up to the registered total', () => {
    const off = { ...ELECTRONIC['nacional-21'], total: '122.00' };
    expect(refusals(off)).toEqual([expect.stringContaining('no se pueden detallar')]);
  });
});
