/** A business letter: its address is in the window of an envelope (DIN 5008, form B). */
import type { PdfExample } from './pdf-example.ts';

export const LETTER: PdfExample = {
  name: 'Letter',
  texts: {
    html: `<!doctype html>
<html lang="en">
<title>Letter</title>

<div class="window">
  <small>Utility Works · 3 Harbor Road · Portsmouth</small>
  Ann Example<br>
  12 Long Street<br>
  Springfield
</div>
<p class="date">Portsmouth, 21 November 2026</p>

<h1>Your order of 18 November</h1>
<p>Dear Ann,</p>
<p>thank you for your order. This letter was HTML a moment ago: its margins, its sheet and its footer came
with the request, and its text flows over as many pages as it needs.</p>
<p>If anything is missing, reply to this letter.</p>
<p class="sign">Yours,<br><br>Hanna Works</p>
`,
    css: `body { font: 11pt/1.55 Georgia, serif; color: #1c1c1c }
/* The window of the envelope is 45 mm below the edge of the sheet. */
.window { height: 45mm; padding-top: 20mm }
.window small { display: block; margin-bottom: 3mm; font-size: 7.5pt; color: #666 }
.date { text-align: right }
h1 { margin: 8mm 0 6mm; font-size: 12pt }
p { hyphens: auto }
.sign { margin-top: 12mm; break-inside: avoid }
`,
    header_html: '',
    footer_html: `<div style="font: 7.5pt sans-serif; color: #666; text-align: center">
  Utility Works · 3 Harbor Road · Portsmouth · hello@utility.example
</div>
`,
  },
  options: { margins: '25mm 20mm 25mm 25mm' },
};
