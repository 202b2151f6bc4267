/** Parses the body of an oEmbed response: a flat JSON object, or a flat XML document. */
import { decodeXmlBytes, scanXml } from '../xml/scan-xml.ts';
import type { RawOembed } from './oembed-response.ts';

/** Providers send about 15 members. */
const MAX_MEMBERS = 100;

/** Returns the members at the top of the body, or null if it is neither JSON nor XML of oEmbed. */
export function parseOembedBody(bytes: Buffer, charset: string | null): RawOembed | null {
  const text = decodeXmlBytes(bytes, charset).trimStart();
  return text.startsWith('<') ? parseXml(text) : parseJson(text);
}

function parseJson(text: string): RawOembed | null {
  try {
    const value: unknown = JSON.parse(text);
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

/** Returns the texts of the elements in the root element `oembed`. Deeper elements end the parse. */
function parseXml(text: string): RawOembed | null {
  const members = new Map<string, string>();
  let isInRoot = false;
  let member: string | null = null;
  let content = '';
  for (const part of scanXml(text)) {
    if (part.kind === 'text') {
      if (member !== null) content += part.text;
    } else if (part.kind === 'close') {
      if (member === null) break;
      if (!members.has(member)) members.set(member, content.trim());
      member = null;
    } else if (!isInRoot) {
      if (part.name !== 'oembed') return null;
      isInRoot = true;
    } else if (member !== null || members.size === MAX_MEMBERS) return null;
    else [member, content] = [part.name, ''];
  }
  return isInRoot ? Object.fromEntries(members) : null;
}
