import { CaptureTag, type Context, Liquid, filters } from 'liquidjs';
import { SafeHtml, escapeValue, formatValue } from './safe-html.ts';
import { MAX_DOCUMENT_BYTES, TemplateError } from './template-fault.ts';
import { DATE_FILTERS } from './filters/date-filter.ts';
import { type FilterHandler, guardFilter } from './filters/guard-filter.ts';
import { HTML_FILTERS, NUMBER_FILTERS, TEXT_FILTERS } from './filters/text-filters.ts';
import type { TemplateContext } from './template-context.ts';

/** Collects what a template prints, up to a number of characters. */
export class BoundedEmitter {
  buffer = '';
  readonly #maxCharacters: number;

  constructor(maxCharacters: number) {
    this.#maxCharacters = maxCharacters;
  }

  write(value: unknown): void {
    this.buffer += formatValue(value);
    if (this.buffer.length > this.#maxCharacters)
      throw new TemplateError('payload_too_large', 'it prints too much.');
  }
}

/** Tags of Liquid that load other templates. */
export const FILE_TAGS: readonly string[] = ['include', 'render', 'layout', 'block'];

/**
 * The filters of Liquid that are kept. Those that evaluate expressions (`where_exp`) or are random (`sample`)
 * are not.
 */
const LIQUID_FILTERS = [
  'abs at_least at_most ceil divided_by floor minus modulo plus round times',
  'append array_to_sentence_string base64_decode base64_encode capitalize downcase lstrip',
  'normalize_whitespace number_of_words prepend remove remove_first remove_last replace replace_first replace_last',
  'rstrip slugify squish strip strip_html strip_newlines truncate truncatewords upcase url_decode url_encode',
  'compact concat find find_index first group_by has join last map pop push reject reverse shift size slice sort',
  'sort_natural sum uniq unshift where',
].flatMap((names) => names.split(' '));

/** Captures what its content prints, as HTML that is not escaped again. */
class BoundedCaptureTag extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    const emitter = new BoundedEmitter(MAX_DOCUMENT_BYTES);
    yield this.liquid.renderer.renderTemplates(this.templates, context, emitter);
    (context.bottom() as Record<string, unknown>)[this.variable] = new SafeHtml(emitter.buffer);
  }
}

/**
 * Creates the template engine: Liquid without files and random values, whose output is escaped. Its templates
 * are rendered with a TemplateContext.
 */
export function createEngine(): Liquid {
  const engine = new Liquid({
    strictFilters: true,
    ownPropertyOnly: true,
    relativeReference: false,
    templates: {},
    locale: 'en-US',
    timezoneOffset: 0,
    outputEscape: escapeOutput as unknown as (value: unknown) => string,
  });
  for (const tag of FILE_TAGS) delete engine.tags[tag];
  engine.registerTag('capture', BoundedCaptureTag);
  for (const name of Object.keys(engine.filters)) engine.unregisterFilter(name);
  const all: Readonly<Record<string, unknown>> = filters;
  const kept = LIQUID_FILTERS.map((name) => [name, all[name] as FilterHandler] as const);
  const own = Object.entries({ ...DATE_FILTERS, ...NUMBER_FILTERS, ...TEXT_FILTERS });
  for (const [name, handler] of [...kept, ...own]) engine.registerFilter(name, guardFilter(handler));
  for (const [name, handler] of Object.entries(HTML_FILTERS))
    engine.registerFilter(name, handler as FilterHandler & (() => unknown));
  return engine;
}

function escapeOutput(this: { context: TemplateContext }, value: unknown): SafeHtml {
  return escapeValue(value, this.context.escapesBraces);
}
