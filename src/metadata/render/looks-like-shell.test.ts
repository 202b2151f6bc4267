import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isFasterThan } from '../../../test/support/cpu-time.ts';
import { PageTags } from '../page/page-tags.ts';
import { looksLikeShell } from './looks-like-shell.ts';

const HEAD = '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>App</title>';
const SCRIPT = '<script type="module" src="/assets/index.js"></script>';
const TEXT = 'A sentence that a visitor reads without any script. '.repeat(8);

function isShell(html: string): boolean {
  const bytes = Buffer.from(html);
  const tags = new PageTags({ details: false, isXml: false, isCharsetKnown: true, stopsEarly: false });
  tags.scan(bytes, bytes.length);
  tags.finish();
  return looksLikeShell(bytes, tags);
}

describe('a shell', () => {
  for (const [name, html] of Object.entries({
    'has an empty element to draw in': `${HEAD}${SCRIPT}</head><body><div id="root"></div></body></html>`,
    'may have the script after it': `${HEAD}</head><body><div id=app> <!-- app --> </div><script src=/a.js></script>`,
    'may use an element of its own': `${HEAD}</head><body><app-root></app-root>${SCRIPT}</body>`,
    'may say that it needs JavaScript': `${HEAD}<script defer src=/a.js></script><body><noscript>${TEXT}</noscript><div id=root></div>`,
    'may show that it loads': `${HEAD}${SCRIPT}<body><div id=app><img src=/logo.svg><div class=spinner></div>Loading…</div>`,
    'may have styles and pictures of its own': `${HEAD}<style>${TEXT}</style>${SCRIPT}<body><svg><text>${TEXT}</text></svg><main></main>`,
    'may have an empty body': `${HEAD}${SCRIPT}</head><body></body></html>`,
    'may have data for its scripts': `${HEAD}<body><div id=__app></div><script type="application/json">{"t":"${TEXT}"}</script><script src=/a.js></script>`,
    'may lead to another page by a script': `${HEAD}</head><body>Redirecting to <a href=/en/>the page</a> … <script>window.location.replace("/en/")</script>`,
    'may set the location': `<script>location.href = '/login?next=' + encodeURIComponent(location.pathname)</script>`,
    'may have large scripts, with end tags in upper case': `${HEAD}<body><div id=app></div><script>${TEXT.repeat(2_000)}</SCRIPT>`,
    'may be cut off': `${HEAD}${SCRIPT}<body><div id=root></div><div title="`,
  }))
    it(name, () => assert.equal(isShell(html), true));
});

describe('a page is no shell', () => {
  for (const [name, html] of Object.entries({
    'if it has an og: tag': `${HEAD}<meta property="og:title" content=a>${SCRIPT}<body><div id=root></div>`,
    'if it has a description': `${HEAD}<meta name=description content=a>${SCRIPT}<body><div id=root></div>`,
    'without a script': `${HEAD}<body><div id=root></div>`,
    'if its scripts are data': `${HEAD}<script type="application/ld+json">{}</script><script type=importmap>{}</script><body><div id=root></div>`,
    'if the type of its data comes after white space': `${HEAD}<script data-a="type=module" type = " application/json">{}</script><body><div id=root></div>`,
    'if it has text': `${HEAD}${SCRIPT}<body><div id=root></div><p>${TEXT}`,
    'if its text is after the scripts': `${HEAD}${SCRIPT}<body><div id=root></div>${'<div></div>'.repeat(500)}${TEXT}`,
    'if it has a form': `${HEAD}${SCRIPT}<body><div></div><form><input name=user></form>`,
    'if it has a table': `${HEAD}${SCRIPT}<body><div></div><table><tr><td>1</table>`,
    'if it has a video': `${HEAD}${SCRIPT}<body><div></div><video src=a.mp4></video>`,
    'if it has pictures': `${HEAD}${SCRIPT}<body><div></div>${'<img src=a.png>'.repeat(5)}`,
    'if it has links': `${HEAD}${SCRIPT}<body><div></div>${'<a href=a>b</a>'.repeat(5)}`,
    'if no element is empty': `${HEAD}${SCRIPT}<body><p>It works!</p>`,
    'if a script compares the location': `${HEAD}<body><p>Hello<script>if (location.href == "/a") track()</script>`,
    'if it is a page of frames': `${HEAD}<script src=a.js></script><frameset><frame src=a></frameset>`,
    'if it is empty': '',
  }))
    it(name, () => assert.equal(isShell(html), false));
});

/** The CPU time in a page of the largest size. Quadratic time would be seconds. */
const MAX_SHELL_MS = 60;
const MAX_PAGE_BYTES = 2 ** 21;

/** A page of 2 MiB: `piece`, repeated, with the markup of a shell around it. */
function repeat(piece: string, start = '', end = ''): Buffer {
  const page = `${start}${piece.repeat(MAX_PAGE_BYTES / piece.length)}`.slice(0, MAX_PAGE_BYTES - 64);
  return Buffer.from(`${page}${end}<script src=a></script><div></div>`, 'latin1');
}

describe('the search for a shell takes linear time in a page of', () => {
  for (const [name, page] of Object.entries({
    'white space before the type of a script': repeat(' ', '<script type=', '>'),
    'white space after `type`': repeat(' ', '<script type', '>'),
    'white space in the type': repeat(' ', '<script type="', '">'),
    'attributes of a script': repeat(' type =', '<script', '>'),
    'white space after `src`': repeat(' ', '<script src', '>'),
    'white space after `location`': repeat(`<script>location${' '.repeat(4_096)}</script>`),
    'scripts with end tags in upper case': repeat('<script></SCRIPT>'),
    'scripts with end tags in lower case': repeat('<script></script>'),
    'scripts of a type': repeat('<script type=a></script>'),
    'scripts without an end tag': repeat('<script>'),
    pictures: repeat('<svg></SVG>'),
    'pictures in one': repeat('<svg>'),
    'templates with other end tags': repeat('<template></templat>'),
    'empty elements': repeat('<div></div>'),
    'elements of its own': repeat('<x-y></x-y>'),
    'end tags': repeat('</div>'),
    'tags without an end': repeat('<a '),
    'angle brackets': repeat('<'),
    comments: repeat('<!-- -->'),
    'comments without an end': repeat('<!-'),
    declarations: repeat('<!>'),
    'a quoted value without an end': repeat('<a "'),
    'quoted values without an end': repeat(`<div a="'`),
    'quoted values in one tag': repeat(`""''`, '<div '),
    'one long name': repeat('a', '<'),
    'white space': repeat(' '),
    'null bytes': repeat('\0'),
  }))
    it(name, () => {
      assert.ok(isFasterThan(MAX_SHELL_MS, () => looksLikeShell(page, { metas: [] })));
    });
});
