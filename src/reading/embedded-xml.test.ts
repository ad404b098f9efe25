import { describe, expect, it } from 'vitest';
import { readEmbeddedXml } from './embedded-xml.ts';

const read = (xml: string) => readEmbeddedXml(new TextEncoder().encode(xml));

/** 2 × 50,00 at 21 %: 100,00 + 21,00 = 121,00. */
const EXPECTED = {
  numero: 'F26-0007',
  fecha: '2026-03-04',
  nifEmisor: 'B12345674',
  nombreEmisor: 'Lienzos, S.L.',
  nifCliente: '12345678Z',
  nombreCliente: 'María Núñez',
  baseImponible: 10_000n,
  cuotaIVA: 2_100n,
  total: 12_100n,
};

const FACTURAE = `<?xml version="1.0" encoding="UTF-8"?>
<fe:Facturae xmlns:fe="http://www.facturae.gob.es/formato/Versiones/Facturaev3_2_2.xml">
 <Parties>
  <SellerParty><TaxIdentification><TaxIdentificationNumber>ESB12345674</TaxIdentificationNumber></TaxIdentification>
   <LegalEntity><CorporateName>Lienzos, S.L.</CorporateName></LegalEntity></SellerParty>
  <BuyerParty><TaxIdentification><TaxIdentificationNumber>12345678Z</TaxIdentificationNumber></TaxIdentification>
   <Individual><Name>María</Name><FirstSurname>Núñez</FirstSurname>
    <AddressInSpain><Address>Calle Mayor, 1</Address><PostCode>28013</PostCode><Town>Madrid</Town></AddressInSpain></Individual></BuyerParty>
 </Parties>
 <Invoices><Invoice>
  <InvoiceHeader><InvoiceNumber>0007</InvoiceNumber><InvoiceSeriesCode>F26-</InvoiceSeriesCode></InvoiceHeader>
  <InvoiceIssueData><IssueDate>2026-03-04</IssueDate></InvoiceIssueData>
  <TaxesOutputs><Tax><TaxTypeCode>01</TaxTypeCode><TaxRate>21.00</TaxRate>
   <TaxableBase><TotalAmount>100.00</TotalAmount></TaxableBase><TaxAmount><TotalAmount>21.00</TotalAmount></TaxAmount></Tax></TaxesOutputs>
  <TaxesWithheld><Tax><TaxRate>15.00</TaxRate><TaxAmount><TotalAmount>15.00</TotalAmount></TaxAmount></Tax></TaxesWithheld>
  <InvoiceTotals><TotalGrossAmountBeforeTaxes>100.00</TotalGrossAmountBeforeTaxes><TotalTaxOutputs>21.00</TotalTaxOutputs></InvoiceTotals>
  <Items><InvoiceLine><ItemDescription>Marco &amp; lienzo</ItemDescription><Quantity>2.0</Quantity>
   <UnitPriceWithoutTax>50.000000</UnitPriceWithoutTax><GrossAmount>100.00000000</GrossAmount>
   <TaxesOutputs><Tax><TaxRate>21.00</TaxRate></Tax></TaxesOutputs></InvoiceLine></Items>
 </Invoice></Invoices>
</fe:Facturae>`;

const UBL = `<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"
  xmlns:a="urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2" xmlns:b="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2">
 <b:ID>F26-0007</b:ID><b:IssueDate>2026-03-04</b:IssueDate>
 <a:AccountingSupplierParty><a:Party><a:PartyName><b:Name>Lienzos, S.L.</b:Name></a:PartyName>
  <a:PartyTaxScheme><b:CompanyID>ESB12345674</b:CompanyID></a:PartyTaxScheme></a:Party></a:AccountingSupplierParty>
 <a:AccountingCustomerParty><a:Party><a:PartyIdentification><b:ID>12345678Z</b:ID></a:PartyIdentification>
  <a:PartyLegalEntity><b:RegistrationName>María Núñez</b:RegistrationName></a:PartyLegalEntity></a:Party></a:AccountingCustomerParty>
 <a:TaxTotal><a:TaxSubtotal><b:TaxableAmount>100.00</b:TaxableAmount><b:TaxAmount>21.00</b:TaxAmount>
  <a:TaxCategory><b:Percent>21</b:Percent></a:TaxCategory></a:TaxSubtotal></a:TaxTotal>
 <a:LegalMonetaryTotal><b:TaxInclusiveAmount>121.00</b:TaxInclusiveAmount></a:LegalMonetaryTotal>
 <a:InvoiceLine><b:InvoicedQuantity>2</b:InvoicedQuantity><b:LineExtensionAmount>100.00</b:LineExtensionAmount>
  <a:Item><b:Name>Marco &amp; lienzo</b:Name><a:ClassifiedTaxCategory><b:Percent>21</b:Percent></a:ClassifiedTaxCategory></a:Item>
  <a:Price><b:PriceAmount>50.00</b:PriceAmount></a:Price></a:InvoiceLine>
</Invoice>`;

