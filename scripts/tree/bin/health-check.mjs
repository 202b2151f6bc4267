#!/usr/bin/env node
// Exits with 0 if the service of HOST and PORT responds to GET /healthz with 200 within 4 s, else with 1.
const { HOST: host = '127.0.0.1', PORT: port = '3000' } = process.env;
const address = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? (host.includes(':') ? `[${host}]` : host);
const url = `http://${address}:${port}/healthz`;
try {
  const { status } = await fetch(url, { signal: AbortSignal.timeout(4000) });
  if (status !== 200) throw new Error(`status ${status}`);
} catch (error) {
  console.error(`${url}: ${error.cause?.message ?? error.message}`);
  process.exitCode = 1;
}
