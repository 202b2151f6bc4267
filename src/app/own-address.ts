import type { AddressInfo } from 'node:net';
import { formatUrl } from './lifecycle.ts';

/** A socket of this process. */
export interface Endpoint {
  address: string;
  port: number;
}

/** A server of this process. */
interface Listener {
  /** Returns its sockets; none before it listens. */
  addresses(): readonly (AddressInfo | string)[];
}

/**
 * The address of this process: the sockets that callers must not reach, and the URL of links in mails. The
 * parts that need it are opened before the server, which listens last.
 */
export class OwnAddress {
  readonly #publicUrl: string | null;
  readonly #listeners: Listener[] = [];
  #endpoints: Endpoint[] | null = null;

  constructor(publicUrl: string | null) {
    this.#publicUrl = publicUrl;
  }

  /** Adds a listener; the first one is the service's. */
  add(listener: Listener): void {
    this.#listeners.push(listener);
  }

  /** Remembers the sockets: all listeners have bound theirs. */
  keep(): void {
    this.#endpoints = this.#list();
  }

  /** Returns the sockets. Until `keep`, each call asks the kernel for them. */
  listEndpoints(): Endpoint[] {
    return this.#endpoints ?? this.#list();
  }

  /** Returns PUBLIC_URL, else the URL of the socket. Without a trailing slash. */
  readonly getOrigin = (): string => {
    if (this.#publicUrl !== null) return this.#publicUrl;
    const [address] = this.#listeners[0]?.addresses() ?? [];
    if (typeof address !== 'object') throw new Error('the service has no URL before it listens');
    return formatUrl(address);
  };

  #list(): Endpoint[] {
    return this.#listeners.flatMap((listener) =>
      listener.addresses().filter((address) => typeof address === 'object'),
    );
  }
}
