import { randomInt } from 'node:crypto';
import { connect } from 'node:net';
import type { Exchange, ExchangeResult } from './transport.ts';
import { readReply } from './message.ts';
import type { ServerAddress } from './server-address.ts';

/** Asks one question on a TCP connection of its own (RFC 7766), for answers that UDP could not carry. */
export function createTcpExchange(server: ServerAddress): Exchange {
  return (asked, edns, done) => {
    const socket = connect({ host: server.host, port: server.port, noDelay: true });
    const id = randomInt(0x1_0000);
    let chunks: Buffer[] = [];
    let received = 0;
    let expected = -1;
    let over = false;

    function end(result: ExchangeResult): void {
      if (over) return;
      over = true;
      chunks = [];
      socket.destroy();
      done(result);
    }

    socket.on('connect', () => {
      const message = edns ? asked.withEdns : asked.plain;
      const framed = Buffer.alloc(message.length + 2);
      framed.writeUInt16BE(message.length, 0);
      framed.set(message, 2);
      framed.writeUInt16BE(id, 2);
      socket.write(framed);
    });
    socket.on('data', (chunk: Buffer) => {
      if (over) return;
      chunks.push(chunk);
      received += chunk.length;
      if (expected === -1 && received >= 2) expected = 2 + Buffer.concat(chunks).readUInt16BE(0);
      if (expected === -1 || received < expected) return;
      const message = Buffer.concat(chunks).subarray(2, expected);
      const read = message.length >= 2 && message.readUInt16BE(0) === id ? readReply(message, asked) : null;
      end(read?.kind === 'reply' ? read : { kind: 'malformed' });
    });
    socket.on('error', () => end({ kind: 'network' }));
    socket.on('close', () => end({ kind: 'network' }));

    return () => {
      over = true;
      socket.destroy();
    };
  };
}
