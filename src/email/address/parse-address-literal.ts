/** An address literal of RFC 5321 §4.1.3. */
export interface AddressLiteral {
  family: 4 | 6;
}

const SNUM = /^(?:[0-9]{1,2}|1[0-9]{2}|2[0-4][0-9]|25[0-5]|0[0-9]{2})$/;
const GROUP = /^[0-9a-f]{1,4}$/i;
/** Longer than any literal: `[IPv6:`, eight groups of four digits and a dotted quad. */
const MAX_LITERAL_LENGTH = 64;

/** Parses `[192.0.2.1]` or `[IPv6:2001:db8::1]`; null otherwise. No other tag is registered. */
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

/** Checks RFC 5321's grammar. Unlike in RFC 4291, `::` replaces at least two groups of zeros. */
function isIpv6(text: string): boolean {
  const lastColon = text.lastIndexOf(':');
  const hasQuad = text.includes('.', lastColon + 1);
  if (hasQuad && !isDottedQuad(text.slice(lastColon + 1))) return false;
  const limit = hasQuad ? 6 : 8;
  const groupsText = hasQuad ? text.slice(0, lastColon) : text;
  const gap = text.indexOf('::');
  // Before a quad there is a group or the gap itself.
  if (hasQuad && text.charAt(lastColon - 1) === ':' && gap !== lastColon - 1) return false;
  if (gap === -1) return countGroups(groupsText) === limit;
  // If a quad follows the gap ("::1.2.3.4"), the cut above removed one of the gap's two colons.
  const before = countGroups(text.slice(0, gap));
  const after = countGroups(groupsText.slice(gap + 2));
  return before >= 0 && after >= 0 && before + after <= limit - 2;
}

/** Counts the groups of hexadecimal digits; -1 if one is malformed. */
function countGroups(text: string): number {
  if (text === '') return 0;
  const groups = text.split(':');
  return groups.every((group) => GROUP.test(group)) ? groups.length : -1;
}
