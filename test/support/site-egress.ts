import { openEgress, parseCidr, type AddressPolicyOptions, type Egress, type EgressOptions } from '#egress';
import type { Resource, ResourceFailure } from '#pdf';
import { startDnsBench, type DnsBench } from './dns-resolver.ts';
import { openSite, type Site, type SiteOptions } from './site.ts';
import { caseZones } from './site-zones.ts';
import { scaledMs } from './patience.ts';

/** The loopback address of the public host outside a small internet. The policy allows it. */
export const SITE_ADDRESS = '127.93.184.15';

/**
 * A site on loopback, and an egress whose policy allows that loopback address and no other.
 * `public.test-zone.com` resolves to it.
 */
export interface SiteEgress extends AsyncDisposable {
  site: Site;
  egress: Egress;
  dns: DnsBench;
  /** `http://public.test-zone.com:<port>` */
  origin: string;
  clock: { now: number };
}

export interface SiteEgressOptions {
  answer?: SiteOptions['answer'];
  policy?: Partial<AddressPolicyOptions>;
  egress?: Partial<EgressOptions>;
}

/** Opens the site and the egress. The clock is stopped; tests advance it. */
export async function openSiteEgress(options: SiteEgressOptions = {}): Promise<SiteEgress> {
  const opened = parseCidr(`${SITE_ADDRESS}/32`);
  if (opened === null) throw new Error('not a block');
  const dns = await startDnsBench(
    { zones: caseZones(SITE_ADDRESS) },
    { timeoutMs: scaledMs(5000), attemptTimeoutMs: scaledMs(5000) },
  );
  const site = await openSite({
    listenOn: SITE_ADDRESS,
    ports: [0],
    ...(options.answer === undefined ? {} : { answer: options.answer }),
  });
  const clock = { now: Date.UTC(2026, 10, 21) };
  const egress = openEgress({
    resolver: dns.resolver,
    policy: {
      allowCidrs: [opened],
      denyCidrs: [],
      ports: [80, 443],
      denyEndpoints: () => [],
      ...options.policy,
    },
    userAgent: 'Mozilla/5.0 (compatible; UtilityAPI/0.1)',
    connectionsPerHost: 6,
    now: () => clock.now,
    ...options.egress,
  });
  return {
    site,
    egress,
    dns,
    origin: `http://public.test-zone.com:${site.port}`,
    clock,
    async [Symbol.asyncDispose]() {
      egress.close();
      await site.close();
      await dns[Symbol.asyncDispose]();
    },
  };
}

/** Returns the status of a resource, or the failure as a text. */
export function statusOf(outcome: Resource | ResourceFailure): number | string {
  return 'failure' in outcome ? outcome.failure : outcome.status;
}
