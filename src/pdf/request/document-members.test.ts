import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '#errors';
import { parseTemplate } from './template-members.ts';
import { type PdfRequest, parsePdfRequest } from '../pdf-request.ts';

const liquid = (data: unknown) => parseTemplate({ template: 'liquid', data });

function nest(depth: number): unknown {
  return depth === 0 ? 1 : { a: nest(depth - 1) };
}

void describe('template and data', () => {
  void it('are both optional, and a template without data has none', () => {
    assert.equal(parseTemplate({}), null);
    assert.equal(parseTemplate({ template: null, data: null }), null);
    assert.deepEqual(parseTemplate({ template: 'liquid' }), { language: 'liquid', data: {} });
    assert.deepEqual(liquid({ a: [1] }), { language: 'liquid', data: { a: [1] } });
  });

  const wrong: [name: string, body: Record<string, unknown>, param: string, message: RegExp][] = [
    ['data without template', { data: {} }, 'data', /template with the value "liquid"/],
    ['another language', { template: 'jinja' }, 'template', /must be "liquid"/],
    ['an array as data', { template: 'liquid', data: [] }, 'data', /must be a JSON object/],
    ['text as data', { template: 'liquid', data: '{}' }, 'data', /must be a JSON object/],
    ['nine levels', { template: 'liquid', data: nest(9) }, 'data', /at most 8 deep: it has 9 levels/],
    ['10,001 elements', { template: 'liquid', data: { a: Array(10_000).fill(0) } }, 'data', /it has 10001/],
  ];
  for (const [name, body, param, message] of wrong)
    void it(`${name}: invalid_parameter`, () => {
      assert.throws(() => parseTemplate(body), { code: 'invalid_parameter', param, message });
    });

  void it('data of eight levels and of 10,000 members and elements are accepted', () => {
    assert.ok(liquid(nest(8)));
    assert.ok(liquid({ a: Array(5_000).fill(0), b: Object.fromEntries(Array(4_998).entries()) }));
  });

  void it('data of more than 1 MiB of JSON are payload_too_large', () => {
    assert.ok(liquid({ a: 'x'.repeat(1_048_576 - 8) }));
    assert.throws(() => liquid({ a: 'x'.repeat(1_048_576 - 7) }), {
      code: 'payload_too_large',
      param: 'data',
    });
    assert.throws(() => liquid({ a: 'é'.repeat(600_000) }), { code: 'payload_too_large' });
  });
});

const html = '<p>x';
const MIB = 1024 * 1024;

