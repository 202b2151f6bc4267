import type { MetadataOptions, MetadataRow } from '../../index.ts';
import { type Command, type CommandInput, getText, isOn } from '../command.ts';
import { connect, PROFILE_FLAG } from '../connect.ts';
import { CliError, EXIT, type ExitCode } from '../exit-codes.ts';
import { formatMetadata } from '../format/metadata.ts';
import { OPTION_FLAGS } from '../option-flags.gen.ts';
import { parseOptionFlags } from '../option-flags.ts';
import { LIST_FLAGS, type ListOperation, refuseListFlags, runList } from '../list/run-list.ts';
import { writeJson } from '../write-json.ts';

export const metaCommand: Command = {
  name: 'meta',
  summary: 'Read the metadata of pages',
  usage: ['meta <url>... [flags]', 'meta --file <list> [--out <path>] [flags]'],
  description:
    'Reads title, description, favicon, Open Graph and Twitter tags, charset and language. In a list, a page that cannot be read has the error in its row.',
  maxArguments: 100,
  flags: [
    ...OPTION_FLAGS.getMetadata,
    { name: 'json', type: 'boolean', summary: 'Write JSON; of a list, one object per line' },
    { name: 'exit-code', type: 'boolean', summary: 'Exit with 1 if a page of the list could not be read' },
    ...LIST_FLAGS,
    PROFILE_FLAG,
  ],
  examples: [
    'utility-api meta https://example.com/',
    'utility-api meta https://example.com/ --details --json',
    'utility-api meta --file urls.txt --out pages.csv',
  ],
  run: runMeta,
};

async function runMeta(input: CommandInput): Promise<ExitCode> {
  const { flags, session, arguments: urls } = input;
  const options: MetadataOptions = parseOptionFlags(OPTION_FLAGS.getMetadata, flags);
  const hasList = getText(flags, 'file') !== undefined;
  if (hasList === urls.length > 0)
    throw new CliError(EXIT.usage, 'meta takes a URL, or a list: utility-api meta --file urls.txt.');
  if (hasList) return runList(input, createOperation(options));
  refuseListFlags(flags);
  const api = connect(session, flags);
  for (const [index, url] of urls.entries()) {
    const page = await api.getMetadata(url, options, { signal: session.signal });
    if (isOn(flags, 'json')) await writeJson(session, page, urls.length === 1);
    else await session.write(`${index > 0 ? '\n' : ''}${formatMetadata(page, session.style)}`);
  }
  return EXIT.ok;
}

/** A row without its place, which a continued run would count from 0. */
type Result = Omit<MetadataRow, 'index'>;

const COLUMNS = (
  'result message title description favicon charset language og_title og_description og_image og_url ' +
  'og_type og_site_name twitter_card twitter_site'
).split(' ');
const DETAILS = ['final_url', 'status', 'canonical', 'author', 'publisher', 'published_time'] as const;

function createOperation(options: MetadataOptions): ListOperation<Result> {
  return {
    noun: 'a URL',
    plural: 'URLs',
    column: 'url',
    member: 'url',
    names: /^(page|web)?[ _-]?(url|uri|link|href)$|^web ?site$|^home ?page$/i,
    looksLike: /^https?:\/\//i,
    options,
    columns: [...COLUMNS, ...(options.details ? DETAILS : [])],
    format: (row) => formatCells(row as MetadataRow, options.details === true),
    isNegative: (outcome) => outcome !== 'ok',
    send: async function* send(api, texts, call) {
      for await (const { index: _index, ...row } of api.getMetadataBatch(texts, options, call)) yield row;
    },
  };
}

function formatCells(row: MetadataRow, hasDetails: boolean): string[] {
  const { length } = hasDetails ? [...COLUMNS, ...DETAILS] : COLUMNS;
  if (row.error) return [row.error.error, row.error.message, ...Array.from({ length: length - 2 }, () => '')];
  const { og, twitter, details } = row;
  const basic = ['ok', '', row.title, row.description, row.favicon, row.charset, row.language];
  const tags = [og.title, og.description, og.image, og.url, og.type, og.site_name];
  const card = [twitter.card, twitter.site];
  const more = hasDetails ? DETAILS.map((name) => details?.[name]) : [];
  return [...basic, ...tags, ...card, ...more].map((value) => String(value ?? ''));
}
