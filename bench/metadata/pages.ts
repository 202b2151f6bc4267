/**
 * Generates pages with the structure of real ones, from a seed: inline scripts and JSON in the head, SVG
 * sprites, dense markup, late scripts. In the median of 279 stored pages, the head ends at 30 KB, 22 % of the
 * page.
 */
export interface BenchPage {
  name: string;
  html: string;
}

const SIZES_KB = [18, 50, 98, 150, 199, 283, 408, 822, 1_024, 1_884];
const WORDS =
  'the council voted late on tuesday to reopen harbour bridge for cyclists after six years of closure residents had asked since storm work begins in march and should take eleven weeks second crossing is still being studied by engineers'.split(
    ' ',
  );

export function makePages(): BenchPage[] {
  return SIZES_KB.map((kb) => ({ name: `${kb} KB`, html: makePage(kb * 1_024, kb) }));
}

/** Generates one page of about `bytes` bytes. */
export function makePage(bytes: number, seed: number): string {
  const below = random(seed);
  const headBytes = Math.min(Math.round(bytes * 0.22), 120_000);
  const head = makeHead(headBytes, seed, below);
  const parts = [
    `<!DOCTYPE html>\n<html lang="en-GB" class="no-js">\n<head>\n${head}\n</head>\n<body class="home page">\n${sprite(below)}\n`,
  ];
  let length = parts[0]!.length;
  while (length < bytes - 4_000) {
    const part = below(9) === 0 ? inlineScript(below, 1_500) : below(12) === 0 ? sprite(below) : card(below);
    parts.push(part);
    length += part.length;
  }
  parts.push(
    `<script>${'window.q=window.q||[];q.push("<p>late</p>");'.repeat(60)}</script>\n</body>\n</html>\n`,
  );
  return parts.join('');
}

function makeHead(bytes: number, seed: number, below: (limit: number) => number): string {
  const title = `${sentence(below, 9)} &ndash; The Courier no. ${seed}`;
  const tags = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${title}</title>`,
    `<meta name="description" content="${sentence(below, 24)} &amp; more">`,
    `<link rel="canonical" href="https://courier.example/news/${seed}">`,
    '<link rel="icon" href="/favicon-32.png" sizes="32x32" type="image/png">',
    '<link rel="apple-touch-icon" sizes="180x180" href="/touch.png">',
    '<link rel="alternate" type="application/rss+xml" title="News" href="/feed.xml">',
    '<meta property="og:type" content="article">',
    '<meta property="og:site_name" content="The Courier">',
    `<meta property="og:title" content="${title}">`,
    `<meta property="og:description" content="${sentence(below, 20)}">`,
    `<meta property="og:url" content="https://courier.example/news/${seed}">`,
    `<meta property="og:image" content="/media/${seed}.jpg?w=1200&amp;h=630">`,
    '<meta property="og:image:width" content="1200">',
    '<meta name="twitter:card" content="summary_large_image">',
    '<meta name="twitter:site" content="@courier">',
    `<script type="application/ld+json">{"@context":"https://schema.org","@type":"NewsArticle","headline":"${sentence(below, 9)}","author":{"@type":"Person","name":"Ines"}}</script>`,
  ];
  let length = tags.join('\n').length;
  while (length < bytes) {
    const kind = below(4);
    const tag =
      kind === 0
        ? inlineScript(below, 2_500)
        : kind === 1
          ? `<style>${'.card{margin:0 auto;padding:1px}.card>a:hover{color:#123456}'.repeat(20 + below(30))}</style>`
          : kind === 2
            ? `<link rel="preload" as="script" href="/assets/${below(1e6)}.js" crossorigin="anonymous">`
            : `<meta name="app-${below(100)}" content="${sentence(below, 8)}">`;
    tags.push(tag);
    length += tag.length + 1;
  }
  return tags.join('\n');
}

function inlineScript(below: (limit: number) => number, bytes: number): string {
  const statement = () =>
    `window.dataLayer=window.dataLayer||[];if(a<${below(99)}&&b>2){dataLayer.push({"id":${below(1e6)},"html":"<div class=\\"x\\">"});}`;
  return `<script>${Array.from({ length: Math.ceil(bytes / 110) }, statement).join('')}</script>`;
}

function sprite(below: (limit: number) => number): string {
  const path = () =>
    `<path d="M${below(24)} ${below(24)}a${below(9)} 8 0 105.3 14L21 21.7z" fill="currentColor"/>`;
  return `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><title>Icon</title><g>${path()}${path()}${path()}</g></svg>\n`;
}

function card(below: (limit: number) => number): string {
  const id = below(1e6);
  return `<div class="card card--story grid__item" data-id="${id}" data-track='{"section":"news","position":${below(40)}}'>
  <a class="card__link" href="/news/2026/story-${id}?ref=home&amp;pos=${below(40)}"><img class="card__image lazy" src="/media/${id}-320.jpg" srcset="/media/${id}-640.jpg 640w" alt="${sentence(below, 6)}" width="320" height="180" loading="lazy"></a>
  <h3 class="card__title"><a href="/news/2026/story-${id}">${sentence(below, 8)}</a></h3>
  <p class="card__text">${sentence(below, 30)}. <em>${sentence(below, 4)}</em>, ${sentence(below, 20)}.</p>
  <ul class="tags"><li><a href="/tag/${below(99)}">${sentence(below, 1)}</a></li><li><span>${sentence(below, 2)}</span></li></ul>
</div>
`;
}

function sentence(below: (limit: number) => number, words: number): string {
  return Array.from({ length: words }, () => WORDS[below(WORDS.length)]!).join(' ');
}

function random(seed: number): (limit: number) => number {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}
