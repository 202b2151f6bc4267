import { Parser, Tokenizer, toValueSync, type Liquid, type Template, type TopLevelToken } from 'liquidjs';
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

/** Fills the templates of a request. All its documents together may have 5 MiB, other texts 512 KiB each. */
export function fillTexts({ texts, data, ...clock }: FillJob): FillOutcome {
  const filled: FilledText[] = [];
  let tags = 0;
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
      tags = countTags(text, tags);
      const html = fill(text.source, context, maxBytes);
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

/** Adds the marks of tags and outputs to `count`, before they are parsed. Throws ApiError for too many. */
function countTags({ param, source }: TemplateText, count: number): number {
  for (let at = source.indexOf('{'); at >= 0; at = source.indexOf('{', at)) {
    const isMark = source[at + 1] === '{' || source[at + 1] === '%';
    if (isMark) count += 1;
    at += isMark ? 2 : 1;
    if (count > MAX_TAGS)
      throw new ApiError(
        'invalid_parameter',
        `The templates have more than ${MAX_TAGS.toLocaleString('en')} tags ({{ or {%) at character ${at} of ${param}: print lists with {% for %}.`,
        { param },
      );
  }
  return count;
}

/** The placeholders of headers print themselves, and are filled in later. */
const PLACEHOLDERS = Object.fromEntries(
  ['page', 'pages', 'title', 'date'].map((name) => [name, new Placeholder(`{{${name}}}`)]),
);

/** `{% increment %}` changes the variables: each text has its own. */
function createVariables({ kind }: TemplateText, data: FillJob['data']): object {
  return Object.assign(Object.create(null), data, kind === 'document' ? {} : PLACEHOLDERS) as object;
}

function fill(source: string, context: TemplateContext, maxCharacters: number): string {
  const emitter = new BoundedEmitter(maxCharacters);
  toValueSync(engine.renderer.renderTemplates(parseLiquid(source, engine), context, emitter));
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

/** Parses a template, in time proportional to its length. Throws LiquidError. */
function parseLiquid(source: string, engine: Liquid): Template[] {
  const tokens = new Tokenizer(source, engine.options.operators).readTopLevelTokens(engine.options);
  let next = 0;
  // What the parser uses of an array. To shift a long array copies all of it.
  const queue = {
    get length() {
      return tokens.length - next;
    },
    shift: () => (next < tokens.length ? tokens[next++] : undefined),
  };
  return new Parser(engine).parseTokens(queue as unknown as TopLevelToken[]);
}
