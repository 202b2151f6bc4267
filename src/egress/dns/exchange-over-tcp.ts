import { randomInt } from 'node:crypto';
import type { Socket } from 'node:net';
import { parseReply, type ReplyMessage } from './message.ts';

const PREFIX_BYTES = 2;
const MAX_MESSAGE_BYTES = 0xffff;

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
  const received = Buffer.alloc(PREFIX_BYTES + MAX_MESSAGE_BYTES);
  let length = 0;
  try {
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      length += chunk.copy(received, length);
      const end = PREFIX_BYTES + received.readUInt16BE(0);
      if (length < PREFIX_BYTES || length < end) continue;
      const message = received.subarray(PREFIX_BYTES, end);
      const hasId = message.length >= 2 && message.readUInt16BE(0) === question.readUInt16BE(0);
      const result = hasId ? parseReply(message, question) : 'malformed';
      return typeof result === 'object' ? result : 'malformed';
    }
  } catch {
    // Refused, reset, or closed by the caller.
  }
  return 'network';
}
