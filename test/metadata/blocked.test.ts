import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { PageHead } from '#metadata';
import { WALLS } from '../../src/metadata/blocked/walls.ts';
import { describeBytes } from './describe-bytes.ts';

interface Page {
  body?: string;
  status?: number;
  headers?: Record<string, string>;
  url?: string;
  /** The URL that redirected here. */
  from?: string;
}

const html = (title: string, body = '', head = '') =>
  `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body>${body}</body></html>`;

function describePage({
  body = '',
  status = 200,
  headers = {},
  url = 'https://shop.example/p/1',
  from,
}: Page) {
  const redirects = from === undefined ? [] : [{ url: from, status: 302, headers: new Map() }];
  const head: PageHead = {
    finalUrl: url,
    status,
    headers: new Map(Object.entries({ 'content-type': 'text/html', ...headers })),
    redirects,
  };
  return describeBytes(Buffer.from(body), head, { details: true });
}

const SCRIPT = '<script src="/check.js"></script>';

/** Pages of our own with the signs of each wall. */
const WALLED: Record<string, Page[]> = {
  cloudflare: [
    { status: 403, headers: { 'cf-mitigated': 'challenge' }, body: html('Einen Moment, bitte …') },
    { status: 429, headers: { 'cf-mitigated': 'challenge' }, body: html('Just a moment...') },
    { status: 503, body: html('Un instant…', '<script>window._cf_chl_opt = { a: 1 };</script>') },
    { status: 403, body: html('Un instant…', '<script>(function(){window._cf_chl_opt={a:1}})()</script>') },
    {
      status: 403,
      body: html('Just a moment...', '<script src="/cdn-cgi/challenge-platform/h/b/orchestrate"></script>'),
    },
    { status: 403, body: html('Attention Required! | Cloudflare') },
    { status: 429, body: html('shop.example', '<div id="cf-error-details">1015</div>') },
  ],
  vercel: [
    { status: 429, headers: { 'x-vercel-mitigated': 'challenge' } },
    { status: 403, body: html('Vercel Security Checkpoint') },
  ],
  'aws-waf': [
    { status: 202, headers: { 'x-amzn-waf-action': 'challenge' } },
    { status: 405, headers: { 'x-amzn-waf-action': 'captcha' }, body: html('Human Verification') },
    { body: html('', '<script>awsWafCookieDomainList = []; window.gokuProps = {};</script>') },
  ],
  datadome: [
    { status: 403, body: html('shop.example', '<script src="https://ct.captcha-delivery.com/c.js">') },
    { status: 403, body: html('', '<iframe src="https://geo.captcha-delivery.com/captcha/?a"></iframe>') },
  ],
  human: [
    { status: 403, body: html('Access to this page has been denied', '<div id="px-captcha"></div>') },
    { status: 403, body: html('Access to this page has been denied.', "<script>_pxAppId = 'a'</script>") },
    { body: html('Robot or human?', '<div id="px-captcha"></div>') },
  ],
  imperva: [
    { body: '<html><head><script src="/_Incapsula_Resource?a=1"></script></head><body></body></html>' },
    { status: 403, body: '<html><body><iframe id="main-iframe" src="/_Incapsula_Resource?b">' },
    { body: `<html><body><iframe id="main-iframe" src="/_Incapsula_Resource?${'b'.repeat(3000)}">` },
    { body: html('Pardon Our Interruption', '<script>function onProtectionInitialized() {}</script>') },
    { status: 403, body: html('Pardon Our Interruption...') },
  ],
  akamai: [
    { status: 403, body: html('Access Denied', 'https&#58;&#47;&#47;errors&#46;edgesuite&#46;net&#47;18') },
    { status: 403, body: html('Access Denied', 'https://errors.edgesuite.net/18') },
    { status: 403, headers: { server: 'AkamaiGHost' }, body: html('Access Denied') },
    { status: 428, body: html('', '<div id="sec-if-cpt-container"></div>') },
    { body: html('', '<script>triggerInterstitialChallenge("bm-verify=a")</script>') },
  ],
  kasada: [{ status: 429, headers: { 'x-kpsdk-ct': 'a' }, body: html('') }],
  sucuri: [
    { status: 403, body: html('Sucuri WebSite Firewall - Access Denied') },
    { headers: { server: 'Sucuri/Cloudproxy' }, body: html('You are being redirected...') },
  ],
  wordfence: [{ status: 503, body: html('Your access to this site has been limited by the site owner') }],
  'ddos-guard': [{ status: 403, headers: { server: 'ddos-guard' }, body: html('DDOS-GUARD') }],
  fastly: [{ body: html('Client Challenge', '<script src="/_fs-ch-1a/script.js"></script>') }],
  anubis: [
    { body: html('Checking …', '<script id="anubis_challenge" type="application/json">{}</script>') },
    {
      body: html(
        'Checking …',
        '<script id="anubis_challenge">{}</script>',
        '<meta property="og:title" content="A">',
      ),
    },
  ],
  'amazon-captcha': [
    {
      url: 'https://www.amazon.co.uk/dp/1',
      body: html('Amazon.co.uk', '<form method="get" action="/errors/validateCaptcha">'),
    },
  ],
  'google-captcha': [
    { status: 429, url: 'https://www.google.com/sorry/index?continue=a', body: html('Sorry') },
  ],
  'alibaba-captcha': [{ url: 'https://item.example/item/1/_____tmd_____/punish?x5secdata=a' }],
  reddit: [
    { status: 403, url: 'https://www.reddit.com/r/a/', body: html('Blocked', 'blocked by network security') },
    { url: 'https://www.reddit.com/r/a/', body: html('Reddit - Prove your humanity') },
  ],
  'google-consent': [
    { url: 'https://consent.youtube.com/m?continue=a', body: html('Before you continue to YouTube') },
    { url: 'https://consent.google.de/ml?continue=a' },
    { url: 'https://consent.google.co.uk/ml?continue=a' },
  ],
  'yahoo-consent': [
    { url: 'https://consent.yahoo.com/v2/collectConsent?sessionId=1' },
    { url: 'https://guce.techcrunch.com/consent' },
  ],
  'dpg-media-consent': [{ url: 'https://myprivacy.dpgmedia.nl/consent?siteKey=1' }],
  'facebook-login': [
    { url: 'https://www.facebook.com/login/?next=a', from: 'https://www.facebook.com/groups/1' },
    { url: 'https://m.facebook.com/login.php?next=a', from: 'https://m.facebook.com/a' },
  ],
  'instagram-login': [
    { url: 'https://www.instagram.com/accounts/login/?next=a', from: 'https://www.instagram.com/p/1/' },
  ],
  'linkedin-login': [
    { status: 999, url: 'https://www.linkedin.com/in/a' },
    { url: 'https://www.linkedin.com/authwall?a', from: 'https://www.linkedin.com/in/a' },
  ],
  'x-login': [{ url: 'https://x.com/i/flow/login?a', from: 'https://x.com/a/status/1' }],
  captcha: ['Security Check', 'Just a moment...', 'CAPTCHA', 'Are you a robot?'].flatMap((title) =>
    [
      '<div class="g-recaptcha"></div>',
      '<div class="h-captcha"></div>',
      '<div class="cf-turnstile"></div>',
      '<script src="https://challenges.cloudflare.com/turnstile/v0/api.js"></script>',
    ].map((widget) => ({ status: 403, body: html(title, widget) })),
  ),
  challenge: [{ status: 503, body: html('Checking your browser before you continue', SCRIPT) }],
};

