import type { MailExchange } from '../lookup-mail.ts';
import { isParkedMail } from '../suggest/parked-mail.ts';
import { deliversTags, findMailProvider } from './mail-providers.ts';
import { isRelayMail } from './relay-domains.ts';

/** The findings about the mail hosts of a domain that the details need. */
export interface HostTraits {
  provider: string | null;
  /** `name+tag` reaches the mailbox of `name`. */
  hasTags: boolean;
  isRelay: boolean;
  isParked: boolean;
}

/** Computes the traits of mail hosts, best first. */
export function computeHostTraits(exchanges: readonly MailExchange[]): HostTraits {
  const provider = findMailProvider(exchanges);
  return {
    provider,
    hasTags: deliversTags(provider),
    isRelay: isRelayMail(exchanges),
    isParked: isParkedMail(exchanges),
  };
}
