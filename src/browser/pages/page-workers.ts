import type { Protocol } from 'devtools-protocol';
import type { CdpConnection, CdpEvent } from '../cdp/cdp-connection.ts';

/** Returns the parameters that attach to each new page, before it navigates, or to each dedicated worker. */
export function attachTo(type: 'page' | 'worker'): Protocol.Target.SetAutoAttachRequest {
  const filter = [{ type }, { exclude: true }];
  return { autoAttach: true, waitForDebuggerOnStart: type === 'page', flatten: true, filter };
}

/** The dedicated workers of a page's document, and their own workers, each with a session. */
export class PageWorkers {
  readonly #connection: CdpConnection;
  readonly #sessions = new Set<string>();
  /** Called with the start and the end of a worker's own workers. */
  readonly #onEvent: (event: CdpEvent) => void;

  constructor(connection: CdpConnection, onEvent: (event: CdpEvent) => void) {
    this.#connection = connection;
    this.#onEvent = onEvent;
  }

  get count(): number {
    return this.#sessions.size;
  }

  /** Adds a worker that has started, and attaches to its own workers. */
  add(sessionId: string): void {
    this.#sessions.add(sessionId);
    this.#connection.listen(sessionId, (event) => {
      if (/^Target\.(?:attached|detached)/.test(event.method)) this.#onEvent(event);
    });
    this.#connection.send('Target.setAutoAttach', attachTo('worker'), sessionId).catch(() => {});
  }

  /** Removes a worker that has ended. Commands to it reject. */
  remove(sessionId: string): void {
    this.#sessions.delete(sessionId);
    this.#connection.endSession(sessionId);
  }

  /** Checks that no worker is running a task. Resolves when all of them have responded. */
  async ping(): Promise<void> {
    const ping = (sessionId: string): Promise<unknown> =>
      this.#connection.send('Runtime.evaluate', { expression: '0' }, sessionId).catch(() => {});
    await Promise.all([...this.#sessions].map(ping));
  }

  /** Ends all sessions, as the page is lost. Commands to the workers reject. */
  end(): void {
    for (const sessionId of this.#sessions) this.#connection.endSession(sessionId);
  }
}