const WORDS = [
  'Just a moment... Checking your browser. Attention Required! | Cloudflare _cf_chl_opt cf-error-details',
  'Access to this page has been denied: px-captcha, _pxAppId, captcha-delivery.com',
  '&lt;script src="/_Incapsula_Resource?a"&gt; id="main-iframe" errors.edgesuite.net awsWafCookieDomainList gokuProps bm-verify= triggerInterstitialChallenge',
  'Vercel Security Checkpoint, Pardon Our Interruption, Are you a robot? blocked by network security',
  '&lt;script id="anubis_challenge"&gt; action="/errors/validateCaptcha"',
].join(' ');
const QUOTES =
  '<pre>window._cf_chl_opt={} &lt;div id="px-captcha"&gt; &lt;script src="https://ct.captcha-delivery.com/c.js"&gt;</pre>';
const OG = '<meta property="og:title" content="How walls work">';

/** Pages that are what the caller requested, or an ordinary error. */
const ORDINARY: Record<string, Page> = {
  'an article that quotes the words of every wall': { body: html('How walls work', `<p>${WORDS}`, OG) },
  'the same article, short and without a card': { body: html('How walls work', `<p>${WORDS}`) },
  'the same article, long and without a card': {
    body: html('How walls work', `<p>${WORDS}${'text '.repeat(9000)}`),
  },
  'a song called Just a moment...': { body: html('Just a moment...', SCRIPT, OG) },
  'the same song without a card': { body: html('Just a moment...', SCRIPT) },
  'a page of a site behind Cloudflare': {
    headers: { server: 'cloudflare', 'cf-ray': 'a-FRA' },
    body: html('Shop', '<script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script>'),
  },
  'a page of a site behind Imperva': {
    headers: { 'x-iinfo': '1-2', 'x-cdn': 'Incapsula' },
    body: html('Shop', '<script src="/_Incapsula_Resource?a=1"></script>'),
  },
  'a page of a site behind DataDome': {
    headers: { 'x-datadome': 'protected' },
    body: html('Shop', '<script src="https://js.datadome.co/tags.js"></script>'),
  },
  'a page of a site behind HUMAN': { body: html('Shop', '<script>window._pxAppId = "a"</script>') },
  'a page of a site behind Kasada': { headers: { 'x-kpsdk-ct': 'a' }, body: html('Shop') },
  'a contact form with a captcha': { body: html('Contact', '<div class="g-recaptcha"></div>') },
  'an ordinary 403': { status: 403, body: html('403 Forbidden', 'nginx') },
  'a 403 with a captcha in its login form': {
    status: 403,
    body: html('Log in to continue', '<div class="g-recaptcha"></div>'),
  },
  'a 403 of another server with the title Access Denied': { status: 403, body: html('Access Denied') },
  'an ordinary 404': { status: 404, body: html('Page not found', SCRIPT) },
  'a 404 behind Cloudflare': { status: 404, headers: { server: 'cloudflare' }, body: html('Not found') },
  'a Cloudflare error about the site’s own server': {
    status: 522,
    body: html('shop.example | 522: Connection timed out', '<div id="cf-error-details">522</div>'),
  },
  'an ordinary 429': { status: 429, body: html('Too Many Requests') },
  maintenance: { status: 503, body: html('Just a moment, we are updating', SCRIPT) },
  'a private community': { status: 403, url: 'https://www.reddit.com/r/a/', body: html('r/a is private') },
  'a login page that was requested': { url: 'https://www.facebook.com/login/', body: html('Log in') },
  'a profile that was reached by a redirect': {
    url: 'https://www.instagram.com/login.page/',
    from: 'https://instagram.com/login.page',
  },
  'a host whose name begins like one with a wall': { url: 'https://consent.google.com.shop.example/' },
  'a login page whose request was redirected to https': {
    url: 'https://facebook.com/login',
    from: 'http://facebook.com/login',
  },
  'a login page whose request was redirected to www': {
    url: 'https://www.linkedin.com/login',
    from: 'https://linkedin.com/login',
  },
  'a login page that has moved': { url: 'https://x.com/i/flow/login', from: 'https://x.com/login' },
  'a 403 of a forum that mentions the words of every wall': {
    status: 403,
    body: html('How walls work', `<p>${WORDS}`),
  },
  'a long 403 that quotes the source of walls': {
    status: 403,
    body: html('How walls work', `${QUOTES}${'text '.repeat(9000)}`),
  },
  'a 403 with a card that quotes the source of walls': {
    status: 403,
    body: html('How walls work', QUOTES, OG),
  },
  'a post with the words of the check of Reddit': {
    url: 'https://www.reddit.com/r/a/comments/1/',
    body: html('How do you prove your humanity? : r/a'),
  },
  'a post with the title of the check of Reddit, and a card': {
    url: 'https://www.reddit.com/r/a/comments/1/',
    body: html('Prove your humanity', 'text '.repeat(18_000), OG),
  },
  'a 403 about security checks, with a captcha': {
    status: 403,
    body: html('Security check-in procedures', '<div class="g-recaptcha"></div>'),
  },
  'a 403 about captchas, with one': {
    status: 403,
    body: html('CAPTCHA basics', '<div class="g-recaptcha"></div>'),
  },
  'an empty page': { body: '' },
  'an image': { headers: { 'content-type': 'image/png' }, body: 'png' },
  'a 403 that is not HTML': { status: 403, headers: { 'content-type': 'application/json' }, body: '{}' },
};

