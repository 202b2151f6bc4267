import type { ScriptError } from '#browser';
import { removeCredentials } from './remove-credentials.ts';

/** Formats the warning about an error that no script caught. Its URLs lose their passwords. */
export function formatScriptError({ message, file, line }: ScriptError): string {
  const place = [shortenUrl(removeCredentials(file)), line === 0 ? '' : `line ${line}`]
    .filter((part) => part !== '')
    .join(', ');
  const text = removeCredentials(message)
    .replace(/^Uncaught /, '')
    .replace(/[.\s]+$/, '');
  return `A script failed: ${shorten(text)}${place === '' ? '' : ` (${place})`}.`;
}

const MAX_MESSAGE = 110;
const MAX_URL = 50;

function shorten(text: string): string {
  return text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE)}...` : text;
}

/** Keeps the end of a URL, which has the name of the file. */
function shortenUrl(url: string): string {
  return url.length > MAX_URL ? `...${url.slice(-MAX_URL)}` : url;
}
