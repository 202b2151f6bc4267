/** People who sign up by themselves, as anyone may. */

const PASSWORD = 'correct horse battery';

/** A person who is signed in, with one key. */
export interface Visitor {
  cookie: string;
  keyId: string;
  secret: string;
}

/**
 * Signs up and in, and creates a key, as a person at the dashboard does. `network` is the address that a
 * trusted proxy names.
 */
export async function signUp({ port }: { port: number }, network?: string): Promise<Visitor> {
  let cookie = '';
  const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const response = await fetch(`http://127.0.0.1:${port}/account${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'sec-fetch-site': 'same-origin',
        cookie,
        ...(network !== undefined && { 'x-forwarded-for': network }),
      },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
    const set = response.headers.getSetCookie().map((one) => one.split(';', 1)[0]);
    if (set.length > 0) cookie = set.join('; ');
    return JSON.parse(text) as Record<string, unknown>;
  };
  const person = {
    email: `visitor-${process.pid}-${performance.now()}@example.com`,
    password: PASSWORD,
  };
  await post('/sign-up', person);
  await post('/sign-in', person);
  const { key, secret } = (await post('/keys', { name: 'try' })) as { key: { id: string }; secret: string };
  return { cookie, keyId: key.id, secret };
}
