/** Electronic invoices of each profile, which keep the business rules of EN 16931 and XRechnung 3.0. */
import type { InvoiceProfile } from '../../../src/pdf/finish/finishing.ts';

export interface InvoiceLine {
  name: string;
  quantity: number;
  /** Cents, without tax. */
  price: number;
}

export interface InvoiceData {
  number: string;
  seller: string;
  buyer: string;
  lines: readonly InvoiceLine[];
}

const GUIDELINES: Record<InvoiceProfile, string> = {
  MINIMUM: 'urn:factur-x.eu:1p0:minimum',
  'BASIC WL': 'urn:factur-x.eu:1p0:basicwl',
  BASIC: 'urn:cen.eu:en16931:2017#compliant#urn:factur-x.eu:1p0:basic',
  'EN 16931': 'urn:cen.eu:en16931:2017',
  EXTENDED: 'urn:cen.eu:en16931:2017#conformant#urn:factur-x.eu:1p0:extended',
  XRECHNUNG: 'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0',
};
const TAX_PERCENT = 19;

/** The parts of an invoice that a profile has: each has all of those before it. */
type Level = 0 | 1 | 2 | 3;
const LEVELS: Record<InvoiceProfile, Level> = {
  MINIMUM: 0,
  'BASIC WL': 1,
  BASIC: 2,
  'EN 16931': 3,
  EXTENDED: 3,
  XRECHNUNG: 3,
};

/** Formats an invoice in euros with 19 % VAT. */
export function formatInvoiceXml(profile: InvoiceProfile, data: InvoiceData): string {
  const level = LEVELS[profile];
  const process =
    profile === 'XRECHNUNG'
      ? '<ram:BusinessProcessSpecifiedDocumentContextParameter><ram:ID>urn:fdc:peppol.eu:2017:poacc:billing:01:1.0</ram:ID></ram:BusinessProcessSpecifiedDocumentContextParameter>'
      : '';
  return `<?xml version="1.0" encoding="UTF-8"?>
<rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100" xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100" xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100">
<rsm:ExchangedDocumentContext>${process}<ram:GuidelineSpecifiedDocumentContextParameter><ram:ID>${GUIDELINES[profile]}</ram:ID></ram:GuidelineSpecifiedDocumentContextParameter></rsm:ExchangedDocumentContext>
<rsm:ExchangedDocument><ram:ID>${escape(data.number)}</ram:ID><ram:TypeCode>380</ram:TypeCode><ram:IssueDateTime>${date('20261102')}</ram:IssueDateTime></rsm:ExchangedDocument>
<rsm:SupplyChainTradeTransaction>
${level >= 2 ? data.lines.map(formatLine).join('\n') : ''}
<ram:ApplicableHeaderTradeAgreement><ram:BuyerReference>04011000-12345-34</ram:BuyerReference>${formatSeller(data.seller, level)}${formatBuyer(data.buyer, level)}</ram:ApplicableHeaderTradeAgreement>
<ram:ApplicableHeaderTradeDelivery>${level >= 1 ? `<ram:ActualDeliverySupplyChainEvent><ram:OccurrenceDateTime>${date('20261031')}</ram:OccurrenceDateTime></ram:ActualDeliverySupplyChainEvent>` : ''}</ram:ApplicableHeaderTradeDelivery>
${formatSettlement(data.lines, level)}
</rsm:SupplyChainTradeTransaction>
</rsm:CrossIndustryInvoice>
`;
}

function formatLine({ name, quantity, price }: InvoiceLine, index: number): string {
  return `<ram:IncludedSupplyChainTradeLineItem><ram:AssociatedDocumentLineDocument><ram:LineID>${index + 1}</ram:LineID></ram:AssociatedDocumentLineDocument><ram:SpecifiedTradeProduct><ram:Name>${escape(name)}</ram:Name></ram:SpecifiedTradeProduct><ram:SpecifiedLineTradeAgreement><ram:NetPriceProductTradePrice><ram:ChargeAmount>${amount(price)}</ram:ChargeAmount></ram:NetPriceProductTradePrice></ram:SpecifiedLineTradeAgreement><ram:SpecifiedLineTradeDelivery><ram:BilledQuantity unitCode="C62">${quantity}</ram:BilledQuantity></ram:SpecifiedLineTradeDelivery><ram:SpecifiedLineTradeSettlement><ram:ApplicableTradeTax><ram:TypeCode>VAT</ram:TypeCode><ram:CategoryCode>S</ram:CategoryCode><ram:RateApplicablePercent>${TAX_PERCENT}</ram:RateApplicablePercent></ram:ApplicableTradeTax><ram:SpecifiedTradeSettlementLineMonetarySummation><ram:LineTotalAmount>${amount(price * quantity)}</ram:LineTotalAmount></ram:SpecifiedTradeSettlementLineMonetarySummation></ram:SpecifiedLineTradeSettlement></ram:IncludedSupplyChainTradeLineItem>`;
}

