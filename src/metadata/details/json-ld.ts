/** Parses a page's structured data (application/ld+json). */
import { repairJson } from './repair-json.ts';

/** A JSON-LD node object. */
export type JsonLdNode = Readonly<Record<string, unknown>>;

/** Descriptions of pages are not nested deeper, and JSON.stringify overflows the stack at 100,000 levels. */
const MAX_DEPTH = 32;

/**
 * Parses one block. Its strings become well-formed Unicode without controls. Returns null if it is not JSON
 * even after `repairJson`, or nested more than 32 levels deep.
 */
export function parseJsonLd(text: string): unknown {
  const json = unwrap(text.trim());
  const value = parse(json) ?? parse(repairJson(json));
  if (value === undefined) return null;
  return MAY_BE_UNCLEAN.test(text) ? clean(value) : value;
}

/** Matches each text whose JSON may have controls or lone surrogates in its strings: most have none. */
const MAY_BE_UNCLEAN = /[\u0000-\u0008\u000B\u000E-\u001F\u007F-\u009F]|\\(?:b|u(?:00[01789]|d[89a-f]))|&#/i;

/** Returns undefined for what is not JSON, or too deep. */
function parse(json: string): unknown {
  if (isTooDeep(json)) return undefined;
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

const OPENINGS = ['//<![CDATA[', '/*<![CDATA[*/', '<![CDATA[', '<!--'];
const CLOSINGS = ['//]]>', '/*]]>*/', ']]>', '//-->', '-->', ';'];

/** Removes the comment or CDATA marks that hid the JSON from old browsers, and a semicolon after it. */
function unwrap(text: string): string {
  let json = text;
  for (const opening of OPENINGS) if (json.startsWith(opening)) json = json.slice(opening.length).trimStart();
  for (const closing of CLOSINGS) if (json.endsWith(closing)) json = json.slice(0, -closing.length).trimEnd();
  return json;
}

function isTooDeep(json: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (inString) {
      if (code === 0x5c) at++;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > MAX_DEPTH) return true;
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
  return false;
}

function clean(value: unknown): unknown {
  if (typeof value === 'string') return cleanString(value);
  if (Array.isArray(value)) return value.map(clean);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [cleanString(key), clean(member)]));
}

function cleanString(text: string): string {
  return text.replace(/[\u0000-\u0008\u000B\u000E-\u001F\u007F-\u009F]+/g, '').toWellFormed();
}
