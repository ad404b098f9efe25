import type { Sample, SampleLine, SampleParty } from './invoice-sample.ts';

/** The same invoice as the files that other programs attach to their PDF. */
export const XML_FORMATS: Readonly<
  Record<string, { readonly name: string; readonly write: (sample: Sample) => string }>
> = {
  Facturae: { name: 'factura.xsig', write: facturae },
  UBL: { name: 'factura-ubl.xml', write: ubl },
  'Factur-X': { name: 'factur-x.xml', write: cii },
};

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';
const euro = (cents: number) =>
  `${cents < 0 ? '-' : ''}${Math.floor(Math.abs(cents) / 100)}.${String(Math.abs(cents) % 100).padStart(2, '0')}`;
const escaped = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
const each = <T>(list: readonly T[], write: (one: T, i: number) => string) =>
  list.map(write).join('');
const postCode = ({ town }: SampleParty) => town.slice(0, 5);
const townName = ({ town }: SampleParty) => town.slice(6);
const gross = ({ quantity, priceCents }: SampleLine) => Math.round(quantity * priceCents);

/** Facturae 3.2.2, in the order of its schema; what is optional and not read is left out. */
function facturae(sample: Sample): string {
  const code = sample.tax === 'IGIC' ? '03' : '01';
  const outputs = sample.quotaCents + sample.recargoCents;
  const party = (tag: string, one: SampleParty) =>
    `<${tag}><TaxIdentification><PersonTypeCode>J</PersonTypeCode><ResidenceTypeCode>R</ResidenceTypeCode><TaxIdentificationNumber>${one.nif}</TaxIdentificationNumber></TaxIdentification>` +
    `<LegalEntity><CorporateName>${escaped(one.name)}</CorporateName><AddressInSpain><Address>${escaped(one.street)}</Address><PostCode>${postCode(one)}</PostCode><Town>${escaped(townName(one))}</Town><Province>${escaped(townName(one))}</Province><CountryCode>ESP</CountryCode></AddressInSpain></LegalEntity></${tag}>`;
  return `${HEAD}<fe:Facturae xmlns:fe="http://www.facturae.gob.es/formato/Versiones/Facturaev3_2_2.xml"><FileHeader><SchemaVersion>3.2.2</SchemaVersion></FileHeader>
<Parties>${party('SellerParty', sample.issuer)}${party('BuyerParty', sample.client)}</Parties><Invoices><Invoice>
<InvoiceHeader><InvoiceNumber>${sample.number}</InvoiceNumber>${sample.rectifies ? `<Corrective><InvoiceNumber>${sample.rectifies}</InvoiceNumber></Corrective>` : ''}</InvoiceHeader>
<InvoiceIssueData><IssueDate>${sample.date}</IssueDate></InvoiceIssueData>
<TaxesOutputs>${each(
    sample.groups,
    (group) =>
      `<Tax><TaxTypeCode>${code}</TaxTypeCode><TaxRate>${group.rate.toFixed(2)}</TaxRate><TaxableBase><TotalAmount>${euro(group.baseCents)}</TotalAmount></TaxableBase><TaxAmount><TotalAmount>${euro(group.quotaCents)}</TotalAmount></TaxAmount>${
        group.recargo
          ? `<EquivalenceSurcharge>${group.recargo.toFixed(2)}</EquivalenceSurcharge><EquivalenceSurchargeAmount><TotalAmount>${euro(group.recargoCents)}</TotalAmount></EquivalenceSurchargeAmount>`
          : ''
      }</Tax>`,
  )}</TaxesOutputs>${
    sample.irpf
      ? `<TaxesWithheld><Tax><TaxTypeCode>04</TaxTypeCode><TaxRate>${sample.irpf.toFixed(2)}</TaxRate><TaxableBase><TotalAmount>${euro(sample.baseCents)}</TotalAmount></TaxableBase><TaxAmount><TotalAmount>${euro(sample.irpfCents)}</TotalAmount></TaxAmount></Tax></TaxesWithheld>`
      : ''
  }<InvoiceTotals><TotalGrossAmount>${euro(sample.baseCents)}</TotalGrossAmount><TotalGrossAmountBeforeTaxes>${euro(sample.baseCents)}</TotalGrossAmountBeforeTaxes><TotalTaxOutputs>${euro(outputs)}</TotalTaxOutputs><TotalTaxesWithheld>${euro(sample.irpfCents)}</TotalTaxesWithheld><InvoiceTotal>${euro(sample.totalCents - sample.irpfCents)}</InvoiceTotal></InvoiceTotals>
<Items>${each(
    sample.lines,
    (line) =>
      `<InvoiceLine><ItemDescription>${escaped(line.description)}</ItemDescription><Quantity>${line.quantity}</Quantity><UnitPriceWithoutTax>${euro(line.priceCents)}</UnitPriceWithoutTax><TotalCost>${euro(gross(line))}</TotalCost>${
        line.discount
          ? `<DiscountsAndRebates><Discount><DiscountReason>Descuento</DiscountReason><DiscountRate>${line.discount.toFixed(4)}</DiscountRate><DiscountAmount>${euro(gross(line) - line.totalCents)}</DiscountAmount></Discount></DiscountsAndRebates>`
          : ''
      }<GrossAmount>${euro(line.totalCents)}</GrossAmount><TaxesOutputs><Tax><TaxTypeCode>${code}</TaxTypeCode><TaxRate>${line.rate.toFixed(2)}</TaxRate></Tax></TaxesOutputs></InvoiceLine>`,
  )}</Items></Invoice></Invoices></fe:Facturae>`;
}

