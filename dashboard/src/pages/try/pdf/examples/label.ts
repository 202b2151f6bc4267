/** A shipping label: a sheet of another size, and a drawing in SVG. */
import type { PdfExample } from './pdf-example.ts';

const BARS = [2, 1, 3, 1, 1, 2, 1, 3, 2, 1, 1, 2, 3, 1, 2, 1, 1, 3, 1, 2, 2, 1, 3, 1, 1, 2];

function drawBars(): string {
  let x = 0;
  const bars = BARS.flatMap((width, index) => {
    const bar = index % 2 === 0 ? [`<rect x="${x}" width="${width}" height="20"/>`] : [];
    x += width;
    return bar;
  });
  return `<svg viewBox="0 0 ${x} 20" preserveAspectRatio="none">\n    ${bars.join('\n    ')}\n  </svg>`;
}

export const LABEL: PdfExample = {
  name: 'Label',
  texts: {
    html: `<!doctype html>
<html lang="en">
<title>Label</title>

<main>
  <p class="from">Utility Works, 3 Harbor Road, Portsmouth</p>
  <p class="to">Ann Example<br>12 Long Street<br><b>SPRINGFIELD</b></p>
  ${drawBars()}
  <p class="code">UW 2026 118 042</p>
</main>
`,
    css: `body { margin: 0; font: 10pt/1.35 Arial, sans-serif }
main { box-sizing: border-box; height: 62mm; padding: 4mm 5mm }
p { margin: 0 }
.from { padding-bottom: 1.5mm; border-bottom: .4mm solid; font-size: 7pt }
.to { margin: 3mm 0; font-size: 13pt }
svg { display: block; width: 100%; height: 15mm }
.code { margin-top: 1mm; text-align: center; letter-spacing: .25em; font-size: 8pt }
`,
    header_html: '',
    footer_html: '',
  },
  options: { page_width: '100mm', page_height: '62mm', margins: '0' },
};
