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

  it('reads what Facturae withholds and where the client lives', () => {
    const reading = read(FACTURAE);
    expect(reading?.retencionBps).toBe(1_500n);
    expect(reading?.campos.retencion?.valor).toBe(1_500n);
    expect(reading?.campos.direccionCliente?.valor).toBe('Calle Mayor, 1, 28013 Madrid');
  });

  it('takes an operation without a rate for one at 0 %, and not for one whose rate is unknown', () => {
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
    'tells the taxes of the Canaries, Ceuta and Melilla by their category in %s',
    (_, xml, tax) => {
      expect(read(xml)?.impuesto).toBe(tax);
    },
  );

  it('says that amounts do not add up, and changes none', () => {
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
  ])('leaves %s alone', (_what, xml) => {
    expect(read(xml)).toBeNull();
  });
});
