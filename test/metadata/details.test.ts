/** The details of a page: which of several sources counts, and what each may contain. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PageDetails } from '#metadata';
import { describeBytes, pageHead } from './describe-bytes.ts';

const URL_OF_PAGE = 'https://courier.example/news/bridge';

/** Describes a page of these elements, which come with these headers. */
function detail(elements: string, headers: Record<string, string> = {}): PageDetails {
  const page = `<!doctype html><html><head><title>Bridge</title>${elements}</head><body></body></html>`;
  const head = pageHead(URL_OF_PAGE, { 'content-type': 'text/html; charset=utf-8', ...headers });
  return describeBytes(Buffer.from(page), head, { details: true }).details!;
}

const meta = (key: string, ...contents: string[]) =>
  contents.map((content) => `<meta property="${key}" content="${content}">`).join('');
const jsonLd = (...blocks: unknown[]) =>
  blocks.map((block) => `<script type="application/ld+json">${JSON.stringify(block)}</script>`).join('');
const article = (members: object) => ({ '@type': 'NewsArticle', ...members });
const person = (name: unknown, members: object = {}) => ({ '@type': 'Person', name, ...members });

describe('author', () => {
  const findAuthor = (...elements: string[]) => detail(elements.join('')).author;

  it('is a text, a person, a list of both, or a person with several names in the JSON-LD', () => {
    for (const [author, name] of [
      ['Ines Walker', 'Ines Walker'],
      [person('Ines Walker'), 'Ines Walker'],
      [[person('Ines Walker'), 'Tom Ash', person('ines walker')], 'Ines Walker, Tom Ash'],
      [person(['Ines Walker', 'Tom Ash']), 'Ines Walker, Tom Ash'],
      [person({ '@value': 'Ines Walker', '@language': 'en' }), 'Ines Walker'],
      [{ '@list': [person('Ines Walker')] }, 'Ines Walker'],
      [person(person('Ines Walker')), 'Ines Walker'],
      [{ '@type': 'Role', roleName: 'Editor', author: person('Ines Walker') }, 'Ines Walker'],
      [{ '@type': 'Person', givenName: 'Ines', familyName: 'Walker' }, 'Ines Walker'],
      [person('', { alternateName: 'ines' }), 'ines'],
      [person('Walker &amp; Ash'), 'Walker & Ash'],
    ])
      assert.equal(findAuthor(jsonLd(article({ author }))), name, JSON.stringify(author));
  });

  it('is found by its @id in the same block, another block, and relative to the page', () => {
    const graph = (author: unknown, ...nodes: object[]) => ({ '@graph': [article({ author }), ...nodes] });
    const id = 'https://courier.example/#ines';
    assert.equal(
      findAuthor(jsonLd(graph({ '@id': id }, person('Ines Walker', { '@id': id })))),
      'Ines Walker',
    );
    assert.equal(
      findAuthor(jsonLd(article({ author: [{ '@id': id }] }), person('Ines Walker', { '@id': id }))),
      'Ines Walker',
    );
    assert.equal(findAuthor(jsonLd(graph(id, person('Ines Walker', { '@id': id })))), 'Ines Walker');
    assert.equal(
      findAuthor(jsonLd(graph({ '@id': '#ines' }, person('Ines Walker', { '@id': `${URL_OF_PAGE}#ines` })))),
      'Ines Walker',
    );
    // The node with the name may be a part of another one.
    assert.equal(
      findAuthor(
        jsonLd(
          graph(
            { '@id': id, '@type': 'Person' },
            { '@type': 'WebSite', editor: person('Ines Walker', { '@id': id }) },
          ),
        ),
      ),
      'Ines Walker',
    );
  });

  it('is null for references without a name, to each other or to nothing', () => {
    const cycle = [
      { '@id': '#a', '@type': 'Person', name: { '@id': '#b' } },
      { '@id': '#b', '@type': 'Person', name: { '@id': '#a' } },
    ];
    assert.equal(findAuthor(jsonLd({ '@graph': [article({ author: { '@id': '#a' } }), ...cycle] })), null);
    assert.equal(findAuthor(jsonLd(article({ author: { '@id': 'https://courier.example/#ines' } }))), null);
    assert.equal(
      findAuthor(jsonLd(article({ author: { '@id': '#x', '@type': 'Person', url: '/ines' } }))),
      null,
    );
  });

  it('is never a URL: the next source counts', () => {
    const url = 'https://www.facebook.com/ines';
    assert.equal(findAuthor(jsonLd(article({ author: url }))), null);
    assert.equal(findAuthor(meta('article:author', url)), null);
    assert.equal(findAuthor(meta('author', url), meta('article:author', 'Ines Walker')), 'Ines Walker');
    assert.equal(findAuthor(meta('article:author', url, 'Tom Ash')), 'Tom Ash');
    assert.equal(findAuthor(jsonLd(article({ author: person(url) })), meta('author', 'Tom Ash')), 'Tom Ash');
  });

  it('is a person in the JSON-LD, the metas, then an organization in the JSON-LD', () => {
    const courier = { '@type': 'Organization', name: 'Courier' };
    assert.equal(findAuthor(jsonLd(article({ author: person('Ines') })), meta('author', 'Tom')), 'Ines');
    assert.equal(findAuthor(jsonLd(article({ author: courier })), meta('author', 'Tom')), 'Tom');
    assert.equal(findAuthor(jsonLd(article({ author: courier }))), 'Courier');
    assert.equal(findAuthor(jsonLd(article({ author: [courier, person('Ines')] }))), 'Courier, Ines');
    const referenced = [article({ author: { '@id': '#c' } }), { ...courier, '@id': '#c' }];
    assert.equal(findAuthor(jsonLd(...referenced), meta('author', 'Tom')), 'Tom');
    assert.equal(findAuthor(meta('article:author', 'Tom', 'Ines', 'tom'), meta('author', '')), 'Tom, Ines');
    assert.equal(findAuthor(jsonLd(article({ creator: person('Ines') }))), 'Ines');
  });

  it('has a list of names with the addresses that the page declares', () => {
    const authors = [
      person('Ines Walker', { url: '/people/ines' }),
      person('Tom Ash', { sameAs: ['javascript:alert(1)', 'https://social.example/@tom'] }),
      person('Al Fox', { url: { '@id': 'https://courier.example/al' } }),
      'Bo',
    ];
    assert.deepEqual(detail(jsonLd(article({ author: authors }))).authors, [
      { name: 'Ines Walker', url: 'https://courier.example/people/ines' },
      { name: 'Tom Ash', url: 'https://social.example/@tom' },
      { name: 'Al Fox', url: 'https://courier.example/al' },
      { name: 'Bo', url: null },
    ]);
    const profile = meta('article:author', 'https://social.example/@ines');
    assert.deepEqual(detail(meta('author', 'Ines') + profile).authors, [
      { name: 'Ines', url: 'https://social.example/@ines' },
    ]);
    assert.deepEqual(detail(meta('author', 'Ines', 'Tom') + profile).authors[0], { name: 'Ines', url: null });
  });
});

