const PNG =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAIAAAACUFjqAAAAEklEQVR4nGP4z8CAB+GTG8HSALfKY52fTcuYAAAAAElFTkSuQmCC';
const LONG = 'lorem ipsum dolor sit amet '.repeat(60);
/** Documents of the constructs whose structure Chromium, or their author, may get wrong. */
export const STRUCTURES: Record<string, string> = {
  text: '<h1>A</h1><p>text',
  'first heading of h3': '<h3>A</h3><p>text',
  'image without alt': `<h1>A</h1><img src="${PNG}" width=20 height=20>`,
  'decorative image': `<h1>A</h1><img alt="" src="${PNG}" width=20 height=20><p>t`,
  'image with alt': `<h1>A</h1><img alt="dot" src="${PNG}" width=20 height=20>`,
  'figure with an image': `<h1>A</h1><figure><img alt="dot" src="${PNG}" width=20 height=20><figcaption>Caption</figcaption></figure>`,
  'figure with a table': `<h1>A</h1><figure><table><tr><th>x<td>y</table><figcaption>Caption</figcaption></figure>`,
  'figure with code': `<h1>A</h1><figure><pre>code</pre><figcaption>Caption</figcaption></figure>`,
  'inline SVG':
    '<h1>A</h1><svg width=50 height=50><rect width=40 height=40 fill=red /><text x=5 y=20>t</text></svg>',
  'SVG with a role and a label':
    '<h1>A</h1><svg role=img aria-label="red" width=50 height=50><rect width=40 height=40 fill=red /><text x=5 y=20>t</text></svg>',
  'SVG with a title':
    '<h1>A</h1><svg width=50 height=50><title>Red</title><rect width=40 height=40 fill=red /></svg>',
  'hidden SVG':
    '<h1>A</h1><svg aria-hidden=true width=50 height=50><title>Red</title><rect width=40 height=40 fill=red /><text x=5 y=20>t</text></svg>',
  'SVG as image': `<h1>A</h1><img alt="sv" src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='40' height='40'><rect width='40' height='40' fill='red'/><text x='5' y='20'>t</text></svg>">`,
  canvas:
    '<h1>A</h1><canvas id=c width=50 height=50></canvas><script>c.getContext("2d").fillRect(0,0,30,30)</script>',
  'canvas with a label':
    '<h1>A</h1><canvas role=img aria-label=chart id=c width=50 height=50></canvas><script>c.getContext("2d").fillRect(0,0,30,30)</script>',
  'box with the role of an image':
    '<h1>A</h1><div role=img aria-label=box style="background:red;width:30px;height:30px"></div>',
  'role of an image without a label':
    '<h1>A</h1><div role=img style="background:red;width:30px;height:30px">x</div>',
  'table with head and foot':
    '<h1>A</h1><table><caption>C</caption><thead><tr><th>a<th>b<tbody><tr><td>1<td>2<tfoot><tr><td>x<td>y</table>',
  'table with spans':
    '<h1>A</h1><table border><tr><th colspan=2>a<th rowspan=2>b<tr><td>1<td>2<tr><th scope=row>r<td colspan=2>x</table>',
  'table with uneven rows': '<h1>A</h1><table border><tr><th>a<th>b<tr><td>1<tr><td>1<td>2<td>3</table>',
  'table without headers': '<h1>A</h1><table border><tr><td>a<td>b<tr><td>1<td>2</table>',
  'layout table': '<h1>A</h1><table role=presentation><tr><td>a<td>b<tr><td>1<td>2</table>',
  'nested table': '<h1>A</h1><table><tr><th>a<td><table><tr><th>i<td>j</table></table>',
  'table over pages': `<h1>A</h1><table><thead><tr><th>h<th>k<tbody>${'<tr><td>a<td>b'.repeat(100)}</table>`,
  'CSS table':
    '<h1>A</h1><div style="display:table"><div style="display:table-row"><div style="display:table-cell">x</div></div></div>',
  'empty tables': '<h1>A</h1><table></table><table><tr></table><table><tr><td></table>',
  'nested lists': '<h1>A</h1><ul><li>a<ul><li>b<ol><li>c</ol></ul><li>d</ul>',
  'misnested list': '<h1>A</h1><ul>text<div>x</div><li>a</ul><li>stray',
  'list without markers': '<h1>A</h1><ul style="list-style:none"><li>a<li>b</ul>',
  'definition list': '<h1>A</h1><dl><dt>t<dd>d<dt>t2<dd>d2</dl>',
  'misnested definition list': '<h1>A</h1><dl>stray<div><dt>t<dd>d</div></dl>',
  'list over pages': `<h1>A</h1><ol>${`<li>${LONG}`.repeat(12)}</ol>`,
  links:
    '<h1 id=x>A</h1><p><a href="https://a.example/">x</a> <a href="#x">up</a> <a href="mailto:a@b.example">m</a>',
  'link over lines': `<h1>A</h1><p>${'w '.repeat(80)}<a href="https://a.example/">${'long link '.repeat(30)}</a>`,
  'link of an image': `<h1>A</h1><a href="https://a.example/"><img alt=logo src="${PNG}" width=30 height=30></a>`,
  'empty links':
    '<h1>A</h1><a href="https://a.example/"></a><p>t<a href="https://a.example/" style="display:inline-block;width:50px;height:50px;background:red"></a>',
  'link of blocks': '<h1>A</h1><a href="https://a.example/"><div><h2>B</h2><p>t</div></a>',
  'links in lists and tables':
    '<h1>A</h1><ul><li><a href="https://a.example/">x<b>y</b></a></ul><table><tr><th><a href="#t">z</a></table><p id=t>T',
  'link over pages': `<h1>A</h1><a href="https://a.example/">${LONG.repeat(5)}</a>`,
  'rotated link':
    '<h1>A</h1><div style="transform:rotate(20deg);margin:50px"><a href="https://a.example/">x</a></div>',
  'labelled link': '<h1>A</h1><a href="https://a.example/" aria-label="Labelled" title="T">x</a>',
  'hidden link': '<h1>A</h1><a aria-hidden=true href="https://a.example/">x</a>',
  'link in SVG':
    '<h1>A</h1><svg width=100 height=40><a href="https://a.example/"><text x=5 y=20>t</text></a></svg>',
  'image map': `<h1>A</h1><img alt=map usemap="#m" src="${PNG}" width=50 height=50><map name=m><area alt=ar shape=rect coords="0,0,20,20" href="https://a.example/"></map>`,
  form: '<h1>A</h1><form><label>N <input value=v></label><input type=checkbox checked><input type=radio><select><option>o</select><textarea>t</textarea><button>B</button><input type=submit><input type=range><progress value=.5></progress><meter value=.5></meter><fieldset><legend>L</legend>x</fieldset><input type=color><input type=date></form>',
  'image button': `<h1>A</h1><input type=image alt=go src="${PNG}" width=20 height=20>`,
  frame: '<h1>A</h1><iframe srcdoc="<h2>framed</h2><p>x <a href=https://a.example/>l</a>"></iframe>',
  object: '<h1>A</h1><object data="data:text/html,<p>hi"></object>',
  media: '<h1>A</h1><video controls width=100 height=60></video><audio controls></audio>',
  MathML: '<h1>A</h1><math><mfrac><mi>a</mi><mi>b</mi></mfrac></math>',
  emoji: '<h1>A</h1><p>😀 ❤️ 👩‍👩‍👧 🇩🇪',
  'scripts of the world':
    '<h1>A</h1><p>中文 日本語 한국어 हिन्दी العربية עברית ไทย বাংলা தமிழ் ქართული Ελληνικά Русский',
  'shadow and opacity':
    '<h1>A</h1><div style="box-shadow:0 0 8px #000;border-radius:8px;opacity:.7;padding:9px;background:linear-gradient(red,blue)">x</div>',
  lines: '<h1>A</h1><hr><p>x<br>y<hr>',
  'hidden content':
    '<h1>A</h1><div aria-hidden=true>hid</div><div style="visibility:hidden">v</div><div hidden>h</div><p>x',
  roles:
    '<div role=heading aria-level=1>A</div><div role=list><div role=listitem>x</div></div><div role=table><div role=row><div role=columnheader>h</div><div role=cell>c</div></div></div><span role=link>l</span><div role=button>b</div>',
  'details and dialog': '<h1>A</h1><details open><summary>S</summary>d</details><dialog open>D</dialog>',
  'text elements':
    '<h1>A</h1><blockquote>q<p>r</blockquote><q>x</q><cite>c</cite><code>z</code><pre>p</pre><sub>1</sub><sup>2</sup><abbr title=T>t</abbr><mark>m</mark><ins>i</ins><del>d</del><em>e</em><strong>s</strong><kbd>k</kbd><time>t</time><address>a</address>',
  landmarks:
    '<header>h</header><nav><a href="#m">n</a></nav><main id=m><article><h1>A</h1><section><h2>B</h2>x</section></article><aside>s</aside></main><footer>f</footer>',
  ruby: '<h1>A</h1><ruby>漢<rt>kan</rt></ruby>',
  'languages of parts': '<h1>A</h1><p lang=de>Hallo <span lang=fr>Bonjour</span>',
  'invalid language of a part': '<h1>A</h1><p lang="not a language!">x',
  'generated content':
    "<style>h1::before{content:\"§ \"}p::after{content:url(\"data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect width='9' height='9'/></svg>\")}</style><h1>A</h1><p>x",
  'skipped level of headings': '<h1>A</h1><h2>B</h2><h4>C</h4>',
  'heading of level 7':
    '<h1>A</h1><div role=heading aria-level=2>b</div><div role=heading aria-level=7>x</div>',
  'skipped level after a second h1': '<h1>A</h1><h2>B</h2><h1>C</h1><h3>D</h3>',
  'empty heading': '<h1>A</h1><h2></h2><h3>x</h3>',
  'no heading': '<p>only text',
  'margin boxes of a page':
    '<style>@page{margin:30mm;@top-center{content:"Top " counter(page)}@bottom-right{content:"B"}}</style><h1>A</h1><p>x',
  'fixed content on each page': `<div style="position:fixed;top:0">fix</div><h1>A</h1>${'<p style="break-after:page">x'.repeat(3)}`,
  columns: `<h1>A</h1><div style="columns:2">${LONG.repeat(4)}</div>`,
  'vertical text': '<h1>A</h1><p style="writing-mode:vertical-rl">縦書き',
  'filters and blending':
    '<h1>A</h1><div style="transform:perspective(200px) rotateY(30deg)">3d</div><div style="filter:blur(2px)">blur</div><div style="mix-blend-mode:multiply">mb</div><div style="will-change:transform">wc</div>',
  'masked text':
    '<h1>A</h1><div style="mask:linear-gradient(#000,transparent)">mask</div><p style="background:linear-gradient(red,blue);-webkit-background-clip:text;color:transparent">clip',
  'text with effects':
    '<h1 style="text-shadow:2px 2px 4px red;-webkit-text-stroke:1px red">A</h1><p style="text-decoration:underline wavy">x',
  'background image': `<h1>A</h1><div style="background:url(${PNG});width:40px;height:40px"></div>`,
  picture: `<h1>A</h1><picture><source srcset="${PNG}"><img alt=p src="${PNG}" width=9 height=9></picture>`,
  'broken image': '<h1>A</h1><img alt="broken pic" src="data:image/png;base64,AAAA" width=100 height=50>',
  'nested spans': `<h1>A</h1><p>${'<span>'.repeat(200)}x`,
  display:
    '<h1>A</h1><div style="display:contents"><p>x</div><p style="display:flex"><span>a</span>b</p><div style="display:grid"><b>x</b></div>',
  'floats and positions':
    '<h1>A</h1><p><span style="float:right">f</span>text<span style="position:absolute;top:200px">abs</span>',
  'titles of elements': '<h1>A</h1><p title="t">x<span title="y">z</span>',
  'private characters': '<h1>A</h1><p>\ue000 \uf8ff x',
  'control characters': '<h1>A</h1><p>a\u0001b\u200b\u00ad\ufffd',
  labels: '<h1>A</h1><button aria-label="L">x</button><span role=img aria-label="smile">😀</span>',
  'several images without alt': `<h1>A</h1>${`<img src="${PNG}" width=9 height=9>`.repeat(5)}`,
  contents:
    '<h1>A</h1><ol><li><a href="#s1">One</a><li><a href="#s2">Two</a></ol><h2 id=s1>One</h2><p>x<h2 id=s2>Two</h2>',
  footnote:
    '<h1>A</h1><p>t<sup><a href="#f1" role=doc-noteref>1</a></sup><aside id=f1 role=doc-footnote>note</aside>',
};
