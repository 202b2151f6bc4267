import { Context, Drop, toValue, type Liquid } from 'liquidjs';
import { MAX_RENDER_MS, MAX_VALUE, TemplateError } from './template-fault.ts';

type Limiter = Context['memoryLimit'];

/** A step is about one character or one element of work. */
const MAX_STEP = MAX_VALUE.characters;
const MAX_STEPS = 100 * 1_048_576;
const TOO_MUCH = 'a range or filter makes more than 1,048,576 values: use fewer.';

/** Bounds the work of one filter or range, and of all together. */
class StepLimiter {
  #steps = 0;

  /** `count` may be what a template passed to a filter: a text, or no number. */
  use(count: unknown): void {
    const steps = Number(count);
    if (!(steps > 0)) return;
    this.#steps += steps;
    if (steps > MAX_STEP || this.#steps > MAX_STEPS) throw new TemplateError('render_failed', TOO_MUCH);
  }

  check(count: unknown): void {
    if (Number(count) > MAX_STEP) throw new TemplateError('render_failed', TOO_MUCH);
  }
}

/** The limits that the texts of one request share. */
export type ContextLimits = Pick<Context, 'memoryLimit' | 'renderLimit'>;

interface ContextOptions {
  /** The time of `"now" | date`, in milliseconds since 1970. */
  now: number;
  /** The zone of dates for which a template names none; UTC by default. */
  zone?: string | null;
  /** True for headers and footers: printed data may not become a placeholder. */
  escapesBraces: boolean;
  /** Those of the text before. */
  limits: ContextLimits | null;
}

/** The members of Liquid's own objects that templates may read: `forloop`, `tablerowloop`, captured text. */
const DROP_MEMBERS: ReadonlySet<unknown> = new Set(
  'index index0 rindex rindex0 first last length name col col0 col_first col_last row size'.split(' '),
);

/** The variables of one text, and what its filters need to know. */
export class TemplateContext extends Context {
  readonly now: number;
  readonly zone: string | null;
  readonly escapesBraces: boolean;
  readonly #liquid: Liquid;

  constructor(
    variables: object,
    liquid: Liquid,
    { now, zone = null, escapesBraces, limits }: ContextOptions,
  ) {
    super(
      variables,
      liquid.options,
      { sync: true, renderLimit: MAX_RENDER_MS },
      {
        liquid,
        // Its type has private members.
        memoryLimit: limits?.memoryLimit ?? (new StepLimiter() as unknown as Limiter),
        ...(limits !== null && { renderLimit: limits.renderLimit }),
      },
    );
    this.now = now;
    this.zone = zone;
    this.escapesBraces = escapesBraces;
    this.#liquid = liquid;
  }

  override spawn(variables: object = {}): TemplateContext {
    const { now, zone, escapesBraces } = this;
    return new TemplateContext(variables, this.#liquid, { now, zone, escapesBraces, limits: this });
  }

  /** Liquid would read members of its objects from their prototypes too, and call what it finds. */
  override readProperty(...[object, key]: Parameters<Context['readProperty']>): unknown {
    if (object instanceof Drop && !DROP_MEMBERS.has(toValue(key))) return undefined;
    return super.readProperty(object, key) as unknown;
  }
}
