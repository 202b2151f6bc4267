/** deploy/Caddyfile, for tests, with a certificate of Caddy's own CA. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connect } from 'node:tls';
import { findServer } from '../support/find-server.ts';
import { findFreePorts } from '../support/free-ports.ts';
import { startProxy } from '../support/proxy.ts';
import type { TlsProxy } from './tls-call.ts';

const EXAMPLE = new URL('../../deploy/Caddyfile', import.meta.url);
const HOST = 'localhost';

const program = findServer({
  title: 'Caddy',
  variable: 'CADDY_PATH',
  choices: [{ name: 'caddy', packages: ['caddy'] }],
});

/**
 * Global options: ports of the test, no administration, nothing outside the folder. Without a service, the
 * example waits for its restart for 15 s; the test does not.
 */
function adaptExample(ports: { tls: number; plain: number }): string {
  const wait = 'lb_try_duration 15s';
  const example = readFileSync(EXAMPLE, 'utf8');
  if (!example.includes(wait)) throw new Error(`deploy/Caddyfile has no «${wait}»`);
  return `{
	admin off
	skip_install_trust
	local_certs
	http_port ${ports.plain}
	https_port ${ports.tls}
	default_bind 127.0.0.1
}
${example.replace(wait, 'lb_try_duration 100ms')}`;
}

/** The reason why there is no Caddy, or false. */
export const skipCaddy: string | false = typeof program === 'string' ? program : false;

/** Starts Caddy before the service on a port. */
export async function startCaddy(service: number): Promise<TlsProxy> {
  const [tls = 0, plain = 0] = await findFreePorts(2);
  const proxy = await startProxy({
    program,
    port: tls,
    async configure(folder) {
      await writeFile(join(folder, 'Caddyfile'), adaptExample({ tls, plain }));
      return {
        args: ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'],
        env: {
          DOMAIN: HOST,
          UPSTREAM: `127.0.0.1:${service}`,
          XDG_DATA_HOME: folder,
          XDG_CONFIG_HOME: folder,
        },
      };
    },
  });
  const ca = await waitForFile(join(proxy.folder, 'caddy/pki/authorities/local/root.crt'));
  await waitForCertificate(tls, ca);
  return {
    target: { port: tls, host: HOST, ca },
    [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose](),
  };
}

/** Returns the text of a file as soon as it exists. The time limit of the test ends the wait. */
async function waitForFile(path: string): Promise<string> {
  for (;;) {
    const text = await readFile(path, 'utf8').catch(() => '');
    if (text !== '') return text;
    await delay(20);
  }
}

/** Waits until a handshake succeeds: Caddy listens before it has a certificate. */
async function waitForCertificate(port: number, ca: string): Promise<void> {
  for (;;) {
    const socket = connect({ port, host: '127.0.0.1', servername: HOST, ca });
    const isSecure = await once(socket, 'secureConnect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isSecure) return;
    await delay(20);
  }
}
