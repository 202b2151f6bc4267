/** Runs a batch over a list: reads it, continues an unfinished output, writes rows, and sums them up. */
import type { CallOptions, UtilityApi } from '../../index.ts';
import { type CommandInput, type Flag, type FlagValues, getText, isOn } from '../command.ts';
import { connect } from '../connect.ts';
import { CliError, EXIT, type ExitCode, Interrupted } from '../exit-codes.ts';
import { toPlainText } from '../plain-text.ts';
import { isSameFile } from '../resolve-link.ts';
import type { ColumnKind, ColumnOptions } from './find-column.ts';
import { openList } from './list-input.ts';
import { isStorable, type ListOutput, openFileOutput, openStreamOutput } from './list-output.ts';
import { pairRows } from './pair-rows.ts';
import { formatCount, Progress } from './progress.ts';
import { createCsvFormat, createNdjsonFormat, type ResultCells, type RowFormat } from './row-format.ts';
import { nameUnfinished } from './run-state.ts';
import { Summary } from './summary.ts';

/** A batch operation on lists. */
export interface ListOperation<Result> extends ColumnKind, ResultCells<Result> {
  /** The options of the requests, which the output depends on. */
  options: object;
  /** The outcomes of rows that --exit-code counts as negative. */
  isNegative: (outcome: string) => boolean;
  send: (api: UtilityApi, texts: AsyncIterable<string>, call: CallOptions) => AsyncIterable<Result>;
  /** True for a result that suggests a correction. */
  hasSuggestion?: (result: Result) => boolean;
}

const DELIMITERS: Readonly<Record<string, string>> = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' };
/** A restart of the service takes some seconds. */
const MAX_RETRIES = 8;

export const LIST_FLAGS: readonly Flag[] = [
  {
    name: 'file',
    short: 'f',
    type: 'file',
    placeholder: 'list',
    summary: 'Read a list: CSV, or one value per line; - is standard input',
  },
  {
    name: 'out',
    short: 'o',
    type: 'file',
    placeholder: 'path',
    summary: 'Write the rows to this file; an interrupted run continues it',
  },
  {
    name: 'format',
    type: 'text',
    values: ['csv', 'ndjson'],
    placeholder: 'format',
    summary: 'Write csv or ndjson; by default by the name of the output',
  },
  {
    name: 'column',
    type: 'text',
    placeholder: 'column',
    summary: 'Read this column of the list: its name, or its number from 1',
  },
  {
    name: 'delimiter',
    type: 'text',
    values: Object.keys(DELIMITERS),
    placeholder: 'name',
    summary: 'Split the list at comma, semicolon, tab or pipe',
  },
  { name: 'no-header', type: 'boolean', summary: 'Read the first line of the list as a value' },
  { name: 'force', type: 'boolean', summary: 'Replace the output, and begin again if it is unfinished' },
  { name: 'quiet', short: 'q', type: 'boolean', summary: 'Show no progress and no summary' },
];

/** Throws CliError for a flag of lists without --file, such as --out: it would be ignored. */
export function refuseListFlags(flags: FlagValues): void {
  const given = LIST_FLAGS.find(({ name }) => name !== 'quiet' && flags[name] !== undefined);
  if (given) throw new CliError(EXIT.usage, `--${given.name} is for a list: name the list with --file.`);
}

