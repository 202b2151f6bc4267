/** deploy/nginx.single.conf, for tests. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findServer } from '../support/find-server.ts';
import { findFreePorts } from '../support/free-ports.ts';
import { startProxy } from '../support/proxy.ts';
import { TEST_CERTIFICATE, TEST_KEY } from '../support/tls-identity.ts';
import type { TlsProxy } from './tls-call.ts';

const EXAMPLE = new URL('../../deploy/nginx.single.conf', import.meta.url);
const HOST = 'hostile.test-zone.com';

const program = findServer({
  title: 'nginx',
  variable: 'NGINX_PATH',
  choices: [{ name: 'nginx', packages: ['nginx'] }],
});

/** Returns the example with the addresses and the certificate of the test. */
function adaptExample(
  text: string,
  folder: string,
  ports: { tls: number; plain: number; service: number },
): string {
  const replacements: [RegExp, string][] = [
    [/server 127\.0\.0\.1:3000;/, `server 127.0.0.1:${ports.service};`],
    [/listen 443 ssl http2;/, `listen 127.0.0.1:${ports.tls} ssl http2;`],
    [/listen 80;/, `listen 127.0.0.1:${ports.plain};`],
    [/listen \[::\]:443 ssl http2;/, ''],
    [/listen \[::\]:80;/, ''],
    [/\/etc\/letsencrypt\/live\/api\.example\.com\/fullchain\.pem/, join(folder, 'certificate.pem')],
    [/\/etc\/letsencrypt\/live\/api\.example\.com\/privkey\.pem/, join(folder, 'key.pem')],
  ];
  let adapted = text;
  for (const [pattern, replacement] of replacements) {
    if (!pattern.test(adapted)) throw new Error(`deploy/nginx.single.conf has no ${pattern.source}`);
    adapted = adapted.replace(pattern, replacement);
  }
  return adapted.replaceAll('api.example.com', HOST);
}

/** The reason why there is no nginx, or false. */
export const skipNginxSingle: string | false = typeof program === 'string' ? program : false;

/** Starts nginx before the service on a port. */
export async function startNginxSingle(service: number): Promise<TlsProxy> {
  const [tls = 0, plain = 0] = await findFreePorts(2);
  const proxy = await startProxy({
    program,
    port: tls,
    async configure(folder) {
      for (const name of ['body', 'proxy', 'other']) await mkdir(join(folder, name));
      await writeFile(join(folder, 'certificate.pem'), TEST_CERTIFICATE);
      await writeFile(join(folder, 'key.pem'), TEST_KEY);
      const site = adaptExample(await readFile(EXAMPLE, 'utf8'), folder, { tls, plain, service });
      await writeFile(join(folder, 'nginx.conf'), formatMain(folder, site));
      return { args: ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'error.log'] };
    },
  });
  return {
    target: { port: tls, host: HOST, ca: TEST_CERTIFICATE },
    [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose](),
  };
}

/** Returns the configuration with what Debian's /etc/nginx/nginx.conf has around a site. */
function formatMain(folder: string, site: string): string {
  const isRoot = process.getuid?.() === 0;
  return `${isRoot ? 'user root root;' : ''}
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log notice;
events { worker_connections 512; }
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/other;
  uwsgi_temp_path ${folder}/other;
  scgi_temp_path ${folder}/other;
  ${site}
}
`;
}
