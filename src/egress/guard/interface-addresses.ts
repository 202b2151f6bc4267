import { networkInterfaces } from 'node:os';
import { parseIpAddress, type IpAddress } from './ip-address.ts';

export interface InterfaceAddressesOptions {
  /** Returns the addresses of this machine's interfaces; by default those that the operating system names. */
  read?: (() => string[]) | undefined;
  /** Milliseconds between two reads; default 30,000. */
  intervalMs?: number;
  /** Called when a read fails after one that did not. */
  onError?: ((error: unknown) => void) | undefined;
}

/** The addresses of this machine's interfaces, as of the last read. */
export interface InterfaceAddresses {
  has(address: IpAddress): boolean;
  /** Ends the timer. */
  close(): void;
}

const INTERVAL_MS = 30_000;

function readInterfaceAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address));
}

/** The same text for every spelling of an address; the families differ in length. */
const toKey = ({ bytes }: IpAddress): string => String.fromCharCode(...bytes);

/**
 * Reads the addresses of the machine's interfaces now and every 30 s, so that a decision costs a look into a set.
 * A read that fails keeps the addresses of the last one.
 */
export function openInterfaceAddresses(options: InterfaceAddressesOptions = {}): InterfaceAddresses {
  const { read = readInterfaceAddresses, intervalMs = INTERVAL_MS, onError } = options;
  let keys = new Set<string>();
  let hasFailed = false;
  const load = () => {
    try {
      const addresses = read().map(parseIpAddress);
      keys = new Set(addresses.filter((address) => address !== null).map(toKey));
      hasFailed = false;
    } catch (error) {
      if (!hasFailed) onError?.(error);
      hasFailed = true;
    }
  };
  load();
  const timer = setInterval(load, intervalMs).unref();
  return {
    has: (address) => keys.has(toKey(address)),
    close: () => clearInterval(timer),
  };
}
