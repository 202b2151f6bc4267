import { type DomainFault, parseDomain } from '../domain/parse-domain.ts';
import { parseAddressLiteral } from './parse-address-literal.ts';
import { type LocalPartFault, parseLocalPart } from './parse-local-part.ts';

/** The reason why a text is not a mailbox. */
export type AddressFault =
  | LocalPartFault
  | DomainFault
  | 'missing_at'
  | 'address_too_long'
  | 'malformed_address_literal';

/**
 * A mailbox by RFC 5321 §4.1.2 with RFC 6531: at a `domain` (A-labels in lower case), or at an address
 * `literal` (with its brackets).
 */
export type MailAddress = { localPart: string; quoted: boolean } & (
  | { domain: string; literal: null }
  | { domain: null; literal: string }
);

/** Octets of a path without its angle brackets (RFC 5321 §4.5.3.1.3, erratum 1690). */
const MAX_ADDRESS_OCTETS = 254;

/**
 * Parses one address without outer white space: RFC 5321 Mailbox, RFC 6531 UTF-8 local parts, UTS #46
 * domains. Refuses comments, folding white space, obsolete forms and dotless domains. Of a text over 254
 * characters only the lengths are checked. Returns the address, or the fault.
 */
export function parseAddress(text: string): MailAddress | AddressFault {
  if (text.length > MAX_ADDRESS_OCTETS) return findLengthFault(text);
  const at = text.lastIndexOf('@');
  if (at === -1) return 'missing_at';
  const localText = text.slice(0, at);
  const local = parseLocalPart(localText);
  if (typeof local === 'string') return local;
  const domainText = text.slice(at + 1);
  if (domainText.startsWith('[')) {
    if (parseAddressLiteral(domainText) === null) return 'malformed_address_literal';
    return { localPart: localText, quoted: local.quoted, domain: null, literal: domainText };
  }
  const domain = parseDomain(domainText);
  if (typeof domain === 'string') return domain;
  if (!local.ascii || domain.ascii !== domainText) {
    const localOctets = Buffer.byteLength(localText) + 1;
    // The domain is sent as typed or as A-labels, so both forms must fit.
    if (localOctets + Math.max(domain.ascii.length, Buffer.byteLength(domainText)) > MAX_ADDRESS_OCTETS) {
      return 'address_too_long';
    }
  }
  return { localPart: localText, quoted: local.quoted, domain: domain.ascii, literal: null };
}

/** Returns which part is too long, in linear time. */
function findLengthFault(text: string): AddressFault {
  const at = text.lastIndexOf('@');
  if (at === -1) return 'missing_at';
  if (at > 64) return 'local_part_too_long';
  return text.length - at - 1 > 253 ? 'domain_too_long' : 'address_too_long';
}
