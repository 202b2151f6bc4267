import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseFragment, type DefaultTreeAdapterTypes } from 'parse5';
import { fillTexts, type TemplateText } from './fill-texts.ts';

type Data = Record<string, unknown>;

const NOW = Date.UTC(2026, 2, 1, 12, 30);
const LAST = '{% for i in (1..9) %}';
/** Puts the list `a` into a list. */
const WRAP = '{% assign b = "" | split: "" | push: a %}{% assign a = b %}';

function run(source: string, data: Data = {}, kind: TemplateText['kind'] = 'document') {
  const param = kind === 'document' ? 'html' : `${kind}_html`;
  return fillTexts({ texts: [{ kind, param, source }], data, now: NOW });
}

function fill(...args: Parameters<typeof run>): string | undefined {
  const outcome = run(...args);
  if ('fault' in outcome) assert.fail(outcome.fault.message);
  return outcome.texts[0]?.html;
}

/** Fills a template whose second other processes may take: once in several attempts is enough. */
function fillOnce(...args: Parameters<typeof run>): string | undefined {
  for (let attempt = 0; attempt < 9; attempt += 1) {
    const outcome = run(...args);
    if ('texts' in outcome) return outcome.texts[0]?.html;
  }
  return fill(...args);
}

function findFault(...args: Parameters<typeof run>) {
  const outcome = run(...args);
  return 'fault' in outcome ? outcome.fault : assert.fail(`filled: ${outcome.texts[0]?.html.slice(0, 200)}`);
}

