const WORDS =
  'quarter revenue margin segment region growth capital supply demand market customer contract volume forecast baseline variance portfolio channel inventory capacity throughput efficiency schedule allocation exposure liquidity commitment milestone'.split(
    ' ',
  );

/** Numbers that are the same on every run (Park and Miller's generator). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

function paragraph(random: () => number, sentences: number): string {
  return Array.from({ length: sentences }, () => {
    const words = Array.from(
      { length: 9 + Math.floor(random() * 12) },
      () => WORDS[Math.floor(random() * WORDS.length)],
    );
    const text = words.join(' ');
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
  }).join(' ');
}

function barChart(random: () => number, title: string): string {
  const bars = Array.from({ length: 12 }, (_, index) => {
    const height = 30 + random() * 150;
    return `<rect x="${46 + index * 44}" y="${200 - height}" width="30" height="${height}" rx="2" fill="hsl(${205 + index * 3} 60% ${38 + index * 2}%)"/><text x="${61 + index * 44}" y="216" text-anchor="middle">${index + 1}</text>`;
  }).join('');
  const grid = [0, 50, 100, 150]
    .map(
      (value) =>
        `<line x1="40" x2="580" y1="${200 - value}" y2="${200 - value}" stroke="#dde3e8"/><text x="34" y="${204 - value}" text-anchor="end">${value}</text>`,
    )
    .join('');
  return `<figure><svg viewBox="0 0 600 230" width="100%" font-size="11" font-family="Arial">${grid}${bars}</svg><figcaption>${title}</figcaption></figure>`;
}

function table(random: () => number, rows: number): string {
  const body = Array.from(
    { length: rows },
    (_, row) =>
      `<tr><th scope="row">Unit ${row + 1}</th>${Array.from({ length: 5 }, () => `<td>${(random() * 10_000).toFixed(2)}</td>`).join('')}</tr>`,
  ).join('');
  return `<table><thead><tr><th>Unit</th><th>Q1</th><th>Q2</th><th>Q3</th><th>Q4</th><th>Year</th></tr></thead><tbody>${body}</tbody></table>`;
}

/** A report with chapters, tables and bar charts in SVG: 30 pages and 15 charts with 15 chapters, 150 kB. */
export function report(chapters = 15): string {
  const random = generator(42);
  const body = Array.from({ length: chapters }, (_, index) => {
    const number = index + 1;
    return `<section><h2>${number}. ${paragraph(random, 1).slice(0, 40)}</h2>${`<p>${paragraph(random, 9)}</p>`.repeat(1)}<p>${paragraph(random, 10)}</p>${barChart(random, `Figure ${number}: development by month`)}<h3>${number}.1 Detail</h3><p>${paragraph(random, 12)}</p>${table(random, 24)}<p>${paragraph(random, 12)}</p></section>`;
  }).join('\n');
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Annual report</title><style>
body { font: 10.5pt/1.5 Georgia, "Times New Roman", serif; color: #222; margin: 0; }
h1 { font: bold 26pt Arial, sans-serif; margin: 0 0 24pt; } h2 { font: bold 16pt Arial, sans-serif; color: #1c5d99; break-after: avoid; } h3 { font: bold 12pt Arial, sans-serif; break-after: avoid; }
section { break-before: page; } p { text-align: justify; orphans: 3; widows: 3; }
figure { margin: 12pt 0; break-inside: avoid; } figcaption { font-size: 9pt; color: #666; text-align: center; }
table { width: 100%; border-collapse: collapse; font-size: 9pt; margin: 10pt 0; } th, td { border: 0.5pt solid #bbb; padding: 3pt 5pt; } td { text-align: right; } thead th { background: #1c5d99; color: #fff; } tbody tr:nth-child(odd) { background: #f4f6f8; }
</style></head><body><h1>Annual report 2026</h1><p>${paragraph(random, 14)}</p>${body}</body></html>`;
}

/** A long document of plain paragraphs and tables: 4.7 MB and some 330 pages with 330 parts. */
export function longDocument(parts = 330): string {
  const random = generator(7);
  const body = Array.from(
    { length: parts },
    (_, index) => `<h2>Part ${index + 1}</h2>${table(random, 30)}<p>${paragraph(random, 60)}</p>`,
  ).join('\n');
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Long document</title><style>body { font: 7pt/1.2 Arial, sans-serif; margin: 0; } table { width: 100%; border-collapse: collapse; } td, th { border: 0.5pt solid #999; padding: 0 2pt; }</style></head><body>${body}</body></html>`;
}
