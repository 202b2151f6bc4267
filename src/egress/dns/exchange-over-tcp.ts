import { randomInt } from 'node:crypto';
import type { Socket } from 'node:net';
import { parseReply, type ReplyMessage } from './message.ts';

/**
 * Sends a question on a connection of its own (RFC 7766), for answers that are too large for UDP, and closes
 * it. Has no timeout. Never rejects.
 */
export async function exchangeOverTcp(
  socket: Socket,
  question: Buffer,
): Promise<ReplyMessage | 'malformed' | 'network'> {
  question.writeUInt16BE(randomInt(0x1_0000), 0);
  // The length prefix of TCP (RFC 1035 §4.2.2).
  socket.write(Buffer.concat([Buffer.from([question.length >> 8, question.length & 0xff]), question]));
  let received = Buffer.alloc(0);
  try {
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      received = Buffer.concat([received, chunk]);
      if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) continue;
      const message = received.subarray(2, 2 + received.readUInt16BE(0));
      const hasId = message.length >= 2 && message.readUInt16BE(0) === question.readUInt16BE(0);
      const result = hasId ? parseReply(message, question) : 'malformed';
      return typeof result === 'object' ? result : 'malformed';
    }
  } catch {
    // Refused, reset, or closed by the caller.
  }
  return 'network';
}
