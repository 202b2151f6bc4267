/** Clients that send one request after another until they are stopped, and count how each ended. */
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

export interface ClientRequest {
  method: string;
  path: string;
  body?: string;
}

export interface SteadyClientsOptions {
  url: string;
  key: string;
  /** Sent in turn. */
  requests: readonly ClientRequest[];
  /** Clients that keep their connection, and clients that close it after each response. */
  clients: { keepAlive: number; close: number };
  /** The pause of a client between two requests. */
  pauseMs: number;
}

export interface SteadyClients {
  /** Waits for the requests in flight, and returns the number of each outcome: a status or an error. */
  stop(): Promise<Record<string, number>>;
}

export function startSteadyClients(options: SteadyClientsOptions): SteadyClients {
  const { clients, pauseMs, requests } = options;
  const outcomes: Record<string, number> = {};
  const stopping = new AbortController();

  async function run(first: number, isKept: boolean): Promise<void> {
    const agent = new Agent({ keepAlive: isKept, maxSockets: 1 });
    for (let n = first; !stopping.signal.aborted; n += 1) {
      const sent = requests[n % requests.length];
      if (sent === undefined) throw new Error('no requests to send');
      const outcome = await sendRequest(options, sent, agent);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      await delay(pauseMs);
    }
    agent.destroy();
  }

  const running = [
    ...Array.from({ length: clients.keepAlive }, (_, n) => run(n, true)),
    ...Array.from({ length: clients.close }, (_, n) => run(n, false)),
  ];
  return {
    async stop() {
      stopping.abort();
      await Promise.all(running);
      return outcomes;
    },
  };
}

/** Returns the status of a response that arrived whole, else the error. */
async function sendRequest(
  { url, key }: SteadyClientsOptions,
  { method, path, body }: ClientRequest,
  agent: Agent,
): Promise<string> {
  const sent = request(url + path, {
    method,
    agent,
    headers: { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }) },
  });
  try {
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    await once(response.resume(), 'end');
    return String(response.statusCode);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return `${method} ${code ?? message}${sent.reusedSocket ? ' on a kept connection' : ''}`;
  }
}