function formatSeller(name: string, level: Level): string {
  const contact =
    level >= 3
      ? '<ram:DefinedTradeContact><ram:PersonName>Erika Beispiel</ram:PersonName><ram:TelephoneUniversalCommunication><ram:CompleteNumber>+49 30 1234567</ram:CompleteNumber></ram:TelephoneUniversalCommunication><ram:EmailURIUniversalCommunication><ram:URIID>billing@example.com</ram:URIID></ram:EmailURIUniversalCommunication></ram:DefinedTradeContact>'
      : '';
  const address = level >= 1 ? formatAddress('10827', 'Hauptstraße 7', 'Berlin') : formatCountry('DE');
  return `<ram:SellerTradeParty><ram:Name>${escape(name)}</ram:Name>${contact}${address}${formatEmail('billing@example.com', level)}<ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">DE123456789</ram:ID></ram:SpecifiedTaxRegistration></ram:SellerTradeParty>`;
}

function formatBuyer(name: string, level: Level): string {
  const address = level >= 1 ? formatAddress('20095', 'Marktplatz 1', 'Hamburg') : '';
  return `<ram:BuyerTradeParty><ram:Name>${escape(name)}</ram:Name>${address}${formatEmail('accounts@example.org', level)}</ram:BuyerTradeParty>`;
}

function formatAddress(postcode: string, street: string, city: string): string {
  return `<ram:PostalTradeAddress><ram:PostcodeCode>${postcode}</ram:PostcodeCode><ram:LineOne>${street}</ram:LineOne><ram:CityName>${city}</ram:CityName><ram:CountryID>DE</ram:CountryID></ram:PostalTradeAddress>`;
}

function formatCountry(country: string): string {
  return `<ram:PostalTradeAddress><ram:CountryID>${country}</ram:CountryID></ram:PostalTradeAddress>`;
}

function formatEmail(address: string, level: Level): string {
  if (level < 1) return '';
  return `<ram:URIUniversalCommunication><ram:URIID schemeID="EM">${address}</ram:URIID></ram:URIUniversalCommunication>`;
}

function formatSettlement(lines: readonly InvoiceLine[], level: Level): string {
  const net = lines.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
  const tax = Math.round((net * TAX_PERCENT) / 100);
  const details =
    level >= 1
      ? `<ram:SpecifiedTradeSettlementPaymentMeans><ram:TypeCode>58</ram:TypeCode><ram:PayeePartyCreditorFinancialAccount><ram:IBANID>DE02120300000000202051</ram:IBANID></ram:PayeePartyCreditorFinancialAccount></ram:SpecifiedTradeSettlementPaymentMeans><ram:ApplicableTradeTax><ram:CalculatedAmount>${amount(tax)}</ram:CalculatedAmount><ram:TypeCode>VAT</ram:TypeCode><ram:BasisAmount>${amount(net)}</ram:BasisAmount><ram:CategoryCode>S</ram:CategoryCode><ram:RateApplicablePercent>${TAX_PERCENT}</ram:RateApplicablePercent></ram:ApplicableTradeTax><ram:SpecifiedTradePaymentTerms><ram:DueDateDateTime>${date('20261202')}</ram:DueDateDateTime></ram:SpecifiedTradePaymentTerms>`
      : '';
  const lineTotal =
    level >= 1
      ? `<ram:LineTotalAmount>${amount(net)}</ram:LineTotalAmount><ram:ChargeTotalAmount>0.00</ram:ChargeTotalAmount><ram:AllowanceTotalAmount>0.00</ram:AllowanceTotalAmount>`
      : '';
  return `<ram:ApplicableHeaderTradeSettlement><ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode>${details}<ram:SpecifiedTradeSettlementHeaderMonetarySummation>${lineTotal}<ram:TaxBasisTotalAmount>${amount(net)}</ram:TaxBasisTotalAmount><ram:TaxTotalAmount currencyID="EUR">${amount(tax)}</ram:TaxTotalAmount><ram:GrandTotalAmount>${amount(net + tax)}</ram:GrandTotalAmount>${level >= 1 ? '<ram:TotalPrepaidAmount>0.00</ram:TotalPrepaidAmount>' : ''}<ram:DuePayableAmount>${amount(net + tax)}</ram:DuePayableAmount></ram:SpecifiedTradeSettlementHeaderMonetarySummation></ram:ApplicableHeaderTradeSettlement>`;
}

function amount(cents: number): string {
  return (cents / 100).toFixed(2);
}

function date(text: string): string {
  return `<udt:DateTimeString format="102">${text}</udt:DateTimeString>`;
}

function escape(text: string): string {
  return text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
}