/** Runs an operation on the list of --file. */
export async function runList<Result>(
  input: CommandInput,
  operation: ListOperation<Result>,
): Promise<ExitCode> {
  const { flags, session } = input;
  // The bar exists when the stored rows are counted, which is before the first request.
  let progress: Progress | undefined;
  const api = connect(session, flags, {
    maxRetries: MAX_RETRIES,
    onRetry: ({ delayMs, error }) => progress?.wait(toPlainText(error.message), delayMs),
  });
  const list = await openList(getText(flags, 'file') ?? '-', session, operation, parseColumnOptions(flags));
  const formatName = chooseFormat(input);
  const format: RowFormat<Result> =
    formatName === 'csv' ? createCsvFormat(list.table, operation) : createNdjsonFormat(operation);
  const options = { ...operation.options, format: formatName, ...list.table };
  const output = openOutput(input, format, { input: list.survey?.sha256 ?? null, options });
  const rows = list.rows();
  const summary = new Summary(operation.noun);
  const isShown = !isOn(flags, 'quiet');
  try {
    await output.resume(rows, (outcome) => summary.addStored(outcome));
    progress = new Progress(session, isShown, list.survey?.rows ?? null, summary.rows);
    if (summary.rows > 0 && isShown) session.note(`Continuing after ${formatCount(summary.rows)} rows.`);
    await writeRows({ rows, output, format, operation, api, summary, progress, signal: session.signal });
    output.finish();
    if (isShown) summary.print(session, getText(flags, 'out'), progress.elapsedMs);
  } catch (error) {
    throw explain(error, output, progress, list.survey?.rows);
  } finally {
    output.close();
    await rows.return();
  }
  return isOn(flags, 'exit-code') && summary.outcomes.some(operation.isNegative) ? EXIT.negative : EXIT.ok;
}

function parseColumnOptions(flags: FlagValues): ColumnOptions {
  return {
    column: getText(flags, 'column'),
    delimiter: DELIMITERS[getText(flags, 'delimiter') ?? ''],
    hasNoHeader: isOn(flags, 'no-header'),
  };
}

interface Work<Result> {
  rows: ReturnType<Awaited<ReturnType<typeof openList>>['rows']>;
  output: ListOutput;
  format: RowFormat<Result>;
  operation: ListOperation<Result>;
  api: UtilityApi;
  summary: Summary;
  progress: Progress;
  signal: AbortSignal;
}

async function writeRows<Result>(work: Work<Result>): Promise<void> {
  const { rows, output, format, operation, api, summary, progress, signal } = work;
  try {
    const paired = pairRows<Result>(rows, (texts) => operation.send(api, texts, { signal }));
    for await (const { row, result, isRepeated } of paired) {
      const written = output.write(format.format(row, result));
      if (written) await written;
      summary.add(result === null ? '' : (operation.format(result)[0] ?? ''), {
        isRepeated,
        hasSuggestion: result !== null && operation.hasSuggestion?.(result) === true,
      });
      progress.add();
    }
  } finally {
    progress.clear();
  }
}

function chooseFormat({ flags }: CommandInput): string {
  const name = getText(flags, 'format');
  if (name !== undefined) return name;
  return isOn(flags, 'json') || /\.(ndjson|jsonl)$/i.test(getText(flags, 'out') ?? '') ? 'ndjson' : 'csv';
}

function openOutput<Result>(
  { flags, session }: CommandInput,
  format: RowFormat<Result>,
  facts: { input: string | null; options: unknown },
): ListOutput {
  const path = getText(flags, 'out') ?? '-';
  if (path === '-') return openStreamOutput(session, format.header);
  if (!isStorable(path))
    throw new CliError(EXIT.usage, `${path} is not a file: write to standard output instead (-o -).`);
  const list = getText(flags, 'file') ?? '-';
  if (Object.values(nameUnfinished(path)).some((name) => isSameFile(name, list)))
    throw new CliError(EXIT.usage, `${list} is a file of the output ${path}: write to another one.`);
  return openFileOutput(path, format, facts, isOn(flags, 'force'));
}

/** Adds to the error of an interrupted run how far it came, and how to continue. */
function explain(error: unknown, output: ListOutput, progress?: Progress, total?: number): unknown {
  if (!progress || !(error instanceof Error) || (error as NodeJS.ErrnoException).code === 'EPIPE')
    return error;
  const of = total === undefined ? '' : ` of ${formatCount(total)}`;
  const done = `${formatCount(progress.done)}${of} rows are done.`;
  const hint = output.canResume ? `${done} Run the same command again to continue.` : done;
  const text = error instanceof Interrupted ? `Interrupted: ${hint}` : `${error.message}\n${hint}`;
  Object.defineProperty(error, 'message', { value: text });
  return error;
}
