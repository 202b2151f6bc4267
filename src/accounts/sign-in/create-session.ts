import {
  assertRefusal,
  getEngine,
  getSetCookies,
  toHeaders,
  type AccessContext,
  type Client,
} from './access-context.ts';
import { hashPassword } from './password-hash.ts';
import { replacedPassword } from './verify-password.ts';

const MAX_PASSWORD_LENGTH = 1_000;

/**
 * Creates a session. Returns its Set-Cookie headers, null if the address or the password is wrong. Throws
 * `unauthorized` if the password is replaced meanwhile.
 */
export async function createSession(
  context: AccessContext,
  email: string,
  password: string,
  client: Client,
): Promise<string[] | null> {
  if (email === '' || password.length > MAX_PASSWORD_LENGTH) {
    // The same work as for an address that better-auth looks for.
    await hashPassword(password.slice(0, MAX_PASSWORD_LENGTH));
    return null;
  }
  const { store } = context;
  const engine = getEngine(context, client);
  const passwordHash = await store.findPasswordHash(email);
  let setCookies: string[];
  try {
    const headers = toHeaders({ ...client, cookie: '' });
    const { headers: responseHeaders } = await engine.api.signInEmail({
      body: { email, password },
      headers,
      returnHeaders: true,
    });
    setCookies = getSetCookies(responseHeaders);
  } catch (error) {
    assertRefusal(error);
    return null;
  }
  // Compared after the session is stored: a later reset deletes it, an earlier one is visible here.
  if ((await store.findPasswordHash(email)) === passwordHash) return setCookies;
  const cookie = setCookies.map((header) => header.split(';', 1)[0]).join('; ');
  await engine.api.signOut({ headers: toHeaders({ ...client, cookie }) });
  throw replacedPassword();
}