void describe('what a template prints', () => {
  const escaped: [name: string, source: string, expected: string][] = [
    ['a value', '{{ s }}', '&lt;i&gt;&amp;&quot;&#39;'],
    ['the value of echo and cycle', '{% echo s %}{% cycle s %}', '&lt;i&gt;&amp;&quot;&#39;'.repeat(2)],
    [
      'what an assigned value has',
      '{% assign a = s | append: "<" %}{{ a }}',
      '&lt;i&gt;&amp;&quot;&#39;&lt;',
    ],
    ['what a filter makes of raw', '{{ "<i>" | raw | upcase }}', '&lt;I&gt;'],
    ['the value of default', '{{ missing | default: "<i>" }}', '&lt;i&gt;'],
    ['a joined list', '{{ list | join: "<" }}', '&lt;b&gt;&lt;1'],
    ['a list and an object', '{{ list }}{{ object }}', '&lt;b&gt;1{&quot;a&quot;:&quot;&lt;&quot;}'],
    [
      'a value that is escaped by hand, once',
      '{{ "<" | escape }}{{ "&lt;<" | escape_once }}',
      '&lt;&lt;&lt;',
    ],
    ['lines with breaks', '{{ lines | newline_to_br }}', '&lt;1<br>\n2'],
  ];
  for (const [name, source, expected] of escaped)
    void it(`is escaped: ${name}`, () => {
      const data = { s: `<i>&"'`, list: ['<b>', 1], object: { a: '<' }, lines: '<1\n2' };
      assert.equal(fill(source, data), expected);
    });

  void it('is not escaped with raw, nor twice what was captured', () => {
    assert.equal(fill('{{ s | raw }}', { s: '<i>' }), '<i>');
    assert.equal(
      fill('{% capture c %}<b>{{ s }}</b>{% endcapture %}{{ c }}{% assign d = c %}{{ d }}', { s: '<' }),
      '<b>&lt;</b><b>&lt;</b>',
    );
    assert.equal(
      fill('{% capture c %}<b>{{ s }}{% endcapture %}{{ c | upcase }}', { s: '<' }),
      '&lt;B&gt;&amp;LT;',
    );
  });

  void it('is JSON that ends no script and no attribute', () => {
    const data = { a: { b: '</script><!--"\u2028' } };
    assert.equal(fill('{{ a | json | raw }}', data), '{"b":"\\u003c/script\\u003e\\u003c!--\\"\\u2028"}');
    assert.doesNotMatch(fill('{{ a | json }}', data) ?? '', /["<>]/);
  });

  void it('holds every text of data, and no tag or attribute of it (fast-check)', () => {
    const texts = fc.string({
      unit: fc.constantFrom(...`<>&"'={}%/ \n-!a`.split(''), 'é', '😀', '&lt;', '<b>', '{{', '{%'),
    });
    fc.assert(
      fc.property(texts, (s) => {
        const html = fill(`<p title="{{ s }}" class='{{ s | strip_newlines }}'>x{{ s }}</p>`, { s });
        const [p, ...others] = parseFragment(html ?? '').childNodes as DefaultTreeAdapterTypes.Element[];
        assert.deepEqual([p?.tagName, others.length, p?.childNodes.length], ['p', 0, 1]);
        assert.deepEqual(
          p?.attrs.map(({ name, value }) => [name, value]),
          [
            ['title', s],
            ['class', s.replaceAll('\n', '')],
          ],
        );
        assert.equal((p?.childNodes[0] as DefaultTreeAdapterTypes.TextNode | undefined)?.value, `x${s}`);
      }),
      { numRuns: 200 },
    );
  });
});

void describe('the data of a template', () => {
  void it('has the members that it was sent with, and none of a prototype', () => {
    const source =
      '{{ constructor }}{{ __proto__.x }}{{ a.constructor }}{{ a.__proto__ }}{{ a.toString }}{{ "s".at }}{{ nil.valueOf }}';
    assert.equal(fill(`x${source}`, { a: [1] }), 'x');
    const own = JSON.parse('{"__proto__":{"x":"p"},"constructor":"c"}') as Data;
    assert.equal(fill(`x${source}`, own), 'xcp');
    assert.equal(
      fill(
        '{% for i in a %}x{{ forloop.constructor }}{{ forloop.__proto__ }}{{ forloop.next }}{% endfor %}',
        { a: [1] },
      ),
      'x',
    );
  });

  void it('is the same for all texts: what one assigns or counts is not in the next', () => {
    const texts = ['{% assign a = 2 %}{% increment n %}{{ a }}', '{{ a }}{% increment n %}'].map(
      (source) => ({ kind: 'document', param: 'html', source }) as const,
    );
    const outcome = fillTexts({ texts, data: { a: 1 }, now: NOW });
    assert.deepEqual('texts' in outcome && outcome.texts.map(({ html }) => html), ['02', '10']);
  });

  void it('prints nothing for what is missing', () => {
    assert.equal(fill('x{{ a.b.c }}{% for i in a %}y{% endfor %}{% if a.b %}y{% endif %}'), 'x');
  });
});

void describe('placeholders', () => {
  void it('stay in headers, also with filters and whitespace control; data cannot make one', () => {
    const data = { page: 7, title: 'no', s: '{{ pages }}{' };
    assert.equal(
      fill('{{page}} {{- pages | plus: 1 -}} {{ title | upcase }} {{ date }} {{ s }}', data, 'header'),
      '{{page}}{{pages}}{{title}} {{date}} &#123;&#123; pages }}&#123;',
    );
  });

  void it('are ordinary names in html', () => {
    assert.equal(fill('{{ page }}/{{ pages }}/{{ s }}', { page: 7, s: '{{ x }}' }), '7//{{ x }}');
  });
});

void describe('numbers and dates', () => {
  const printed: [source: string, expected: string][] = [
    ['{{ 1234.5 | money: "eur", "de-DE" }}', '1.234,50\u00a0€'],
    ['{{ "0.105" | money: "USD" }}', '$0.11'],
    ['{{ 12 | money: "JPY", "ja-JP" }}', '￥12'],
    ['{{ "x" | money: "USD" }}', 'x'],
    ['{{ "12345678901234567.891" | number: 2 }}', '12,345,678,901,234,567.89'],
    ['{{ 0.5 | number }}', '0.5'],
    ['{{ "now" | date: "%d.%m.%Y %H:%M %z" }}', '01.03.2026 12:30 +0000'],
    ['{{ "today" | date: "%-d %B %y, %A %e %j %V", "UTC" }}', '1 March 26, Sunday  1 060 09'],
    ['{{ "2026-07-01T10:00:00Z" | date: "%F %T %:z", "America/New_York" }}', '2026-07-01 06:00:00 -04:00'],
    ['{{ "2026-07-01 10:00" | date: "%c" }}', 'Wed Jul  1 10:00:00 2026'],
    ['{{ "March 1, 2026" | date }}', '2026-03-01'],
    ['{{ 86400 | date: "%s %^a %Q" }}', '86400 FRI %Q'],
    ['{{ "soon" | date: "%Y" }}', 'soon'],
    ['{{ "3.12.2026" | date: "%F" }} {{ "3/12/2026" | date: "%F" }}', '3.12.2026 3/12/2026'],
    ['{{ "item 5" | date: "%F" }} {{ "3 Dec 2026" | date: "%F" }}', 'item 5 2026-12-03'],
    ['{{ "2026-12-03" | date: "%d.%m.%Y" }} {{ "March 1, 2026" | date: "%F" }}', '03.12.2026 2026-03-01'],
  ];
  for (const [source, expected] of printed)
    void it(`${source} prints ${expected}`, () => assert.equal(fill(source), expected));
});

void it('a time prints in the zone of the request, but a day or a time without a zone as it is written', () => {
  const now = Date.UTC(2026, 2, 1, 23, 30);
  const source =
    '{{ "now" | date }} {{ "now" | date: "%F", "UTC" }} {{ 86400 | date: "%F %H" }} {{ "2026-03-01T02:00:00Z" | date }} {{ "2026-03-01" | date }} {{ "2026-03-01 02:00" | date: "%F %H" }}';
  const print = (zone: string | null) => {
    const outcome = fillTexts({ texts: [{ kind: 'document', param: 'html', source }], data: {}, now, zone });
    return 'texts' in outcome ? outcome.texts[0]?.html : outcome.fault.message;
  };
  assert.equal(print(null), '2026-03-01 2026-03-01 1970-01-02 00 2026-03-01 2026-03-01 2026-03-01 02');
  assert.equal(
    print('Asia/Tokyo'),
    '2026-03-02 2026-03-01 1970-01-02 09 2026-03-01 2026-03-01 2026-03-01 02',
  );
  assert.match(print('America/New_York') ?? '', / 1970-01-01 19 2026-02-28 2026-03-01 2026-03-01 02$/);
});

void describe('a fault of a template', () => {
  const faults: [source: string, message: RegExp][] = [
    [
      'a\nb {% for x in y %}',
      /^Line 2, column 3 of html: the tag "for" is not closed: add \{% endfor %\}\.$/,
    ],
    ['{% liquid\n echo 1\n comment\n%}', /^Line 3, column 2 of html: the tag "comment" is not closed: add/],
    ['{% if x %}\n\n  {% endfor %}', /^Line 3, column 3 of html: "endfor" has no \{% for %\} before it\.$/],
    ['{{ x', /^Line 1, column 1 of html: the output "\{\{ x" has no \}\}\.$/],
    ['{% if', /the tag "\{% if" has no %\}/],
    ['{% raw %}', /add \{% endraw %\}/],
    ['\n{{ x | nope }}', /^Line 2, column 1 of html: there is no filter "nope"\.$/],
    ['{{ x | where_exp: "x", "y" }}', /there is no filter "where_exp"/],
    ['{{ x | sample }}', /there is no filter "sample"/],
    ['{{ x | constructor }}', /there is no filter "constructor"/],
    ['{% nope %}', /there is no tag "nope"/],
    ['{% include "/etc/passwd" %}', /the tag "include" is not available: a template cannot load others/],
    ['{% render "a" %}', /the tag "render" is not available/],
    ['{% layout "a" %}', /the tag "layout" is not available/],
    ['{% liquid\n echo 1\n block a %}', /^Line 3, column 2 of html: the tag "block" is not available/],
    ['{% for x of y %}{% endfor %}', /is written \{% for item in list %\}/],
    ['{{ a[ }}', /a "\[" is not closed/],
    ['{{ "a" | append }}', /the filter "append" needs an argument/],
    ['{{ "%" | url_decode }}', /the text is not percent-encoded/],
    ['{{ o | upcase }}', /a value has a type that this tag or filter does not take/],
    ['\n{{ l | where: "a[" }}', /^Line 2, column 1 of html: an argument of this filter is no path/],
    ['{{ 1 | money }}', /"money" needs a currency/],
    ['{{ 1 | number: 1, "x_y" }}', /a locale must be a language tag/],
    ['{% if %}a{% endif %}', /the tag needs a value\./],
    ['{{ "now" | date: "%Y", "Mars" }}', /the zone of "date" is not known/],
    ['{% if missing %}x{% endif %} ', /^The template of html prints nothing/],
  ];
  for (const [source, message] of faults)
    void it(`is invalid_parameter: ${JSON.stringify(source)}`, () => {
      const fault = findFault(source, { l: [1], o: { toString: 1, valueOf: 1 } });
      assert.deepEqual([fault.code, fault.param], ['invalid_parameter', 'html']);
      assert.match(fault.message, message);
      assert.doesNotMatch(fault.message, /node_modules|\.mjs|undefined/);
    });

  void it('is found in a header that a template put together', () => {
    const source = '<style>{{ "@im" }}{% raw %}{% endraw %}\\port url(x)</style>';
    assert.deepEqual(findFault(source, {}, 'header').param, 'header_html');
  });
});

