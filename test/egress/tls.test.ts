import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:https';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { getCACertificates, setDefaultCACertificates, TLSSocket } from 'node:tls';
import { openEgress, parseCidr } from '#egress';
import { startDnsBench, type DnsBench } from '../support/dns-resolver.ts';
import { TEST_CERTIFICATE, TEST_KEY } from '../support/tls-identity.ts';
import { scaledMs } from '../support/patience.ts';

/** The address in the certificate, in addition to hostile.test-zone.com. */
const ADDRESS = '127.93.184.14';
/** Another address of the same server, not in the certificate. */
const OTHER_ADDRESS = '127.93.184.16';
const reader = { start: () => true, write: () => true };

describe('TLS', () => {
  let dns: DnsBench;
  let connections = 0;
  const names: unknown[] = [];
  const server = createServer({ key: TEST_KEY, cert: TEST_CERTIFICATE }, (_request, response) =>
    response.end('secret'),
  );

  before(async () => {
    const zone = { A: [ADDRESS] };
    dns = await startDnsBench({ zones: { 'hostile.test-zone.com': zone, 'other.test-zone.com': zone } });
    server.on('secureConnection', (socket) => {
      connections += 1;
      names.push(socket.servername, socket.alpnProtocol);
    });
    server.on('tlsClientError', () => {});
    server.listen(0);
    await once(server, 'listening');
  });
  after(async () => {
    server.close().closeAllConnections();
    await dns[Symbol.asyncDispose]();
  });

  const openTrusting = () => {
    const opened = parseCidr('127.93.184.0/24');
    assert.ok(opened);
    const policy = { allowCidrs: [opened], denyCidrs: [], ports: [443], denyEndpoints: () => [] };
    return openEgress({
      resolver: dns.resolver,
      policy,
      userAgent: 'x',
      connectionsPerHost: 6,
      now: Date.now,
    });
  };
  const fetchFrom = async (host: string) => {
    const egress = openTrusting();
    const url = new URL(`https://${host}:${(server.address() as AddressInfo).port}/`);
    try {
      return (
        await egress.fetchPage({ client: 'a', url, followRedirects: true, timeoutMs: scaledMs(5000) }, reader)
      ).head.status;
    } finally {
      egress.close();
    }
  };
  const refused = { code: 'unreachable', message: /TLS certificate is not valid/ };

  it('refuses a self-signed certificate, whatever the environment says', async () => {
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    try {
      await assert.rejects(fetchFrom('hostile.test-zone.com'), refused);
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    }
  });

  it('verifies a trusted certificate for the name in the URL, or the address in it', async () => {
    const trusted = getCACertificates('default');
    setDefaultCACertificates([...trusted, TEST_CERTIFICATE]);
    try {
      names.length = 0;
      assert.equal(await fetchFrom('hostile.test-zone.com'), 200);
      assert.equal(await fetchFrom(ADDRESS), 200);
      assert.deepEqual(names, ['hostile.test-zone.com', 'http/1.1', false, 'http/1.1']);
      await assert.rejects(fetchFrom('other.test-zone.com'), refused);
      await assert.rejects(fetchFrom(OTHER_ADDRESS), refused);
    } finally {
      setDefaultCACertificates(trusted);
    }
  });

  it('reuses a TLS connection', async () => {
    const trusted = getCACertificates('default');
    setDefaultCACertificates([...trusted, TEST_CERTIFICATE]);
    const egress = openTrusting();
    try {
      connections = 0;
      const url = new URL(`https://hostile.test-zone.com:${(server.address() as AddressInfo).port}/`);
      for (let index = 0; index < 3; index += 1) {
        await egress.fetchPage(
          { client: 'a', url, followRedirects: true, timeoutMs: scaledMs(5000) },
          reader,
        );
      }
      assert.equal(connections, 1);
    } finally {
      egress.close();
      setDefaultCACertificates(trusted);
    }
  });

  it('knows the address of a host that resets the connection right after its response', async () => {
    const trusted = getCACertificates('default');
    setDefaultCACertificates([...trusted, TEST_CERTIFICATE]);
    // With TLS 1.2 the server ends the handshake: its response and the reset arrive with its last message.
    const resetting = createTcpServer((socket) => {
      const options = { isServer: true, key: TEST_KEY, cert: TEST_CERTIFICATE } as const;
      const tls = new TLSSocket(socket, { ...options, maxVersion: 'TLSv1.2' });
      tls.on('error', () => {});
      tls.on('secure', () => {
        tls.write('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1\r\n\r\nx');
        setImmediate(() => socket.resetAndDestroy());
      });
    }).listen(0);
    await once(resetting, 'listening');
    const egress = openTrusting();
    try {
      const url = new URL(`https://hostile.test-zone.com:${(resetting.address() as AddressInfo).port}/`);
      const page = await egress.fetchPage(
        { client: 'a', url, followRedirects: true, timeoutMs: scaledMs(5000) },
        reader,
      );
      assert.deepEqual([page.head.status, page.reach], [200, 'opened']);
    } finally {
      egress.close();
      resetting.close();
      setDefaultCACertificates(trusted);
    }
  });
});
