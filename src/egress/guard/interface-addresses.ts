import { networkInterfaces } from 'node:os';
import { parseIpAddress, type IpAddress } from './ip-address.ts';

export interface InterfaceAddressesOptions {
  /**
   * Returns the addresses of this machine's interfaces; by default those that the operating system reports.
   */
  list?: (() => string[]) | undefined;
  /** Milliseconds between two updates; default 30,000. */
  intervalMs?: number;
  /** Called when an update fails after one that succeeded. */
  onError?: ((error: unknown) => void) | undefined;
}

/** The addresses of this machine's interfaces, as of the last update. */
export interface InterfaceAddresses {
  has(address: IpAddress): boolean;
  /** Stops the timer. */
  close(): void;
}

const INTERVAL_MS = 30_000;

function listInterfaceAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address));
}

/** Returns the same key for every spelling of an address; keys of the families differ in length. */
const toKey = ({ bytes }: IpAddress): string => String.fromCharCode(...bytes);

/**
 * Lists the addresses of the machine's interfaces now and every 30 s, so that a decision costs one search in
 * a set. If an update fails, the addresses of the last one stay.
 */
export function openInterfaceAddresses(options: InterfaceAddressesOptions = {}): InterfaceAddresses {
  const { list = listInterfaceAddresses, intervalMs = INTERVAL_MS, onError } = options;
  let keys = new Set<string>();
  let hasFailed = false;
  const update = () => {
    try {
      const addresses = list().map(parseIpAddress);
      keys = new Set(addresses.filter((address) => address !== null).map(toKey));
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) onError?.(error);
      hasFailed = true;
    }
  };
  update();
  const timer = setInterval(update, intervalMs).unref();
  return {
    has: (address) => keys.has(toKey(address)),
    close: () => clearInterval(timer),
  };
}
