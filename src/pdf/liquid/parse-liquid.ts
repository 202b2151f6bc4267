import { Parser, Tokenizer, type Liquid, type Template, type TopLevelToken } from 'liquidjs';

/** Parses a template, in time proportional to its length. Throws LiquidError. */
export function parseLiquid(source: string, engine: Liquid): Template[] {
  const tokenizer = new Tokenizer(source, engine.options.operators);
  const tokens = new TokenQueue(tokenizer.readTopLevelTokens(engine.options));
  // The parser uses no other member of an array.
  return new Parser(engine).parseTokens(tokens as unknown as TopLevelToken[]);
}

/** The tokens that are left, for a parser that shifts: to shift a long array copies all of it. */
class TokenQueue {
  readonly #tokens: readonly TopLevelToken[];
  #next = 0;

  constructor(tokens: readonly TopLevelToken[]) {
    this.#tokens = tokens;
  }

  get length(): number {
    return Math.max(0, this.#tokens.length - this.#next);
  }

  shift(): TopLevelToken | undefined {
    const token = this.#tokens[this.#next];
    this.#next += 1;
    return token;
  }
}
