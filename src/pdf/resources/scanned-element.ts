import type { HtmlAttribute } from '#html';

/** A start tag with its attributes. */
export interface ScannedElement {
  name: string;
  attributes: readonly HtmlAttribute[];
}

export function findAttribute({ attributes }: ScannedElement, name: string): HtmlAttribute | undefined {
  return attributes.find((one) => one.name === name);
}
