import { LiquidError } from 'liquidjs';
import type { ErrorCode } from '#errors';
import { FILE_TAGS } from './engine.ts';
import { MAX_FILL_MS, TemplateError, type TemplateFault } from './template-fault.ts';

/** The tag that each of these belongs to. */
const INNER_TAGS: Readonly<Record<string, string>> = {
  else: 'if',
  elsif: 'if',
  when: 'case',
};

type Sentence = (found: string) => string;

/**
 * The messages of Liquid that name what only its parser knows, and the sentences for people. `found` is the
 * group of the pattern. Other messages are sentences themselves.
 */
const SENTENCES: readonly [pattern: RegExp, sentence: Sentence][] = [
  [/^tag "(.*)" not found$/s, describeUnknownTag],
  [/^undefined filter: (.*)$/s, (found) => `there is no filter "${found}".`],
  [
    /^tag (?:\{%-?\s*)?(\w+).* not closed$/s,
    (found) => `the tag "${found}" is not closed: add {% end${found} %}.`,
  ],
  [/^raw .* not closed$/s, () => 'the tag "raw" is not closed: add {% endraw %}.'],
  [/^tag (".*") not closed$/s, (found) => `the tag ${found} has no %}.`],
  [/^output (".*") not closed$/s, (found) => `the output ${found} has no }}.`],
  [/^illegal tag syntax/, () => 'a tag needs a name.'],
  [/^illegal tag: \{%-?\s*(\w+)/, (found) => `the tag "${found}" is written {% ${found} item in list %}.`],
  [/^invalid value expression: ""$/, () => 'the tag needs a value.'],
  [/^\[ not closed$/, () => 'a "[" is not closed.'],
  [/^(\w+) expect 2 arguments$/, (found) => `the filter "${found}" needs an argument.`],
  [/^URI malformed$/, () => 'the text is not percent-encoded.'],
];

const MAX_FOUND = 60;

/** Describes an error as the fault of the text `param`. Returns null if it is no fault of a template. */
export function describeError(thrown: unknown, param: string): TemplateFault | null {
  const { cause, token } = LiquidError.is(thrown) ? unwrap(thrown) : { cause: thrown, token: null };
  const { code, sentence } = explain(cause);
  if (code === null) return null;
  const [line, column] = token?.getPosition() ?? [1, 1];
  return { code, message: `Line ${line}, column ${column} of ${param}: ${sentence}`, param };
}

/** Returns the innermost error, and the place where it was thrown. */
function unwrap(error: LiquidError): { cause: unknown; token: LiquidError['token'] } {
  const { originalError, token } = error;
  if (LiquidError.is(originalError)) return unwrap(originalError);
  return { cause: originalError ?? error, token };
}

function explain(cause: unknown): { code: ErrorCode | null; sentence: string } {
  if (cause instanceof TemplateError) return { code: cause.code, sentence: cause.message };
  if (!(cause instanceof Error)) return { code: null, sentence: '' };
  if (cause.message.startsWith('template render limit'))
    return {
      code: 'timeout',
      sentence: `the templates take longer than ${MAX_FILL_MS / 1_000} s: loop less, or compute it before you send data.`,
    };
  if (cause instanceof RangeError)
    return /call stack/.test(cause.message)
      ? { code: 'invalid_parameter', sentence: 'tags or values are nested too deep.' }
      : { code: 'render_failed', sentence: 'it makes a value that is too large: use a smaller one.' };
  if (cause instanceof TypeError)
    return {
      code: 'invalid_parameter',
      sentence: 'a value has a type that this tag or filter does not take.',
    };
  const message = cause.message.replace(/, line:\d+, col:\d+$/, '');
  for (const [pattern, sentence] of SENTENCES) {
    const match = pattern.exec(message);
    if (match !== null) return { code: 'invalid_parameter', sentence: sentence(shorten(match[1] ?? '')) };
  }
  return { code: 'invalid_parameter', sentence: `${shorten(message)}.` };
}

function describeUnknownTag(name: string): string {
  if (FILE_TAGS.includes(name)) return `the tag "${name}" is not available: a template cannot load others.`;
  const opener = INNER_TAGS[name] ?? /^end(\w+)$/.exec(name)?.[1];
  return opener === undefined ? `there is no tag "${name}".` : `"${name}" has no {% ${opener} %} before it.`;
}

function shorten(text: string): string {
  return text.length > MAX_FOUND ? `${text.slice(0, MAX_FOUND).toWellFormed()}…` : text.toWellFormed();
}
