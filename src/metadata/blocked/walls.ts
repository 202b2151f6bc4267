/**
 * The bot walls, consent pages and login walls that are recognized, and how. A sign needs a status, a header
 * or an address of the wall besides what its source or title says, or source that only a short page without
 * content has: pages that mention a wall, and pages of a site behind one, are ordinary.
 */

/** A response that proves a wall: all of the given parts hold. */
export interface WallSign {
  status?: readonly number[];
  /** A response header and its value. */
  header?: readonly [name: string, value: RegExp];
  /** The host and the path of the final URL. */
  host?: RegExp;
  path?: RegExp;
  /** True if a redirect led here from another `path`: a page that the caller requested is ordinary. */
  isRedirected?: true;
  /** The page's title. */
  title?: RegExp;
  /** Pieces of the source that are all in the page. A page about walls has them escaped, or no other part. */
  source?: readonly string[];
  /** The page has at most this many bytes: walls are short, and longer pages need not be searched. */
  maxBytes?: number;
  /** The page has at most this many bytes, and declares no `og:` tag. */
  bareBytes?: number;
}

/** A page that a site sends in place of the requested one. */
interface Wall {
  /** The value of `details.blocked`. */
  name: string;
  /** Any one of them suffices. */
  signs: readonly WallSign[];
}

const REFUSED = [401, 403, 405, 406, 429, 503];
const BARE_BYTES = 32_768;

const AMAZON = /(?:^|\.)amazon\.(?:com|[a-z]{2}|com?\.[a-z]{2})$/;
const GOOGLE = /(?:^|\.)google\.(?:com|[a-z]{2}|com?\.[a-z]{2})$/;

/** Walls of products that many sites use. */
const BOT_WALLS: readonly Wall[] = [
  {
    name: 'cloudflare',
    signs: [
      // Documented: «Detect a Challenge Page response».
      { header: ['cf-mitigated', /^challenge$/i] },
      { status: REFUSED, bareBytes: BARE_BYTES, source: ['window._cf_chl_opt={'] },
      { status: REFUSED, bareBytes: BARE_BYTES, source: ['window._cf_chl_opt = {'] },
      { status: REFUSED, source: ['/cdn-cgi/challenge-platform/'], title: /^just a moment(?:\.\.\.|…)$/i },
      { status: [403, 429], bareBytes: BARE_BYTES, source: [' id="cf-error-details"'] },
      { status: [403, 429], title: /^attention required! \| cloudflare$/i },
    ],
  },
  {
    name: 'vercel',
    signs: [
      { header: ['x-vercel-mitigated', /^(?:challenge|deny)$/i] },
      { status: REFUSED, title: /^vercel security checkpoint$/i },
    ],
  },
  {
    // Documented: the actions challenge (202) and captcha (405).
    name: 'aws-waf',
    signs: [
      { header: ['x-amzn-waf-action', /^(?:challenge|captcha)$/i] },
      {
        bareBytes: BARE_BYTES,
        title: /^(?:human verification)?$/i,
        source: ['awsWafCookieDomainList', 'gokuProps'],
      },
    ],
  },
  {
    name: 'datadome',
    signs: ['ct', 'geo'].map((name) => ({
      status: REFUSED,
      bareBytes: BARE_BYTES,
      source: [` src="https://${name}.captcha-delivery.com/`],
    })),
  },
  {
    name: 'human',
    signs: [
      { status: REFUSED, bareBytes: BARE_BYTES, source: [' id="px-captcha"'] },
      { bareBytes: BARE_BYTES, title: /^robot or human\?$/i, source: [' id="px-captcha"'] },
      { status: REFUSED, source: ['_pxAppId'], title: /^access to this page has been denied/i },
    ],
  },
  {
    name: 'imperva',
    signs: [
      { bareBytes: BARE_BYTES, title: /^$/, source: ['<iframe id="main-iframe"', '"/_Incapsula_Resource?'] },
      // Pages behind Imperva have this script too, and a title.
      { bareBytes: 2_048, title: /^$/, source: ['"/_Incapsula_Resource?'] },
      { bareBytes: BARE_BYTES, title: /^pardon our interruption/i, source: ['onProtectionInitialized'] },
      { status: REFUSED, title: /^pardon our interruption/i },
    ],
  },
  {
    name: 'akamai',
    signs: [
      { status: [403], title: /^access denied$/i, source: ['errors.edgesuite.net'] },
      { status: [403], title: /^access denied$/i, source: ['errors&#46;edgesuite&#46;net'] },
      { status: [403], title: /^access denied$/i, header: ['server', /^akamaighost$/i] },
      { bareBytes: BARE_BYTES, source: ['<div id="sec-if-cpt-container"'] },
      { bareBytes: BARE_BYTES, title: /^$/, source: ['bm-verify=', 'triggerInterstitialChallenge'] },
    ],
  },
  {
    name: 'kasada',
    signs: [{ status: [403, 429], header: ['x-kpsdk-ct', /./] }],
  },
  {
    name: 'sucuri',
    signs: [
      { status: [403], title: /^sucuri website firewall/i },
      { bareBytes: BARE_BYTES, header: ['server', /^sucuri/i], title: /^you are being redirected\.\.\.$/i },
    ],
  },
  {
    name: 'wordfence',
    signs: [{ status: [403, 503], title: /^your access to this site has been limited/i }],
  },
  {
    name: 'ddos-guard',
    signs: [{ status: [403, 503], header: ['server', /^ddos-guard$/i], title: /^ddos-guard$/i }],
  },
  {
    name: 'fastly',
    signs: [{ bareBytes: BARE_BYTES, title: /^client challenge$/i, source: ['/_fs-ch-'] }],
  },
  {
    name: 'anubis',
    // It may pass on the tags of the page behind it, so it need not be bare.
    signs: [{ maxBytes: 16_384, source: ['<script id="anubis_challenge"'] }],
  },
];

