/** Examples of PDF requests. A test sends each of them to the service. */

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

export const PDF_REQUESTS = {
  invoice: {
    summary: 'An invoice with the number of each page',
    value: {
      html: '<h1>Invoice 2026-117</h1><p>Total: 1,240.00 EUR</p>',
      footer_html: 'Page {{page}} of {{pages}}',
      filename: 'invoice.pdf',
    },
  },
  landscape: {
    summary: 'A landscape sheet with a style of its own',
    value: {
      html: '<table><tr><th>Month</th><td>May</td></tr><tr><th>Visitors</th><td>1,204</td></tr></table>',
      css: 'body { font: 11pt sans-serif }',
      page_size: 'Letter',
      orientation: 'landscape',
      margin_top: '1in',
      title: 'Visitors in May',
      lang: 'en',
      tagged: true,
    },
  },
  documents: {
    summary: 'Several documents in one PDF, with a letterhead on the first page',
    value: {
      html: '<h1>Offer 2026-31</h1><p>Two years of support: 4,800.00 EUR</p>',
      more_documents: [
        { html: '<h1>Terms</h1><p>The offer is valid for 30 days.</p>' },
        { html: '<h1>Schedule</h1>', page_size: 'A3', orientation: 'landscape' },
      ],
      first_header_html: '<b>Example Ltd</b>, 1 Main Street',
      header_html: '<p>{{title}}</p>',
      footer_html: 'Page {{page}} of {{pages}}',
      watermark_html: '<p style="font-size: 90pt; color: #ddd">Draft</p>',
      title: 'Offer 2026-31',
    },
  },
  template: {
    summary: 'A template that is filled with data',
    value: {
      html: '<h1>Invoice for {{ customer }}</h1><ul>{% for item in items %}<li>{{ item.name }}: {{ item.price }} EUR</li>{% endfor %}</ul>',
      template: 'liquid',
      data: {
        customer: 'Müller & Sons',
        items: [
          { name: 'Paper', price: 12 },
          { name: 'Ink', price: 30 },
        ],
      },
    },
  },
  protected: {
    summary: 'A PDF with a password, and a file inside',
    value: {
      html: '<h1>Salaries</h1>',
      attachments: [
        { name: 'salaries.csv', media_type: 'text/csv', base64: 'bmFtZTthbW91bnQK', relationship: 'data' },
      ],
      author: 'Example Ltd',
      keywords: ['salaries', '2026'],
      password: 'open sesame',
      owner_password: 'correct horse',
      permissions: ['print'],
    },
  },
  electronic_invoice: {
    summary: 'An electronic invoice (Factur-X, profile MINIMUM)',
    value: {
      html: '<!DOCTYPE html><html lang="en"><title>Invoice 2026-117</title><h1>Invoice 2026-117</h1><p>Total: 119.00 EUR</p>',
      facturx: { xml: MINIMUM_INVOICE, profile: 'MINIMUM' },
      lang: 'en',
      title: 'Invoice 2026-117',
    },
  },
};

/** Responses: a PDF is binary, and JSON can only show how it starts. */
export const PDF_RESULTS = {
  invoice: { summary: 'The first bytes of the PDF', value: '%PDF-1.4\n' },
};
