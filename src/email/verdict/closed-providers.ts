/**
 * Providers that have announced the end of their mailboxes, with the day and a report of it. Their domains
 * may still publish MX records, or have been registered by others. A provider whose addresses were taken
 * over by another is not closed (paran.com by Daum, caramail.com by GMX).
 */
const CLOSED_PROVIDERS: ReadonlySet<string> = new Set(
  [
    // Lycos Europe, 2009-02-15: https://webnews.it/tripod-e-lycos-mail-verso-il-pensionamento
    'lycos.de lycos.fr lycos.it lycos.es lycos.nl lycos.co.uk',
    // Freechal, 2013-02-18: https://www.sisunnews.co.kr/news/articleView.html?idxno=4049
    'freechal.com',
    // Yahoo China, 2013-08-19: https://www.zdnet.com/article/yahoo-china-to-cease-e-mail-service/
    'yahoo.cn yahoo.com.cn',
    // Voila (Orange), 2016-01-12: https://korben.info/voila-cest-fini.html
    'voila.fr',
    // Orange UK, 2017-05-31: https://www.spamresource.com
    'orange.net orangehome.co.uk wanadoo.co.uk freeserve.co.uk fsnet.co.uk fsworld.co.uk fslife.co.uk',
    'fsbusiness.co.uk fsmail.net',
    // CTemplar, 2022; Skiff, 2024: https://blog.thenewoil.org/skiff-should-be-a-reminder-to-us-all
    'ctemplar.com skiff.com',
  ].flatMap((line) => line.split(' ')),
);

/** Returns true if a provider that closed owned a domain; `owners` are the domain and its parents. */
export function isClosedProvider(owners: readonly string[]): boolean {
  return owners.some((owner) => CLOSED_PROVIDERS.has(owner));
}
