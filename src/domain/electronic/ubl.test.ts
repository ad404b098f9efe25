import { describe, expect, it } from 'vitest';
import { ELECTRONIC, electronic } from '../../../tests/fixtures/verifactu/electronic.ts';
import { CLIENTE_UE, item, SAMPLES } from '../../../tests/fixtures/verifactu/invoices.ts';
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
import { ublOf } from './ubl.ts';

/** Situations that EN 16931 cannot express. */
const REFUSED = new Set(['irpf', 'recargo', 'suplidos']);

function made(invoice: IssuedInvoice): string {
  const exported = ublOf(invoice);
  if (!exported.ok) throw new Error(exported.sentences.join(' '));
  return exported.xml;
}

const treeOf = (invoice: IssuedInvoice): XmlElement => xmlTree(made(invoice));
const linesOf = (root: XmlElement): XmlElement[] => [
  ...all(root, 'InvoiceLine'),
  ...all(root, 'CreditNoteLine'),
];
const quantityOf = (line: XmlElement): string =>
  textAt(line, 'InvoicedQuantity') || textAt(line, 'CreditedQuantity');

function refusals(invoice: IssuedInvoice): readonly string[] {
  const exported = ublOf(invoice);
  return exported.ok ? [] : exported.sentences;
}

const cases = (Object.entries(ELECTRONIC) as [keyof typeof ELECTRONIC, IssuedInvoice][]).filter(
  ([name]) => !REFUSED.has(name),
);

describe('the rules of EN 16931', () => {
  it.each(cases)('%s: sums and totals', (_name, invoice) => {
    const root = treeOf(invoice);
    const sign = root.name === 'CreditNote' ? -1 : 1;
    const totals = all(root, 'LegalMonetaryTotal')[0] ?? root;
    const total = (name: string) => toCents(textAt(totals, name));
    const net = linesOf(root).reduce((sum, l) => sum + sumAt(l, 'LineExtensionAmount'), 0);
    expect(net).toBe(total('LineExtensionAmount')); // BR-CO-10
    expect(total('TaxExclusiveAmount')).toBe(total('LineExtensionAmount')); // BR-CO-13
    const tax = sumAt(root, 'TaxTotal/TaxAmount');
    expect(sumAt(root, 'TaxTotal/TaxSubtotal/TaxAmount')).toBe(tax); // BR-CO-14
    expect(total('TaxInclusiveAmount')).toBe(total('TaxExclusiveAmount') + tax); // BR-CO-15
    const paid = sumAt(totals, 'PrepaidAmount');
    expect(total('PayableAmount')).toBe(total('TaxInclusiveAmount') - paid); // BR-CO-16
    expect(total('TaxInclusiveAmount')).toBe(sign * toCents(invoice.total));
    for (const row of all(root, 'TaxTotal/TaxSubtotal')) {
      const base = toCents(textAt(row, 'TaxableAmount'));
      const rate = Number(textAt(row, 'TaxCategory/Percent'));
      const quota = toCents(textAt(row, 'TaxAmount'));
      expect(Math.abs(quota - (base * rate) / 100)).toBeLessThanOrEqual(0.5); // BR-CO-17
    }
  });

  it.each(cases)('%s: one row for each category and rate, with its lines', (_n, invoice) => {
    const root = treeOf(invoice);
    const keyOf = (category: XmlElement) =>
      `${textAt(category, 'ID')} ${textAt(category, 'Percent')}`;
    const ofLines = new Map<string, number>();
    for (const line of linesOf(root)) {
      const [category = line] = all(line, 'Item/ClassifiedTaxCategory');
      const amount = sumAt(line, 'LineExtensionAmount');
      ofLines.set(keyOf(category), (ofLines.get(keyOf(category)) ?? 0) + amount);
    }
    const rows = all(root, 'TaxTotal/TaxSubtotal').map((row): [string, number] => [
      keyOf(all(row, 'TaxCategory')[0] ?? row),
      sumAt(row, 'TaxableAmount'),
    ]);
    // BR-S-08, BR-E-08, BR-AE-08…; as many rows as categories and rates, so none is repeated.
    expect(rows.sort()).toEqual([...ofLines].sort());
  });

  it.each(cases)('%s: what each category requires', (_name, invoice) => {
    const root = treeOf(invoice);
    for (const category of all(root, 'TaxTotal/TaxSubtotal/TaxCategory')) {
      const id = textAt(category, 'ID');
      const reason = textAt(category, 'TaxExemptionReason');
      const isTaxed = ['S', 'Z', 'L', 'M'].includes(id);
      expect(reason !== '').toBe(!isTaxed); // BR-E-10, BR-AE-10, BR-S-10…
      expect(all(category, 'Percent')).toHaveLength(id === 'O' ? 0 : 1);
    }
    const ids = new Set(texts(root, 'TaxTotal/TaxSubtotal/TaxCategory/ID'));
    const supplier = 'AccountingSupplierParty/Party';
    const customer = 'AccountingCustomerParty/Party';
    const vat = (party: string) =>
      all(root, `${party}/PartyTaxScheme`)
        .filter((scheme) => textAt(scheme, 'TaxScheme/ID') === 'VAT')
        .map((scheme) => textAt(scheme, 'CompanyID'));
    if (ids.has('O')) {
      expect([...ids]).toEqual(['O']); // BR-O-11 to 14
      expect([...vat(supplier), ...vat(customer)]).toEqual([]); // BR-O-02
    } else {
      expect(texts(root, `${supplier}/PartyTaxScheme/CompanyID`)).toHaveLength(1); // BR-S-02…
    }
    if (ids.has('K')) {
      expect(vat(customer)).toHaveLength(1); // BR-IC-02
      expect(textAt(root, 'Delivery/ActualDeliveryDate')).not.toBe(''); // BR-IC-11
      expect(textAt(root, 'Delivery/DeliveryLocation/Address/Country/IdentificationCode')).not.toBe(
        '',
      ); // BR-IC-12
    }
    for (const line of linesOf(root)) {
      expect(Number(textAt(line, 'Price/PriceAmount'))).toBeGreaterThanOrEqual(0); // BR-27
    }
    const isDue = toCents(textAt(root, 'LegalMonetaryTotal/PayableAmount')) > 0;
    const terms = [...texts(root, 'DueDate'), ...texts(root, 'PaymentTerms/Note')];
    if (root.name === 'Invoice' && isDue) expect(terms).not.toEqual([]); // BR-CO-25
  });
});

