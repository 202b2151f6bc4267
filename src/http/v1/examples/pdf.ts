/** Examples of PDF requests. A test sends each of them to the service. */

export const PDF_REQUESTS = {
  invoice: {
    summary: 'An invoice with the number of each page',
    value: {
      html: '<h1>Invoice 2026-117</h1><p>Total: 1,240.00 EUR</p>',
      footer_html: 'Page {{page}} of {{pages}}',
      filename: 'invoice.pdf',
    },
  },
  landscape: {
    summary: 'A landscape sheet with a style of its own',
    value: {
      html: '<table><tr><th>Month</th><td>May</td></tr><tr><th>Visitors</th><td>1,204</td></tr></table>',
      css: 'body { font: 11pt sans-serif }',
      page_size: 'Letter',
      orientation: 'landscape',
      margin_top: '1in',
      title: 'Visitors in May',
      lang: 'en',
      tagged: true,
    },
  },
};

/** Responses: a PDF is binary, and JSON can only show how it starts. */
export const PDF_RESULTS = {
  invoice: { summary: 'The first bytes of the PDF', value: '%PDF-1.4\n' },
};
