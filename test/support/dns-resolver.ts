import { openResolver, type ResolverOptions } from '../../src/egress/dns/open-resolver.ts';
import type { ResolverLimits } from '../../src/egress/dns/limits.ts';
import type { DnsResolver } from '../../src/egress/dns/resolver.ts';
import { startDnsServer, type DnsServer, type DnsServerOptions } from './dns-server.ts';

/** A resolver on a DNS server of its own, with a clock that moves by hand. */
export interface DnsBench extends AsyncDisposable {
  server: DnsServer;
  resolver: DnsResolver;
  clock: { nowMs: number; advance(seconds: number): void };
}

/** Time-outs that no busy machine reaches. */
const patient = {
  attemptTimeoutMs: 30_000,
  timeoutMs: 60_000,
  maxWaitMs: 60_000,
  hedgeAfterMs: 30_000,
  staleAfterMs: 30_000,
} satisfies Partial<ResolverLimits>;

/** Time-outs for servers that stay silent. */
export const hasty = {
  attemptTimeoutMs: 150,
  timeoutMs: 400,
  maxWaitMs: 200,
  hedgeAfterMs: 50,
  staleAfterMs: 200,
} satisfies Partial<ResolverLimits>;

/** Starts a server and a resolver that asks it (or `servers`), that waits as long as it takes unless told otherwise. */
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
