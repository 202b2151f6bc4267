import type { MailAddress } from './parse-address.ts';

export interface LocalParts {
  user: string;
  /** The tag of a sub-address; null without one. */
  tag: string | null;
}

/** A provider's interpretation of a local part, by its help pages. All of these providers ignore case. */
interface ProviderRule {
  /** The domain that its aliases are normalized to. */
  domain: string;
  separator: '+' | '-';
  /** Characters that the provider ignores in the user name. */
  ignored: RegExp | null;
}

const RULES = new Map<string, ProviderRule>();
addRule('gmail.com', ['googlemail.com'], '+', /\./g);
addRule('outlook.com', [], '+', null);
addRule('hotmail.com', [], '+', null);
addRule('live.com', [], '+', null);
addRule('msn.com', [], '+', null);
addRule('icloud.com', [], '+', null);
addRule('me.com', [], '+', null);
addRule('mac.com', [], '+', null);
addRule('proton.me', ['protonmail.com', 'protonmail.ch', 'pm.me'], '+', /[._-]/g);
addRule('fastmail.com', [], '+', null);
addRule('zoho.com', [], '+', null);
addRule('yahoo.com', [], '-', null);
addRule('ymail.com', [], '-', null);
addRule('rocketmail.com', [], '-', null);
addRule('yandex.ru', ['yandex.com', 'yandex.by', 'yandex.kz', 'yandex.ua', 'ya.ru'], '+', null);

function addRule(domain: string, aliases: string[], separator: '+' | '-', ignored: RegExp | null): void {
  const rule: ProviderRule = { domain, separator, ignored };
  for (const name of [domain, ...aliases]) RULES.set(name, rule);
}

/** Splits a local part at the first `+` (RFC 5233) or the provider's own separator. Removes quotes. */
export function splitLocalPart(address: MailAddress): LocalParts {
  const local = unquote(address);
  const separator = (address.domain !== null && RULES.get(address.domain)?.separator) || '+';
  const at = local.indexOf(separator);
  return at <= 0 ? { user: local, tag: null } : { user: local.slice(0, at), tag: local.slice(at + 1) };
}

/**
 * Formats an address so that all addresses of one mailbox are equal: the domain as A-labels in lower case,
 * quotes only if they are needed. For providers that document it, also without case, ignored characters,
 * sub-address and alias domain. Other local parts keep their case.
 */
export function normalizeAddress(address: MailAddress): string {
  const { domain } = address;
  if (domain === null) return `${address.localPart}@${address.literal.toLowerCase()}`;
  const rule = RULES.get(domain);
  if (rule === undefined) return `${requote(unquote(address))}@${domain}`;
  const { user } = splitLocalPart(address);
  const bare = rule.ignored === null ? user : user.replace(rule.ignored, '');
  return `${requote((bare === '' ? user : bare).toLowerCase())}@${rule.domain}`;
}

function unquote(address: MailAddress): string {
  return address.quoted ? address.localPart.slice(1, -1).replace(/\\(.)/g, '$1') : address.localPart;
}

const DOT_STRING = /^[^\s"(),:;<>@[\\\].]+(?:\.[^\s"(),:;<>@[\\\].]+)*$/;

function requote(local: string): string {
  return DOT_STRING.test(local) ? local : `"${local.replace(/["\\]/g, '\\$&')}"`;
}
