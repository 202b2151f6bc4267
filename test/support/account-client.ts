/** An administrator of a running service, who uses the endpoints of the dashboard. */

const PASSWORD = 'correct horse battery';

export interface AccountClient {
  /** Sends a request with the cookies of the session to this server, which shares the database. */
  send(method: string, url: string, body?: unknown): Promise<{ status: number; body: unknown }>;
  /** Creates a key on this server; returns its id and secret. */
  createKey(url: string): Promise<{ id: string; secret: string }>;
  revokeKey(url: string, id: string): Promise<void>;
}

function createClient(): AccountClient {
  const cookies = new Map<string, string>();

  const send: AccountClient['send'] = async (method, target, body) => {
    const response = await fetch(target, {
      method,
      headers: {
        'sec-fetch-site': 'same-origin',
        cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(name, value);
    }
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : (JSON.parse(text) as unknown) };
  };

  async function sendOrFail(method: string, target: string, body: unknown): Promise<unknown> {
    const answer = await send(method, target, body);
    if (answer.status >= 300)
      throw new Error(`${method} ${target}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  return {
    send,
    async createKey(target) {
      const created = (await sendOrFail('POST', `${target}/account/keys`, { name: 'test' })) as {
        key: { id: string };
        secret: string;
      };
      return { id: created.key.id, secret: created.secret };
    },
    revokeKey: async (target, id) => void (await sendOrFail('DELETE', `${target}/account/keys/${id}`, {})),
  };
}

/**
 * Creates the first administrator on the server at `url`. Every replica that starts makes a set-up link, and
 * the last one is valid: these are the tokens of all.
 */
export async function openAccountClient(url: string, setupTokens: readonly string[]): Promise<AccountClient> {
  const client = createClient();
  const credentials = { email: 'boss@example.com', password: PASSWORD };
  const statuses: number[] = [];
  for (const token of setupTokens) {
    const { status } = await client.send('POST', `${url}/account/setup`, { token, ...credentials });
    statuses.push(status);
    if (status === 201) return client;
  }
  throw new Error(`no set-up link works: ${statuses.join(', ')}`);
}

/** Signs up another account on the server at `url`. */
export async function signUpClient(url: string, email: string): Promise<AccountClient> {
  const client = createClient();
  for (const step of ['sign-up', 'sign-in']) {
    const { status } = await client.send('POST', `${url}/account/${step}`, { email, password: PASSWORD });
    if (status >= 300) throw new Error(`${step}: ${status}`);
  }
  return client;
}
