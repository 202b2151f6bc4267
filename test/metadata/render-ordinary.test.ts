/** render=auto on ordinary pages: none is rendered, as each has something to read without its scripts. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type FetchPage, getMetadata, type PageHead } from '#metadata';
import { pageHead } from './describe-bytes.ts';
import { listPages } from './page-files.ts';
import { scaledMs } from '../support/patience.ts';

interface OrdinaryPage {
  name: string;
  bytes: Buffer;
  head: PageHead;
}

const SENTENCES = [
  'The library opens at nine on weekdays and at ten on Saturdays.',
  'Bring two photographs and the form that we sent you by post.',
  'Trains to the coast leave from platform four every half hour.',
  'The recipe serves four people and takes about forty minutes.',
  'Our next meeting is in the large hall; everyone is welcome.',
];
const TRACKING =
  '<script async src="https://stats.example/t.js"></script><script>window.q = window.q || []; q.push(["page"])</script>';
const EMPTY = '<div id="toasts"></div><div class="modal"></div>';
const text = (seed: number, count: number): string =>
  Array.from({ length: count }, (_, at) => SENTENCES[(seed + at) % SENTENCES.length]).join(' ');
const repeat = (count: number, make: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => make(at)).join('');

/** Kinds of pages without og: tags and without a description. Most have scripts, and empty elements. */
const KINDS: Record<string, (seed: number) => string> = {
  article: (seed) => `${EMPTY}<article><h1>News</h1><p>${text(seed, 6 + seed)}</p></article>`,
  'short note': (seed) => `${EMPTY}<p>${text(seed, 5)}</p>`,
  'old page': (seed) => `<center><font size=5>Welcome</font><hr>${text(seed, 6)}</center>`,
  'login form': () =>
    `${EMPTY}<form method=post><input name=user><input type=password><button>Sign in</button></form>`,
  search: () => `${EMPTY}<h1>Search</h1><form action=/s><input name=q></form><div id=results></div>`,
  'list of links': (seed) =>
    `${EMPTY}<ul>${repeat(6 + seed, (at) => `<li><a href=/${at}>Part ${at}</a>`)}</ul>`,
  'folder of files': (seed) =>
    `<h1>Index of /</h1><hr><pre>${repeat(3 + seed, (at) => `<a href=${at}>${at}.zip</a>\n`)}</pre>`,
  gallery: (seed) =>
    `${EMPTY}<div class=grid>${repeat(5 + seed, (at) => `<img src=/${at}.jpg alt="">`)}</div>`,
  table: (seed) => `${EMPTY}<table>${repeat(2 + seed, (at) => `<tr><td>${at}<td>${at * 7}`)}</table>`,
  video: (seed) => `${EMPTY}<video controls src=/${seed}.mp4></video>`,
  frames: (seed) => `${EMPTY}<iframe src=/map/${seed}></iframe>`,
  game: () => `<canvas id=game width=640 height=480></canvas><div id=score></div>`,
  'error page': (seed) => `<center><h1>${400 + seed} Not Found</h1></center><hr><center>server</center>`,
  'in maintenance': () => `<h1>We will be back soon</h1><p>Sorry for the inconvenience.</p>`,
  'empty without scripts': () => '<div id="root"></div>',
  'menu before text': (seed) =>
    `${EMPTY}<nav>${repeat(8, (at) => `<a href=/${at}>${at}</a>`)}</nav><main>${text(seed, 4)}</main>`,
  'many scripts': (seed) =>
    `${EMPTY}${repeat(20 + seed, (at) => `<script>var a${at} = location.href</script>`)}<p>${text(seed, 6)}`,
};
const UNSCRIPTED = new Set(['empty without scripts', 'error page']);

function listOrdinaryPages(): OrdinaryPage[] {
  const made = Object.entries(KINDS).flatMap(([kind, make]) =>
    Array.from({ length: 10 }, (_, seed) => {
      const script = UNSCRIPTED.has(kind) ? '' : TRACKING;
      const head = seed % 2 === 0 ? script : '';
      const html = `<!doctype html><html><head><title>${kind}</title>${head}</head><body>${make(seed)}${head === '' ? script : ''}</body></html>`;
      return {
        name: `${kind} ${seed}`,
        bytes: Buffer.from(html),
        head: pageHead('https://a.example/', { 'content-type': 'text/html' }),
      };
    }),
  );
  return [...listPages(), ...made];
}

it('render=auto renders none of 200 ordinary pages', async () => {
  const pages = listOrdinaryPages();
  assert.ok(pages.length >= 200, `${pages.length} pages`);
  const rendered: string[] = [];
  for (const { name, bytes, head } of pages) {
    const fetchPage: FetchPage = (_request, reader) => {
      if (reader.start(head)) reader.write(bytes);
      return Promise.resolve({ head, end: 'complete', visit: { redirects: [], state: null } });
    };
    const renderPage = () => {
      rendered.push(name);
      return Promise.resolve({ kind: 'failed' as const });
    };
    await getMetadata(
      {
        url: head.finalUrl,
        followRedirects: false,
        timeoutMs: scaledMs(10_000),
        details: false,
        render: 'auto',
      },
      { fetchPage, renderPage, client: 'a', now: () => 0 },
    );
  }
  assert.deepEqual(rendered, []);
});
