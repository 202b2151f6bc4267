import { invoice } from './invoice.ts';
import { report } from './report.ts';

const page = (title: string, css: string, body: string): string =>
  `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${css}</style></head><body>${body}</body></html>`;

const rows = (count: number, cell: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => `<tr>${cell(index)}</tr>`).join('');
const TABLE =
  'table{border-collapse:collapse;width:100%}td,th{border:1px solid #ccc;padding:4px 6px;text-align:left}';

/** Documents such as services send them: from a receipt to a report. */
export const REALISTIC: Record<string, string> = {
  invoice: invoice(),
  'another invoice': invoice('INV-2'),
  report: report(2),
  letter: page(
    'Letter',
    'body{font:11pt/1.5 Georgia,serif}address{white-space:pre-line;margin:40px 0}',
    `<address>Ada Lovelace\n12 St James Square\nLondon</address><p>Dear Ms Lovelace,${'<p>We thank you for your letter of the 3rd instant, and beg to reply as follows.'.repeat(6)}<p>Yours faithfully,`,
  ),
  receipt: page(
    'Receipt',
    '@page{size:80mm 200mm;margin:4mm}body{font:9pt monospace;margin:0}hr{border-top:1px dashed}',
    `<center><b>CORNER SHOP</b></center><hr>${'Milk 1l&nbsp;&nbsp;1.09<br>'.repeat(9)}<hr><b>TOTAL 9.81</b>`,
  ),
  'shipping label': page(
    'Label',
    '@page{size:4in 6in;margin:0}body{margin:0;font:14pt Arial}div{border:2px solid;padding:8px;margin:4px}',
    `<div>FROM<br>Warehouse 4</div><div style="font-size:22pt">TO<br>Jörg Häßler<br>80331 München</div><svg width="300" height="90">${Array.from({ length: 60 }, (_, i) => `<rect x="${i * 5}" width="${1 + ((i * 7) % 4)}" height="80"/>`).join('')}</svg>`,
  ),
  certificate: page(
    'Certificate',
    '@page{size:A4 landscape;margin:0}body{margin:0;display:grid;place-items:center;height:100vh;border:12px double goldenrod;box-sizing:border-box;font-family:Times;text-align:center}h1{font-size:48pt;margin:0}',
    '<div><h1>Certificate</h1><p>of completion</p><p style="font-size:24pt">Grace Hopper</p></div>',
  ),
  résumé: page(
    'Résumé',
    'body{display:grid;grid-template-columns:60mm 1fr;font:10pt Arial;margin:0;gap:8mm}aside{background:#263238;color:#fff;padding:6mm;min-height:240mm}h2{border-bottom:2px solid #00897b}',
    `<aside><h1>Alan T.</h1><ul>${'<li>Skill'.repeat(8)}</ul></aside><main>${'<h2>Experience</h2><p>Did things, then other things, at a company.'.repeat(6)}</main>`,
  ),
  'bank statement': page(
    'Statement',
    `body{font:9pt Arial}${TABLE}td:last-child{text-align:right}tr:nth-child(2n){background:#f6f6f6}`,
    `<h1>Statement</h1><table><thead><tr><th>Date<th>Text<th>Amount</thead><tbody>${rows(90, (i) => `<td>2026-11-${String((i % 28) + 1).padStart(2, '0')}<td>Card payment ${i}<td>${(i * 13.37).toFixed(2)}`)}</table>`,
  ),
  timetable: page(
    'Timetable',
    `body{font:8pt Arial}${TABLE}td{height:40px}`,
    `<table>${rows(8, (i) => `<th>${8 + i}:00${'<td>Maths<br>R 12'.repeat(5)}`)}</table>`,
  ),
  menu: page(
    'Menu',
    'body{columns:2;font:11pt Georgia;background:#fffaf0}li{display:flex;list-style:none}li::after{content:"";order:1;flex:1;border-bottom:1px dotted;margin:0 4px}b{order:2}',
    `<h1>Menu</h1><ul>${'<li>Soup of the day<b>7.50</b>'.repeat(24)}</ul>`,
  ),
  contract: page(
    'Contract',
    'body{font:10.5pt/1.6 "Times New Roman"}ol{counter-reset:s}section{counter-increment:p;break-inside:avoid}h2::before{content:"§ "counter(p)" "}',
    Array.from(
      { length: 14 },
      () =>
        `<section><h2>Clause</h2><p>${'The party of the first part shall not unreasonably withhold. '.repeat(6)}</section>`,
    ).join(''),
  ),
  slides: page(
    'Slides',
    '@page{size:254mm 143mm;margin:0}section{height:143mm;break-after:page;display:flex;flex-direction:column;justify-content:center;padding:0 20mm;background:linear-gradient(135deg,#1a237e,#4a148c);color:#fff;font:24pt Arial;box-sizing:border-box}body{margin:0}',
    '<section><h1>Title</h1></section><section><ul><li>Point<li>Point</ul></section><section>End</section>',
  ),
  'e-mail newsletter': `<html><body bgcolor="#f0f0f0"><table width="600" align="center" cellpadding="10" bgcolor="#ffffff"><tr><td><font face="Verdana" size="2">Hello <b>reader</b>,</font></td></tr><tr><td bgcolor="#003366"><font color="white">News</font></td></tr></table></body></html>`,
  'purchase order': page(
    'PO',
    `body{font:9pt Arial}${TABLE}.sign{display:flex;justify-content:space-between;margin-top:60px}.sign div{border-top:1px solid;width:40%}`,
    `<h1>PO 4711</h1><table>${rows(22, (i) => `<td>${i}<td>Part No. ${1000 + i}<td>${i * 3}<td>EUR`)}</table><div class=sign><div>Buyer</div><div>Seller</div></div>`,
  ),
  'lab results': page(
    'Results',
    `body{font:10pt Arial}${TABLE}.hi{color:#b00;font-weight:bold}.bar{display:inline-block;height:8px;background:linear-gradient(90deg,#fc0 20%,#0a0 20% 80%,#f00 80%);width:120px}`,
    `<table>${rows(18, (i) => `<td>Analyte ${i}<td class=${i % 5 ? 'ok' : 'hi'}>${(i * 1.7).toFixed(1)}<td><span class=bar></span>`)}</table>`,
  ),
  'boarding pass': page(
    'Boarding pass',
    '.p{display:flex;border-radius:16px;overflow:hidden;border:1px solid #ccc;font:10pt Arial}.a{flex:1;padding:16px}.b{border-left:2px dashed #999;padding:16px;background:#e3f2fd}big{font-size:30pt}',
    '<div class=p><div class=a><big>CPH → LIS</big><p>Gate B7 · Seat 14C</div><div class=b>14C</div></div>',
  ),
  'org chart': page(
    'Chart',
    'body{font:9pt Arial}ul{display:flex;justify-content:center;gap:12px;padding:0}li{list-style:none;text-align:center}b{display:inline-block;border:1px solid;border-radius:6px;padding:6px 12px;background:#eef}',
    '<ul><li><b>CEO</b><ul><li><b>CTO</b><li><b>CFO</b><ul><li><b>Accounting</b></ul></ul></ul>',
  ),
  'price list': page(
    'Prices',
    `body{font:8pt Arial;columns:3}${TABLE}table{break-inside:auto}`,
    `<table>${rows(240, (i) => `<td>SKU-${i}<td>${(i * 0.99).toFixed(2)}`)}</table>`,
  ),
  'meeting minutes': page(
    'Minutes',
    'body{font:11pt Calibri,Arial}dt{font-weight:bold;margin-top:8px}input{vertical-align:middle}',
    `<h1>Minutes</h1><dl>${'<dt>Item<dd>Discussed at length. <input type=checkbox> to do'.repeat(12)}</dl><blockquote>Quote</blockquote><pre>code { block }</pre>`,
  ),
};