describe('details.blocked names', () => {
  for (const [name, pages] of Object.entries(WALLED))
    for (const page of pages)
      it(`${name}: ${page.status ?? 200} ${JSON.stringify(page).slice(0, 90)}`, () => {
        assert.equal(describePage(page).details?.blocked, name);
      });

  it('each wall of the table, in a test of its own', () => {
    assert.deepEqual(Object.keys(WALLED).toSorted(), WALLS.map(({ name }) => name).toSorted());
  });

  it('a wall that is still described as it is', () => {
    const [page] = WALLED['cloudflare']!;
    const { title, details } = describePage(page!);
    assert.deepEqual([title, details?.status], ['Einen Moment, bitte …', 403]);
  });

  it('a wall in UTF-16', () => {
    const body = html('Are you a robot?', SCRIPT);
    const head = {
      finalUrl: 'https://shop.example/',
      status: 503,
      headers: new Map([['content-type', 'text/html; charset=utf-16le']]),
      redirects: [],
    };
    assert.equal(
      describeBytes(Buffer.from(body, 'utf16le'), head, { details: true }).details?.blocked,
      'challenge',
    );
  });
});

describe('details.blocked is null for', () => {
  for (const [name, page] of Object.entries(ORDINARY))
    it(name, () => {
      assert.equal(describePage(page).details?.blocked, null);
    });
});

it('docs/reference/metadata.md has a row for each wall', () => {
  const text = readFileSync('docs/reference/metadata.md', 'utf8');
  for (const { name } of WALLS) assert.match(text, new RegExp(`^\\| \`${name}\` \\|`, 'm'), name);
});
