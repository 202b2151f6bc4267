import type { EmailOptions, EmailResult } from '../../index.ts';
import { type Command, type CommandInput, getText, isOn } from '../command.ts';
import { connect, PROFILE_FLAG } from '../connect.ts';
import { CliError, EXIT, type ExitCode } from '../exit-codes.ts';
import { formatEmail } from '../format/email.ts';
import { OPTION_FLAGS } from '../option-flags.gen.ts';
import { parseOptionFlags } from '../option-flags.ts';
import { LIST_FLAGS, type ListOperation, refuseListFlags, runList } from '../list/run-list.ts';
import { writeJson } from '../write-json.ts';

export const emailCommand: Command = {
  name: 'email',
  summary: 'Validate addresses',
  usage: ['email <address>... [flags]', 'email --file <list> [--out <path>] [flags]'],
  description:
    'Checks the syntax, the mail hosts of the domain, disposable and free providers, and suggests a correction for a typo. Of a list, the column of the addresses is found by its name or its values; the output has all columns and those of the results.',
  maxArguments: 1_000,
  flags: [
    ...OPTION_FLAGS.validateEmail,
    { name: 'json', type: 'boolean', summary: 'Write JSON; of a list, one object per line' },
    { name: 'exit-code', type: 'boolean', summary: 'Exit with 1 if an address is not valid' },
    ...LIST_FLAGS,
    PROFILE_FLAG,
  ],
  examples: [
    'utility-api email ann@gmial.com',
    'utility-api email ann@example.com --json',
    'utility-api email --file list.csv --out result.csv',
    'cut -f2 users.tsv | utility-api email --file - --format ndjson',
  ],
  run: runEmail,
};

async function runEmail(input: CommandInput): Promise<ExitCode> {
  const { flags, session, arguments: emails } = input;
  const options: EmailOptions = { details: true, ...parseOptionFlags(OPTION_FLAGS.validateEmail, flags) };
  const hasList = getText(flags, 'file') !== undefined;
  if (hasList === emails.length > 0)
    throw new CliError(EXIT.usage, 'email takes an address, or a list: utility-api email --file list.csv.');
  if (hasList) return runList(input, createOperation(options));
  refuseListFlags(flags);
  const api = connect(session, flags);
  let isValid = true;
  for (const [index, email] of emails.entries()) {
    const result = await api.validateEmail(email, options, { signal: session.signal });
    isValid &&= result.valid;
    if (isOn(flags, 'json')) await writeJson(session, result, emails.length === 1);
    else await session.write(`${index > 0 ? '\n' : ''}${formatEmail(result, session.style)}`);
  }
  return isOn(flags, 'exit-code') && !isValid ? EXIT.negative : EXIT.ok;
}

function createOperation(options: EmailOptions): ListOperation<EmailResult> {
  return {
    noun: 'an address',
    plural: 'addresses',
    column: 'email',
    member: 'email',
    names: /^e-?mail([ _-]?(address|adresse|id))?$|^mail$|^address$/i,
    looksLike: /\S@\S/,
    options,
    columns: [
      'verdict',
      'valid',
      'reasons',
      'score',
      'did_you_mean',
      'disposable',
      'free_provider',
      'role',
      'mx_found',
      'format_valid',
      'domain',
      'normalized',
      'provider',
    ],
    format: formatCells,
    isNegative: (outcome) => outcome === 'undeliverable' || outcome === '',
    hasSuggestion: ({ did_you_mean }) => Boolean(did_you_mean),
    send: (api, texts, call) => api.validateEmailBatch(texts, options, call),
  };
}

function formatCells(result: EmailResult): string[] {
  const { details } = result;
  return [
    details?.verdict ?? 'unknown',
    result.valid,
    details?.reasons.join(' '),
    details?.score,
    result.did_you_mean,
    result.disposable,
    result.free_provider,
    details?.role,
    result.mx_found,
    result.format_valid,
    result.domain,
    details?.normalized,
    details?.provider,
  ].map((value) => String(value ?? ''));
}
