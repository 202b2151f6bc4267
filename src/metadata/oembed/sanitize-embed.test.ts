import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type DefaultTreeAdapterMap, parseFragment } from 'parse5';
import { isFasterThan } from '../../../test/support/cpu-time.ts';
import { seeded } from '../../../test/support/random.ts';
import { sanitizeEmbed } from './sanitize-embed.ts';

/** Ways to run a script that sanitizers have let through, or that browsers have run in unusual places. */
const PAYLOADS = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=//evil.test/x.js></SCRIPT>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<<script>alert(1)//<</script>',
  '<script/xss src="https://evil.test/x.js"></script>',
  '<img src=x onerror=alert(1)>',
  '<img src="https://i.test/x.png" onload="alert(1)">',
  '<img """><script>alert(1)</script>">',
  '<img src=javascript:alert(1)>',
  '<img src="java\tscript:alert(1)">',
  '<img src=" &#14; javascript:alert(1);">',
  '<img src=&#106;&#97;&#118;&#97;&#115;&#99;&#114;&#105;&#112;&#116;&#58;alert(1)>',
  '<img/onerror=alert(1)/src=x>',
  '<img src=x:x onerror\r\n=alert(1)>',
  '<svg onload=alert(1)>',
  '<svg><script>alert&#40;1)</script>',
  '<svg><animate onbegin=alert(1) attributeName=x dur=1s>',
  '<svg><a xlink:href="javascript:alert(1)"><text y=1em>x</text></a></svg>',
  '<svg><style><img src=x onerror=alert(1)></style></svg>',
  '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<math href="javascript:alert(1)">x</math>',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<noembed><img alt="</noembed><img src=x onerror=alert(1)>"></noembed>',
  '<textarea><img title="</textarea><img src=x onerror=alert(1)>"></textarea>',
  '<title><img alt="</title><img src=x onerror=alert(1)>"></title>',
  '<xmp><img alt="</xmp><img src=x onerror=alert(1)>"></xmp>',
  '<template><img src=x onerror=alert(1)></template>',
  '<iframe src="https://f.test/"><img alt="</iframe><img src=x onerror=alert(1)>"></iframe>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<iframe src="data:text/html,<script>alert(1)</script>"></iframe>',
  '<iframe srcdoc="<script>alert(1)</script>" src="https://f.test/"></iframe>',
  '<iframe src="http://f.test/"></iframe>',
  '<iframe src="https://user:pw@f.test/"></iframe>',
  '<iframe src="/account/delete"></iframe>',
  '<iframe src="https://f.test/" sandbox="allow-top-navigation allow-same-origin" allow="camera *" name=x></iframe>',
  '<iframe src="https://f.test/" onload=alert(1) style="position:fixed;inset:0"></iframe>',
  '<object data="javascript:alert(1)"></object><embed src="https://evil.test/x.swf">',
  '<applet code=x></applet><param name=x value=y>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="jAvAsCrIpT&colon;alert(1)">x</a>',
  '<a href="vbscript:msgbox(1)">x</a>',
  '<a href="data:text/html;base64,PHNjcmlwdD4=">x</a>',
  '<a href="/logout" target=_self>x</a>',
  '<a href="https://l.test/" onclick=alert(1) ping="https://evil.test/">x</a>',
  '<a href="https://l.test/" style="background:url(javascript:1)" id=x name=y class=modal>x</a>',
  '<style>@import "https://evil.test/x.css";</style><link rel=stylesheet href=https://evil.test/x.css>',
  '<meta http-equiv=refresh content="0;url=javascript:alert(1)"><base href="https://evil.test/">',
  '<body onload=alert(1)><html onmouseover=alert(1)><head>',
  '<form action="https://evil.test/"><input name=password autofocus onfocus=alert(1)><button formaction=x>',
  '<details open ontoggle=alert(1)>x</details><marquee onstart=alert(1)>x</marquee>',
  '<video><source onerror=alert(1) src=x></video><audio src=x onerror=alert(1)>',
  '<video poster="javascript:alert(1)" src="https://v.test/x.mp4" autoplay></video>',
  '<table background="javascript:alert(1)"><td background="javascript:alert(1)">x',
  '<input type=image src=x onerror=alert(1)><isindex action=javascript:alert(1)>',
  '<div style="width:expression(alert(1))">x</div>',
  '<p lang="</p><script>alert(1)</script>">x</p>',
  '<!--><script>alert(1)</script>-->',
  '<!--[if gte IE 4]><script>alert(1)</script><![endif]-->',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<?xml-stylesheet href="javascript:alert(1)"?>',
  '<a title="<script>alert(1)</script>" href="https://l.test/">x</a>',
  '<p>\0<scr\0ipt>alert(1)</scr\0ipt>',
  '\u2028<img src=x\u2028onerror=alert(1)>',
  '<img src="https://i.test/`><script>alert(1)</script>">',
  '<select><template><style><!--</style><a rel="--></style></template></select><img id=x src onerror=alert(1)>">',
];

const TAGS = new Set(
  'a b blockquote br cite code div em figcaption figure h1 h2 h3 h4 i li ol p pre q small span strong sub audio iframe img source sup time u ul video'.split(
    ' ',
  ),
);
const ATTRIBUTES = new Set(
  'href title rel target src alt width height poster controls type datetime sandbox allowfullscreen referrerpolicy loading lang dir'.split(
    ' ',
  ),
);

