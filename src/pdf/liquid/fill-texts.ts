import {
  ParseError,
  Parser,
  TokenKind,
  Tokenizer,
  toValueSync,
  type Template,
  type TopLevelToken,
} from 'liquidjs';
import { serveJobs } from '#concurrency';
import { ApiError } from '#errors';
import { checkTemplate } from '../request/template-members.ts';
import { BoundedEmitter, createEngine } from './engine.ts';
import { describeError } from './describe-error.ts';
import { Placeholder } from './safe-html.ts';
import { TemplateContext, type ContextLimits } from './template-context.ts';
import {
  MAX_DOCUMENT_BYTES,
  MAX_TAGS,
  MAX_TAG_CHARACTERS,
  MAX_TEXT_BYTES,
  TemplateError,
  type TemplateFault,
} from './template-fault.ts';

/** A text of a request. `header`: also a footer; its placeholders stay. */
export interface TemplateText {
  kind: 'document' | 'header' | 'watermark';
  /** Its place in the request: `header_html`. */
  param: string;
  source: string;
}

/** The templates of one request. Crosses threads. */
export interface FillJob {
  texts: readonly TemplateText[];
  data: Record<string, unknown>;
  /** Milliseconds since 1970. */
  now: number;
  /** The time zone of dates; UTC by default. */
  zone?: string | null;
}

/** A filled text, with its UTF-8 bytes. */
export interface FilledText {
  html: string;
  bytes: number;
}

/** The filled texts in their order, or the first fault. */
export type FillOutcome = { texts: readonly FilledText[] } | { fault: TemplateFault };

const engine = createEngine();
const TOO_LONG = new TemplateError(
  'invalid_parameter',
  `the tags and outputs of the templates have more than ${MAX_TAG_CHARACTERS.toLocaleString('en')} characters: move lists and texts to data.`,
);

/** Fills the templates of a request. All its documents together may have 5 MiB, other texts 512 KiB each. */
export function fillTexts({ texts, data, ...clock }: FillJob): FillOutcome {
  const filled: FilledText[] = [];
  const budget = new TagBudget();
  let documentBytes = MAX_DOCUMENT_BYTES;
  let limits: ContextLimits | null = null;
  for (const text of texts) {
    const maxBytes = text.kind === 'document' ? documentBytes : MAX_TEXT_BYTES;
    const escapesBraces = text.kind !== 'document';
    const context = new TemplateContext(createVariables(text, data), engine, {
      ...clock,
      escapesBraces,
      limits,
    });
    limits = context;
    try {
      budget.countMarks(text);
      const tokens = new Tokenizer(text.source, engine.options.operators).readTopLevelTokens(engine.options);
      budget.countCharacters(tokens);
      const html = fill(tokens, context, maxBytes);
      const bytes = Buffer.byteLength(html, 'utf8');
      checkFilled(text, html, bytes > maxBytes);
      if (text.kind === 'document') documentBytes -= bytes;
      filled.push({ html, bytes });
    } catch (error) {
      return { fault: toFault(error, text) };
    }
  }
  return { texts: filled };
}

/** Counts tags before they are parsed, in all texts of a request together: it bounds the parser's work. */
class TagBudget {
  #tags = 0;
  #characters = 0;

  /** Counts the marks of tags and outputs, before the text is split at them. Throws ApiError for too many. */
  countMarks({ param, source }: TemplateText): void {
    for (let at = source.indexOf('{'); at >= 0; at = source.indexOf('{', at)) {
      const isMark = source[at + 1] === '{' || source[at + 1] === '%';
      if (isMark) this.#tags += 1;
      at += isMark ? 2 : 1;
      if (this.#tags > MAX_TAGS)
        throw new ApiError(
          'invalid_parameter',
          `The templates have more than ${MAX_TAGS.toLocaleString('en')} tags ({{ or {%) at character ${at} of ${param}: print lists with {% for %}.`,
          { param },
        );
    }
  }

  /** Counts the characters inside tags and outputs. Throws LiquidError at the one that has too many. */
  countCharacters(tokens: readonly TopLevelToken[]): void {
    for (const token of tokens) {
      if (token.kind !== TokenKind.HTML) this.#characters += token.size();
      if (this.#characters > MAX_TAG_CHARACTERS) throw new ParseError(TOO_LONG, token);
    }
  }
}

/** The placeholders of headers print themselves, and are filled in later. */
const PLACEHOLDERS = Object.fromEntries(
  ['page', 'pages', 'title', 'date'].map((name) => [name, new Placeholder(`{{${name}}}`)]),
);

/** `{% increment %}` changes the variables: each text has its own. */
function createVariables({ kind }: TemplateText, data: FillJob['data']): object {
  return Object.assign(Object.create(null), data, kind === 'document' ? {} : PLACEHOLDERS) as object;
}

function fill(tokens: TopLevelToken[], context: TemplateContext, maxCharacters: number): string {
  const emitter = new BoundedEmitter(maxCharacters);
  const templates = new LinearParser(engine).parseTokens(tokens);
  toValueSync(engine.renderer.renderTemplates(templates, context, emitter));
  return emitter.buffer;
}

function checkFilled({ kind, param }: TemplateText, html: string, isTooLarge: boolean): void {
  if (isTooLarge) throw new TemplateError('payload_too_large', '');
  if (kind === 'document' && html.trim() === '')
    throw new ApiError(
      'invalid_parameter',
      `The template of ${param} prints nothing: compare its names with those in data.`,
      { param },
    );
  // The template may have put together what was not in it.
  if (kind === 'header') checkTemplate(param, html);
}

function toFault(error: unknown, { kind, param }: TemplateText): TemplateFault {
  if (error instanceof ApiError) return { code: error.code, message: error.message, param };
  const fault = describeError(error, param);
  if (fault === null) throw error;
  if (fault.code !== 'payload_too_large') return fault;
  const limit =
    kind === 'document' ? 'all html together has more than 5 MiB' : `${param} has more than 512 KiB`;
  return { ...fault, message: `With data filled in, ${limit}: print less.` };
}

// The file is the entry of the threads that fill templates. In the main thread, there is nothing to serve.
serveJobs(async (job: FillJob) => fillTexts(job));

/** Parses templates in time proportional to their length. */
class LinearParser extends Parser {
  /** Also called for the lines of a `liquid` tag. */
  override parseTokens(tokens: TopLevelToken[]): Template[] {
    let next = 0;
    // What the parser uses of an array. To shift a long array copies all of it.
    const queue = {
      get length() {
        return tokens.length - next;
      },
      shift: () => (next < tokens.length ? tokens[next++] : undefined),
    };
    return super.parseTokens(queue as unknown as TopLevelToken[]);
  }
}