describe('the JSON-LD node of the page', () => {
  const findAuthor = (...blocks: unknown[]) => detail(jsonLd(...blocks)).author;

  it('is the article with the address of the page, among several', () => {
    const others = [article({ url: '/news/a', author: 'A' }), article({ url: '/news/b', author: 'B' })];
    for (const address of [
      { url: 'http://www.courier.example/news/bridge/?utm_source=a&fbclid=b' },
      { url: '/news/bridge' },
      { '@id': `${URL_OF_PAGE}#article` },
      { mainEntityOfPage: URL_OF_PAGE },
      { mainEntityOfPage: { '@type': 'WebPage', '@id': URL_OF_PAGE } },
      { mainEntityOfPage: true },
    ])
      assert.equal(
        findAuthor({ '@graph': [...others, article({ ...address, author: 'Ines' })] }),
        'Ines',
        JSON.stringify(address),
      );
    const canonical = '<link rel=canonical href="/news/b">';
    assert.equal(detail(canonical + jsonLd({ '@graph': others })).author, 'B');
  });

  it('is the one with the query of the page, in any order', () => {
    const video = (query: string, author: string) => ({
      '@type': 'VideoObject',
      url: `/watch${query}`,
      author,
    });
    const canonical = '<link rel=canonical href="/watch?v=REAL&amp;t=1&amp;utm_source=a">';
    const others = [video('?v=OTHER&t=1', 'Other'), video('?v=REAL', 'Short'), video('', 'None')];
    assert.equal(detail(canonical + jsonLd(...others, video('?t=1&gclid=x&v=REAL', 'Ines'))).author, 'Ines');
  });

  it('is not a lone article with the address of another page of the host, unless it has the title', () => {
    const find = (members: object) => findAuthor(article({ author: 'Ines', ...members }));
    for (const url of ['/news/other', 'https://www.courier.example/news/other?a=b'])
      assert.equal(find({ url, headline: 'Other' }), null, url);
    assert.equal(find({ url: '/news/other' }), null);
    assert.equal(find({ url: '/news/other', headline: 'BRIDGE' }), 'Ines');
    assert.equal(find({ url: '/news/other', headline: 'Other', mainEntityOfPage: URL_OF_PAGE }), 'Ines');
    assert.equal(find({ url: 'https://print.example/news/other', headline: 'Other' }), 'Ines');
    assert.equal(find({ url: '/news/bridge?page=2', headline: 'Other' }), 'Ines');
    assert.equal(find({ headline: 'Other' }), 'Ines');
  });

  it('is none of several articles with other headlines, unless the page says that it is an article', () => {
    const others = [article({ headline: 'A', author: 'A' }), article({ headline: 'B', author: 'B' })];
    assert.equal(findAuthor(...others), null);
    assert.equal(detail(jsonLd(...others) + meta('og:type', 'article')).author, 'A');
    // Two plugins describe the same article.
    assert.equal(findAuthor(article({ headline: 'A' }), article({ headline: 'A', author: 'Ines' })), 'Ines');
  });

  it('is not in a list, a related article, a review, or the person or site that the page is about', () => {
    for (const block of [
      { '@type': 'ItemList', itemListElement: [{ item: article({ author: 'A' }) }] },
      { '@type': 'WebPage', hasPart: article({ author: 'A' }), relatedLink: article({ author: 'A' }) },
      { '@type': 'Product', review: { '@type': 'Review', author: person('A') } },
      { '@type': 'Organization', author: 'A' },
      { '@type': 'BreadcrumbList', author: 'A' },
    ])
      assert.equal(findAuthor(block), null, JSON.stringify(block));
  });

  it('may be a playlist, a lone image, or the person of a profile page', () => {
    const image = { '@type': 'ImageObject', contentUrl: '/a.png', creator: person('Ines'), width: 9 };
    assert.equal(findAuthor({ '@type': 'MusicPlaylist', author: 'Ines' }), 'Ines');
    const found = detail(jsonLd(image));
    assert.deepEqual(
      [found.author, found.image?.url, found.image?.width],
      ['Ines', 'https://courier.example/a.png', 9],
    );
    // The license of a photo in an article does not describe the article.
    assert.equal(detail(jsonLd(image) + meta('og:type', 'article')).author, null);
    assert.equal(findAuthor(image, { '@type': 'WebPage', name: 'A' }), null);
    const ines = person('Ines', { '@id': '#ines', image: '/ines.png', url: '/people/ines' });
    const profile = (mainEntity: object) => ({ '@type': 'ProfilePage', mainEntity });
    for (const blocks of [[profile(ines)], [profile({ '@id': '#ines' }), ines]])
      assert.equal(detail(jsonLd(...blocks)).image?.url, 'https://courier.example/ines.png');
    assert.equal(detail(jsonLd({ ...profile(ines), '@type': 'WebPage' })).image, null);
  });

  it('is under @graph, mainEntity or a list, an article before other content before the web page', () => {
    const page = { '@type': 'WebPage', author: 'Page' };
    const video = { '@type': 'VideoObject', author: 'Video' };
    assert.equal(
      findAuthor([[{ '@graph': { '@graph': [page, video, article({ author: 'Ines' })] } }]]),
      'Ines',
    );
    assert.equal(findAuthor(page, video), 'Video');
    assert.equal(findAuthor(page), 'Page');
    assert.equal(findAuthor({ ...page, mainEntity: article({ author: 'Ines' }) }), 'Ines');
    assert.equal(
      findAuthor({ '@type': ['Thing', 'https://schema.org/BlogPosting'], author: 'Ines' }),
      'Ines',
    );
    assert.equal(
      findAuthor({ type: 'schema:Article', 'schema:author': { 'http://schema.org/name': 'Ines' } }),
      'Ines',
    );
  });
});