describe('read back by our own reader', () => {
  it.each(cases)('%s', (_name, invoice) => {
    const xml = made(invoice);
    const sign = xml.includes('<CreditNote') ? -1n : 1n;
    const reading = readEmbeddedXml(new TextEncoder().encode(xml));
    const campos = reading?.campos;
    expect(campos?.numero?.valor).toBe(invoice.numSerie);
    expect(campos?.fecha?.valor).toBe(invoice.fechaExpedicion);
    expect(campos?.nifEmisor?.valor).toBe(invoice.emisor.nif);
    expect(campos?.nombreEmisor?.valor).toBe(invoice.emisor.nombre);
    const { nif, idOtro } = invoice.cliente ?? {};
    const nifIva = idOtro?.IDType === '02' ? idOtro.ID : undefined;
    expect(campos?.nifCliente?.valor).toBe(nif ?? nifIva);
    expect(campos?.nombreCliente?.valor).toBe(invoice.cliente?.nombre);
    expect(campos?.total?.valor).toBe(sign * BigInt(toCents(invoice.total)));
    expect(reading?.lineas.map((line) => [line.description, line.totalCents])).toEqual(
      invoice.lines.map((line) => [line.description, sign * BigInt(toCents(line.base))]),
    );
    // The figures of each line give its total.
    expect(reading?.lineas.every(({ confianza }) => confianza > 0.9)).toBe(true);
    expect(reading?.cuadra).toBe(true);
  });
});

