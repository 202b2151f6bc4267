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
   * `provider_unavailable` after a bounded time, and then aborts the signal: what `act` creates later must be
   * deleted.
   */
  call<T>(isSecure: boolean, act: (engine: OidcEngine, signal: AbortSignal) => Promise<T>): Promise<T>;
}

export interface OidcProviderOptions extends Omit<OidcEngineOptions, 'redirectUri'> {
  /** Returns the service's URL, without a trailing slash. */
  getOrigin: () => string;
  /** The longest time of a call; 15 s by default. */
  timeoutMs?: number | undefined;
  now: () => number;
  onError: (error: unknown) => void;
}

/** The path of the service to which the provider sends browsers back. */
const CALLBACK_PATH = '/account/oidc/callback';
const DEFAULT_TIMEOUT_MS = 15_000;
/** The discovery document is fetched again after this time. */
const ENGINE_LIFETIME_MS = 3_600_000;
/**
 * Calls at once. Connections of a provider that does not respond end after 300 s (the default of `fetch`), so
 * at most 16 × 300 / 15 = 320 are open.
 */
const MAX_RUNNING = 16;
const MAX_WAITING = 64;

/** Creates the provider. The first call fetches its discovery document: the service starts without it. */
export function createOidcProvider(options: OidcProviderOptions): OidcProvider {
  const { oidc, now, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
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
      const release = await places.acquire({ maxWaitMs: timeoutMs });
      const deadline = new AbortController();
      const opening = getEngine(isSecure);
      let isOpen = false;
      const work = opening.then((engine) => {
        isOpen = true;
        return act(engine, deadline.signal);
      });
      try {
        return await withDeadline(work, deadline, timeoutMs);
      } finally {
        release();
        // Discovery failed or hangs: the next call starts another one.
        if (!isOpen && engines.get(isSecure)?.engine === opening) engines.delete(isSecure);
      }
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

/** Rejects with OidcRefused, and aborts, if `work` takes longer than `timeoutMs`. */
async function withDeadline<T>(work: Promise<T>, deadline: AbortController, timeoutMs: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    deadline.abort();
    reject(new OidcRefused('provider_unavailable'));
  }, timeoutMs);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