describe('publisher and logo', () => {
  const find = (elements: string) => {
    const { publisher, logo } = detail(elements);
    return [publisher, logo];
  };
  const courier = {
    '@type': 'Organization',
    name: 'Courier',
    logo: { '@type': 'ImageObject', url: '/logo.png' },
  };
  const logo = 'https://courier.example/logo.png';

  it('are those of the article in the JSON-LD, also by @id', () => {
    const site = meta('og:site_name', 'Site');
    assert.deepEqual(find(jsonLd(article({ publisher: courier })) + site), ['Courier', logo]);
    assert.deepEqual(find(jsonLd(article({ publisher: { '@id': '#c' } }), { ...courier, '@id': '#c' })), [
      'Courier',
      logo,
    ]);
    const byId = { ...courier, logo: { '@id': '#logo' } };
    assert.deepEqual(
      find(jsonLd(article({ publisher: byId }), { '@id': '#logo', contentUrl: '/logo.png' })),
      ['Courier', logo],
    );
  });

  it('else og:site_name, the metas, the site in the JSON-LD, the name of the app; never a URL', () => {
    const page = jsonLd({ '@type': 'WebSite', name: 'Web site', publisher: courier });
    assert.deepEqual(find(page + meta('og:site_name', 'Site')), ['Site', logo]);
    assert.deepEqual(find(meta('publisher', 'https://social.example/c') + meta('dc.publisher', 'Press')), [
      'Press',
      null,
    ]);
    assert.deepEqual(find(page), ['Courier', logo]);
    assert.deepEqual(find(jsonLd({ '@type': 'WebSite', name: 'Web site' })), ['Web site', null]);
    assert.deepEqual(find(meta('application-name', 'App') + meta('og:logo', '/l.svg')), [
      'App',
      'https://courier.example/l.svg',
    ]);
    assert.deepEqual(find(meta('og:site_name', URL_OF_PAGE)), [null, null]);
  });
});

