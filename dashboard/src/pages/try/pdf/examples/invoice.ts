/** An invoice: a table whose head repeats on each page, and a second page with terms. */
import type { PdfExample } from './pdf-example.ts';

export const INVOICE: PdfExample = {
  name: 'Invoice',
  texts: {
    html: `<!doctype html>
<html lang="en">
<title>Invoice 2026-118</title>

<header>
  <h1>Invoice</h1>
  <p>No. 2026-118 · 21 November 2026</p>
</header>

<address>
  Ann Example<br>
  12 Long Street<br>
  Springfield
</address>

<table>
  <thead>
    <tr><th>Item</th><th class="n">Quantity</th><th class="n">Amount</th></tr>
  </thead>
  <tbody>
    <tr><td>Validation of addresses</td><td class="n">20,000</td><td class="n">40.00</td></tr>
    <tr><td>Page metadata</td><td class="n">9,400</td><td class="n">29.00</td></tr>
    <tr><td>PDF rendering</td><td class="n">12,000</td><td class="n">9.60</td></tr>
  </tbody>
  <tfoot>
    <tr><th>Total</th><td></td><th class="n">78.60</th></tr>
  </tfoot>
</table>
<p>Payable within 14 days. Thank you!</p>

<section class="terms">
  <h2>Terms</h2>
  <p>Amounts are in euros and without VAT. Late payments cost 5% a year.</p>
</section>
`,
    css: `body { font: 10pt/1.5 Inter, Arial, sans-serif; color: #222 }
h1 { font-size: 22pt; margin: 0 }
header p { margin: 0 }
address { margin: 10mm 0; font-style: normal }
table { width: 100%; border-collapse: collapse }
th, td { padding: 2mm 0; text-align: left; border-bottom: .3mm solid #ddd }
thead th { border-bottom: .5mm solid #222 }
.n { text-align: right; font-variant-numeric: tabular-nums }
tr { break-inside: avoid }
.terms { break-before: page }
`,
    header_html: '',
    footer_html: `<div style="text-align: center; font: 8pt sans-serif; color: #666">
  Page {{page}} of {{pages}}
</div>
`,
  },
  options: {},
};