/** UBL 2.1. It has no recargo nor IGIC of its own: they are further taxes. */
function ubl(sample: Sample): string {
  const party = (tag: string, one: SampleParty) =>
    `<cac:${tag}><cac:Party><cac:PostalAddress><cbc:StreetName>${escaped(one.street)}</cbc:StreetName><cbc:CityName>${escaped(townName(one))}</cbc:CityName><cbc:PostalZone>${postCode(one)}</cbc:PostalZone></cac:PostalAddress><cac:PartyTaxScheme><cbc:CompanyID>ES${one.nif}</cbc:CompanyID></cac:PartyTaxScheme><cac:PartyLegalEntity><cbc:RegistrationName>${escaped(one.name)}</cbc:RegistrationName></cac:PartyLegalEntity></cac:Party></cac:${tag}>`;
  return `${HEAD}<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2" xmlns:cac="urn:cac" xmlns:cbc="urn:cbc"><cbc:ID>${sample.number}</cbc:ID><cbc:IssueDate>${sample.date}</cbc:IssueDate>
${party('AccountingSupplierParty', sample.issuer)}${party('AccountingCustomerParty', sample.client)}
<cac:TaxTotal><cbc:TaxAmount>${euro(sample.quotaCents)}</cbc:TaxAmount>${each(
    sample.groups,
    (group) =>
      `<cac:TaxSubtotal><cbc:TaxableAmount>${euro(group.baseCents)}</cbc:TaxableAmount><cbc:TaxAmount>${euro(group.quotaCents)}</cbc:TaxAmount><cac:TaxCategory><cbc:Percent>${group.rate}</cbc:Percent></cac:TaxCategory></cac:TaxSubtotal>`,
  )}</cac:TaxTotal>${
    sample.irpf
      ? `<cac:WithholdingTaxTotal><cbc:TaxAmount>${euro(sample.irpfCents)}</cbc:TaxAmount><cac:TaxSubtotal><cac:TaxCategory><cbc:Percent>${sample.irpf}</cbc:Percent></cac:TaxCategory></cac:TaxSubtotal></cac:WithholdingTaxTotal>`
      : ''
  }<cac:LegalMonetaryTotal><cbc:TaxExclusiveAmount>${euro(sample.baseCents)}</cbc:TaxExclusiveAmount><cbc:TaxInclusiveAmount>${euro(sample.totalCents)}</cbc:TaxInclusiveAmount></cac:LegalMonetaryTotal>
${each(
  sample.lines,
  (line, i) =>
    `<cac:InvoiceLine><cbc:ID>${i + 1}</cbc:ID><cbc:InvoicedQuantity>${line.quantity}</cbc:InvoicedQuantity><cbc:LineExtensionAmount>${euro(line.totalCents)}</cbc:LineExtensionAmount><cac:Item><cbc:Name>${escaped(line.description)}</cbc:Name><cac:ClassifiedTaxCategory><cbc:Percent>${line.rate}</cbc:Percent></cac:ClassifiedTaxCategory></cac:Item><cac:Price><cbc:PriceAmount>${euro(line.priceCents)}</cbc:PriceAmount></cac:Price></cac:InvoiceLine>`,
)}</Invoice>`;
}

