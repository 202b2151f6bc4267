import { onAbort } from '#concurrency';
import { connect, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { AddressPolicy } from '../guard/address-policy.ts';
import { isSameAddress, parseIpAddress } from '../guard/ip-address.ts';
import { Refusal } from '../guard/refusal.ts';
import type { Target, VettedAddress } from '../guard/vet-target.ts';

/** Time of one attempt before the next starts in parallel (RFC 8305 §5). */
const ATTEMPT_DELAY_MS = 250;
/** Attempts per name, which may have hundreds of addresses. */
const MAX_ATTEMPTS = 8;

/** Returns the addresses to try: the families alternate, IPv6 first (RFC 8305 §4), at most 8. */
export function interleave(addresses: readonly VettedAddress[]): VettedAddress[] {
  const six = addresses.filter(({ family }) => family === 6);
  const four = addresses.filter(({ family }) => family === 4);
  const ordered: VettedAddress[] = [];
  for (let index = 0; index < Math.max(six.length, four.length); index += 1) {
    ordered.push(...six.slice(index, index + 1), ...four.slice(index, index + 1));
  }
  return ordered.slice(0, MAX_ATTEMPTS);
}

/** Throws Refusal unless the kernel reports the dialed address as the peer, and the policy permits it. */
function assertPeer(socket: Socket, dialed: VettedAddress, port: number, policy: AddressPolicy): void {
  const peer = parseIpAddress(socket.remoteAddress ?? '');
  const wanted = parseIpAddress(dialed.address);
  const isPeer =
    peer !== null && wanted !== null && isSameAddress(peer, wanted) && socket.remotePort === port;
  if (!isPeer || !policy.permits(dialed.address, port))
    throw new Refusal('the peer is not the dialed address');
}

/** A connected socket, and the address of its peer. */
export interface DialedSocket {
  socket: Socket;
  /** Verified when the socket connected. The kernel forgets it if the peer resets the connection. */
  peer: string;
}

/** Races the addresses (RFC 8305): the first to connect wins, the others are closed. */
class Race {
  readonly #addresses: VettedAddress[];
  readonly #port: number;
  readonly #policy: AddressPolicy;
  readonly #signal: AbortSignal;
  readonly #attempts = new Set<Socket>();
  readonly #outcome = Promise.withResolvers<DialedSocket>();
  #next = 0;
  #isSettled = false;
  #timer: NodeJS.Timeout | undefined;
  #stopListening = () => {};

  constructor(addresses: VettedAddress[], port: number, policy: AddressPolicy, signal: AbortSignal) {
    this.#addresses = addresses;
    this.#port = port;
    this.#policy = policy;
    this.#signal = signal;
  }

  /**
   * Resolves with the first connected socket. Rejects with the error of the last address, or the signal's
   * reason.
   */
  run(): Promise<DialedSocket> {
    this.#stopListening = onAbort(this.#signal, (reason) => this.#fail(reason));
    if (!this.#isSettled) this.#start();
    return this.#outcome.promise;
  }

  #start(): void {
    clearTimeout(this.#timer);
    const dialed = this.#addresses[this.#next];
    if (dialed === undefined) return;
    this.#next += 1;
    // A literal, so node:net resolves nothing.
    const { address: host, family } = dialed;
    const socket = connect({ host, port: this.#port, family, noDelay: true });
    this.#attempts.add(socket);
    socket.once('connect', () => this.#onConnect(socket, dialed));
    socket.on('error', (error) => this.#onFailure(socket, error));
    if (this.#next < this.#addresses.length) {
      this.#timer = setTimeout(() => this.#start(), ATTEMPT_DELAY_MS);
    }
  }

  #onConnect(socket: Socket, dialed: VettedAddress): void {
    if (this.#isSettled) return;
    try {
      assertPeer(socket, dialed, this.#port, this.#policy);
    } catch (error) {
      this.#fail(error);
      return;
    }
    this.#end(socket);
    this.#outcome.resolve({ socket, peer: dialed.address });
  }

  #onFailure(socket: Socket, error: Error): void {
    this.#attempts.delete(socket);
    if (this.#isSettled) return;
    if (this.#next < this.#addresses.length) this.#start();
    else if (this.#attempts.size === 0) this.#fail(error);
  }

  #fail(error: unknown): void {
    this.#end(null);
    this.#outcome.reject(error);
  }

  #end(winner: Socket | null): void {
    this.#isSettled = true;
    clearTimeout(this.#timer);
    this.#stopListening();
    for (const socket of this.#attempts) if (socket !== winner) socket.destroy();
  }
}

const ignoreError = () => {};

/**
 * Starts TLS on a connected socket. Verifies the certificate for the name in the URL, whatever the
 * environment says.
 */
function startTls(socket: Socket, target: Target, signal: AbortSignal): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const tls = connectTls({
      socket,
      host: target.host,
      servername: target.isLiteral ? '' : target.host,
      ALPNProtocols: ['http/1.1'],
      rejectUnauthorized: true,
    });
    let stopListening = () => {};
    const finish = () => {
      stopListening();
      socket.removeListener('error', fail);
      tls
        .removeListener('secureConnect', succeed)
        .removeListener('error', fail)
        .removeListener('close', onClose);
      tls.on('error', ignoreError);
    };
    const succeed = () => {
      finish();
      resolve(tls);
    };
    const fail = (error: unknown) => {
      finish();
      tls.destroy();
      socket.destroy();
      reject(error);
    };
    const onClose = () => fail(new Refusal('closed during the TLS handshake'));
    tls.on('secureConnect', succeed).on('error', fail).on('close', onClose);
    socket.on('error', fail);
    stopListening = onAbort(signal, fail);
  });
}

/**
 * Opens a connection to one of the vetted addresses, and to no other. Rejects with an error of the network, a
 * Refusal or the signal's reason.
 */
export async function dial(
  target: Target,
  addresses: readonly VettedAddress[],
  policy: AddressPolicy,
  signal: AbortSignal,
): Promise<DialedSocket> {
  const { socket, peer } = await new Race(interleave(addresses), target.port, policy, signal).run();
  return { socket: target.isTls ? await startTls(socket, target, signal) : socket, peer };
}
