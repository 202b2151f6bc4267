import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parsePdfRequest } from './pdf-request.ts';

const refuse = (body: Record<string, unknown>, code: string, param?: string): void => {
  assert.throws(
    () => parsePdfRequest(body),
    { code, ...(param === undefined ? {} : { param }) },
    JSON.stringify(body).slice(0, 200),
  );
};
const refuseWith = (body: Record<string, unknown>, message: RegExp): void =>
  assert.throws(() => parsePdfRequest({ html, ...body }), { code: 'invalid_parameter', message });
const html = '<p>x';

void describe('a PDF request', () => {
  void it('needs html that is a string and not blank', () => {
    for (const value of [undefined, null, '', ' \n\t', '\uFEFF ', 1, true, {}, [], ['<p>']])
      refuse({ html: value }, 'missing_html', 'html');
    assert.equal(parsePdfRequest({ html: 'a\u0000b' }).html, 'a\u0000b');
  });

  void it('may have 5 MiB of html in UTF-8 and 512 KiB of each other text, and not a byte more', () => {
    assert.equal(parsePdfRequest({ html: 'x'.repeat(5_242_880) }).htmlBytes, 5_242_880);
    refuse({ html: 'x'.repeat(5_242_881) }, 'payload_too_large', 'html');
    refuse({ html: '漢'.repeat(1_747_627) }, 'payload_too_large', 'html');
    for (const name of ['css', 'header_html', 'footer_html']) {
      assert.doesNotThrow(() => parsePdfRequest({ html, [name]: 'x'.repeat(524_288) }));
      refuse({ html, [name]: 'é'.repeat(262_145) }, 'payload_too_large', name);
      refuse({ html, [name]: 1 }, 'invalid_parameter', name);
    }
  });

  void it('names the contract’s faults first', () => {
    refuse({ page_size: 'B5', nonsense: 1 }, 'missing_html');
    refuse({ html: 'x'.repeat(6e6), page_size: 'B5' }, 'payload_too_large');
    refuse({ html, page_size: 'B5', nonsense: 1, margin_top: 'x' }, 'invalid_page_size', 'page_size');
  });

  void it('knows five page sizes, and their case matters', () => {
    for (const size of ['A4', 'Letter', 'Legal', 'A3', 'A5'])
      assert.ok(parsePdfRequest({ html, page_size: size }).sheet, size);
    for (const size of ['a4', 'LETTER', 'A4 ', '', 'B5', 'toString', '__proto__', 4, {}, ['A4'], false])
      refuse({ html, page_size: size }, 'invalid_page_size', 'page_size');
    assert.equal(parsePdfRequest({ html }).sheet, null);
  });

  const MARGINS = { margin_top: '0', margin_bottom: '0', margin_left: '0', margin_right: '0' };
  const measureSheet = (members: Record<string, unknown>): number[] => {
    const { sheet } = parsePdfRequest({ html, ...MARGINS, ...members });
    return sheet === null ? [] : [sheet.width, sheet.height].map((length) => Math.round(length));
  };

  void it('takes a sheet of its own, from 10 mm to 5,080 mm, in every absolute unit', () => {
    assert.deepEqual(measureSheet({ page_width: '4in', page_height: '6in' }), [384, 576]);
    assert.deepEqual(measureSheet({ page_width: '10mm', page_height: '5080mm' }), [38, 19_200]);
    assert.deepEqual(measureSheet({ page_width: '200in', page_height: '40Q' }), [19_200, 38]);
    const wrong = ['9.99mm', '5080.1mm', '0', '-10mm', '100', '50%', '10em', '', 100, {}, true];
    for (const value of wrong) {
      refuse({ html, ...MARGINS, page_width: value, page_height: '1in' }, 'invalid_parameter', 'page_width');
      refuse({ html, ...MARGINS, page_width: '1in', page_height: value }, 'invalid_parameter', 'page_height');
    }
  });

  void it('takes page_width and page_height together, and without page_size', () => {
    refuse({ html, page_width: '5in' }, 'invalid_parameter', 'page_height');
    refuse({ html, page_height: '5in', page_width: null }, 'invalid_parameter', 'page_width');
    const both = { page_width: '5in', page_height: '5in' };
    refuse({ html, ...both, page_size: 'A4' }, 'invalid_parameter', 'page_width');
    assert.deepEqual(measureSheet({ ...both, page_size: null }), [480, 480]);
  });

  void it('turns a sheet by its orientation: the longer side of a landscape sheet is its width', () => {
    const wide = { page_width: '6in', page_height: '4in' };
    const tall = { page_width: '4in', page_height: '6in' };
    assert.deepEqual(measureSheet(wide), [576, 384]);
    for (const sheet of [wide, tall]) {
      assert.deepEqual(measureSheet({ ...sheet, orientation: 'landscape' }), [576, 384]);
      assert.deepEqual(measureSheet({ ...sheet, orientation: 'portrait' }), [384, 576]);
    }
    assert.deepEqual(measureSheet({ page_size: 'A5', orientation: 'landscape' }), [794, 559]);
    assert.deepEqual(measureSheet({ orientation: 'landscape' }), [1123, 794]);
  });

  void it('takes margins in every absolute unit of CSS', () => {
    const top = (margin_top: unknown): number | null => parsePdfRequest({ html, margin_top }).margins.top;
    const close = (value: unknown, pixels: number): void =>
      assert.ok(Math.abs((top(value) ?? -1) - pixels) < 1e-6, String(value));
    close('1in', 96);
    close('2.54cm', 96);
    close('25.4mm', 96);
    close('101.6Q', 96);
    close('72pt', 96);
    close('6pc', 96);
    close('96PX', 96);
    close(' .5in ', 48);
    close('+1e1mm', 960 / 25.4);
    close('0', 0);
    close('0.0', 0);
    for (const value of [
      '20',
      '20 mm',
      'mm',
      '-1mm',
      '-0.5in',
      '10%',
      '1em',
      '1rem',
      '5vw',
      'calc(1mm)',
      '1mm 2mm',
      '1.mm',
      '1,5mm',
      '',
      ' ',
      'auto',
      'NaNmm',
      '1e999mm',
      '٣mm',
      20,
      0,
      true,
      {},
      [],
    ]) {
      refuse({ html, margin_top: value }, 'invalid_parameter', 'margin_top');
    }
  });

  void it('leaves 10 mm of content in both directions', () => {
    assert.doesNotThrow(() => parsePdfRequest({ html, margin_left: '100mm', margin_right: '100mm' }));
    refuse({ html, margin_left: '100.1mm', margin_right: '100mm' }, 'invalid_parameter', 'margin_left');
    refuse({ html, margin_left: '190mm' }, 'invalid_parameter', 'margin_left');
    refuse(
      { html, page_size: 'A5', orientation: 'landscape', margin_top: '50mm', margin_bottom: '90mm' },
      'invalid_parameter',
      'margin_bottom',
    );
    refuse({ html, margin_bottom: '1e9mm' }, 'invalid_parameter', 'margin_bottom');
    const label = { page_width: '62mm', page_height: '29mm' };
    refuse({ html, ...label }, 'invalid_parameter');
    assert.doesNotThrow(() => parsePdfRequest({ html, ...label, margin_top: '2mm', margin_bottom: '2mm' }));
  });

  void it('checks every other member, and takes null as absent', () => {
    const wrong: Record<string, unknown[]> = {
      orientation: ['Portrait', 'sideways', 1],
      tagged: ['true', 1],
      outline: ['yes'],
      scale: [0, 0.09, 2.01, '1', Number.NaN, Number.POSITIVE_INFINITY],
      page_ranges: ['', '0', '3-1', '1,,2', 'a', '1-2-3', 1, '-', '1;2', '9999999', `${'1,'.repeat(600)}1`],
      print_background: [0],
      media: ['Print', 'all'],
      base_url: [
        'example.com',
        '/x',
        'ftp://x',
        'file:///etc',
        'http://u:p@x/',
        'javascript:1',
        1,
        `http://x/${'a'.repeat(5000)}`,
      ],
      javascript: ['false'],
      wait_for: ['', ' ', -1, 1.5, 10_001, true, 'x'.repeat(1001)],
      title: ['', ' ', 'a\nb', 'a\u0000b', '\uD800', 'x'.repeat(1001), 5],
      lang: ['', 'x', 'en_US', 'deutsch1', 'de-', '*', 'de"', `de-${'a'.repeat(8)}`.repeat(20), 5],
      filename: ['', 'a/b', 'a\\b', 'a\nb', '..', 'x'.repeat(201), 5, 'a\u202Eb'],
    };
    for (const [name, values] of Object.entries(wrong)) {
      for (const value of values) refuse({ html, [name]: value }, 'invalid_parameter', name);
      assert.doesNotThrow(() => parsePdfRequest({ html, [name]: null }), name);
    }
    const right = parsePdfRequest({
      html,
      scale: 2,
      page_ranges: ' 1 - 3 , 5, 7-',
      base_url: 'HTTP://EXAMPLE.com',
      wait_for: '#done',
      filename: 'Rechnung Nr. 5',
      title: ' Rechnung „Nr. 5“ ',
      lang: 'DE-latn-at',
      media: 'screen',
    });
    assert.deepEqual(
      [right.pageRanges, right.baseUrl, right.waitFor, right.filename],
      ['1-3,5,7-', 'http://example.com/', { selector: '#done' }, 'Rechnung Nr. 5.pdf'],
    );
    assert.deepEqual([right.title, right.language], ['Rechnung „Nr. 5“', 'de-Latn-AT']);
  });

  void it('a number or a boolean in quotes is an error that says so', () => {
    refuseWith({ scale: '1.5' }, /^scale must be a number from 0\.1 to 2, not a string\.$/);
    refuseWith({ scale: 3 }, /^scale must be a number from 0\.1 to 2: it is 3\.$/);
    refuseWith({ tagged: 'true' }, /^tagged must be true or false, not a string\.$/);
    refuseWith({ tagged: 1 }, /^tagged must be true or false: it is 1\.$/);
    for (const text of ['10001', '10001ms', ' 2 s', '.5', '1.5 seconds', '-1'])
      refuseWith({ wait_for: text }, /^wait_for must be a whole number of milliseconds .* 2000\.$/);
    for (const text of ['2000', '2000ms'])
      assert.deepEqual(parsePdfRequest({ html, wait_for: text }).waitFor, { milliseconds: 2000 });
    for (const selector of ['ms', '#a1', '.s', '[a="5"]', '#\\\\31 0ms'])
      assert.deepEqual(parsePdfRequest({ html, wait_for: selector }).waitFor, { selector });
  });

  void it('the message says what was received, without passwords', () => {
    const cases: Record<string, [value: unknown, received: string][]> = {
      media: [
        ['tv', '"tv"'],
        [['print'], 'an array'],
      ],
      page_ranges: [['3-1', '"3-1"']],
      margin_top: [
        [20, '20'],
        ['20 apples', '"20 apples"'],
      ],
      page_width: [['6000mm', '"6000mm"']],
      lang: [['en_US', '"en_US"']],
      now: [['2026-02-30T00:00:00Z', '"2026-02-30T00:00:00Z"']],
      title: [
        ['a\nb', '"a\\nb"'],
        ['x'.repeat(1001), 'a string of 1001 characters'],
        [{}, 'an object'],
      ],
      filename: [['a/b', '"a/b"']],
      wait_for: [[10_001, '10001']],
      keywords: [[{}, 'an object']],
      attachments: [[[5], '5']],
      permissions: [['print', '"print"']],
      facturx: [[{ profile: 'BASIC' }, 'missing']],
      template: [['jinja', '"jinja"']],
      css: [[[], 'an empty array']],
    };
    for (const [name, values] of Object.entries(cases))
      for (const [value, received] of values)
        assert.throws(
          () => parsePdfRequest({ html, [name]: value }),
          ({ message }: Error) => message.endsWith(`: it is ${received}.`) && message.startsWith(name),
          name,
        );
    assert.throws(() => parsePdfRequest({ html, page_size: 'a4' }), {
      code: 'invalid_page_size',
      message: 'page_size must be one of A4, Letter, Legal, A3, A5 (case matters): it is "a4".',
    });
    refuseWith({ password: 5 }, /^password must be a text .* UTF-8: it is no string\.$/);
    refuseWith({ password: 'x'.repeat(128) }, /^password must be a text .* UTF-8: it has 128\.$/);
    refuseWith({ base_url: 'ftp://x' }, /: it begins with "ftp:"\.$/);
    refuseWith({ base_url: 'http://user:secret@x/' }, /: it has credentials\.$/);
    refuseWith({ base_url: '/x' }, /: it is "\/x"\.$/);
    const attachments = [{ name: 'a', base64: 'data:text/plain;base64,YQ==' }];
    refuseWith({ attachments }, /base64 must be the bytes alone: it is a data: URL, so send what follows/);
  });

  void it('wait_for_expression needs scripts, and is the fault if they are disabled', () => {
    const wait_for_expression = 'window.done';
    refuse({ html, wait_for_expression, javascript: false }, 'invalid_parameter', 'wait_for_expression');
    refuseWith({ wait_for_expression, javascript: false }, /^wait_for_expression needs scripts: /);
    for (const javascript of [true, null, undefined])
      assert.equal(
        parsePdfRequest({ html, wait_for_expression, javascript }).waitForExpression,
        wait_for_expression,
      );
  });

  void it('a base_url that is too long is an error that says how long it may be', () => {
    refuseWith(
      { base_url: `http://x/${'a'.repeat(4_088)}` },
      /^base_url must have at most 4096 characters: it is a string of 4097 characters\.$/,
    );
    assert.ok(parsePdfRequest({ html, base_url: `http://x/${'a'.repeat(4_087)}` }).baseUrl);
  });

  void it('names the default of a margin that the request does not have', () => {
    const label = { page_width: '62mm', page_height: '29mm' };
    refuseWith(label, /^margin_top \(20mm by default\) and margin_bottom \(20mm by default\) leave less/);
    refuseWith({ ...label, margin_top: '15mm' }, /^margin_top and margin_bottom \(20mm by default\) leave/);
    refuseWith({ margin_left: '190mm' }, /^margin_left and margin_right \(15mm by default\) leave less/);
  });

  void it('names the member that an unknown one probably means', () => {
    refuseWith(
      { format: 'A4', foo: 1, pageSize: 'A4' },
      /unknown members: "format" \(did you mean page_size\?\), "foo", "pageSize" \(did you mean page_size\?\)\. Correct/,
    );
  });

  void it('names members that it does not know, a few of them', () => {
    refuse({ html, margin: '1mm' }, 'invalid_parameter', 'margin');
    refuse(
      JSON.parse('{"html":"x","__proto__":{"a":1}}') as Record<string, unknown>,
      'invalid_parameter',
      '__proto__',
    );
    refuse({ html, constructor: {} }, 'invalid_parameter', 'constructor');
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, 1]));
    assert.throws(
      () => parsePdfRequest({ html, ...many }),
      (error: Error) => error.message.includes('and 99995 more') && error.message.length < 400,
    );
    assert.throws(
      () => parsePdfRequest({ html, ['x'.repeat(1e6)]: 1 }),
      (error: Error) => error.message.length < 400,
    );
  });
});
