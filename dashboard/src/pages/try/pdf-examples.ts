/** Example documents. */

/** One example: a name and the request's members. */
export interface PdfExample {
  name: string;
  html: string;
  css: string;
  footer_html: string;
}

const INVOICE_LINES = [
  ['Validation of 20,000 addresses', '1', '40.00'],
  ['Page metadata, monthly plan', '1', '29.00'],
  ['PDF rendering, per thousand', '12', '9.60'],
];

/** All examples. The form starts with the first one. */
export const PDF_EXAMPLES: readonly PdfExample[] = [
  {
    name: 'Invoice',
    html: `<!doctype html>
<title>Invoice 2026-118</title>
<header><h1>Invoice</h1><p>No. 2026-118 · 21 November 2026</p></header>
<p>Ann Example<br>12 Long Street<br>Springfield</p>
<table>
  <thead><tr><th>Item<th>Quantity<th>Amount</thead>
  <tbody>
${INVOICE_LINES.map(([item, quantity, amount]) => `    <tr><td>${item}<td>${quantity}<td>${amount}`).join('\n')}
  </tbody>
  <tfoot><tr><td>Total<td><td>78.60</tfoot>
</table>
<p>Payable within 14 days. Thank you!</p>`,
    css: `body { font: 11pt/1.5 sans-serif; color: #1c2230 }
h1 { color: #4954cc; margin: 0 }
table { width: 100%; border-collapse: collapse; margin: 8mm 0 }
th, td { text-align: left; padding: 2mm; border-bottom: .3mm solid #ccd }
td:nth-child(n+2), th:nth-child(n+2) { text-align: right }
tfoot { font-weight: bold }`,
    footer_html: '<div style="text-align:center">Page {{page}} of {{pages}}</div>',
  },
  {
    name: 'Letter',
    html: `<!doctype html>
<title>Letter</title>
<p class="from">Utility Works · 3 Harbor Road · Portsmouth</p>
<p>Dear Ann,</p>
<p>this letter was created from HTML. Its margins, its page size and its footer came with the request, and its text
flows over as many pages as it needs.</p>
<p>Yours,<br>The Utility API</p>`,
    css: 'body { font: 12pt/1.6 serif }\n.from { font-size: 9pt; color: #556; margin-bottom: 30mm }',
    footer_html: '',
  },
  { name: 'Empty', html: '', css: '', footer_html: '' },
];
