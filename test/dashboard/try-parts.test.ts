/** The parts of the pages that try an operation which need no browser. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  describeVerdict,
  type EmailResult,
  listReasons,
} from '../../dashboard/src/pages/try/email/email-result.ts';
import {
  describePreview,
  listFields,
  type MetadataResult,
} from '../../dashboard/src/pages/try/metadata/metadata-result.ts';
import { PDF_EXAMPLES } from '../../dashboard/src/pages/try/pdf/examples/index.ts';
import { findWarningLine } from '../../dashboard/src/pages/try/pdf/find-warning-line.ts';
import {
  cutPieces,
  findLineStarts,
  tokenizeCss,
  tokenizeHtml,
} from '../../dashboard/src/pages/try/pdf/highlight-html.ts';
import {
  countMoreOptions,
  formatPdfMembers,
  getInitialValues,
  type PdfValues,
} from '../../dashboard/src/pages/try/pdf/pdf-options.ts';

const EMAIL: EmailResult = {
  email: 'ann@gmial.com',
  valid: true,
  disposable: false,
  mx_found: true,
  format_valid: true,
  did_you_mean: null,
  domain: 'gmial.com',
  free_provider: false,
};

it('the verdict on an address is one line that leads with the worst finding', () => {
  for (const [change, text, tone] of [
    [{}, 'Deliverable', 'ok'],
    [{ did_you_mean: 'ann@gmail.com' }, 'Deliverable, but probably a typo', 'warn'],
    [{ disposable: true, did_you_mean: 'ann@gmail.com' }, 'A disposable address', 'warn'],
    [{ valid: false }, 'The domain accepts no mail', 'bad'],
    [{ valid: false, format_valid: false }, 'Not an email address', 'bad'],
    [{ mx_found: false }, 'The syntax is right; no MX was found or checked', 'warn'],
  ] as const)
    assert.deepEqual(describeVerdict({ ...EMAIL, ...change }), { text, tone });
  const fields = listReasons({ ...EMAIL, did_you_mean: 'ann@gmail.com' }).map(({ field }) => field);
  assert.deepEqual(fields, [
    'format_valid: true',
    'mx_found: true',
    'did_you_mean: ann@gmail.com',
    'disposable: false',
    'free_provider: false',
  ]);
});

it('a suspected provider is a warning that names who suspects it, and no good news', () => {
  const details: NonNullable<EmailResult['details']> = {
    verdict: 'risky',
    reasons: ['suspected_disposable'],
    score: 0.5,
    mx_status: 'found',
    reason: 'ok',
    role: false,
    relay: false,
    parked: false,
    disposable_evidence: [
      { source: 'acme/list', says: 'disposable', date: '2026-01' },
      { source: 'other/list', says: 'not_disposable', date: null },
    ],
    provider: null,
    suggestion_confidence: null,
  };
  const shown = listReasons({ ...EMAIL, details });
  assert.deepEqual(
    shown.filter(({ field }) => /disposable/.test(field)),
    [
      {
        text: 'Suspected to be a disposable provider, by acme/list (2026-01)',
        field: 'reasons: suspected_disposable',
        tone: 'warn',
      },
    ],
  );
});

describe('a link preview', () => {
  const PAGE: MetadataResult = {
    url: 'http://a.example/x',
    title: 'Title',
    description: null,
    favicon: 'https://a.example/favicon.ico',
    og: {
      title: 'Card',
      description: null,
      image: 'https://a.example/c.jpg',
      url: null,
      type: null,
      site_name: null,
    },
    twitter: { card: 'summary', site: null, title: null, description: 'Text', image: null },
    charset: 'utf-8',
    language: 'en',
  };

  it('takes the tags of cards first, then the page, and never makes up a text', () => {
    const preview = describePreview(PAGE);
    assert.deepEqual(
      [preview.title, preview.description, preview.site, preview.pageTitle, preview.isLarge],
      ['Card', 'Text', 'a.example', 'Title', false],
    );
    assert.deepEqual(preview.image, {
      url: 'https://a.example/c.jpg',
      width: null,
      height: null,
      alt: null,
      exists: true,
    });
  });

  it('names the source of a field only if the response tells it', () => {
    const source = (result: MetadataResult, name: string) =>
      listFields(result).find((field) => field.name === name)?.source;
    assert.equal(source(PAGE, 'title'), '');
    assert.equal(source(PAGE, 'og.title'), 'og:title');
    assert.equal(source(PAGE, 'og.url'), '', 'a field that is null has no source');
    const details = {
      content_type: 'text/html; charset=UTF-8',
      icons: [],
      redirects: [],
      tags: { 'og:image:url': ['c.jpg'] },
    } as unknown as NonNullable<MetadataResult['details']>;
    const full = { ...PAGE, details: { ...details, final_url: PAGE.url, image: null, probed: null } };
    assert.equal(source(full, 'title'), '<title>');
    assert.equal(source({ ...full, title: 'Card' }, 'title'), '', 'it may be of either');
    assert.equal(source(full, 'og.image'), 'og:image:url');
    assert.equal(source(full, 'favicon'), 'default path');
    assert.equal(source(full, 'charset'), 'Content-Type');
  });
});

describe('the editor', () => {
  const color = (text: string, tokens = tokenizeHtml(text)) =>
    tokens.map(({ start, end, kind }) => `${kind} ${text.slice(start, end)}`);

  it('colors names, attributes, comments, and the styles and scripts inside', () => {
    assert.deepEqual(color('<!-- a --><td class="n" hidden>1 < 2</td>'), [
      'comment <!-- a -->',
      'name <td',
      'number class',
      'string "n"',
      'number hidden',
      'name </td',
    ]);
    assert.deepEqual(color('<style>b { top: 2mm } /* c */</style><p'), [
      'name <style',
      'name top',
      'number 2mm',
      'comment /* c */',
      'name </style',
      'name <p',
    ]);
    const css = 'a:hover { color: #fff }';
    assert.deepEqual(color(css, tokenizeCss(css)), ['name color', 'number #fff']);
  });

  it('loses no character of any line, with tokens over several lines and without an end', () => {
    for (const text of [
      '<!-- a\nb\n--><p\nid="x\ny">\n',
      '<style>\n/* ',
      '<a href="',
      '',
      '<',
      '</script',
      '\n\n',
    ]) {
      const starts = findLineStarts(text);
      const lines = starts.map((start, line) =>
        cutPieces(text, tokenizeHtml(text), start, (starts[line + 1] ?? text.length + 1) - 1)
          .map((piece) => piece.text)
          .join(''),
      );
      assert.equal(lines.join('\n'), text);
    }
  });

  it('colors 256 kB within 100 ms', () => {
    const text = '<tr><td class="n">12</td><td style="top: 1px">a</td></tr>\n'.repeat(4500);
    const times = Array.from({ length: 5 }, () => {
      const startedAt = performance.now();
      tokenizeHtml(text);
      return performance.now() - startedAt;
    });
    assert.ok(Math.min(...times) < 100, times.join(' '));
  });
});

