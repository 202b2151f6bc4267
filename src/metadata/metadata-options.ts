import type { OptionTable, OptionValues } from '#options';
import { MAX_LANGUAGE_CHARACTERS, parseAcceptLanguage } from './page/parse-language.ts';

/** The options of getMetadata. */
export const METADATA_OPTIONS = {
  follow_redirects: {
    type: 'boolean',
    default: true,
    description: 'Whether HTTP redirects are followed.',
    example: false,
    flag: { name: 'no-follow', summary: 'Follow no redirects' },
    control: { hint: 'Follow at most ten redirects' },
  },
  max_redirects: {
    type: 'integer',
    default: 10,
    minimum: 0,
    maximum: 10,
    description:
      'Redirects that are followed; a further one is unreachable. A page that refreshes then is described itself.',
    example: 3,
    isInTools: false,
    flag: { summary: 'Redirects to follow: 0 to 10', placeholder: 'count' },
    control: { hint: 'A further one is an error: 0 to 10', isMore: true },
  },
  timeout: {
    type: 'integer',
    property: 'timeoutMs',
    default: 10_000,
    minimum: 1000,
    maximum: 30_000,
    description: 'Timeout in milliseconds, from the first DNS lookup to the last byte needed.',
    example: 5000,
    refused: { timeout: 500 },
    isInKey: false,
    flag: { summary: 'Time limit of a page: 1000 to 30000', placeholder: 'ms' },
    control: { hint: '1,000 to 30,000 ms', isMore: true },
  },
  details: {
    type: 'boolean',
    default: false,
    description: 'Whether to add the member details.',
    example: true,
    flag: { summary: 'Add status, redirects, dates, authors, feeds and more' },
    control: { hint: 'Add the response, authors, dates, all images and icons, feeds, tags and JSON-LD' },
  },
  render: {
    type: 'string',
    enum: ['false', 'true', 'auto'],
    accepts: 'boolean',
    default: 'false',
    description:
      'Whether the page is opened in a browser, which runs its scripts, before it is read; auto does so only if scripts have yet to draw the page.',
    example: 'auto',
    flag: {
      summary: 'Run the scripts of the page: true, or auto if they have yet to draw it',
      placeholder: 'when',
    },
    control: { hint: 'Run the page’s scripts first', isMore: true },
  },
  probe: {
    type: 'boolean',
    default: false,
    description: 'Whether to check that favicon and image exist, and measure them; only with details.',
    example: true,
    needs: 'details',
    flag: { summary: 'Check that favicon and image exist (with details)' },
    control: { hint: 'Check and measure favicon and image' },
  },
  oembed: {
    type: 'boolean',
    default: false,
    description: 'Whether to fetch the oEmbed response of the page; only with details.',
    example: true,
    needs: 'details',
    flag: { summary: 'Fetch the oEmbed response (with details)' },
    control: { hint: 'Fetch the oEmbed response of the page' },
  },
  language: {
    type: 'string',
    default: '',
    maxLength: MAX_LANGUAGE_CHARACTERS,
    description:
      'The languages to request from the site, as in Accept-Language: BCP 47 tags, best first, like de-CH, de;q=0.9.',
    example: 'de-CH, de;q=0.9',
    convert: parseAcceptLanguage,
    flag: { summary: 'Languages to request, such as de-CH, de;q=0.9', placeholder: 'tags' },
    control: { hint: 'Languages to ask for', placeholder: 'de-CH, de;q=0.9', isMore: true },
  },
  user_agent: {
    type: 'string',
    enum: ['bot', 'preview', 'browser'],
    default: 'bot',
    description:
      'The program that the service introduces itself as to the site: its bot, its bot that makes a link preview, or a current browser.',
    example: 'preview',
    flag: { summary: 'Introduce as bot, preview or browser', placeholder: 'kind' },
    control: { hint: 'The name given to the site', isMore: true },
  },
  max_age: {
    type: 'integer',
    property: 'maxAgeSeconds',
    default: 0,
    minimum: 0,
    maximum: 86_400,
    description:
      'The age in seconds up to which a cached result of the same account is accepted; 0 accepts none.',
    example: 3600,
    isInKey: false,
    flag: { summary: 'Accept a cached result of this age', placeholder: 'seconds' },
    control: { hint: 'Oldest cached result, in s', isMore: true },
  },
} as const satisfies OptionTable;

type Options = OptionValues<typeof METADATA_OPTIONS>;

/** The URL as the caller gave it, which getMetadata validates, and the options. */
export type GetMetadataRequest = { url: string } & Pick<
  Options,
  'followRedirects' | 'timeoutMs' | 'details'
> &
  Partial<Options>;
