/** A URL and the properties that follow it (Open Graph protocol, «Structured properties» and «Arrays»). */
export interface MediaItem {
  url: string;
  type: string | null;
  width: number | null;
  height: number | null;
  alt: string | null;
}

export function createItem(url: string): MediaItem {
  return { url, type: null, width: null, height: null, alt: null };
}

/** Parses a size as pages write it: `1200`, `1200px`. */
export function parsePixels(text: string | null): number | null {
  const match = /^(\d{1,6})(?:\.\d+)?\s*(?:px|pixels)?$/i.exec(text ?? '');
  return match === null ? null : Number(match[1]);
}