const CII = `<rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100" xmlns:r="urn:r" xmlns:u="urn:u">
 <rsm:ExchangedDocument><r:ID>F26-0007</r:ID><r:TypeCode>380</r:TypeCode>
  <r:IssueDateTime><u:DateTimeString format="102">20260304</u:DateTimeString></r:IssueDateTime></rsm:ExchangedDocument>
 <rsm:SupplyChainTradeTransaction>
  <r:IncludedSupplyChainTradeLineItem><r:SpecifiedTradeProduct><r:Name>Marco &amp; lienzo</r:Name></r:SpecifiedTradeProduct>
   <r:SpecifiedLineTradeAgreement><r:NetPriceProductTradePrice><r:ChargeAmount>50.00</r:ChargeAmount></r:NetPriceProductTradePrice></r:SpecifiedLineTradeAgreement>
   <r:SpecifiedLineTradeDelivery><r:BilledQuantity>2</r:BilledQuantity></r:SpecifiedLineTradeDelivery>
   <r:SpecifiedLineTradeSettlement><r:ApplicableTradeTax><r:RateApplicablePercent>21.00</r:RateApplicablePercent></r:ApplicableTradeTax>
    <r:SpecifiedTradeSettlementLineMonetarySummation><r:LineTotalAmount>100.00</r:LineTotalAmount></r:SpecifiedTradeSettlementLineMonetarySummation></r:SpecifiedLineTradeSettlement></r:IncludedSupplyChainTradeLineItem>
  <r:ApplicableHeaderTradeAgreement>
   <r:SellerTradeParty><r:Name>Lienzos, S.L.</r:Name><r:SpecifiedTaxRegistration><r:ID schemeID="VA">ESB12345674</r:ID></r:SpecifiedTaxRegistration></r:SellerTradeParty>
   <r:BuyerTradeParty><r:ID>12345678Z</r:ID><r:Name>María Núñez</r:Name></r:BuyerTradeParty></r:ApplicableHeaderTradeAgreement>
  <r:ApplicableHeaderTradeSettlement>
   <r:ApplicableTradeTax><r:CalculatedAmount>21.00</r:CalculatedAmount><r:BasisAmount>100.00</r:BasisAmount><r:RateApplicablePercent>21.00</r:RateApplicablePercent></r:ApplicableTradeTax>
   <r:SpecifiedTradeSettlementHeaderMonetarySummation><r:GrandTotalAmount>121.00</r:GrandTotalAmount></r:SpecifiedTradeSettlementHeaderMonetarySummation></r:ApplicableHeaderTradeSettlement>
 </rsm:SupplyChainTradeTransaction></rsm:CrossIndustryInvoice>`;

