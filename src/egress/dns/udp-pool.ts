import { randomInt } from 'node:crypto';
import type { Exchange, ExchangeResult } from './transport.ts';
import type { ServerAddress } from './server-address.ts';
import { UdpSocket, type UdpSocketOwner } from './udp-socket.ts';

export interface UdpPool {
  exchange: Exchange;
  /** Ends every question. */
  close(): void;
}

/** Sockets to one server, one of them by chance for each question, each replaced after `questionsPerSocket`, so that no source port lasts (RFC 5452 §9.2). */
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

  const exchange: Exchange = (asked, edns, done) => {
    const slot = randomInt(size);
    const socket = isClosed ? null : (slots[slot] ?? openSocket(slot));
    return socket ? socket.ask(asked, edns, done) : failSoon(done);
  };

  function close(): void {
    isClosed = true;
    for (const socket of open) socket.close();
  }

  return { exchange, close };
}

function failSoon(done: (result: ExchangeResult) => void): () => void {
  let isGivenUp = false;
  queueMicrotask(() => {
    if (!isGivenUp) done({ kind: 'network' });
  });
  return () => {
    isGivenUp = true;
  };
}
