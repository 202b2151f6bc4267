/** A certificate: one landscape sheet without margins. */
import type { PdfExample } from './pdf-example.ts';

export const CERTIFICATE: PdfExample = {
  name: 'Certificate',
  texts: {
    html: `<!doctype html>
<html lang="en">
<title>Certificate</title>

<main>
  <p class="over">Certificate of completion</p>
  <h1>Ann Example</h1>
  <p>has completed the course</p>
  <p class="course">Type on paper, from HTML</p>
  <div class="signs">
    <p>21 November 2026</p>
    <p>Hanna Works</p>
  </div>
</main>
`,
    css: `body { margin: 0 }
main {
  box-sizing: border-box;
  height: 210mm;
  padding: 34mm 40mm;
  text-align: center;
  font: 14pt/1.5 Georgia, serif;
  color: #23302a;
  background: #fbfaf4;
  border: 6mm solid #23302a;
  outline: .5mm solid #b99a4b;
  outline-offset: -10mm;
}
.over { letter-spacing: .3em; text-transform: uppercase; font-size: 11pt }
h1 { margin: 10mm 0 6mm; font-size: 44pt; font-weight: 400 }
.course { font-size: 22pt; color: #8a6d1f }
.signs { display: flex; justify-content: space-between; margin-top: 22mm }
.signs p { width: 70mm; padding-top: 2mm; border-top: .3mm solid; font-size: 11pt }
`,
    header_html: '',
    footer_html: '',
  },
  options: { orientation: 'landscape', margins: '0' },
};