describe('readEmbeddedXml', () => {
  it.each([
    ['Facturae', FACTURAE],
    ['UBL', UBL],
    ['CII', CII],
  ])('reads %s to the cent', (_format, xml) => {
    const reading = read(xml);
    const values = Object.entries(reading?.campos ?? {}).map(([name, { valor }]) => [name, valor]);
    expect(Object.fromEntries(values)).toMatchObject(EXPECTED);
    expect(reading?.cuadra).toBe(true);
    expect(reading?.lineas).toMatchObject([
      { description: 'Marco & lienzo', totalCents: 10_000n, rateBps: 2_100n, addsUp: true },
    ]);
    expect(Number(reading?.lineas[0]?.quantity) * Number(reading?.lineas[0]?.price)).toBe(100);
  });

  it.each([
    ['Facturae', FACTURAE],
    ['UBL', UBL],
    ['CII', CII],
  ])('reads the NIF-IVA of a client abroad in %s', (_format, xml) => {
    const nif = read(xml.replace('12345678Z', 'DE136695976'))?.campos.nifCliente?.valor;
    expect(nif).toBe('DE136695976');
    expect(read(xml.replace('12345678Z', 'DE136695977'))?.campos.nifCliente).toBeUndefined();
  });

  it.each([
    ['Facturae', FACTURAE.replace('>2.0<', '>12.500<').replace('50.000000', '8.000'), '12.500'],
    ['UBL', UBL.replace('>2<', '>2.000<'), '2.000'],
    ['CII', CII.replace('>2<', '>2.000<'), '2.000'],
  ])('never reads a decimal point in %s as a thousands separator', (_format, xml, quantity) => {
    const fine = xml.replace(/>(\d+)(?:\.00)?<(?=\/[\w:]*(?:Amount|Percent|Rate)>)/g, '>$1.000<');
    const reading = read(fine);
    const values = Object.entries(reading?.campos ?? {}).map(([name, { valor }]) => [name, valor]);
    expect(Object.fromEntries(values)).toMatchObject(EXPECTED);
    expect(reading?.cuadra).toBe(true);
    expect(reading?.tramos).toMatchObject([{ rateBps: 2_100n, baseCents: 10_000n }]);
    expect(reading?.lineas).toMatchObject([
      { quantity, totalCents: 10_000n, rateBps: 2_100n, confianza: 0.99 },
    ]);
  });

  it('reads the retention and the address of the client in Facturae', () => {
    const reading = read(FACTURAE);
    expect(reading?.retencionBps).toBe(1_500n);
    expect(reading?.campos.retencion?.valor).toBe(1_500n);
    expect(reading?.campos.direccionCliente?.valor).toBe('Calle Mayor, 1, 28013 Madrid');
  });

  it('reads an operation without a rate as 0 %, unless its category should have one', () => {
    const free = UBL.replaceAll('<b:Percent>21</b:Percent>', '<b:ID>O</b:ID>')
      .replaceAll('>21.00<', '>0.00<')
      .replace('>121.00<', '>100.00<');
    expect(read(free)).toMatchObject({ cuadra: true, lineas: [{ rateBps: 0n }] });
    const unknown = read(UBL.replaceAll('<b:Percent>21</b:Percent>', '<b:ID>S</b:ID>'));
    expect(unknown?.lineas).toMatchObject([{ rateBps: null }]);
  });

  it.each([
    ['UBL', UBL.replaceAll('<b:Percent>', '<b:ID>L</b:ID><b:Percent>'), 'IGIC'],
    ['CII', CII.replaceAll('<r:RateApp', '<r:CategoryCode>M</r:CategoryCode><r:RateApp'), 'IPSI'],
  ])(
    'recognises the taxes of the Canaries, Ceuta and Melilla by their category in %s',
    (_, xml, tax) => {
      expect(read(xml)?.impuesto).toBe(tax);
    },
  );

  describe('a line', () => {
    const UBL_LINE =
      '<b:InvoicedQuantity>2</b:InvoicedQuantity><b:LineExtensionAmount>100.00</b:LineExtensionAmount>';
    const ubl = (quantity: string, price: string, { before = '', after = '' } = {}) =>
      read(
        UBL.replace(UBL_LINE, UBL_LINE.replace('>2<', `>${quantity}<`) + before).replace(
          '<b:PriceAmount>50.00</b:PriceAmount>',
          `<b:PriceAmount>${price}</b:PriceAmount>${after}`,
        ),
      )?.lineas[0];
    const allowance = (inner: string, isCharge = false) =>
      `<a:AllowanceCharge><b:ChargeIndicator>${isCharge}</b:ChargeIndicator>${inner}</a:AllowanceCharge>`;
    const per = (quantity: string) => ({ after: `<b:BaseQuantity>${quantity}</b:BaseQuantity>` });

    it('has the unit price where a price for several is given', () => {
      // 200 at 50,00 per hundred: 100,00.
      const told = { quantity: '200', price: '0.5', addsUp: true, confianza: 0.99 };
      expect(ubl('200', '50', per('100'))).toMatchObject(told);
      expect(ubl('2', '50.00', per('1.0'))).toMatchObject({ quantity: '2', price: '50' });
      const cii = CII.replace('>2<', '>200<').replace(
        '</r:ChargeAmount>',
        '</r:ChargeAmount><r:BasisQuantity unitCode="C62">100</r:BasisQuantity>',
      );
      expect(read(cii)?.lineas).toMatchObject([told]);
    });

    it.each([
      [
        'as a per cent',
        '<b:MultiplierFactorNumeric>20</b:MultiplierFactorNumeric><b:Amount>25</b:Amount>',
      ],
      ['as an amount', '<b:Amount>25.00</b:Amount>'],
    ])('has the discount that it states %s', (_, inner) => {
      // 2 × 62,50 = 125,00; less 25,00, which is 20 %, 100,00.
      expect(ubl('2', '62.50', { before: allowance(inner) })).toMatchObject({
        quantity: '2',
        price: '62.50',
        discount: '20',
        confianza: 0.99,
      });
    });

    it('has its discounts in Factur-X and Facturae too, combined into one', () => {
      const cii = CII.replace('>50.00<', '>62.50<').replace(
        '<r:SpecifiedTradeSettlementLineMonetarySummation>',
        '<r:SpecifiedTradeAllowanceCharge><r:ChargeIndicator><u:Indicator>false</u:Indicator></r:ChargeIndicator><r:ActualAmount>25.00</r:ActualAmount></r:SpecifiedTradeAllowanceCharge><r:SpecifiedTradeSettlementLineMonetarySummation>',
      );
      expect(read(cii)?.lineas).toMatchObject([{ price: '62.50', discount: '20' }]);
      // 12 % and 8 % of 125,00: 15,00 + 10,00.
      const discounts = ['12.0000', '8.0000']
        .map((rate) => `<Discount><DiscountRate>${rate}</DiscountRate></Discount>`)
        .join('');
      const facturae = FACTURAE.replace('>50.000000<', '>62.500000<').replace(
        '<GrossAmount>',
        `<DiscountsAndRebates>${discounts}</DiscountsAndRebates><GrossAmount>`,
      );
      expect(read(facturae)?.lineas).toMatchObject([{ discount: '20', confianza: 0.99 }]);
    });

    it.each([
      ['a charge', ubl('2', '40', { before: allowance('<b:Amount>20</b:Amount>', true) })],
      ['no reason', ubl('2', '60')],
      ['a price that does not end', ubl('6', '50', per('3'))],
      ['decimals that a draft has not', ubl('3000', '0.03333333')],
      ['no price', ubl('2', '')],
      [
        'a discount of no whole per cent',
        ubl('1', '300', { before: allowance('<b:Amount>200</b:Amount>') }),
      ],
    ])(
      'becomes one unit at its total, to be looked at, if its figures do not produce that: %s',
      (_, line) => {
        expect(line).toMatchObject({
          quantity: '1',
          price: '100',
          addsUp: true,
          totalCents: 10_000n,
        });
        expect(line).not.toHaveProperty('discount');
        expect(line?.confianza).toBeLessThan(0.8);
      },
    );

    it('keeps its sign', () => {
      const line = read(UBL.replace(UBL_LINE, UBL_LINE.replace('>100.00<', '>-100.00<')))?.lineas;
      expect(line).toMatchObject([{ quantity: '-1', price: '100', totalCents: -10_000n }]);
    });
  });

  it('reports amounts that do not add up, and changes none', () => {
    const reading = read(UBL.replace('>121.00<', '>130.00<'));
    expect(reading?.cuadra).toBe(false);
    expect(reading?.campos.total?.valor).toBe(13_000n);
  });

  it.each([
    ['entities', `<!DOCTYPE x [<!ENTITY a "aaaa">]>${UBL.replace('F26-0007', '&a;')}`],
    ['another document', '<Order><ID>1</ID></Order>'],
    ['broken XML', '<Invoice><ID>1</Invoice>'],
    ['no XML', 'hola'],
    ['nothing', ''],
  ])('ignores %s', (_what, xml) => {
    expect(read(xml)).toBeNull();
  });
});
