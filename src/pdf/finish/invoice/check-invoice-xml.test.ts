import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '#errors';
import type { InvoiceProfile } from '../finishing.ts';
import { checkInvoiceXml } from './check-invoice-xml.ts';
import { describeInvoice } from './invoice-file.ts';
import { scaledMs } from '../../../../test/support/patience.ts';

const RSM = 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100';
const RAM = 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100';

interface Parts {
  start?: string;
  id?: string;
  inside?: string;
  namespace?: string;
}

function makeInvoice({ start = '', id = 'urn:cen.eu:en16931:2017', inside = '', namespace = RSM }: Parts) {
  const guideline = `<ram:GuidelineSpecifiedDocumentContextParameter><ram:ID>${id}</ram:ID></ram:GuidelineSpecifiedDocumentContextParameter>`;
  return `${start}<rsm:CrossIndustryInvoice xmlns:rsm="${namespace}" xmlns:ram="${RAM}"><rsm:ExchangedDocumentContext>${guideline}</rsm:ExchangedDocumentContext>${inside}</rsm:CrossIndustryInvoice>`;
}

function findFault(xml: string, profile: InvoiceProfile = 'EN 16931'): string {
  try {
    checkInvoiceXml(xml, profile);
    return 'none';
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error));
    assert.equal(error.code, 'invalid_parameter');
    assert.equal(error.param, 'facturx.xml');
    assert.ok(error.message.length < 700);
    return error.message;
  }
}

