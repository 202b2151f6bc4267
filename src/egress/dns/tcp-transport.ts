import { randomInt } from 'node:crypto';
import { connect } from 'node:net';
import { parseReply, type Transport, type TransportResult } from './message.ts';
import type { ServerAddress } from './server-address.ts';

/** Sends each question on a new TCP connection (RFC 7766), for answers that are too large for UDP. */
export function createTcpTransport({ host, port }: ServerAddress): Transport {
  return (question, done) => {
    const socket = connect({ host, port, noDelay: true });
    let finish: ((result: TransportResult) => void) | null = done;
    let chunks: Buffer[] = [];
    let received = 0;
    let expected = -1;

    function end(result: TransportResult): void {
      const callback = finish;
      finish = null;
      chunks = [];
      socket.destroy();
      callback?.(result);
    }

    socket.on('connect', () => {
      question.writeUInt16BE(randomInt(0x1_0000), 0);
      // The length prefix of TCP (RFC 1035 §4.2.2).
      socket.write(Buffer.concat([Buffer.from([question.length >> 8, question.length & 0xff]), question]));
    });
    socket.on('data', (chunk: Buffer) => {
      if (!finish) return;
      chunks.push(chunk);
      received += chunk.length;
      if (expected === -1 && received >= 2) expected = 2 + Buffer.concat(chunks).readUInt16BE(0);
      if (expected === -1 || received < expected) return;
      const message = Buffer.concat(chunks).subarray(2, expected);
      const hasId = message.length >= 2 && message.readUInt16BE(0) === question.readUInt16BE(0);
      const result = hasId ? parseReply(message, question) : 'malformed';
      end(typeof result === 'string' ? 'malformed' : result);
    });
    socket.on('error', () => end('network'));
    socket.on('close', () => end('network'));

    return () => {
      finish = null;
      socket.destroy();
    };
  };
}
