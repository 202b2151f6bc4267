/** Examples of PDF requests. A test sends each of them to the service. */
import { PDF_OPTIONS } from '#pdf/request';

/** The XML of an invoice with the members that the profile MINIMUM requires. */
const MINIMUM_INVOICE = [
  '<?xml version="1.0" encoding="UTF-8"?>',
  '<rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100" xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100" xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100">',
  '<rsm:ExchangedDocumentContext><ram:GuidelineSpecifiedDocumentContextParameter><ram:ID>urn:factur-x.eu:1p0:minimum</ram:ID></ram:GuidelineSpecifiedDocumentContextParameter></rsm:ExchangedDocumentContext>',
  '<rsm:ExchangedDocument><ram:ID>2026-117</ram:ID><ram:TypeCode>380</ram:TypeCode><ram:IssueDateTime><udt:DateTimeString format="102">20261123</udt:DateTimeString></ram:IssueDateTime></rsm:ExchangedDocument>',
  '<rsm:SupplyChainTradeTransaction>',
  '<ram:ApplicableHeaderTradeAgreement>',
  '<ram:SellerTradeParty><ram:Name>Example Ltd</ram:Name><ram:PostalTradeAddress><ram:CountryID>DE</ram:CountryID></ram:PostalTradeAddress><ram:SpecifiedTaxRegistration><ram:ID schemeID="VA">DE123456789</ram:ID></ram:SpecifiedTaxRegistration></ram:SellerTradeParty>',
  '<ram:BuyerTradeParty><ram:Name>Lovelace and Co</ram:Name></ram:BuyerTradeParty>',
  '</ram:ApplicableHeaderTradeAgreement>',
  '<ram:ApplicableHeaderTradeDelivery/>',
  '<ram:ApplicableHeaderTradeSettlement><ram:InvoiceCurrencyCode>EUR</ram:InvoiceCurrencyCode><ram:SpecifiedTradeSettlementHeaderMonetarySummation><ram:TaxBasisTotalAmount>100.00</ram:TaxBasisTotalAmount><ram:TaxTotalAmount currencyID="EUR">19.00</ram:TaxTotalAmount><ram:GrandTotalAmount>119.00</ram:GrandTotalAmount><ram:DuePayableAmount>119.00</ram:DuePayableAmount></ram:SpecifiedTradeSettlementHeaderMonetarySummation></ram:ApplicableHeaderTradeSettlement>',
  '</rsm:SupplyChainTradeTransaction>',
  '</rsm:CrossIndustryInvoice>',
].join('\n');

/** Returns the examples of options. */
function take(...names: (keyof typeof PDF_OPTIONS)[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, PDF_OPTIONS[name].example]));
}

export const PDF_REQUESTS = {
  invoice: {
    summary: 'An invoice with the number of each page',
    value: take('html', 'footer_html', 'filename'),
  },
  landscape: {
    summary: 'A landscape sheet with a style of its own',
    value: {
      lang: 'en',
      ...take('html', 'css', 'page_size', 'orientation', 'margin_top', 'title', 'tagged'),
    },
  },
  documents: {
    summary: 'Several documents in one PDF, with a letterhead on the first page',
    value: take(
      'html',
      'more_documents',
      'first_header_html',
      'header_html',
      'footer_html',
      'watermark_html',
    ),
  },
  template: {
    summary: 'A template that is filled with data',
    value: { html: '<h1>Invoice for {{ customer }}</h1><p>{{ total }} EUR</p>', ...take('template', 'data') },
  },
  protected: {
    summary: 'A PDF with a password, and a file inside',
    value: take('html', 'attachments', 'author', 'keywords', 'password', 'owner_password', 'permissions'),
  },
  electronic_invoice: {
    summary: 'An electronic invoice (Factur-X, profile MINIMUM)',
    value: {
      html: '<!DOCTYPE html><html lang="en"><title>Invoice 2026-117</title><h1>Invoice 2026-117</h1>',
      facturx: { xml: MINIMUM_INVOICE, profile: 'MINIMUM' },
      lang: 'en',
      ...take('title'),
    },
  },
};

/** Responses: a PDF is binary, and JSON can only show how it starts. */
export const PDF_RESULTS = {
  invoice: { summary: 'The first bytes of the PDF', value: '%PDF-1.4\n' },
};
