import { randomInt } from 'node:crypto';
import type { ServerAddress } from './server-address.ts';
import type { DnsTransport, TransportResult } from './transport.ts';
import { UdpSocket, type UdpSocketOwner } from './udp-socket.ts';

export interface UdpPool {
  transport: DnsTransport;
  /** Closes every socket; questions in flight end as `network`. */
  close(): void;
}

/**
 * Opens a pool of sockets to one server. Each question uses a random socket, and each socket is replaced
 * after `questionsPerSocket`, so that no source port lasts (RFC 5452 §9.2).
 */
export function openUdpPool(server: ServerAddress, size: number, questionsPerSocket: number): UdpPool {
  const slots: (UdpSocket | undefined)[] = Array.from({ length: size });
  const open = new Set<UdpSocket>();
  let isClosed = false;

  const owner: UdpSocketOwner = {
    onRetired(socket) {
      const slot = slots.indexOf(socket);
      if (slot !== -1) slots[slot] = undefined;
    },
    onClosed: (socket) => open.delete(socket),
  };

  function openSocket(slot: number): UdpSocket | null {
    const socket = new UdpSocket(server, questionsPerSocket, owner);
    if (!socket.isUsable) return null;
    open.add(socket);
    slots[slot] = socket;
    return socket;
  }

  const transport: DnsTransport = (question, edns, done) => {
    const slot = randomInt(size);
    const socket = isClosed ? null : (slots[slot] ?? openSocket(slot));
    return socket ? socket.query(question, edns, done) : failSoon(done);
  };

  function close(): void {
    isClosed = true;
    for (const socket of open) socket.close();
  }

  return { transport, close };
}

function failSoon(done: (result: TransportResult) => void): () => void {
  let isCanceled = false;
  queueMicrotask(() => {
    if (!isCanceled) done({ kind: 'network' });
  });
  return () => {
    isCanceled = true;
  };
}
