/** An address literal of RFC 5321 §4.1.3. */
export interface AddressLiteral {
  family: 4 | 6;
}

const SNUM = /^(?:[0-9]{1,2}|1[0-9]{2}|2[0-4][0-9]|25[0-5]|0[0-9]{2})$/;
const GROUP = /^[0-9a-f]{1,4}$/i;
/** `[IPv6:` + eight groups of four + a dotted quad is far below this. */
const MAX_LITERAL_LENGTH = 64;

/** Reads `[192.0.2.1]` or `[IPv6:2001:db8::1]`. Other tags are registered nowhere, so they are no addresses. */
export function parseAddressLiteral(text: string): AddressLiteral | null {
  if (text.length > MAX_LITERAL_LENGTH || !text.startsWith('[') || !text.endsWith(']')) return null;
  const inner = text.slice(1, -1);
  if (isDottedQuad(inner)) return { family: 4 };
  if (inner.slice(0, 5).toLowerCase() === 'ipv6:' && isIpv6(inner.slice(5))) return { family: 6 };
  return null;
}

function isDottedQuad(text: string): boolean {
  const parts = text.split('.');
  return parts.length === 4 && parts.every((part) => SNUM.test(part));
}

/** RFC 5321's grammar, not RFC 4291's: `::` stands for at least two groups of zeros. */
function isIpv6(text: string): boolean {
  const lastColon = text.lastIndexOf(':');
  const hasQuad = text.includes('.', lastColon + 1);
  if (hasQuad && !isDottedQuad(text.slice(lastColon + 1))) return false;
  const limit = hasQuad ? 6 : 8;
  const groupsText = hasQuad ? text.slice(0, lastColon) : text;
  const gap = text.indexOf('::');
  // What stands before a quad is the gap itself or a group.
  if (hasQuad && text.charAt(lastColon - 1) === ':' && gap !== lastColon - 1) return false;
  if (gap === -1) return countGroups(groupsText) === limit;
  // With a quad right after the gap ("::1.2.3.4") the cut above took one of its two colons.
  const before = countGroups(text.slice(0, gap));
  const after = countGroups(groupsText.slice(gap + 2));
  return before >= 0 && after >= 0 && before + after <= limit - 2;
}

/** How many groups of hexadecimal digits, none for an empty text, -1 where one is malformed. */
function countGroups(text: string): number {
  if (text === '') return 0;
  const groups = text.split(':');
  return groups.every((group) => GROUP.test(group)) ? groups.length : -1;
}