describe('times', () => {
  const find = (...elements: string[]) => {
    const found = detail(elements.join(''));
    return [found.publishedTime, found.publishedTimeRaw, found.modifiedTime, found.modifiedTimeRaw];
  };

  it('are in ISO 8601, with the text of the page beside', () => {
    assert.deepEqual(
      find(
        meta('article:published_time', 'Thu, 05 Mar 2026 10:00 EST'),
        meta('article:modified_time', '2026-03-06'),
      ),
      ['2026-03-05T10:00:00-05:00', 'Thu, 05 Mar 2026 10:00 EST', '2026-03-06', '2026-03-06'],
    );
  });

  it('are of the first source with a number; if it is no date, null beside its text', () => {
    const dated = jsonLd(article({ datePublished: '2026-03-05', dateModified: [1_772_704_800] }));
    const ambiguous = meta('article:published_time', '05.03.2026 10:00') + meta('date', '1999-01-01');
    assert.deepEqual(find(ambiguous).slice(0, 2), [null, '05.03.2026 10:00']);
    assert.deepEqual(find(meta('article:published_time', '0000-00-00 00:00', 'soon'), dated), [
      '2026-03-05',
      '2026-03-05',
      '2026-03-05T10:00:00Z',
      '1772704800',
    ]);
    assert.deepEqual(find(meta('date', '05/03/2026', 'soon'), meta('og:updated_time', 'today')), [
      null,
      '05/03/2026',
      null,
      'today',
    ]);
    assert.deepEqual(find(meta('date', '2026-01-01'), dated).slice(0, 1), ['2026-03-05']);
    assert.deepEqual(find(''), [null, null, null, null]);
  });

  it('are not those of a related article, or of a video beside the article', () => {
    const video = { '@type': 'VideoObject', uploadDate: '2020-01-01' };
    const related = article({ datePublished: '2019-01-01' });
    const created = article({ dateCreated: '2026-03-05', video: related });
    assert.deepEqual(find(jsonLd(video, created)).slice(0, 1), ['2026-03-05']);
    assert.deepEqual(find(jsonLd(video, article({ datePublished: '2026-03-05' }))).slice(0, 1), [
      '2026-03-05',
    ]);
    assert.deepEqual(find(jsonLd({ '@type': 'WebPage', mentions: related })).slice(0, 1), [null]);
  });
});

