/** Opens getMetadata with the real egress guard, which allows loopback here. */
import { openEgress, openResolver, parseCidr } from '../../src/egress/index.ts';
import { getMetadata, type PageMetadata } from '../../src/metadata/index.ts';

export function openOwn(connectionsPerHost: number): {
  describe: (url: string) => Promise<PageMetadata>;
  close: () => void;
} {
  const egress = openEgress({
    resolver: openResolver({ servers: [], now: Date.now }),
    policy: {
      allowCidrs: [parseCidr('127.0.0.0/8')!],
      denyCidrs: [],
      ports: [80, 443],
      denyEndpoints: () => [],
    },
    userAgent: 'Mozilla/5.0 (compatible; utility-api-bench)',
    connectionsPerHost,
    now: Date.now,
  });
  const deps = { fetchPage: egress.fetchPage, client: 'a', now: Date.now };
  return {
    describe: (url) => getMetadata({ url, followRedirects: true, timeoutMs: 30_000, details: false }, deps),
    close: () => egress.close(),
  };
}