describe('what UBL contains', () => {
  const categories = (invoice: IssuedInvoice) =>
    texts(treeOf(invoice), 'TaxTotal/TaxSubtotal/TaxCategory/ID');
  const vatex = (invoice: IssuedInvoice) =>
    texts(treeOf(invoice), 'TaxTotal/TaxSubtotal/TaxCategory/TaxExemptionReasonCode');

  it('a credit note with positive amounts if money is refunded', () => {
    const root = treeOf(ELECTRONIC.abono);
    expect(root.name).toBe('CreditNote');
    expect(textAt(root, 'CreditNoteTypeCode')).toBe('381');
    // 169.71 + 21.00 + 6.97.
    expect(textAt(root, 'LegalMonetaryTotal/PayableAmount')).toBe('197.68');
    expect(linesOf(root).map(quantityOf)).toEqual(['1', '3']);
    expect(textAt(root, 'BillingReference/InvoiceDocumentReference/ID')).toBe('00001/LO');
    expect(textAt(root, 'BillingReference/InvoiceDocumentReference/IssueDate')).toBe('2026-11-10');
    // Nobody pays it into our account.
    expect(all(root, 'PaymentMeans/PayeeFinancialAccount')).toEqual([]);
  });

  it('a corrected invoice for one por sustitución, and a plain one in exchange for a simplified one', () => {
    expect(textAt(treeOf(ELECTRONIC.sustitucion), 'InvoiceTypeCode')).toBe('384');
    const paid = treeOf(ELECTRONIC['canje-pagado']);
    expect(textAt(paid, 'LegalMonetaryTotal/PrepaidAmount')).toBe('22.00');
    expect(textAt(paid, 'LegalMonetaryTotal/PayableAmount')).toBe('0.00');
    expect(all(paid, 'DueDate')).toEqual([]);
    const canje = treeOf(ELECTRONIC.canje);
    expect(textAt(canje, 'InvoiceTypeCode')).toBe('380');
    expect(textAt(canje, 'BillingReference/InvoiceDocumentReference/ID')).toBe('00001/LOS');
  });

  it('quantities and prices without tax if those of the invoice include it', () => {
    const root = treeOf(ELECTRONIC['canje-iva-incluido']);
    expect(linesOf(root).map(quantityOf)).toEqual(['100', '1000', '1000', '2']);
    expect(texts(root, 'InvoiceLine/Price/PriceAmount')).toEqual([
      '50.00',
      '0.82645',
      '0.82644',
      '10.00',
    ]);
    expect(texts(root, 'TaxTotal/TaxSubtotal/TaxableAmount')).toEqual(['6652.89', '18.00']);
  });

  it('how each operation is taxed', () => {
    expect(categories(ELECTRONIC.mixta)).toEqual(['S', 'S', 'E']);
    expect(vatex(ELECTRONIC.mixta)).toEqual([]);
    expect(categories(ELECTRONIC.isp)).toEqual(['AE']);
    expect(vatex(ELECTRONIC.isp)).toEqual(['VATEX-EU-AE']);
    expect(categories(ELECTRONIC['servicio-ue'])).toEqual(['AE']);
    expect(categories(ELECTRONIC.intracomunitaria)).toEqual(['K']);
    expect(vatex(ELECTRONIC.intracomunitaria)).toEqual(['VATEX-EU-IC']);
    expect(categories(ELECTRONIC.exportacion)).toEqual(['G']);
    expect(categories(ELECTRONIC['no-sujeta'])).toEqual(['O']);
    expect(categories(ELECTRONIC.igic)).toEqual(['L', 'L']);
    expect(categories(ELECTRONIC.ipsi)).toEqual(['M']);
    expect(categories(ELECTRONIC.rebu).sort()).toEqual(['E', 'S']);
    expect(vatex(ELECTRONIC.rebu)).toEqual(['VATEX-EU-F']);
    const used = (tax: string) => ({ ...item('1000', tax), coste: '800' });
    expect(vatex(electronic({ items: [used('REBUART')] }))).toEqual(['VATEX-EU-I']);
    expect(vatex(electronic({ items: [used('REBUANT')] }))).toEqual(['VATEX-EU-J']);
    expect(vatex(electronic({ items: [used('REBUART'), used('REBU21')] }))).toEqual([]);
    expect(vatex(ELECTRONIC.agencia)).toEqual(['VATEX-EU-D']);
    expect(categories(ELECTRONIC.oss)).toEqual(['S']);
  });

  it('exemptions by two articles in one row, without a code that would belong to one', () => {
    const both = electronic({ items: [item('10', 'EXENTO24'), item('20', 'EXENTO20')] });
    const root = treeOf(both);
    expect(texts(root, 'TaxTotal/TaxSubtotal/TaxableAmount')).toEqual(['30.00']);
    expect(vatex(both)).toEqual([]);
    for (const mention of both.menciones) {
      expect(textAt(root, 'TaxTotal/TaxSubtotal/TaxCategory/TaxExemptionReason')).toContain(
        mention,
      );
    }
  });

  it('in the Canaries, the number of a local tax', () => {
    const root = treeOf(ELECTRONIC.igic);
    const scheme = 'AccountingSupplierParty/Party/PartyTaxScheme';
    expect(textAt(root, `${scheme}/CompanyID`)).toBe('89890001K');
    expect(textAt(root, `${scheme}/TaxScheme/ID`)).toBe('LOC');
  });

  it('where the seller is registered (BT-33)', () => {
    const { emisor, ...rest } = ELECTRONIC['nacional-21'];
    const place = 'AccountingSupplierParty/Party/PartyLegalEntity/CompanyLegalForm';
    expect(texts(treeOf({ ...rest, emisor }), place)).toEqual([]);
    const datosRegistrales = 'Registro Mercantil de Zaragoza, tomo 4211';
    const root = treeOf({ ...rest, emisor: { ...emisor, datosRegistrales } });
    expect(textAt(root, place)).toBe(datosRegistrales);
  });

  it('a single day on which it is due (BT-9), or none if there are several: the terms say them', () => {
    const twice = {
      ...ELECTRONIC['nacional-21'],
      vencimientos: [
        { fecha: '2026-12-20', importe: '60.50' },
        { fecha: '2027-01-20', importe: '60.50' },
      ],
    };
    expect(textAt(treeOf(twice), 'DueDate')).toBe('');
    expect(textAt(treeOf({ ...twice, vencimientos: [] }), 'DueDate')).toBe('');
  });

  it('the discount of a line: its rate, its base and its amount', () => {
    // 3 × 26.555 is 79.665 → 79.67; 12.5 % of it is 9.96.
    const [, discounted] = linesOf(treeOf(ELECTRONIC.mixta));
    if (!discounted) throw new Error('The second line has one.');
    expect(textAt(discounted, 'AllowanceCharge/MultiplierFactorNumeric')).toBe('12.5');
    expect(textAt(discounted, 'AllowanceCharge/BaseAmount')).toBe('79.67');
    expect(textAt(discounted, 'AllowanceCharge/Amount')).toBe('9.96');
  });

  it('when and where it is paid, and the AEAT’s verification address', () => {
    const root = treeOf(ELECTRONIC['nacional-21']);
    expect(textAt(root, 'DueDate')).toBe('2026-12-20');
    expect(textAt(root, 'PaymentMeans/PaymentMeansCode')).toBe('30');
    expect(textAt(root, 'PaymentMeans/PayeeFinancialAccount/ID')).toBe('ES9121000418450200051332');
    expect(textAt(root, 'AdditionalDocumentReference/Attachment/ExternalReference/URI')).toBe(
      ELECTRONIC['nacional-21'].qr,
    );
  });
});

