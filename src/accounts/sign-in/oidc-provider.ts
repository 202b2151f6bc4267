import { Semaphore } from '#concurrency';
import { createOidcEngine, getProviderId, type OidcEngine, type OidcEngineOptions } from './oidc-engine.ts';
import { OidcRefused } from './oidc-refusals.ts';

/** The identity provider of the operator. It may be slow or down: calls end after a bounded time. */
export interface OidcProvider {
  /** The name on the button of the sign-in page. */
  name: string;
  /** The name of the provider in `credentials`. */
  id: string;
  /**
   * Calls `act` with the engine for clients on TLS, or for other clients. Throws OidcRefused
   * `provider_unavailable` after 15 s, and then aborts the signal: what `act` creates later must be deleted.
   */
  call<T>(isSecure: boolean, act: (engine: OidcEngine, signal: AbortSignal) => Promise<T>): Promise<T>;
}

export interface OidcProviderOptions extends Omit<OidcEngineOptions, 'redirectUri'> {
  /** Returns the service's URL, without a trailing slash. */
  getOrigin: () => string;
  now: () => number;
  onError: (error: unknown) => void;
}

/** The path of the service to which the provider sends browsers back. */
const CALLBACK_PATH = '/account/oidc/callback';
const TIMEOUT_MS = 15_000;
/** The discovery document is fetched again after this time. */
const ENGINE_LIFETIME_MS = 3_600_000;
/** Calls at once; a provider that does not respond holds places until the system ends the connections. */
const MAX_RUNNING = 16;
const MAX_WAITING = 64;

/** Creates the provider. The first call fetches its discovery document: the service starts without it. */
export function createOidcProvider(options: OidcProviderOptions): OidcProvider {
  const { oidc, now } = options;
  const engines = new Map<boolean, { engine: Promise<OidcEngine>; openedAtMs: number }>();
  const places = new Semaphore(MAX_RUNNING, MAX_WAITING, {
    createError: () => new OidcRefused('provider_unavailable'),
  });

  function getEngine(isSecure: boolean): Promise<OidcEngine> {
    const known = engines.get(isSecure);
    if (known && now() - known.openedAtMs < ENGINE_LIFETIME_MS) return known.engine;
    const opened = { engine: openEngine(options, isSecure), openedAtMs: now() };
    engines.set(isSecure, opened);
    return opened.engine;
  }

  return {
    name: oidc.name,
    id: getProviderId(oidc),
    async call(isSecure, act) {
      const release = await places.acquire({ maxWaitMs: TIMEOUT_MS });
      const deadline = new AbortController();
      const opening = getEngine(isSecure);
      const forget = (): void => {
        if (engines.get(isSecure)?.engine === opening) engines.delete(isSecure);
      };
      const engine = withDeadline(opening, deadline).catch((error: unknown) => {
        // Discovery failed or hangs: the next call starts another one.
        forget();
        throw error;
      });
      const work = engine.then((ready) => act(ready, deadline.signal));
      // The place is held until the provider's connections end, also after the deadline.
      Promise.allSettled([opening, work]).then(release, release);
      return withDeadline(work, deadline);
    },
  };
}

/** Creates the engine, which fetches the discovery document. Throws OidcRefused if it is not usable. */
async function openEngine(options: OidcProviderOptions, isSecure: boolean): Promise<OidcEngine> {
  const { oidc, getOrigin, onError } = options;
  const engine = createOidcEngine({ ...options, redirectUri: getOrigin() + CALLBACK_PATH }, isSecure);
  const { socialProviders } = await engine.$context;
  const provider = socialProviders.find(({ id }) => id === getProviderId(oidc));
  if (!provider) throw new OidcRefused('provider_unavailable');
  if (provider.issuer !== oidc.issuer) {
    const message = `OIDC_ISSUER is ${oidc.issuer}, but the provider calls itself ${String(provider.issuer)}: set it to that.`;
    onError(new Error(message));
    throw new OidcRefused('provider_failed');
  }
  return engine;
}

/** Rejects with OidcRefused, and aborts, if `work` takes longer than 15 s. */
async function withDeadline<T>(work: Promise<T>, deadline: AbortController): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    deadline.abort();
    reject(new OidcRefused('provider_unavailable'));
  }, TIMEOUT_MS);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