describe('image', () => {
  const at = (path: string) => `https://courier.example${path}`;
  const none = { width: null, height: null, alt: null };

  it('is of Open Graph, else Twitter, else the JSON-LD, else image_src, else the metas of publishers', () => {
    const sources = [
      meta('og:image', '/og.png'),
      meta('twitter:image', '/twitter.png'),
      jsonLd(article({ image: '/ld.png' })),
      '<link rel=image_src href="/src.png">',
      meta('thumbnail', '/thumb.png'),
    ];
    const paths = ['/og.png', '/twitter.png', '/ld.png', '/src.png', '/thumb.png'];
    for (const [index, path] of paths.entries()) {
      const { image, images } = detail(sources.slice(index).reverse().join(''));
      assert.deepEqual(image, { url: at(path), ...none });
      assert.deepEqual(
        images.map(({ url }) => url),
        paths.slice(index).map(at),
      );
    }
    assert.equal(detail('').image, null);
  });

  it('has the width, height and alt of any declaration of the same URL', () => {
    const same = { '@type': 'ImageObject', url: '/a.png', width: '1200 px', height: 630, caption: 'Bridge' };
    const expected = { url: at('/a.png'), width: 1200, height: 630, alt: 'Bridge' };
    assert.deepEqual(detail(meta('og:image', '/a.png') + jsonLd(article({ image: same }))).image, expected);
    const card = meta('twitter:image', '/a.png') + meta('twitter:image:alt', 'At dusk');
    assert.deepEqual(detail(meta('og:image', '/a.png') + meta('og:image:width', '10') + card).image, {
      url: at('/a.png'),
      width: 10,
      height: null,
      alt: 'At dusk',
    });
  });

  it('does not have the size and alt that follow an og:image without a URL', () => {
    for (const none of ['', 'javascript:alert(1)']) {
      const rest = meta('og:image:width', '999') + meta('og:image:alt', 'Other');
      const { images } = detail(meta('og:image', '/a.png', none) + rest + meta('og:image', '/b.png'));
      assert.deepEqual(
        images.map(({ url, width, alt }) => [url, width, alt]),
        [
          [at('/a.png'), null, null],
          [at('/b.png'), null, null],
        ],
        none,
      );
    }
    const secure = detail(meta('og:image', '/a.png', '') + meta('og:image:secure_url', '/b.png')).images;
    assert.equal(secure.length, 2);
  });

  it('of the JSON-LD is a URL, a node, a list or an @id; never a logo or a portrait', () => {
    const node = {
      '@type': 'ImageObject',
      '@id': '#i',
      contentUrl: '/a.png',
      width: { value: 5 },
      height: { name: '6' },
    };
    const expected = { url: at('/a.png'), width: 5, height: 6, alt: null };
    for (const image of [node, [node, '/b.png'], { '@id': '#i' }, '#i'])
      assert.deepEqual(detail(jsonLd(article({ image }), node)).image, expected, JSON.stringify(image));
    assert.equal(detail(jsonLd(article({ image: { '@id': at('/a.png') } }))).image?.url, at('/a.png'));
    assert.equal(detail(jsonLd(article({ thumbnailUrl: '/t.png' }))).image?.url, at('/t.png'));
    const others = { publisher: { logo: '/logo.png' }, author: person('Ines', { image: '/ines.png' }) };
    assert.equal(detail(jsonLd(article(others), { '@type': 'Organization', logo: '/l.png' })).image, null);
    assert.equal(
      detail(jsonLd(article({ image: ['javascript:alert(1)', 'data:image/png,a', { '@id': '#x' }] }))).image,
      null,
    );
  });
});

describe('video', () => {
  it('of the JSON-LD comes after that of Open Graph: the file, else the player', () => {
    const video = { '@type': 'VideoObject', contentUrl: '/v.mp4', encodingFormat: 'video/mp4', width: 640 };
    const page =
      meta('og:video', '/og.mp4') +
      jsonLd(article({ video }), { '@type': 'VideoObject', embedUrl: '/player' });
    assert.deepEqual(
      detail(page).video.map(({ url, type, width }) => [new URL(url).pathname, type, width]),
      [
        ['/og.mp4', null, null],
        ['/v.mp4', 'video/mp4', 640],
        ['/player', 'text/html', null],
      ],
    );
  });
});