const getFault = (members: Record<string, unknown>): ApiError => {
  try {
    parsePdfRequest({ html, ...members });
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  return assert.fail(`no fault in ${JSON.stringify(members).slice(0, 200)}`);
};
const refuse = (members: Record<string, unknown>, code: string, param: string): void => {
  const fault = getFault(members);
  assert.deepEqual([fault.code, fault.param], [code, param], JSON.stringify(members).slice(0, 200));
};
const parseMore = (
  members: Record<string, unknown>,
  ...items: Record<string, unknown>[]
): PdfRequest['moreDocuments'] =>
  parsePdfRequest({ html, ...members, more_documents: items.map((item) => ({ html, ...item })) })
    .moreDocuments;
const round = ({ sheet }: PdfRequest['moreDocuments'][number]): number[] =>
  sheet === null ? [] : [Math.round(sheet.width), Math.round(sheet.height)];

void describe('more documents of a PDF request', () => {
  void it('a document takes each part of the sheet and each margin that it leaves out from the request', () => {
    const [same, turned, sized, sided, high] = parseMore(
      { page_size: 'A5', margin_top: '1in' },
      {},
      { orientation: 'landscape', margin_left: '2in', margin_top: null },
      { page_size: 'A3', margin_top: '0' },
      { page_width: '4in', page_height: '6in' },
      { page_size: null },
    ) as [PdfRequest, PdfRequest, PdfRequest, PdfRequest, PdfRequest];
    assert.deepEqual([same, turned, sized, sided, high].map(round), [
      [559, 794],
      [794, 559],
      [1123, 1587],
      [384, 576],
      [559, 794],
    ]);
    assert.deepEqual(same.margins, { top: 96, bottom: null, left: null, right: null });
    assert.deepEqual(turned.margins, { top: 96, bottom: null, left: 192, right: null });
    assert.equal(sized.margins.top, 0);
    const sides = { page_width: '4in', page_height: '6in', orientation: 'landscape' };
    assert.deepEqual(parseMore(sides, { page_height: '2in' }, { page_size: 'A5' }, {}).map(round), [
      [384, 192],
      [794, 559],
      [576, 384],
    ]);
    assert.equal(parseMore({}, {})[0]?.sheet, null);
  });

  void it('there are at most 19, and null and an empty list mean none', () => {
    assert.equal(parseMore({}, ...Array.from({ length: 19 }, () => ({}))).length, 19);
    const many = Array.from({ length: 20 }, () => ({ html }));
    refuse({ more_documents: many }, 'invalid_parameter', 'more_documents');
    for (const none of [null, undefined, []])
      assert.deepEqual(parsePdfRequest({ html, more_documents: none }).moreDocuments, []);
    for (const wrong of ['x', {}, 1, true])
      refuse({ more_documents: wrong }, 'invalid_parameter', 'more_documents');
    for (const wrong of ['x', [], 1, null])
      refuse({ more_documents: [{ html }, wrong] }, 'invalid_parameter', 'more_documents[1]');
  });

  void it('faults are named in order: html, sizes, page sizes, the rest, each with its document', () => {
    const large = 'x'.repeat(3 * MIB);
    const bad = { page_size: 'B5', margin_top: 'x', nonsense: 1 };
    refuse({ ...bad, more_documents: [{ html }, { ...bad }] }, 'missing_html', 'more_documents[1].html');
    refuse({ html: ' ', more_documents: [{}] }, 'missing_html', 'html');
    refuse({ more_documents: [1, {}] }, 'missing_html', 'more_documents[1].html');
    const both = { ...bad, html: large, more_documents: [{ ...bad, html: large }] };
    refuse(both, 'payload_too_large', 'more_documents[0].html');
    assert.match(
      getFault(both).message,
      /^html and the html of more_documents together may have at most 5 MiB/,
    );
    refuse(
      { more_documents: [{ html }, { html, ...bad }] },
      'invalid_page_size',
      'more_documents[1].page_size',
    );
    const unknown = getFault({ more_documents: [{ html, format: 'A4' }] });
    assert.equal(unknown.param, 'more_documents[0].format');
    assert.match(
      unknown.message,
      /^more_documents\[0\] has unknown members: "format" \(did you mean page_size\?\)/,
    );
    refuse({ more_documents: [{ html, css: 'p {}' }] }, 'invalid_parameter', 'more_documents[0].css');
    const margin = getFault({ more_documents: [{ html, margin_top: '1em' }] });
    assert.equal(margin.param, 'more_documents[0].margin_top');
    assert.match(margin.message, /^more_documents\[0\]: margin_top must be a string with a CSS length/);
  });

  void it('all html together may have 5 MiB, and not a byte more', () => {
    const quarter = { html: 'x'.repeat(MIB + MIB / 4) };
    const whole = { ...quarter, more_documents: [quarter, quarter, quarter] };
    assert.equal(parsePdfRequest(whole).moreDocuments.length, 3);
    refuse({ ...whole, html: `${quarter.html}x` }, 'payload_too_large', 'more_documents[2].html');
  });

  void it('each document leaves 10 mm of content, with the margins that it has from the request', () => {
    const label = { page_width: '62mm', page_height: '29mm' };
    const cramped = getFault({ more_documents: [{ html, ...label }] });
    assert.match(cramped.message, /^more_documents\[0\]: margin_top \(20mm by default\) and margin_bottom/);
    refuse(
      { margin_left: '100mm', more_documents: [{ html, page_size: 'A5', margin_right: '40mm' }] },
      'invalid_parameter',
      'more_documents[0].margin_left',
    );
  });
});
