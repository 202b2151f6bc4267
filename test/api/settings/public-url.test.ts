/** The lines at start that tell an operator what a proxy has to do. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FastifyBaseLogger } from 'fastify';
import { startApp } from '../../support/start-app.ts';

const PUBLIC_URL = 'https://api.example.com';

/** Starts the service with these settings; returns its address, and its lines about the proxy. */
async function readProxyLines(settings: Record<string, string>) {
  const lines: string[] = [];
  const note =
    (level: string) =>
    (first: unknown, message?: string): void => {
      const text = message ?? String(first);
      if (/proxy|TRUST_PROXY/.test(text)) lines.push(`${level}: ${text}`);
    };
  const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'];
  const logger = { level: 'info', ...Object.fromEntries(levels.map((level) => [level, note(level)])) };
  await using service = await startApp(settings, { logger: logger as unknown as FastifyBaseLogger });
  return { url: service.url, lines };
}

describe('with PUBLIC_URL, the log at start', () => {
  it('names the address to proxy to, and warns that TRUST_PROXY is missing', async () => {
    const { url, lines } = await readProxyLines({ PUBLIC_URL });
    assert.equal(lines[0], `info: proxy ${PUBLIC_URL} to ${url}`);
    assert.match(lines[1] ?? '', /^warn: .*TRUST_PROXY is not set.*127\.0\.0\.1\/32/);
    assert.equal(lines.length, 2);
  });

  it('does not warn if TRUST_PROXY is set, and says nothing without PUBLIC_URL', async () => {
    const { lines } = await readProxyLines({ PUBLIC_URL, TRUST_PROXY: '127.0.0.1/32' });
    assert.deepEqual(
      lines.map((line) => line.slice(0, 5)),
      ['info:'],
    );
    assert.deepEqual((await readProxyLines({})).lines, []);
  });
});
