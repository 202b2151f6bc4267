const DOT =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAIAAAACUFjqAAAAEklEQVR4nGP4z8CAB+GTG8HSALfKY52fTcuYAAAAAElFTkSuQmCC';
const SVG = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="30" height="30"><circle cx="15" cy="15" r="14" fill="teal"/></svg>')}`;

/** One feature of HTML or CSS each, without script and without resources from elsewhere. */
export const FEATURES: Record<string, string> = {
  'plain text': 'just text',
  headings: '<h1>One</h1><h2>Two</h2><h3>Three</h3><h4>Four</h4><h5>Five</h5><h6>Six</h6>',
  lists: '<ul><li>a<ol type=i><li>b<li>c</ol><li>d</ul><dl><dt>t<dd>d</dl>',
  'list markers': `<style>ul{list-style:url("${SVG}")}li::marker{color:red}</style><ul><li>a<li>b</ul><ol start=7 reversed><li>x<li>y</ol>`,
  table:
    '<table border=1><caption>C</caption><thead><tr><th>h</th><th>i</th></thead><tbody><tr><td rowspan=2>a<td>b<tr><td>c</table>',
  'table that breaks over pages': `<style>td{padding:20px;border:1px solid}</style><table><thead><tr><th>Head</thead><tbody>${'<tr><td>row'.repeat(60)}</tbody><tfoot><tr><td>foot</table>`,
  'collapsed borders':
    '<table style="border-collapse:collapse"><tr><td style="border:3px double red">a<td style="border:1px dotted">b</table>',
  flexbox:
    '<div style="display:flex;gap:8px;justify-content:space-between;align-items:center"><i style="flex:2;background:#eee">a</i><b style="flex:1">b</b><u>c</u></div>',
  grid: '<div style="display:grid;grid-template:auto 40px/1fr 2fr;gap:4px"><i style="background:#fcc">a</i><i>b</i><i style="grid-column:span 2;background:#cfc">c</i></div>',
  subgrid:
    '<div style="display:grid;grid-template-columns:1fr 2fr"><div style="display:grid;grid-template-columns:subgrid;grid-column:span 2"><i>a</i><i>b</i></div></div>',
  columns: `<div style="columns:3;column-rule:1px solid">${'lorem ipsum dolor '.repeat(120)}</div>`,
  floats:
    '<div style="float:right;shape-outside:circle();width:90px;height:90px;background:#ccf;border-radius:50%"></div>'.concat(
      'text around it '.repeat(60),
    ),
  'absolute and fixed':
    '<div style="position:fixed;top:0;right:0;background:#ff0">F</div><div style="position:absolute;left:200px;top:300px">A</div><p style="break-after:page">1<p>2',
  sticky: '<div style="height:2000px"><div style="position:sticky;top:0;background:#eee">S</div></div>',
  transforms:
    '<div style="transform:rotate(12deg) skewX(8deg) scale(1.3);width:90px;background:#9cf;margin:60px">T</div>',
  '3D transforms':
    '<div style="perspective:300px"><div style="transform:rotateY(40deg);width:90px;height:90px;background:#9cf">T</div></div>',
  gradients:
    '<div style="height:90px;background:linear-gradient(45deg,red,blue)"></div><div style="height:90px;background:radial-gradient(circle,#fff,#000)"></div><div style="height:90px;background:conic-gradient(red,lime,blue,red)"></div>',
  'borders and shadows':
    '<div style="border:4px dashed #888;border-radius:20px;box-shadow:4px 4px 12px #0008;text-shadow:1px 1px 2px red;padding:12px">S</div>',
  filters:
    '<div style="filter:blur(2px) hue-rotate(90deg);background:orange;width:90px">F</div><div style="opacity:.4;mix-blend-mode:multiply;background:#09f">B</div>',
  'clip paths':
    '<div style="clip-path:polygon(50% 0,100% 100%,0 100%);width:90px;height:90px;background:purple"></div>',
  'data: image': `<img src="${DOT}" width=40 height=40 alt="dot"><img src="${SVG}" alt="">`,
  // The opaque picture lies below: above, it hides the other or not, as Chromium happens to have decoded it
  // already.
  'data: backgrounds': `<div style="width:200px;height:100px;background:url(${JSON.stringify(SVG).replaceAll('"', '')}) repeat-x,url('${DOT}') repeat"></div>`,
  'border image': `<div style="border:10px solid;border-image:url(${DOT}) 3 round;padding:8px">B</div>`,
  mask: `<div style="width:60px;height:60px;background:red;mask:url(${DOT}) center/20px"></div>`,
  'inline SVG':
    '<svg width=120 height=60><defs><linearGradient id=g><stop stop-color=red /><stop offset=1 stop-color=blue /></linearGradient></defs><rect width=120 height=60 fill="url(#g)"/><text x=10 y=30 fill=#fff>SVG</text></svg>',
  'SVG clip, pattern, use':
    '<svg width=120 height=60><defs><pattern id=p width=8 height=8 patternUnits=userSpaceOnUse><circle cx=4 cy=4 r=3 /></pattern><clipPath id=c><circle cx=30 cy=30 r=30 /></clipPath><g id=u><rect width=20 height=20 fill=green /></g></defs><rect width=60 height=60 fill="url(#p)" clip-path="url(#c)"/><use href="#u" x=70 /></svg>',
  'SVG filter':
    '<svg width=120 height=60><filter id=f><feGaussianBlur stdDeviation=3 /></filter><rect x=10 y=10 width=60 height=30 fill=red filter="url(#f)"/></svg>',
  MathML:
    '<math display=block><mfrac><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow><msqrt><mi>b</mi></msqrt></mfrac></math>',
  forms:
    '<form><input value="text"><input type=checkbox checked><input type=radio checked><select><option>one<option selected>two</select><textarea>area</textarea><button>go</button><progress value=.4></progress><meter value=.7></meter><input type=range><input type=color value="#ff0000"><input type=date></form>',
  'details and summary':
    '<details open><summary>S</summary>open</details><details><summary>T</summary>closed</details>',
  'counters and generated text':
    '<style>body{counter-reset:n}p{counter-increment:n}p::before{content:counter(n,upper-roman)". "attr(title)}q{quotes:"«" "»"}</style><p title=x>a<p title=y>b <q>q</q>',
  'custom properties': '<style>:root{--c:#c00;--p:8px}p{color:var(--c);padding:calc(var(--p)*2)}</style><p>v',
  '@property':
    '<style>@property --x{syntax:"<length>";inherits:false;initial-value:30px}p{margin-left:var(--x)}</style><p>p',
  'container queries':
    '<style>div{container-type:inline-size;width:300px}@container (width>200px){p{color:green}}</style><div><p>c</div>',
  'media queries':
    '<style>p{color:red}@media print{p{color:green}}@media screen{p{color:blue;font-size:40px}}@media (min-width:500px){p{font-weight:bold}}@media (orientation:landscape){p{font-style:italic}}@media (prefers-reduced-motion){p{color:gray}}</style><p>m',
  'viewport units': '<div style="width:50vw;height:20vh;background:#eef">v</div>',
  '@supports and @layer':
    '<style>@layer a,b;@layer b{p{color:green}}@layer a{p{color:red}}@supports (display:grid){p{font-weight:bold}}</style><p>l',
  nesting:
    '<style>div{color:red;& p{color:green;&:first-child{font-weight:bold}}}</style><div><p>a<p>b</div>',
  'has and is':
    '<style>div:has(b){background:#efe}:is(i,u):where(.x){color:red}</style><div><b>b</b></div><i class=x>i</i>',
  animations:
    '<style>@keyframes k{from{margin-left:0}to{margin-left:200px}}p{animation:k 1s both;transition:all 1s}</style><p>a',
  'vertical writing': '<div style="writing-mode:vertical-rl;height:200px">縦書き vertical</div>',
  'right to left': '<div dir=rtl>עברית <b>x</b> 123</div><p><bdo dir=rtl>abc</bdo>',
  ruby: '<ruby>漢<rt>kan</rt>字<rt>ji</rt></ruby>',
  'hyphenation and justification': `<p lang=en style="hyphens:auto;width:90px;text-align:justify">${'extraordinarily incomprehensible '.repeat(8)}</p>`,
  'initial letter':
    '<style>p::first-letter{initial-letter:3;color:red}p::first-line{font-variant:small-caps}</style><p>'.concat(
      'word '.repeat(80),
    ),
  'font features':
    '<p style="font-variant-numeric:tabular-nums oldstyle-nums;font-feature-settings:\'liga\' 0;letter-spacing:1px;word-spacing:3px;font-stretch:condensed">0123 fi</p>',
  'text decoration':
    '<p style="text-decoration:underline wavy red 2px;text-underline-offset:4px;text-emphasis:dot">d</p><p><s>s</s><ins>i</ins><mark>m</mark><kbd>k</kbd><sub>1</sub><sup>2</sup>',
  preformatted: '<pre>\n  a\tb\n  c</pre><code>c</code><p style="white-space:pre-wrap">x\n  y',
  overflow:
    '<div style="width:90px;height:40px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap">hidden text that is long</div><div style="height:40px;overflow:scroll">a<br>b<br>c<br>d</div>',
  'too wide': `<div style="width:1500px;background:linear-gradient(90deg,#fff,#00f)">wide</div>`,
  'page breaks':
    '<p>a<p style="break-before:page">b<div style="break-inside:avoid;height:900px;background:#eee">c</div>',
  'orphans and widows': `<p style="orphans:5;widows:5">${'word '.repeat(3000)}</p>`,
  '@page and named pages':
    '<style>@page{margin:30mm}@page :first{margin-top:60mm}@page wide{size:A4 landscape}section{page:wide}</style><p>a<section>b</section>',
  'margin boxes':
    '<style>@page{@bottom-center{content:counter(page)" of "counter(pages)}@top-left{content:"T"}}</style><p>a<p style="break-before:page">b',
  'quirks mode':
    '<table style="font-size:30pt"><tr><td>x</table><img align=left width=20 height=20><font color=red size=5>f</font><center>c</center><marquee>m</marquee>',
  'limited quirks':
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd"><table><tr><td><img width=20 height=20></table>',
  'comment and declaration before the doctype': '<!-- c --><?xml version="1.0"?><!doctype html><p>x',
  'links and anchors':
    '<a href="#t">to</a> <a href="https://example.com/?a=1&amp;b=2">out</a> <a href="mailto:a@example.com">mail</a><h2 id=t>t</h2>',
  'unclosed and misnested': '<p><b>a<i>b</b>c</i><table><tr>x<td>y<div>z',
  'entities and controls': '&amp;&lt;&copy;&#x1F600;&#0;&nbsp;|\u00AD|\u200B|\u202E',
  'zoom and aspect ratio': '<div style="zoom:1.5;aspect-ratio:3/1;width:90px;background:#eee">z</div>',
  'color functions':
    '<p style="background:oklch(80% .1 200);color:color-mix(in srgb,red 40%,blue)">c<p style="background:light-dark(#fff,#000);color:color(display-p3 1 0 0)">d',
  'box decoration':
    '<p style="width:120px"><span style="background:#fd0;padding:4px;border:1px solid;box-decoration-break:clone">several lines of boxed text</span>',
  'multiple backgrounds and attachment':
    '<div style="height:90px;background:linear-gradient(#f008,#0f08),repeating-linear-gradient(45deg,#ccc 0 4px,#fff 4px 8px) fixed">b</div>',
  'object fit and position': `<img src="${DOT}" style="width:90px;height:40px;object-fit:cover;object-position:right">`,
  hidden:
    '<p hidden>h<p style="visibility:hidden">v<p style="display:none">n<p style="content-visibility:hidden">c<p>shown',
  'position and anchors in a multi-page table': `<table>${'<tr><td style="position:relative"><div style="position:absolute;right:0">a</div>row'.repeat(90)}</table>`,
  'root backgrounds': '<style>html{background:#eef}body{background:#fee;margin:20px}</style><p>r',
};
