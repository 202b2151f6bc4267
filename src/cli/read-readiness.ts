import { get } from 'node:http';

/** The response of the service to GET /readyz. */
export interface Readiness {
  url: string;
  status: string;
  parts: Readonly<Record<string, { ok: boolean; reason?: string; [detail: string]: unknown }>>;
}

const TIMEOUT_MS = 5_000;

/** Returns the URL of the service that runs on this machine with these settings. */
export function formatLocalUrl({ host, port }: { host: string; port: number }): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

/** Reads the state that the service reports to operators; null if it does not respond within 5 s. */
export function readReadiness(url: string, secret: string): Promise<Readiness | null> {
  const { promise, resolve } = Promise.withResolvers<Readiness | null>();
  const headers = { authorization: `Bearer ${secret}` };
  const request = get(`${url}/readyz`, { headers, timeout: TIMEOUT_MS }, (response) => {
    let text = '';
    response.setEncoding('utf8');
    response.on('data', (part: string) => (text += part));
    response.on('error', () => resolve(null));
    response.on('end', () => resolve(parseReadiness(url, text)));
  });
  request.on('timeout', () => request.destroy());
  request.on('error', () => resolve(null));
  return promise;
}

/** Returns null for the response of another server. */
function parseReadiness(url: string, text: string): Readiness | null {
  try {
    const { status, parts } = JSON.parse(text) as Partial<Readiness>;
    return typeof status === 'string' && typeof parts === 'object' ? { url, status, parts } : null;
  } catch {
    return null;
  }
}
