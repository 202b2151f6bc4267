import { openResolver, type ResolverOptions } from '../../src/egress/dns/open-resolver.ts';
import type { DnsResolver, ResolverLimits } from '../../src/egress/dns/resolver.ts';
import { startDnsServer, type DnsServer, type DnsServerOptions } from './dns-server.ts';
import { scaledMs } from './patience.ts';

/** A resolver, the DNS server that it queries, and a clock that the test advances. */
export interface DnsBench extends AsyncDisposable {
  server: DnsServer;
  resolver: DnsResolver;
  clock: { nowMs: number; advance(seconds: number): void };
}

/** Timeouts long enough for a busy machine. */
const patient = {
  attemptTimeoutMs: 30_000,
  timeoutMs: 60_000,
  maxWaitMs: 60_000,
  hedgeAfterMs: 30_000,
  staleAfterMs: 30_000,
} satisfies Partial<ResolverLimits>;

/** Short timeouts, for servers that do not respond. */
export const hasty = {
  attemptTimeoutMs: scaledMs(150),
  timeoutMs: scaledMs(400),
  maxWaitMs: scaledMs(200),
  hedgeAfterMs: scaledMs(50),
  staleAfterMs: scaledMs(200),
} satisfies Partial<ResolverLimits>;

/**
 * Starts a server and a resolver that queries it (or `servers`). The timeouts are long unless `limits`
 * shortens them.
 */
export async function startDnsBench(
  serverOptions: DnsServerOptions,
  limits: Partial<ResolverOptions> = {},
): Promise<DnsBench> {
  const server = await startDnsServer(serverOptions);
  const clock = {
    nowMs: 1_700_000_000_000,
    advance(seconds: number) {
      clock.nowMs += seconds * 1000;
    },
  };
  const resolver = openResolver({
    servers: [server],
    now: () => clock.nowMs,
    ...patient,
    ...limits,
  });
  return {
    server,
    resolver,
    clock,
    async [Symbol.asyncDispose]() {
      resolver.close();
      await server.close();
    },
  };
}
