/** An identity provider on loopback: the package oidc-provider, with people who sign in at once. */
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

/** The claims of a person at the provider. */
export interface Person {
  sub: string;
  email: string;
  email_verified: boolean;
}

/** The response of the provider's token endpoint. */
export type TokenResponse = Record<string, unknown>;

export interface OidcServer {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Changes the responses of the token endpoint; null for none. */
  tamper: ((tokens: TokenResponse) => void) | null;
  /** True if the provider accepts connections and does not respond. */
  isHanging: boolean;
  /**
   * Opens the URL of a sign-in as a browser does, signs the person in, and returns the URL that the provider
   * sends the browser to.
   */
  signIn(url: string, person: Person): Promise<URL>;
  close(): Promise<void>;
}

const CLIENT = { clientId: 'utility-api', clientSecret: 'a secret of forty characters or so, no less' };

/** Starts the provider for a client whose callback is at `redirectUri`. */
export async function startOidcServer(redirectUri: string): Promise<OidcServer> {
  const people = new Map<string, Person>();
  let next: Person | null = null;
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = createProvider(issuer, redirectUri, people);
  const hung = new Set<ServerResponse>();
  const state: OidcServer = {
    issuer,
    ...CLIENT,
    tamper: null,
    isHanging: false,
    async signIn(url, person) {
      people.set(person.sub, person);
      next = person;
      return followRedirects(url, redirectUri);
    },
    async close() {
      for (const response of hung) response.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  provider.use(async (ctx, proceed) => {
    await proceed();
    if (ctx.path === '/token' && ctx.status === 200) state.tamper?.(ctx.body as TokenResponse);
  });
  const respond = provider.callback();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (state.isHanging) hung.add(response);
    else if (request.url?.startsWith('/interaction/')) void finish(provider, request, response, next);
    else void respond(request, response);
  });
  return state;
}

function createProvider(issuer: string, redirectUri: string, people: Map<string, Person>): Provider {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return new Provider(issuer, {
    clients: [
      { client_id: CLIENT.clientId, client_secret: CLIENT.clientSecret, redirect_uris: [redirectUri] },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    cookies: { keys: ['a key of the test'] },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'one' }] },
    features: { devInteractions: { enabled: false } },
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: async (_ctx, sub) => ({
      accountId: sub,
      claims: async () => ({ ...people.get(sub), sub }),
    }),
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId,
        accountId: oidc.session?.accountId,
      });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
  });
}

/** Signs the person in, as the provider's page would after a password. */
async function finish(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
  person: Person | null,
): Promise<void> {
  const result = person ? { login: { accountId: person.sub } } : { error: 'access_denied' };
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}

async function followRedirects(url: string, end: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let target = url;
  for (let hop = 0; hop < 8; hop++) {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const response = await fetch(target, { redirect: 'manual', headers: { cookie } });
    for (const header of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`${target}: ${response.status} ${await response.text()}`);
    target = new URL(location, target).href;
    if (target.startsWith(end)) return new URL(target);
  }
  throw new Error(`${url} redirects without end`);
}
