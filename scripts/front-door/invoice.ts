/** The document of the PDF example: an invoice of two pages. */

const LINES = [
  ['Validation of addresses', '20,000', '40.00'],
  ['Page metadata', '9,400', '29.00'],
  ['PDF rendering', '12,000', '9.60'],
];

const TERMS = [
  'Payment is due within 14 days of the date of this invoice, without deduction.',
  'Prices are in euros and include the statutory value-added tax. The place of performance is Portsmouth.',
  'Please give the number of the invoice with your payment. Amounts that are not disputed within 30 days are taken as accepted.',
  'Usage is counted per request, as shown in the dashboard of your account at the end of the month.',
  'Rejected requests are not charged. Questions: billing@example.com.',
];

/** The body of the request. */
export const INVOICE = {
  html: `<h1>Invoice</h1>
<p>No. 2026-118 · 21 November 2026</p>
<p>Ann Example<br>12 Long Street<br>Springfield</p>
<table>
<thead><tr><th>Item<th>Quantity<th>Amount</thead>
${LINES.map((cells) => `<tr><td>${cells.join('<td>')}`).join('\n')}
<tfoot><tr><td>Total<td><td>78.60</tfoot>
</table>
<p>Payable within 14 days. Thank you!</p>
<section><h2>Terms</h2>${TERMS.map((term) => `<p>${term}</p>`).join('')}</section>`,
  css: `body { font: 10.5pt/1.55 sans-serif; color: #14171a }
h1 { margin: 6mm 0 1mm; font-size: 27pt; letter-spacing: -0.03em }
h1::before { content: ''; display: block; width: 15mm; height: 5mm; margin-bottom: 9mm; background: #c8f23c }
table { width: 100%; margin: 10mm 0; border-collapse: collapse }
th, td { padding: 2.2mm 0; border-bottom: .2mm solid #ddd; text-align: left }
thead th { border-color: #14171a }
:is(td, th):nth-child(n+2) { text-align: right }
tfoot td { font-weight: bold; border: 0 }
section { break-before: page }
h2 { font-size: 14pt }`,
  footer_html:
    '<div style="text-align:center;font:8pt sans-serif;color:#555">Page {{page}} of {{pages}}</div>',
};