describe('language, keywords, section and tags', () => {
  it('locales are BCP 47 tags', () => {
    const { locale, localeAlternates } = detail(
      meta('og:locale', 'en_us') + meta('og:locale:alternate', 'de_DE', 'english', 'fr_FR', 'de_de'),
    );
    assert.deepEqual([locale, localeAlternates], ['en-US', ['de-DE', 'fr-FR']]);
    assert.equal(detail(meta('og:locale', 'english')).locale, null);
  });

  it('alternates are the links with an hreflang that is a language', () => {
    const { alternates } = detail(
      '<link rel=alternate hreflang=de_AT href=/de><link rel=alternate hreflang=X-Default href=/><link rel=alternate hreflang=zz href=/zz><link rel=alternate hreflang=fr href="javascript:alert(1)"><link rel=stylesheet hreflang=es href=/es>',
      { link: '</it>; rel=alternate; hreflang=it' },
    );
    assert.deepEqual(alternates, [
      { language: 'de-AT', url: 'https://courier.example/de' },
      { language: 'x-default', url: 'https://courier.example/' },
      { language: 'it', url: 'https://courier.example/it' },
    ]);
  });

  it('keywords are of the first source that has any, split, each once', () => {
    const written = jsonLd(
      article({ keywords: ['steel', { '@type': 'DefinedTerm', name: 'rivets' }, 'Steel'] }),
    );
    assert.deepEqual(detail(meta('keywords', 'bridge, Harbour;bridge,,港、橋') + written).keywords, [
      'bridge',
      'Harbour',
      '港',
      '橋',
    ]);
    assert.deepEqual(detail(meta('keywords', ' , ') + written).keywords, ['steel', 'rivets']);
    assert.deepEqual(detail(jsonLd(article({ keywords: 'a, b' }))).keywords, ['a', 'b']);
    assert.deepEqual(detail(meta('news_keywords', 'a')).keywords, ['a']);
  });

  it('the section and the tags are those of the article', () => {
    const page = meta('article:section', 'City') + meta('article:tag', 'Bridges, old', 'Harbour', 'harbour');
    const { section, articleTags } = detail(page + jsonLd(article({ articleSection: 'News' })));
    assert.deepEqual([section, articleTags], ['City', ['Bridges, old', 'Harbour']]);
    assert.equal(detail(jsonLd(article({ articleSection: ['News', 'City'] }))).section, 'News');
  });
});

describe('the map of tags', () => {
  it('has the contents of each social tag as the page writes them, lists kept', () => {
    const { tags } = detail(
      `${meta('OG:Image', '/a.png', '/b.png', ' ')}<meta name="twitter:label1" content="Price"><meta name=description content=D>${meta('article:tag', 'a')}${meta('fb:app_id', '1')}${meta('og:a<b', 'c')}${meta('ogre:a', 'b')}`,
    );
    assert.deepEqual(tags, {
      'og:image': ['/a.png', '/b.png'],
      'twitter:label1': ['Price'],
      'article:tag': ['a'],
      'fb:app_id': ['1'],
    });
  });

  it('is bounded in tags, contents of one, and characters', () => {
    const many = Array.from({ length: 300 }, (_, at) => meta(`og:x${at}`, 'a')).join('');
    assert.equal(Object.keys(detail(many).tags).length, 200);
    assert.equal(detail(meta('og:image', 'a').repeat(60)).tags['og:image']?.length, 50);
    const large = detail(meta('og:a og:b og:c', 'x'.repeat(9_000)).repeat(20)).tags;
    const characters = Object.values(large).flat().join('').length;
    assert.ok(characters > 80_000 && characters <= 100_000, String(characters));
  });
});

