import type { MailExchange } from '../lookup-mail.ts';

/**
 * Mail hosts of parked and typo-squatted domains (Szurdi and Christin, "Email typosquatting", IMC 2017, and
 * domain parking services). They accept mail for any domain, so their MX records do not show that a domain is
 * meant.
 */
const PARKED: ReadonlySet<string> = new Set([
  'b-io.co',
  'h-email.net',
  'm1bp.com',
  'm2bp.com',
  'mb1p.com',
  'mb5p.com',
  'hope-mail.com',
  'hostedmxserver.com',
  'above.com',
  'sedoparking.com',
  'parkingcrew.net',
  'bodis.com',
  'dan.com',
  'nickstel.com',
  'fakemx.net',
  'mailerhost.net',
  'in-mx.com',
  'uniregistry.net',
]);

/** Returns true if every mail exchange belongs to a parking service. */
export function isParkedMail(exchanges: readonly MailExchange[]): boolean {
  return exchanges.length > 0 && exchanges.every(({ exchange }) => isUnderParked(exchange.toLowerCase()));
}

function isUnderParked(host: string): boolean {
  const labels = host.split('.');
  return PARKED.has(labels.slice(-2).join('.'));
}