/** Cross Industry Invoice, as Factur-X and ZUGFeRD embed it. It withholds nothing. */
function cii(sample: Sample): string {
  const party = (tag: string, one: SampleParty) =>
    `<ram:${tag}><ram:Name>${escaped(one.name)}</ram:Name><ram:PostalTradeAddress><ram:PostcodeCode>${postCode(one)}</ram:PostcodeCode><ram:LineOne>${escaped(one.street)}</ram:LineOne><ram:CityName>${escaped(townName(one))}</ram:CityName></ram:PostalTradeAddress><ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">ES${one.nif}</ram:ID></ram:SpecifiedTaxRegistration></ram:${tag}>`;
  return `${HEAD}<rsm:CrossIndustryInvoice xmlns:rsm="urn:rsm" xmlns:ram="urn:ram" xmlns:udt="urn:udt"><rsm:ExchangedDocument><ram:ID>${sample.number}</ram:ID><ram:TypeCode>${sample.rectifies ? 381 : 380}</ram:TypeCode><ram:IssueDateTime><udt:DateTimeString format="102">${sample.date.replaceAll('-', '')}</udt:DateTimeString></ram:IssueDateTime></rsm:ExchangedDocument>
<rsm:SupplyChainTradeTransaction>${each(
    sample.lines,
    (line) =>
      `<ram:IncludedSupplyChainTradeLineItem><ram:SpecifiedTradeProduct><ram:Name>${escaped(line.description)}</ram:Name></ram:SpecifiedTradeProduct><ram:SpecifiedLineTradeAgreement><ram:NetPriceProductTradePrice><ram:ChargeAmount>${euro(line.priceCents)}</ram:ChargeAmount></ram:NetPriceProductTradePrice></ram:SpecifiedLineTradeAgreement><ram:SpecifiedLineTradeDelivery><ram:BilledQuantity unitCode="C62">${line.quantity}</ram:BilledQuantity></ram:SpecifiedLineTradeDelivery><ram:SpecifiedLineTradeSettlement><ram:ApplicableTradeTax><ram:RateApplicablePercent>${line.rate}</ram:RateApplicablePercent></ram:ApplicableTradeTax><ram:SpecifiedTradeSettlementLineMonetarySummation><ram:LineTotalAmount>${euro(line.totalCents)}</ram:LineTotalAmount></ram:SpecifiedTradeSettlementLineMonetarySummation></ram:SpecifiedLineTradeSettlement></ram:IncludedSupplyChainTradeLineItem>`,
  )}<ram:ApplicableHeaderTradeAgreement>${party('SellerTradeParty', sample.issuer)}${party('BuyerTradeParty', sample.client)}</ram:ApplicableHeaderTradeAgreement>
<ram:ApplicableHeaderTradeSettlement>${each(
    sample.groups,
    (group) =>
      `<ram:ApplicableTradeTax><ram:CalculatedAmount>${euro(group.quotaCents)}</ram:CalculatedAmount><ram:BasisAmount>${euro(group.baseCents)}</ram:BasisAmount><ram:RateApplicablePercent>${group.rate}</ram:RateApplicablePercent></ram:ApplicableTradeTax>`,
  )}<ram:SpecifiedTradeSettlementHeaderMonetarySummation><ram:TaxBasisTotalAmount>${euro(sample.baseCents)}</ram:TaxBasisTotalAmount><ram:GrandTotalAmount>${euro(sample.totalCents)}</ram:GrandTotalAmount></ram:SpecifiedTradeSettlementHeaderMonetarySummation></ram:ApplicableHeaderTradeSettlement></rsm:SupplyChainTradeTransaction></rsm:CrossIndustryInvoice>`;
}
