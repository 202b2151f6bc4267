import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '#errors';
import { PERMISSIONS, type InvoiceProfile } from '../finish/finishing.ts';
import { getGuideline } from '../finish/invoice/invoice-file.ts';
import { parseBase64 } from './attachment-members.ts';
import { parsePdfRequest, type PdfRequest } from '../pdf-request.ts';

type Members = Record<string, unknown>;

const html = '<p>x';
const RSM = 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100';
const RAM = 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100';
/** The least XML of an invoice of a profile. */
const makeXml = (profile: InvoiceProfile): string =>
  `<r:CrossIndustryInvoice xmlns:r="${RSM}" xmlns="${RAM}"><r:ExchangedDocumentContext><GuidelineSpecifiedDocumentContextParameter><ID>${getGuideline(profile)}</ID></GuidelineSpecifiedDocumentContextParameter></r:ExchangedDocumentContext></r:CrossIndustryInvoice>`;
const parse = (members: Members): PdfRequest => parsePdfRequest({ html, ...members });
const getFault = (members: Members): ApiError => {
  try {
    parse(members);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  return assert.fail(`no fault in ${JSON.stringify(members).slice(0, 200)}`);
};
const refuse = (members: Members, param: string, code = 'invalid_parameter'): void => {
  const fault = getFault(members);
  assert.deepEqual([fault.code, fault.param], [code, param], JSON.stringify(members).slice(0, 200));
};

const NO_FINISHING = {
  author: null,
  subject: null,
  keywords: [],
  attachments: [],
  encryption: null,
  pdfa: null,
  invoice: null,
};

void describe('what finishes a PDF', () => {
  void it('is nothing by default, and null means absent', () => {
    const names = 'author subject keywords attachments password owner_password permissions pdfa facturx';
    const nulls = Object.fromEntries(names.split(' ').map((name) => [name, null]));
    for (const members of [{}, nulls, { keywords: [], attachments: [] }])
      assert.deepEqual({ ...parse(members), ...NO_FINISHING }, parse(members));
  });

  void it('author and subject are texts of one line, like title', () => {
    const { author, subject } = parse({ author: ' Ada  ', subject: 'Rechnung „5“' });
    assert.deepEqual([author, subject], ['Ada', 'Rechnung „5“']);
    for (const name of ['author', 'subject'])
      for (const value of ['', ' ', 'a\nb', '\uD800', 'x'.repeat(1001), 5, ['a']])
        refuse({ [name]: value }, name);
  });

  void it('keywords are an array, or a text with commas or semicolons', () => {
    assert.deepEqual(parse({ keywords: ' invoice, 2026; net ,,' }).keywords, ['invoice', '2026', 'net']);
    assert.deepEqual(parse({ keywords: ['a, b', ' c '] }).keywords, ['a, b', 'c']);
    for (const value of ['', ' , ', {}, 5, 'a\nb', Array.from({ length: 101 }, () => 'x')])
      refuse({ keywords: value }, 'keywords');
    refuse({ keywords: Array.from({ length: 5 }, () => 'x'.repeat(801)) }, 'keywords');
    for (const value of ['', 5, 'x'.repeat(1001)]) refuse({ keywords: ['a', value] }, 'keywords[1]');
  });

  void it('a watermark is behind the content by default, and watermark_position needs one', () => {
    assert.deepEqual(parse({ watermark_html: '<b>Draft' }).watermark, {
      html: '<b>Draft',
      position: 'behind',
    });
    assert.equal(parse({ watermark_html: 'x', watermark_position: 'over' }).watermark?.position, 'over');
    assert.equal(parse({ watermark_html: ' ' }).watermark, null);
    refuse({ watermark_position: 'over' }, 'watermark_position');
    refuse({ watermark_html: 'x', watermark_position: 'under' }, 'watermark_position');
  });

  void it('header, footer and watermark have 512 KiB each', () => {
    for (const name of ['first_header_html', 'first_footer_html', 'watermark_html']) {
      assert.doesNotThrow(() => parse({ [name]: 'x'.repeat(524_288) }));
      refuse({ [name]: 'é'.repeat(262_145) }, name, 'payload_too_large');
      refuse({ [name]: 1 }, name);
    }
    const hidden = '<style>@im\\70ort "x"</style>';
    for (const name of ['first_header_html', 'first_footer_html']) refuse({ [name]: hidden }, name);
  });
});

void describe('attachments of a PDF', () => {
  const FILE = { name: 'data.csv', base64: 'YTtiCg==' };

  void it('have a name, a media type, a relationship and a description', () => {
    const all = { ...FILE, media_type: 'TEXT/csv', relationship: 'dATA', description: 'The rows' };
    const [file, plain] = parse({ attachments: [all, { name: 'b', base64: '' }] }).attachments;
    assert.deepEqual(file, {
      name: 'data.csv',
      mediaType: 'text/csv',
      relationship: 'Data',
      description: 'The rows',
      bytes: new Uint8Array(Buffer.from('a;b\n')),
    });
    assert.equal(plain?.mediaType, 'application/octet-stream');
    assert.deepEqual([plain.relationship, plain.description, plain.bytes.length], ['Unspecified', null, 0]);
  });

  void it('each member is checked, and its fault names the file', () => {
    const wrong: Record<string, unknown[]> = {
      name: [
        undefined,
        null,
        '',
        'a/b',
        'a\\b',
        '..',
        ' a',
        'a\nb',
        'a\u202Eb',
        'x'.repeat(201),
        5,
        '\uD800',
      ],
      media_type: [
        '',
        'text',
        'text/',
        'text/csv; charset=utf-8',
        'a b/c',
        'a/x!y',
        `a/${'x'.repeat(126)}`,
        5,
      ],
      base64: [undefined, null, 'YQ', 'YQ=', 'YR==', 'YWJj\n', 'YWJ j', 'YW-_', '=', '====', 'Y===', 5],
      relationship: ['', 'other', 'toString', 5],
      description: ['', 'a\nb', 'x'.repeat(1001), 5],
    };
    for (const [name, values] of Object.entries(wrong))
      for (const value of values)
        refuse({ attachments: [FILE, { ...FILE, name: 'b', [name]: value }] }, `attachments[1].${name}`);
    const unknown = getFault({ attachments: [{ ...FILE, mediaType: 'a/b' }] });
    assert.equal(unknown.param, 'attachments[0].mediaType');
    assert.match(
      unknown.message,
      /^attachments\[0\] has unknown members: "mediaType" \(did you mean media_type\?\)/,
    );
  });

  void it('are at most 20, of 20 MiB together, and their names differ in more than case', () => {
    const files = (count: number): Members[] =>
      Array.from({ length: count }, (_, index) => ({ ...FILE, name: `${index}` }));
    assert.equal(parse({ attachments: files(20) }).attachments.length, 20);
    refuse({ attachments: files(21) }, 'attachments');
    refuse({ attachments: 'x' }, 'attachments');
    refuse({ attachments: [FILE, 'x'] }, 'attachments[1]');
    refuse({ attachments: [FILE, { ...FILE, name: 'DATA.csv' }] }, 'attachments[1].name');
    refuse(
      {
        attachments: [
          { ...FILE, name: 'e\u0301' },
          { ...FILE, name: 'É' },
        ],
      },
      'attachments[1].name',
    );
    const half = Buffer.alloc(10 * 1024 * 1024, 'x').toString('base64');
    const halves = [
      { name: 'a', base64: half },
      { name: 'b', base64: half },
    ];
    assert.equal(parse({ attachments: halves }).attachments[1]?.bytes.length, 10 * 1024 * 1024);
    const over = [...halves, { name: 'c', base64: 'YQ==' }];
    refuse({ attachments: over, page_size: 'B5' }, 'attachments[2].base64', 'payload_too_large');
  });

  void it('base64 is decoded exactly, whatever its length', () => {
    for (let length = 0; length < 300; length += 1) {
      const bytes = Buffer.from(Array.from({ length }, (_, index) => (index * 89 + length) % 256));
      assert.deepEqual(parseBase64(bytes.toString('base64')), new Uint8Array(bytes));
    }
  });
});

void describe('passwords of a PDF', () => {
  void it('allow everything, or with an owner’s password what permissions lists', () => {
    const all = [...PERMISSIONS];
    assert.deepEqual(parse({ password: 'a' }).encryption, {
      password: 'a',
      ownerPassword: null,
      permissions: all,
    });
    assert.deepEqual(parse({ owner_password: 'o', permissions: ['copy', 'print', 'copy'] }).encryption, {
      password: null,
      ownerPassword: 'o',
      permissions: ['print', 'copy'],
    });
    assert.deepEqual(parse({ owner_password: 'o', permissions: [] }).encryption?.permissions, []);
    refuse({ permissions: ['print'] }, 'permissions');
    assert.equal(parse({ permissions: [] }).encryption, null);
    refuse({ password: 'a', permissions: [] }, 'permissions');
    for (const value of ['print', {}]) refuse({ owner_password: 'o', permissions: value }, 'permissions');
    for (const value of ['Print', 1, null])
      refuse({ owner_password: 'o', permissions: ['copy', value] }, 'permissions[1]');
  });

  void it('have 1 to 127 bytes, and differ', () => {
    assert.equal(parse({ password: '漢'.repeat(42) }).encryption?.password, '漢'.repeat(42));
    for (const name of ['password', 'owner_password'])
      for (const value of ['', '漢'.repeat(43), 'a\nb', 'a\u0000', '\uD800', 'x'.repeat(128), 5, ['a']])
        refuse({ [name]: value }, name);
    refuse({ password: 'a', owner_password: 'a' }, 'owner_password');
    // The accent of a keyboard, and of a file system.
    refuse({ password: '\u00e9', owner_password: 'e\u0301' }, 'owner_password');
    // Some readers would take the ligature as it is, others as two letters.
    refuse({ password: 'ﬁ' }, 'password');
  });

  void it('are refused in PDF/A', () => {
    refuse({ password: 'a', pdfa: '3b' }, 'password');
    refuse({ owner_password: 'a', facturx: INVOICE }, 'owner_password');
    assert.match(
      getFault({ password: 'a', facturx: INVOICE }).message,
      /cannot be combined with facturx: PDF\/A/,
    );
  });

  const INVOICE = { xml: makeXml('BASIC'), profile: 'BASIC' };
});

void describe('the invoice of a PDF', () => {
  void it('makes it PDF/A-3b, and its profile is written with any case and spaces', () => {
    for (const [profile, meant] of [
      ['EN 16931', 'EN 16931'],
      ['en16931', 'EN 16931'],
      ['Basic_WL', 'BASIC WL'],
      ['xrechnung', 'XRECHNUNG'],
    ] as const) {
      const xml = makeXml(meant);
      const { pdfa, invoice } = parse({ facturx: { xml, profile } });
      assert.deepEqual([pdfa, invoice], ['3b', { xml, profile: meant, guideline: null }]);
    }
    assert.equal(parse({ pdfa: '3b' }).invoice, null);
    for (const value of ['3a', '3B', 3, true]) refuse({ pdfa: value }, 'pdfa');
  });

  void it('its XML is not parsed with the body', () => {
    const { invoice } = parse({ facturx: { xml: '<!DOCTYPE', profile: 'BASIC' } });
    assert.deepEqual(invoice, { xml: '<!DOCTYPE', profile: 'BASIC', guideline: null });
  });

  void it('each member is checked', () => {
    const xml = makeXml('BASIC');
    for (const value of ['x', [], 5, true]) refuse({ facturx: value }, 'facturx');
    for (const value of [undefined, null, '', ' ', 5])
      refuse({ facturx: { xml: value, profile: 'BASIC' } }, 'facturx.xml');
    for (const value of [undefined, null, '', 'COMFORT', 5])
      refuse({ facturx: { xml, profile: value } }, 'facturx.profile');
    refuse({ facturx: { xml, profile: 'BASIC', level: 1 } }, 'facturx.level');
    const large = { xml: 'x'.repeat(5_242_881), profile: 'BASIC' };
    refuse({ facturx: large, page_size: 'B5' }, 'facturx.xml', 'payload_too_large');
  });

  void it('no attachment has the name of its file', () => {
    const attach = (name: string, profile: InvoiceProfile): Members => ({
      attachments: [{ name, base64: '' }],
      facturx: { xml: makeXml(profile), profile },
    });
    refuse(attach('Factur-X.xml', 'BASIC'), 'attachments[0].name');
    refuse(attach('xrechnung.xml', 'XRECHNUNG'), 'attachments[0].name');
    assert.doesNotThrow(() => parse(attach('xrechnung.xml', 'BASIC')));
  });
});
