/**
 * Providers that have announced the end of their mailboxes, with the month. Their domains may still publish
 * MX records, or have been registered by others.
 */
const CLOSED_PROVIDERS: ReadonlySet<string> = new Set(
  [
    // Lycos Europe, 2009-02
    'lycos.de lycos.fr lycos.it lycos.es lycos.nl lycos.co.uk',
    // Paran (KTH), 2012-07; Freechal, 2013-02
    'paran.com freechal.com',
    // Yahoo China, 2013-08
    'yahoo.cn yahoo.com.cn',
    // Voila (Orange), 2016-01
    'voila.fr',
    // Orange UK and the services that it had bought, 2017-05
    'orange.net orangehome.co.uk wanadoo.co.uk freeserve.co.uk fsnet.co.uk fsworld.co.uk fslife.co.uk',
    'fsbusiness.co.uk',
    // CTemplar, 2022-05; Skiff, 2024-08
    'ctemplar.com skiff.com',
  ].flatMap((line) => line.split(' ')),
);

/** Returns true if a provider that closed owned a domain; `owners` are the domain and its parents. */
export function isClosedProvider(owners: readonly string[]): boolean {
  return owners.some((owner) => CLOSED_PROVIDERS.has(owner));
}
