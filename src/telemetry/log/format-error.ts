/** An error as it is logged. */
export interface LoggedError {
  type: string;
  code?: string;
  message: string;
  stack?: string;
  cause?: LoggedError;
  /** The errors that an AggregateError combines. */
  errors?: LoggedError[];
}

const MAX_CAUSES = 4;
const MAX_COMBINED = 5;
const MAX_LENGTH = 4_000;
/** Parts of a message that may repeat what a caller sent. */
const URL_TEXT = /\b[a-z][a-z\d+.-]{0,20}:\/\/[^\s"'<>]+/gi;
/** A word; whether it is an address is not left to the expression, which would take quadratic time. */
const WORD = /[^\s"'<>()=,:;]+/g;
/** JSON.parse repeats a part of its input in its messages. */
const JSON_SNIPPET = /(Unexpected [^,]{1,40}, )[\s\S]*( is not valid JSON)/;

/**
 * Returns what is logged of an error and its causes: no members but these, because libraries attach whole
 * requests, rows and addresses to their errors. URLs, email addresses and pieces of JSON are removed from
 * messages.
 */
export function formatError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: redact(describe(error)) };
  const { code, cause, stack } = error as Error & { code?: unknown };
  const combined: unknown = (error as { errors?: unknown }).errors;
  const isDeep = depth >= MAX_CAUSES;
  return {
    type: error.name,
    ...((typeof code === 'string' || typeof code === 'number') && { code: String(code) }),
    message: redact(error.message),
    ...(typeof stack === 'string' && { stack: redact(stack) }),
    ...(cause !== undefined && !isDeep && { cause: formatError(cause, depth + 1) }),
    ...(Array.isArray(combined) &&
      !isDeep && {
        errors: combined.slice(0, MAX_COMBINED).map((each: unknown) => formatError(each, depth + 1)),
      }),
  };
}

function describe(thrown: unknown): string {
  return typeof thrown === 'string' ? thrown : `a value that is no error was thrown: ${typeof thrown}`;
}

function redact(text: string): string {
  return text
    .slice(0, MAX_LENGTH)
    .replace(JSON_SNIPPET, '$1[removed]$2')
    .replace(URL_TEXT, (url) => (url.startsWith('file://') ? url : '[url]'))
    .replace(WORD, (word) => (word.includes('@') && !word.includes('/') ? '[email]' : word));
}
