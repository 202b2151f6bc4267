import type { FailedRequest } from '#browser';
import { removeCredentials } from './remove-credentials.ts';
import { MAX_WARNING_CHARACTERS } from './warnings.ts';

const NAMES: Partial<Record<FailedRequest['type'], string>> = {
  Document: 'frame',
  Font: 'font',
  Image: 'image',
  Script: 'script',
  Stylesheet: 'style sheet',
};

/** Formats the warning about a request that failed. A URL loses its password, and a long one its middle. */
export function formatFailedRequest({ type, url, failure }: FailedRequest): string {
  const name = NAMES[type] ?? 'resource';
  const room = MAX_WARNING_CHARACTERS - `The ${name}  ${failure}.`.length;
  return `The ${name} ${shorten(removeCredentials(url), room)} ${failure}.`;
}

function shorten(url: string, room: number): string {
  if (url.length <= room) return url;
  const half = Math.max(0, Math.floor((room - 3) / 2));
  return `${url.slice(0, half)}...${url.slice(url.length - half)}`;
}