void describe('the XML of an invoice', () => {
  for (const [profile, id] of [
    ['MINIMUM', 'urn:factur-x.eu:1p0:minimum'],
    ['BASIC WL', 'urn:factur-x.eu:1p0:basicwl'],
    ['BASIC', 'urn:cen.eu:en16931:2017#compliant#urn:factur-x.eu:1p0:basic'],
    ['EN 16931', 'urn:cen.eu:en16931:2017'],
    ['EXTENDED', 'urn:cen.eu:en16931:2017#conformant#urn:factur-x.eu:1p0:extended'],
    ['XRECHNUNG', 'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0'],
    ['XRECHNUNG', 'urn:cen.eu:en16931:2017#compliant#urn:xoev-de:kosit:standard:xrechnung_2.3'],
    [
      'XRECHNUNG',
      'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0#conformant#urn:xeinkauf.de:kosit:extension:xrechnung_3.0',
    ],
  ] as const) {
    void it(`is of the profile ${profile} with the guideline id ${id}, and of no other`, () => {
      assert.equal(findFault(makeInvoice({ id }), profile), 'none');
      const other = profile === 'BASIC' ? 'EXTENDED' : 'BASIC';
      assert.match(findFault(makeInvoice({ id }), other), new RegExp(`profile ${profile}, .* is ${other} `));
    });
  }

  void it('may have any prefixes, comments, white space and CDATA', () => {
    const xml = makeInvoice({
      start: '\uFEFF<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n<!-- made by x -->\n',
      id: '\n <!-- BT-24 --><![CDATA[urn:cen.eu:]]>en16931:2017\t',
    });
    assert.equal(findFault(xml), 'none');
    assert.equal(findFault(xml.replaceAll('rsm:', '').replace('xmlns:rsm', 'xmlns')), 'none');
    assert.equal(findFault(xml.replaceAll('ram:', 'a-1:').replace('xmlns:ram', 'xmlns:a-1')), 'none');
  });

  void it('has no DOCTYPE and no entities', () => {
    for (const start of [
      '<!DOCTYPE a>',
      '<!DOCTYPE a SYSTEM "http://127.0.0.1/x.dtd">',
      '<!DOCTYPE a [<!ENTITY x "y"><!ENTITY z SYSTEM "file:///etc/passwd">]>',
    ])
      assert.match(findFault(makeInvoice({ start })), /^facturx\.xml has a DOCTYPE/);
    assert.match(findFault(makeInvoice({ inside: '<a>&x;</a>' })), /line 1, column \d+: undefined entity/);
    assert.equal(findFault(makeInvoice({ inside: '<a>&amp;&#8364;</a>' })), 'none');
  });

  void it('is well-formed, and an error names the line', () => {
    for (const [xml, fault] of [
      ['', /not well-formed XML, at line 1, column 0: document must contain a root/],
      ['no xml', /line 1, column 6: text data outside of root node/],
      ['{"a": 1}', /line 1/],
      [`${makeInvoice({})}<b/>`, /documents may contain only one root/],
      [makeInvoice({}).replace('</ram:ID>', '\n</ram:Id>'), /line 2, column \d+: unexpected close tag/],
      [makeInvoice({}).slice(0, -1), /line 1/],
      [makeInvoice({ inside: '<a b=1/>' }), /unquoted attribute value/],
      [makeInvoice({ inside: '<a b="1" b="2"/>' }), /duplicate attribute/],
      [makeInvoice({ inside: '<x:a/>' }), /unbound namespace prefix/],
      [makeInvoice({ inside: '\u0001' }), /disallowed character/],
      [makeInvoice({ inside: '\uD800' }), /half of a surrogate pair/],
      [` ${makeInvoice({ start: '<?xml version="1.0"?>' })}`, /line 1/],
    ] as const)
      assert.match(findFault(xml), fault, xml);
  });

  void it('declares UTF-8 or no encoding, and XML 1.0', () => {
    assert.equal(findFault(makeInvoice({ start: '<?xml version="1.0" encoding="UTF-8"?>' })), 'none');
    assert.match(
      findFault(makeInvoice({ start: '<?xml version="1.0" encoding="ISO-8859-1"?>' })),
      /declares the encoding ISO-8859-1/,
    );
    assert.match(findFault(makeInvoice({ start: '<?xml version="1.1"?>' })), /is XML 1\.1/);
  });

  void it('is a Cross Industry Invoice, and an error names another kind', () => {
    assert.match(findFault('<Invoice xmlns="urn:oasis:names:x"/>'), /is an invoice in UBL/);
    assert.match(findFault('<a:CrossIndustryDocument xmlns:a="urn:ferd"/>'), /ZUGFeRD 1\.0/);
    assert.match(findFault('<html><body/></html>'), /is the element "html"/);
    assert.match(findFault('<__proto__/>'), /is the element "__proto__"/);
    assert.match(findFault(makeInvoice({ namespace: 'urn:other' })), /in the namespace "urn:other"/);
  });

  void it('of another kind is named, with what the profile expects', () => {
    const expected = (profile: string, id: string): string =>
      `for the profile ${profile} send XML whose root is CrossIndustryInvoice in the namespace ${RSM}, with the guideline id ${id}.`;
    const html = 'facturx.xml is the element "html" (a web page): ';
    for (const page of [
      '<!doctype html><p>x',
      '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0" "x.dtd"><html/>',
      '\n<html lang=de><body>x',
      '<html><head><meta charset=utf-8></head></html>',
    ]) {
      assert.equal(findFault(page), html + expected('EN 16931', 'urn:cen.eu:en16931:2017'), page);
      const minimum = expected('MINIMUM', 'urn:factur-x.eu:1p0:minimum');
      assert.equal(findFault(page, 'MINIMUM'), html + minimum);
    }
    for (const [text, kind] of [
      ['Invoice 4711', 'It begins with "Invoice 4711": for the profile EN 16931 send'],
      ['{"id": "4711"}', 'which looks like JSON: for the profile'],
      ['%PDF-1.4\n%', 'which is a PDF: for'],
      [Buffer.from(makeInvoice({ start: '<?xml version="1.0"?>' })).toString('base64'), 'XML in base64: for'],
      [Buffer.from(makeInvoice({})).toString('base64'), 'XML in base64: for'],
      ['', 'It is empty: for'],
      ['<Invoice><a></Invoice>', 'is an invoice in UBL, which a PDF cannot carry as Factur-X: for'],
    ] as const)
      assert.ok(findFault(text).includes(kind), `${text}: ${findFault(text)}`);
  });

  void it('has one guideline id, in its place', () => {
    assert.match(findFault(makeInvoice({ id: '' })), /guideline id "", which is of no profile/);
    const without = makeInvoice({}).replace(/<ram:Guideline.*Parameter>/, '');
    assert.match(findFault(without), /has 0 guideline ids/);
    const [guideline = ''] = /<ram:Guideline.*Parameter>/.exec(makeInvoice({})) ?? [];
    assert.match(findFault(makeInvoice({ inside: guideline })), /none/, 'elsewhere it counts for nothing');
    assert.match(findFault(makeInvoice({}).replace(guideline, guideline.repeat(2))), /has 2 guideline ids/);
    assert.match(findFault(makeInvoice({}).replace(RAM, 'urn:other')), /has 0 guideline ids/);
    assert.match(findFault(makeInvoice({ id: 'x'.repeat(10_000) })), /is of no profile/);
  });

  void it('has at most 300,000 tags and 100,000 references, which are counted before anything is parsed', () => {
    const tags = (makeInvoice({}).match(/</g) ?? []).length;
    const full = makeInvoice({ inside: '<a/>'.repeat(300_000 - tags) + '&lt;'.repeat(100_000) });
    assert.equal(findFault(full), 'none');
    const rest = '&'.repeat(4_000_000);
    assert.match(
      findFault(`${full}<${rest}`),
      /has more than 300,000 tags: send an invoice with fewer lines\.$/,
    );
    assert.match(
      findFault(`not XML ${rest}`),
      /has more than 100,000 references such as &#65; or &amp;: write the characters themselves\.$/,
    );
  });

  void it('of any shape is read in a time that grows with its size', () => {
    const length = 2 ** 20;
    const shapes = [
      makeInvoice({ inside: '<a>'.repeat(length / 3) }),
      makeInvoice({ inside: `<a ${'b="" '.repeat(length / 5)}/>` }),
      makeInvoice({ inside: `<a ${Array.from({ length: 100_000 }, (_, at) => `b${at}=""`).join(' ')}/>` }),
      makeInvoice({
        inside: `<a xmlns:n="${'n'.repeat(length / 2)}">${`<a ${Array.from({ length: 60 }, (_, at) => `n:b${at}=""`).join(' ')}/>`.repeat(1_000)}</a>`,
      }),
      makeInvoice({ inside: '&'.repeat(length) }),
      makeInvoice({ inside: `<!--${'-'.repeat(length)}` }),
      makeInvoice({ start: `<!DOCTYPE a [${'<!ENTITY a "b">'.repeat(60_000)}` }),
      makeInvoice({ inside: `<a b="${'&lt;'.repeat(length / 4)}"/>`, id: '<a/>'.repeat(50_000) }),
    ];
    const startedAt = performance.now();
    for (const xml of shapes) findFault(xml);
    assert.ok(performance.now() - startedAt < scaledMs(5_000), 'quadratic work would take minutes');
  });
});

void it('the file of an invoice is named by the guideline that the check returned, without the XML', () => {
  const xrechnung = 'urn:cen.eu:en16931:2017#compliant#urn:xoev-de:kosit:standard:xrechnung_2.3';
  const guideline = checkInvoiceXml(makeInvoice({ id: ` ${xrechnung} ` }), 'XRECHNUNG');
  assert.equal(guideline, xrechnung);
  assert.deepEqual(describeInvoice({ xml: 'not parsed again', profile: 'XRECHNUNG', guideline }), {
    fileName: 'xrechnung.xml',
    version: '2.3',
    profile: 'XRECHNUNG',
  });
});