describe('what prevents it', () => {
  it.each([
    ['irpf', 'la retención del IRPF'],
    ['recargo', 'el recargo de equivalencia'],
    ['suplidos', 'los suplidos'],
  ] as const)('%s, which Facturae can express', (name, what) => {
    expect(refusals(ELECTRONIC[name])).toEqual([
      `La norma europea EN 16931 no tiene dónde decir ${what}. Usa Facturae, que sí puede.`,
    ]);
  });

  it('a simplified invoice, which has no recipient', () => {
    const simplified: IssuedInvoice = { ...ELECTRONIC['nacional-21'], tipoFactura: 'F2' };
    expect(refusals(simplified)).toEqual([
      expect.stringMatching(/simplificadas.* Cámbiala por una completa \(«Canjear»\) y /),
    ]);
    expect(refusals(electronic(SAMPLES['r5-sustitucion']))).toEqual([
      expect.stringContaining('(«Canjear») junto con la 00001/LOS que corrige y'),
    ]);
  });

  it('lines outside the tax together with others', () => {
    const mixed = electronic({ items: [item('10'), item('20', 'NOSUJETO')] });
    expect(refusals(mixed)).toEqual([expect.stringContaining('no sujetas')]);
  });

  it('a delivery to the Union without the NIF-IVA of the recipient', () => {
    const cliente = { ...CLIENTE_UE, idOtro: null };
    expect(refusals(electronic({ cliente, items: [item('10', 'INTRAUE')] }))).toEqual([
      expect.stringContaining('NIF-IVA'),
    ]);
  });
});
