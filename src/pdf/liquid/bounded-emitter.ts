import { formatValue } from './safe-html.ts';
import { TemplateError } from './template-fault.ts';

/** Collects what a template prints, up to a number of characters. */
export class BoundedEmitter {
  buffer = '';
  readonly #maxCharacters: number;

  constructor(maxCharacters: number) {
    this.#maxCharacters = maxCharacters;
  }

  write(value: unknown): void {
    this.buffer += formatValue(value);
    if (this.buffer.length > this.#maxCharacters) throw new TemplateError('output', 'it prints too much.');
  }
}
