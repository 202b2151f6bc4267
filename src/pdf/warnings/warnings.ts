/** The subjects of warnings, in the order in which they are listed. */
const KINDS = ['resource', 'script', 'text', 'layout', 'structure'] as const;

export type WarningKind = (typeof KINDS)[number];

/** The length of a warning: several must fit into the head of a response. */
export const MAX_WARNING_CHARACTERS = 200;
/** A document can cause any number of failures. */
const MAX_WARNINGS_PER_KIND = 100;

/** Collects what is wrong with a PDF that was rendered nevertheless, for its client. */
export class Warnings {
  readonly #texts = new Map<WarningKind, Set<string>>(KINDS.map((kind) => [kind, new Set()]));

  /** Adds a sentence. Equal sentences count once. */
  add(kind: WarningKind, sentence: string): void {
    const texts = this.#texts.get(kind);
    if (texts && texts.size < MAX_WARNINGS_PER_KIND) texts.add(toHeaderText(sentence));
  }

  /** Adds the warnings about a part of the PDF, which `prefix` names. */
  addAll(warnings: Warnings, prefix: string): void {
    for (const [kind, texts] of warnings.#texts) for (const text of texts) this.add(kind, `${prefix}${text}`);
  }

  /**
   * Lists the warnings by kind. Resources fail in any order, so they are sorted; the others keep their order.
   */
  list(): string[] {
    return KINDS.flatMap((kind) => {
      const texts = [...(this.#texts.get(kind) ?? [])];
      return kind === 'resource' ? texts.sort() : texts;
    });
  }
}

/** Returns a text as one line of printable ASCII that is short enough for a header. */
function toHeaderText(text: string): string {
  const plain = text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/[^\x20-\x7e]+/g, '?')
    .trim();
  return plain.length > MAX_WARNING_CHARACTERS ? `${plain.slice(0, MAX_WARNING_CHARACTERS - 3)}...` : plain;
}