/** Walls of single sites. */
const SITE_WALLS: readonly Wall[] = [
  {
    name: 'amazon-captcha',
    signs: [{ bareBytes: BARE_BYTES, host: AMAZON, source: ['action="/errors/validateCaptcha"'] }],
  },
  {
    name: 'google-captcha',
    signs: [{ host: GOOGLE, path: /^\/sorry\//, status: [200, 429, 503] }],
  },
  {
    name: 'alibaba-captcha',
    signs: [{ path: /\/_____tmd_____\/punish$/ }],
  },
  {
    name: 'reddit',
    signs: [
      { host: /(?:^|\.)reddit\.com$/, status: [403, 429], source: ['blocked by network security'] },
      { host: /(?:^|\.)reddit\.com$/, bareBytes: BARE_BYTES, title: /^(?:reddit - )?prove your humanity$/i },
    ],
  },
  {
    name: 'google-consent',
    signs: [{ host: /^consent\.(?:google\.(?:com|[a-z]{2}|com?\.[a-z]{2})|youtube\.com)$/ }],
  },
  {
    name: 'yahoo-consent',
    signs: [{ host: /^(?:consent|guce)\.(?:yahoo|aol|engadget|techcrunch|autoblog)\.com$/ }],
  },
  {
    name: 'dpg-media-consent',
    signs: [{ host: /^myprivacy\.dpgmedia\.(?:nl|be)$/ }],
  },
  {
    name: 'facebook-login',
    signs: [
      {
        isRedirected: true,
        host: /(?:^|\.)facebook\.com$/,
        path: /^\/(?:login(?:\.php)?|checkpoint)(?:\/|$)/,
      },
    ],
  },
  {
    name: 'instagram-login',
    signs: [{ isRedirected: true, host: /(?:^|\.)instagram\.com$/, path: /^\/accounts\/login(?:\/|$)/ }],
  },
  {
    name: 'linkedin-login',
    signs: [
      { host: /(?:^|\.)linkedin\.com$/, status: [999] },
      {
        isRedirected: true,
        host: /(?:^|\.)linkedin\.com$/,
        path: /^\/(?:authwall|uas\/login|login|checkpoint)(?:\/|$)/,
      },
    ],
  },
  {
    name: 'x-login',
    signs: [
      {
        isRedirected: true,
        host: /(?:^|\.)(?:x|twitter)\.com$/,
        path: /^\/(?:i\/flow\/login|login|account\/access)(?:\/|$)/,
      },
    ],
  },
];

/** The titles of walls of any product. */
const HUMAN_TITLE =
  /^(?:checking your browser|verify(?:ing)? (?:that )?you are (?:a )?human|are you (?:a )?(?:human|robot)|robot check|robot or human|human verification|bot (?:detection|verification|check))\b/i;
/** The titles of walls with a captcha; without one, any page could have them. */
const CAPTCHA_TITLE =
  /^(?:just a moment|one moment,? please|(?:security|captcha) (?:check(?:point)?|challenge|verification)(?: required)?|captcha(?: required)?)(?:[.!]{0,3}|…)$/i;

const CAPTCHAS = [
  'class="g-recaptcha"',
  'class="h-captcha"',
  'class="cf-turnstile"',
  'challenges.cloudflare.com/turnstile',
];

const REFUSAL = { status: [403, 429, 503], bareBytes: BARE_BYTES };

/** Walls of products without a row of their own. They need a refusal, and a title that says what they are. */
const OTHER_WALLS: readonly Wall[] = [
  {
    name: 'captcha',
    signs: [HUMAN_TITLE, CAPTCHA_TITLE].flatMap((title) =>
      CAPTCHAS.map((widget) => ({ ...REFUSAL, title, source: [widget] })),
    ),
  },
  {
    name: 'challenge',
    signs: [{ ...REFUSAL, title: HUMAN_TITLE, source: ['<script'] }],
  },
];

/** Every wall; the first that has a sign counts. */
export const WALLS: readonly Wall[] = [...BOT_WALLS, ...SITE_WALLS, ...OTHER_WALLS];
