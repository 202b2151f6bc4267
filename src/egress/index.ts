/**
 * All network access on behalf of callers: the address policy, DNS, pages, the resources of a document, and
 * lists. The policy decides on the address that the socket uses. Never uses a hosts file, a proxy variable or
 * a search list.
 */
export type { DnsAnswer, DnsFailure, DnsRecords, DnsResolver, DnsType } from './dns/resolver.ts';
export { createAddressPolicy } from './guard/address-policy.ts';
export type { AddressPolicyOptions, Endpoint } from './guard/address-policy.ts';
export { parseCidr } from './guard/ip-address.ts';
export type { Cidr } from './guard/ip-address.ts';
export { isPublicAddress } from './guard/public-address.ts';
export { openEgress } from './open-egress.ts';
export type { Egress, EgressOptions } from './open-egress.ts';
export { createLookupMail } from './lookup-mail.ts';
export type { HoldLookup } from './lookup-mail.ts';
export { createLookupTxt } from './lookup-mail.ts';
export { openResolver, type DnsObserver } from './dns/open-resolver.ts';
export { getSystemServers } from './dns/resolver.ts';
export type { FetchedList, FetchList, FetchListOptions } from './fetch-list.ts';