describe('links', () => {
  it('robots has the directives of all metas and of the header, each once, at most 50', () => {
    const metas = meta('robots', 'index, Max-Snippet:5', 'nofollow', 'a'.repeat(201));
    const header = { 'x-robots-tag': 'noindex,, max-snippet:5, nofollow' };
    assert.equal(detail(metas, header).robots, 'index, Max-Snippet:5, nofollow, noindex');
    assert.equal(detail('').robots, null);
    const many = Array.from({ length: 99 }, (_, n) => `d${n}`).join();
    assert.equal(detail(meta('robots', many, many)).robots?.split(', ').length, 50);
  });

  it('the manifest and the AMP page are links, and robots may be a header', () => {
    const { manifest, amphtml } = detail('<link rel=manifest href=/m.json><link rel=amphtml href=/amp>');
    assert.equal(detail('', { 'x-robots-tag': 'noindex' }).robots, 'noindex');
    assert.deepEqual([manifest, amphtml], ['https://courier.example/m.json', 'https://courier.example/amp']);
  });

  it('of the Link header count after those of the page, relative to the final URL and not to its base', () => {
    const link =
      '</c>; rel=canonical, </icon.png>; rel=icon; sizes=32x32, </page.png>; rel=icon, <o>; rel=alternate; type="application/json+oembed", </feed>; rel=alternate; type="application/rss+xml"; title=News, </m>; rel=manifest, <javascript:alert(1)>; rel=icon';
    const elements =
      '<base href="https://cdn.example/"><link rel=icon href=https://courier.example/page.png>';
    const found = detail(elements, { link });
    assert.deepEqual(
      [found.canonical, found.manifest, found.icons, found.oembed, found.feeds],
      [
        'https://courier.example/c',
        'https://courier.example/m',
        [
          { url: 'https://courier.example/page.png', sizes: null, type: null },
          { url: 'https://courier.example/icon.png', sizes: '32x32', type: null },
        ],
        [{ url: 'https://courier.example/news/o', type: 'application/json+oembed' }],
        [{ url: 'https://courier.example/feed', title: 'News', type: 'application/rss+xml' }],
      ],
    );
    const declared = '<link rel=canonical href=/own>';
    assert.equal(detail(declared, { link }).canonical, 'https://courier.example/own');
  });

  it('icons of the HTML are listed in its order, repeated ones too', () => {
    const icon = '<link rel=icon href=/i.png>';
    assert.equal(detail(`${icon}<link rel=mask-icon href=/m.svg>${icon}`).icons.length, 3);
  });

  it('of the Link header are the details of a page that is not HTML', () => {
    const head = pageHead(URL_OF_PAGE, {
      'content-type': 'application/pdf',
      link: '</a.pdf>; rel=canonical',
    });
    const { details } = describeBytes(Buffer.from('%PDF'), head, { details: true });
    assert.deepEqual(
      [details!.canonical, details!.author, details!.tags],
      ['https://courier.example/a.pdf', null, {}],
    );
  });
});

describe('app links', () => {
  it('are of App Links, Twitter cards, banners and links, one for each platform', () => {
    const page =
      meta('al:ios:url', 'courier://bridge') +
      meta('al:ios:app_name', 'Courier') +
      '<meta name="apple-itunes-app" content="app-id=123, app-argument=other://a">' +
      meta('twitter:app:id:ipad', '124') +
      '<link rel=alternate href="android-app://com.courier/courier/bridge/1?a=b">' +
      meta('al:web:url', '/app');
    assert.deepEqual(detail(page).appLinks, [
      { platform: 'ios', name: 'Courier', id: '123', url: 'courier://bridge' },
      { platform: 'ipad', name: null, id: '124', url: null },
      { platform: 'android', name: null, id: 'com.courier', url: 'courier://bridge/1?a=b' },
      { platform: 'web', name: null, id: null, url: 'https://courier.example/app' },
    ]);
    assert.deepEqual(detail('').appLinks, []);
  });

  it('have no URL of a script or file', () => {
    for (const url of [
      'javascript:alert(1)',
      'data:text/html,a',
      'file:///a',
      'vbscript:a',
      ' blob:https://a/b',
    ]) {
      const banner = `<meta name="google-play-app" content="app-id=a,app-argument=${url.trim()}">`;
      const page = meta('al:ios:url', url) + meta('twitter:app:url:googleplay', url) + banner;
      assert.deepEqual(detail(page).appLinks, [{ platform: 'android', name: null, id: 'a', url: null }], url);
    }
    const scripted = '<link rel=alternate href="android-app://a/javascript/alert(1)">';
    assert.equal(detail(scripted).appLinks[0]?.url, null);
  });
});
