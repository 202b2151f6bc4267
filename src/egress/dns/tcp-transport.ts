import { randomInt } from 'node:crypto';
import { connect } from 'node:net';
import { parseReply } from './message.ts';
import type { ServerAddress } from './server-address.ts';
import type { DnsTransport, TransportResult } from './transport.ts';

/** Sends each question on a new TCP connection (RFC 7766), for answers that are too large for UDP. */
export function createTcpTransport(server: ServerAddress): DnsTransport {
  return (question, edns, done) => {
    const socket = connect({ host: server.host, port: server.port, noDelay: true });
    const id = randomInt(0x1_0000);
    let chunks: Buffer[] = [];
    let received = 0;
    let expected = -1;
    let isOver = false;

    function end(result: TransportResult): void {
      if (isOver) return;
      isOver = true;
      chunks = [];
      socket.destroy();
      done(result);
    }

    socket.on('connect', () => socket.write(frame(edns ? question.withEdns : question.plain, id)));
    socket.on('data', (chunk: Buffer) => {
      if (isOver) return;
      chunks.push(chunk);
      received += chunk.length;
      if (expected === -1 && received >= 2) expected = 2 + Buffer.concat(chunks).readUInt16BE(0);
      if (expected === -1 || received < expected) return;
      const message = Buffer.concat(chunks).subarray(2, expected);
      const hasId = message.length >= 2 && message.readUInt16BE(0) === id;
      const parsed = hasId ? parseReply(message, question) : null;
      end(parsed?.kind === 'reply' ? parsed : { kind: 'malformed' });
    });
    socket.on('error', () => end({ kind: 'network' }));
    socket.on('close', () => end({ kind: 'network' }));

    return () => {
      isOver = true;
      socket.destroy();
    };
  };
}

/** Returns the message with its id and the length prefix of TCP (RFC 1035 §4.2.2). */
function frame(message: Buffer, id: number): Buffer {
  const framed = Buffer.alloc(message.length + 2);
  framed.writeUInt16BE(message.length, 0);
  framed.set(message, 2);
  framed.writeUInt16BE(id, 2);
  return framed;
}
