/** A one-page invoice as callers send it: inline styles, a table, a logo as SVG. 4 kB. */
export function invoice(number = 'INV-2026-0042'): string {
  const rows = [
    ['Consulting, senior engineer', '12 h', '140.00', '1,680.00'],
    ['Code review of the payment module', '1', '950.00', '950.00'],
    ['Hosting, dedicated server (October)', '1 mo', '189.00', '189.00'],
    ['Domain renewal example.com', '1 yr', '14.50', '14.50'],
    ['On-site workshop “Accessible PDF”, incl. materials', '2 d', '1,200.00', '2,400.00'],
    ['Support contract, bronze', '1 mo', '99.00', '99.00'],
  ];
  const cells = rows
    .map(
      ([what, count, price, total], index) =>
        `<tr><td>${index + 1}</td><td>${what}</td><td class="n">${count}</td><td class="n">€ ${price}</td><td class="n">€ ${total}</td></tr>`,
    )
    .join('\n');
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Invoice ${number}</title>
<style>
  * { box-sizing: border-box; }
  body { font: 10pt/1.45 Helvetica, Arial, sans-serif; color: #1d2733; margin: 0; }
  header { display: flex; justify-content: space-between; align-items: flex-start; border-bottom: 3px solid #1c5d99; padding-bottom: 12px; }
  h1 { font-size: 20pt; margin: 0; color: #1c5d99; letter-spacing: .5px; }
  address { font-style: normal; text-align: right; font-size: 9pt; color: #56616e; }
  .parties { display: grid; grid-template-columns: 1fr 1fr; gap: 24px; margin: 24px 0; }
  .parties h2 { font-size: 8pt; text-transform: uppercase; letter-spacing: 1px; color: #8a94a0; margin: 0 0 4px; }
  dl { display: grid; grid-template-columns: auto auto; gap: 2px 12px; margin: 0; justify-content: start; }
  dt { color: #8a94a0; } dd { margin: 0; font-weight: bold; }
  table { width: 100%; border-collapse: collapse; margin-top: 12px; }
  thead th { background: #1c5d99; color: white; text-align: left; padding: 7px 8px; font-size: 9pt; }
  tbody td { padding: 7px 8px; border-bottom: 1px solid #e1e6eb; }
  tbody tr:nth-child(even) td { background: #f5f8fa; }
  .n { text-align: right; font-variant-numeric: tabular-nums; }
  tfoot td { padding: 5px 8px; } tfoot tr:last-child td { font-size: 12pt; font-weight: bold; border-top: 2px solid #1c5d99; }
  .note { margin-top: 28px; padding: 10px 14px; background: #fff8e1; border-left: 4px solid #f0b429; font-size: 9pt; border-radius: 0 4px 4px 0; }
</style>
</head>
<body>
<header>
  <div><svg width="44" height="44" viewBox="0 0 44 44" role="img" aria-label="Logo"><defs><linearGradient id="g"><stop stop-color="#1c5d99"/><stop offset="1" stop-color="#4fb0c6"/></linearGradient></defs><circle cx="22" cy="22" r="21" fill="url(#g)"/><path d="M12 30 20 14l6 9 4-5 4 12z" fill="white"/></svg><h1>Invoice</h1></div>
  <address><strong>North Ridge Software GmbH</strong><br>Hauptstraße 7, 10827 Berlin<br>VAT DE123456789<br>billing@example.com</address>
</header>
<section class="parties">
  <div><h2>Bill to</h2><strong>Müller &amp; Søn A/S</strong><br>Nørregade 12<br>1165 København K<br>Denmark</div>
  <dl><dt>Number</dt><dd>${number}</dd><dt>Date</dt><dd>21 November 2026</dd><dt>Due</dt><dd>5 December 2026</dd><dt>Reference</dt><dd>PO-88123</dd></dl>
</section>
<table>
<thead><tr><th>#</th><th>Description</th><th class="n">Qty</th><th class="n">Price</th><th class="n">Amount</th></tr></thead>
<tbody>
${cells}
</tbody>
<tfoot>
<tr><td colspan="4" class="n">Subtotal</td><td class="n">€ 5,332.50</td></tr>
<tr><td colspan="4" class="n">VAT 19 %</td><td class="n">€ 1,013.18</td></tr>
<tr><td colspan="4" class="n">Total</td><td class="n">€ 6,345.68</td></tr>
</tfoot>
</table>
<p class="note">Payable within 14 days without deduction. IBAN DE02 1203 0000 0000 2020 51, BIC BYLADEM1001.</p>
</body>
</html>`;
}