/** Lists what is wrong with HTML, by a parse of its own as a browser does it. */
function findFaults(html: string): string[] {
  const faults: string[] = [];
  const pending: DefaultTreeAdapterMap['node'][] = [
    parseFragment(html, { scriptingEnabled: true }),
    parseFragment(html, { scriptingEnabled: false }),
  ];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.nodeName === '#comment') faults.push('a comment');
    if ('childNodes' in node) pending.push(...node.childNodes);
    if ('tagName' in node) faults.push(...findElementFaults(node));
  }
  return faults;
}

function findElementFaults({ tagName, attrs }: DefaultTreeAdapterMap['element']): string[] {
  const faults = TAGS.has(tagName) ? [] : [`<${tagName}>`];
  const values = new Map(attrs.map(({ name, value }) => [name, value]));
  for (const [name, value] of values) {
    if (!ATTRIBUTES.has(name)) faults.push(`${tagName} ${name}`);
    const isUrl = name === 'href' || name === 'src' || name === 'poster';
    if (isUrl && !/^https?:\/\/[^/@]+(?:\/|$)/.test(value)) faults.push(`${name}=${value}`);
  }
  if (tagName === 'a' && values.get('rel') !== 'noopener noreferrer nofollow') faults.push('rel');
  if (tagName === 'iframe' && values.get('src')?.startsWith('https://') !== true) faults.push('frame');
  if (tagName === 'iframe' && values.get('sandbox') !== 'allow-scripts allow-popups') faults.push('sandbox');
  return faults;
}

describe('the html of an oEmbed response', () => {
  it('has no script, style, handler, form or unsafe URL left', () => {
    for (const payload of PAYLOADS) {
      for (const html of [payload, `<b>${payload}</b>`, `<p title="${payload}">`, payload.repeat(3)]) {
        const clean = sanitizeEmbed(html, []) ?? '';
        assert.deepEqual(findFaults(clean), [], `${html}\n${clean}`);
      }
    }
  });

  it('has none left if payloads are cut and joined in any way, and is the same if it is sanitized again', () => {
    const random = seeded(14);
    for (let n = 0; n < 1_500; n++) {
      let html = '';
      for (let parts = 1 + random(4); parts > 0; parts--) {
        const payload = PAYLOADS[random(PAYLOADS.length)]!;
        const from = random(2) === 0 ? 0 : random(payload.length);
        html += payload.slice(from, random(2) === 0 ? undefined : from + random(payload.length));
      }
      const clean = sanitizeEmbed(html, []) ?? '';
      assert.deepEqual(findFaults(clean), [], `${html}\n${clean}`);
      assert.equal(sanitizeEmbed(clean, []) ?? '', clean, html);
    }
  });

  it('keeps what people see of the embeds that providers send', () => {
    assert.equal(
      sanitizeEmbed(
        '<blockquote class="post"><p lang="en" dir="ltr">Hi <a href="https://l.test/?a=1&amp;b=2">you</a></p>&mdash; Ann</blockquote>\n<script async src="https://p.test/widgets.js"></script>',
        [],
      ),
      '<blockquote><p lang="en" dir="ltr">Hi <a href="https://l.test/?a=1&amp;b=2" rel="noopener noreferrer nofollow" target="_blank">you</a></p>— Ann</blockquote>',
    );
    assert.equal(
      sanitizeEmbed(
        '<iframe width="560" height="315" src="//p.test/embed/1" frameborder="0" allow="autoplay" allowfullscreen title="Film"></iframe>',
        [],
      ),
      '<iframe width="560" height="315" src="https://p.test/embed/1" allowfullscreen title="Film" sandbox="allow-scripts allow-popups" referrerpolicy="strict-origin-when-cross-origin" loading="lazy"></iframe>',
    );
  });

  it('lets a frame keep its origin only on the site of a known provider or of its page', () => {
    const isKept = (src: string, trusted: readonly string[]) =>
      sanitizeEmbed(`<iframe src="${src}"></iframe>`, trusted)!.includes(
        'sandbox="allow-scripts allow-popups allow-same-origin allow-presentation"',
      );
    const trusted = ['https://p.example/oembed', 'https://ann.github.io/film'];
    for (const src of ['https://p.example/1', '//player.p.example/1', 'https://ann.github.io/1'])
      assert.ok(isKept(src, trusted), src);
    for (const src of [
      'https://p.example.other.example/1',
      'https://other.example/?p.example',
      'https://eve.github.io/1',
      'https://[::1]/',
      'https://co.uk/',
    ])
      assert.ok(!isKept(src, [...trusted, 'https://co.uk/', 'https://[::1]/']), src);
    assert.ok(!isKept('https://p.example/1', []));
  });

  it('is null if nothing is left to see', () => {
    for (const html of ['', ' ', '<script>1</script>', '<p> </p>', '<iframe src="http://p.test/"></iframe>'])
      assert.equal(sanitizeEmbed(html, []), null, html);
  });

  it('takes linear time for deep nesting, unclosed tags and quotes', () => {
    for (const part of [
      '<div>',
      '<a href="https://l.test/',
      '<iframe src=https://f.test/>',
      '&lt;',
      '<!--',
      '<b ',
    ])
      for (const html of [part.repeat(100_000 / part.length), `<p>${part.repeat(5_000)}`])
        assert.ok(
          isFasterThan(200, () => sanitizeEmbed(html, [])),
          part,
        );
  });
});
