/** A report: chapters on pages of their own, a chart in SVG, header, footer and bookmarks. */
import type { PdfExample } from './pdf-example.ts';

export const REPORT: PdfExample = {
  name: 'Report',
  texts: {
    html: `<!doctype html>
<html lang="en">
<title>Quarterly report</title>

<section class="cover">
  <h1>Quarterly report</h1>
  <p>July to September 2026</p>
</section>

<section>
  <h2>Requests</h2>
  <p>The service answered 4.2 million requests, 18% more than in the quarter before. Most of the growth came
  from the validation of addresses.</p>
  <figure>
    <svg viewBox="0 0 300 120" role="img" aria-label="Requests per month in millions">
      <g fill="#3d8ecb">
        <rect x="20" y="48" width="60" height="52"/>
        <rect x="120" y="36" width="60" height="64"/>
        <rect x="220" y="18" width="60" height="82"/>
      </g>
      <path d="M0 100h300" stroke="#222"/>
      <g font-size="9" text-anchor="middle">
        <text x="50" y="114">July</text><text x="150" y="114">August</text><text x="250" y="114">September</text>
        <text x="50" y="43">1.1</text><text x="150" y="31">1.3</text><text x="250" y="13">1.8</text>
      </g>
    </svg>
    <figcaption>Requests per month, in millions</figcaption>
  </figure>
</section>

<section>
  <h2>Response times</h2>
  <table>
    <thead><tr><th>Operation</th><th>p50</th><th>p95</th></tr></thead>
    <tbody>
      <tr><td>Email</td><td>4 ms</td><td>38 ms</td></tr>
      <tr><td>Metadata</td><td>171 ms</td><td>940 ms</td></tr>
      <tr><td>PDF</td><td>67 ms</td><td>310 ms</td></tr>
    </tbody>
  </table>
  <h3>Method</h3>
  <p>All times are measured in the service, from the first byte of a request to the last byte of its response.</p>
</section>
`,
    css: `body { font: 10.5pt/1.6 Inter, Arial, sans-serif; color: #222 }
section { break-before: page }
.cover { break-before: auto; padding-top: 80mm }
h1 { margin: 0; font-size: 32pt; letter-spacing: -.02em }
h2 { margin: 0 0 4mm; font-size: 18pt }
figure { margin: 8mm 0; break-inside: avoid }
figcaption { font-size: 9pt; color: #666 }
table { width: 100%; border-collapse: collapse; margin-bottom: 8mm }
th, td { padding: 2mm 0; text-align: right; border-bottom: .3mm solid #ddd }
th:first-child, td:first-child { text-align: left }
`,
    header_html: `<div style="font: 8pt sans-serif; color: #666; text-align: right">{{title}}</div>
`,
    footer_html: `<div style="font: 8pt sans-serif; color: #666; text-align: center">{{page}} / {{pages}}</div>
`,
  },
  options: { outline: true, tagged: true },
};