it('a PDF request has only what differs from the defaults, and four margins from one to four lengths', () => {
  const values = { ...getInitialValues(), html: '<p>', footer_html: 'f' };
  assert.deepEqual(formatPdfMembers(values), { html: '<p>', footer_html: 'f' });
  assert.deepEqual(formatPdfMembers({ ...values, margins: ' 1cm 0', scale: '0.5', wait_for: '#x' }), {
    html: '<p>',
    footer_html: 'f',
    margin_top: '1cm',
    margin_right: '0',
    margin_bottom: '1cm',
    margin_left: '0',
    scale: 0.5,
    wait_for: '#x',
  });
  assert.equal(formatPdfMembers({ ...values, wait_for: '500' })['wait_for'], 500);
  assert.equal(formatPdfMembers({ ...values, page_size: 'A3' })['page_size'], 'A3');
  const label = formatPdfMembers({ ...values, page_size: 'A3', page_width: '9cm', page_height: '5cm' });
  assert.equal('page_size' in label, false, 'a sheet of another size has no name');
});

it('a PDF request has documents, data, permissions, files and an invoice that are filled in', () => {
  const values = { ...getInitialValues(), html: '<p>' };
  const file = { name: 'a.csv', media_type: 'text/csv', base64: 'YTtiCg==' };
  const changes: [PdfValues, Record<string, unknown>][] = [
    [
      {
        more_documents: [
          { id: 1, html: '' },
          { id: 2, html: '<p>b' },
        ],
      },
      { more_documents: [{ html: '<p>b' }] },
    ],
    [
      { template: true, data: '{"a":1}' },
      { template: 'liquid', data: { a: 1 } },
    ],
    // The service says what is wrong with it.
    [
      { template: true, data: '{' },
      { template: 'liquid', data: '{' },
    ],
    [{ permissions: ['print'] }, {}],
    [
      { permissions: ['print'], owner_password: 'o' },
      { owner_password: 'o', permissions: ['print'] },
    ],
    [
      { permissions: [], owner_password: 'o' },
      { owner_password: 'o', permissions: [] },
    ],
    [{ owner_password: 'o' }, { owner_password: 'o' }],
    [{ watermark_position: 'over' }, {}],
    [
      { watermark_position: 'over', watermark_html: 'x' },
      { watermark_position: 'over', watermark_html: 'x' },
    ],
    [
      { pdfa: true, attachments: [file] },
      { pdfa: '3b', attachments: [file] },
    ],
    [{ facturx: { xml: '<x/>', profile: 'EN 16931' } }, { facturx: { xml: '<x/>', profile: 'EN 16931' } }],
    [{ facturx: { xml: '', profile: 'BASIC' } }, {}],
  ];
  for (const [change, members] of changes) {
    assert.deepEqual(formatPdfMembers({ ...values, ...change }), { html: '<p>', ...members });
    assert.equal(countMoreOptions({ ...values, ...change }), Object.keys(members).length);
  }
});

it('the example documents set options that exist', () => {
  const known = getInitialValues();
  for (const { name, texts, options } of PDF_EXAMPLES)
    for (const option of Object.keys({ ...texts, ...options }))
      assert.ok(option in known, `${name}: ${option}`);
});

it('a warning points to the line with its URL, absolute or relative', () => {
  const html = '<p>\n<img src="https://a.example/one.png">\n<img src="two.png">';
  assert.equal(findWarningLine('The image https://a.example/one.png was answered with status 404.', html), 2);
  assert.equal(findWarningLine('The image https://a.example/two.png could not be reached.', html), 3);
  assert.equal(findWarningLine('A script failed: x is not defined.', html), null);
  assert.equal(findWarningLine('The image https://a.example/ failed.', html), null);
});