void describe('a limit of a template', () => {
  const limited: [name: string, code: string, source: string, data?: Data][] = [
    ['a range of two million', 'render_failed', '{% for i in (1..2000000) %}{% break %}{% endfor %}'],
    [
      'a text that doubles',
      'render_failed',
      `{% assign s = "x" %}${double('{% assign s = s | append: s %}')}`,
    ],
    [
      'a captured text that doubles',
      'payload_too_large',
      double('{% capture s %}x{{ s }}{{ s }}{% endcapture %}'),
    ],
    ['a list that doubles', 'render_failed', double('{% assign l = l | push: l %}'), { l: ['x'] }],
    ['a list of characters', 'render_failed', '{{ s | split: "" | size }}', { s: 'é'.repeat(100_001) }],
    ['a replacement that multiplies', 'render_failed', '{{ s | replace: "", s }}', { s: 'x'.repeat(50_000) }],
    ['an encoded text', 'render_failed', '{{ s | url_encode }}', { s: '€'.repeat(349_000) }],
    [
      'an encoded text that is not escaped',
      'render_failed',
      '{{ s | url_encode | raw }}',
      { s: '€'.repeat(349_000) },
    ],
    ['a long format of a date', 'invalid_parameter', '{{ "now" | date: s }}', { s: '%999d'.repeat(1_000) }],
    ['tags in tags', 'invalid_parameter', '{% if a %}'.repeat(20_000)],
    ['brackets in brackets', 'invalid_parameter', `{{ ${'a['.repeat(100_000)} }}`],
    ['5 MiB of braces', 'invalid_parameter', '{{'.repeat(2_621_440)],
    [
      'the indentation of deep JSON',
      'render_failed',
      `{% assign a = s | split: "" %}{% for i in (1..100) %}${WRAP}{% endfor %}{{ a | json: 8 | size }}`,
      { s: 'x'.repeat(9_000) },
    ],
    [
      'breaks in captured lines',
      'render_failed',
      `{% capture c %}${'{{ s }}'.repeat(9)}{% endcapture %}{% assign d = c | newline_to_br %}x`,
      { s: '\n'.repeat(120_000) },
    ],
    ['5 MiB and a byte', 'payload_too_large', '{{ s }}'.repeat(5) + '{{ "x" }}', { s: 'é'.repeat(524_288) }],
  ];
  function double(source: string): string {
    return `${LAST}${LAST}${source}{% endfor %}{% endfor %}`;
  }
  for (const [name, code, source, data] of limited)
    void it(`ends ${name}: ${code}`, () => {
      const fault = findFault(source, data ?? {});
      assert.equal(fault.code, code, fault.message);
      assert.equal(fault.param, 'html');
    });

  void it('is 5 MiB for all documents together, and 512 KiB for each header', () => {
    const source = '{{ s | raw }}';
    const text = { kind: 'document', param: 'html', source } as const;
    const second = { ...text, param: 'more_documents[0].html' };
    const outcome = fillTexts({ texts: [text, second], data: { s: 'x'.repeat(1_000_000) }, now: NOW });
    assert.ok('texts' in outcome);
    const texts = [text, text, text, text, text, second];
    const over = fillTexts({ texts, data: { s: 'x'.repeat(1_000_000) }, now: NOW });
    assert.ok('fault' in over);
    assert.deepEqual([over.fault.code, over.fault.param], ['payload_too_large', 'more_documents[0].html']);
    assert.equal(fill(source, { s: 'x'.repeat(524_288) }, 'header')?.length, 524_288);
    assert.equal(findFault(source, { s: 'x'.repeat(524_289) }, 'header').code, 'payload_too_large');
  });

  void it('names the indentation of JSON, before it is made', () => {
    const wrapped = `{% assign a = s | split: "" %}{% for i in (1..100) %}${WRAP}{% endfor %}{{ a | json: 8 }}`;
    assert.match(findFault(wrapped, { s: 'x'.repeat(9_000) }).message, /leave out its indent/);
    assert.equal(fill('{{ a | json: 2 | raw }}', { a: { b: [1] } }), '{\n  "b": [\n    1\n  ]\n}');
  });

  void it('counts the numbers that are texts', () => {
    const twice = '{{ s | slice: 0, "9" }}'.repeat(20);
    assert.equal(fill(twice, { s: 'x'.repeat(9) })?.length, 180);
  });

  void it('has at most 50,000 tags and outputs in all texts, which are counted before they are parsed', () => {
    const fillAll = (...sources: string[]) => {
      const texts = sources.map((source, at) => ({ kind: 'document', param: `text ${at}`, source }) as const);
      return fillTexts({ texts, data: {}, now: NOW });
    };
    const full = '{% # %}'.repeat(25_000);
    assert.ok('texts' in fillAll(`x${full}`, `{ { ${full}`));
    for (const mark of ['{{', '{%', '{{{']) {
      const over = fillAll(`x${full}`, `${full}${mark.repeat(1_000_000)}`);
      assert.deepEqual('fault' in over && over.fault, {
        code: 'invalid_parameter',
        param: 'text 1',
        message:
          'The templates have more than 50,000 tags ({{ or {%) at character 175002 of text 1: print lists with {% for %}.',
      });
    }
  });

  void it('has at most 500,000 characters in tags and outputs; the error names the line of the tag', () => {
    const list = `{% assign a = 1${' | abs'.repeat(40_000)} %}`;
    const findLong = (source: string) => {
      const texts = ['html', 'header_html'].map((param) => ({ kind: 'document', param, source }) as const);
      const outcome = fillTexts({ texts, data: {}, now: NOW });
      return 'fault' in outcome ? outcome.fault : null;
    };
    assert.equal(findLong(`${'x'.repeat(300_000)}{% raw %}${'{ '.repeat(150_000)}{% endraw %}`), null);
    assert.deepEqual(findLong(`x\n{{ 1 }}${list}\n{{ "${'b'.repeat(15_000)}" }}`), {
      code: 'invalid_parameter',
      param: 'header_html',
      message:
        'Line 3, column 1 of header_html: the tags and outputs of the templates have more than 500,000 characters: move lists and texts to data.',
    });
    for (const one of ['{% liquid', '{{ a[b', '{% if a or', '{% case a %}{% when 1,', '{{ a | replace: 1,'])
      assert.match(
        findLong(`x\n${one}${'\n1'.repeat(250_000)} %}}}`)?.message ?? '',
        /^Line 2, .* of html: .*characters/,
      );
  });

  void it('takes time in proportion to the lines of a liquid tag', () => {
    const measure = (lines: number) => {
      const from = process.threadCpuUsage();
      run(`{% liquid\n${'#\n'.repeat(lines)}%}x`);
      const { user, system } = process.threadCpuUsage(from);
      return user + system;
    };
    const findLeast = (lines: number) => Math.min(...[0, 1, 2].map(() => measure(lines)));
    const [few, many] = [findLeast(30_000), findLeast(180_000)];
    assert.ok(many < 24 * few, `6 times the lines took ${many} of ${few} µs`);
  });

  void it('leaves templates of 5,000 outputs and of 5 MiB alone', () => {
    assert.equal(fillOnce('{{ a }}'.repeat(5_000), { a: 1 })?.length, 5_000);
    assert.equal(fillOnce('<p>'.repeat(1_700_000))?.length, 5_100_000);
  });
});
