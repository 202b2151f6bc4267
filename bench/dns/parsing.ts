/**
 * node bench/dns/parsing.ts: compares the parser of replies with dns-packet, on a usual reply and on one that
 * is as expensive as compression makes it: 256 SOA records whose names are chains of 100 pointers.
 */
import dnsPacket, { type Answer } from 'dns-packet';
import { encodeQuestion, parseReply } from '../../src/egress/dns/message.ts';

const NAME = 'www.example.com';
const question = encodeQuestion(NAME, 'MX') as Buffer;

function encodeUsual(): Buffer {
  const exchanges = ['alt1.mail.example.com', 'alt2.mail.example.com', 'mail.example.com'];
  const answers: Answer[] = exchanges.map((exchange, i) => ({
    type: 'MX',
    name: NAME,
    ttl: 300,
    data: { exchange, preference: 10 * i },
  }));
  return dnsPacket.encode({ type: 'response', questions: [{ type: 'MX', name: NAME }], answers });
}

function encodeExpensive(): Buffer {
  const head = dnsPacket.encode({ type: 'response', questions: [{ type: 'MX', name: NAME }] });
  const carrier = Buffer.from('c00c00630001000000000000', 'hex');
  const labels: Buffer[] = [Buffer.from([1, 0x61, 0])];
  let last = head.length + carrier.length;
  for (let i = 0; i < 100; i += 1) {
    labels.push(Buffer.from([1, 0x61, 0xc0 | (last >> 8), last & 0xff]));
    last += i === 0 ? 3 : 4;
  }
  const chain = Buffer.concat(labels);
  carrier.writeUInt16BE(chain.length, 10);
  const pointer = Buffer.from([0xc0 | (last >> 8), last & 0xff]);
  const fixed = Buffer.from('00060001000000000018', 'hex');
  const soa = Buffer.concat([pointer, fixed, pointer, pointer, Buffer.alloc(20)]);
  const bytes = Buffer.concat([head, carrier, chain, ...Array.from({ length: 255 }, () => soa)]);
  bytes.writeUInt16BE(256, 6);
  return bytes;
}

/** Returns the microseconds of CPU of one call: the lowest of ten runs. */
function measure(run: () => void, calls: number): number {
  const runs = Array.from({ length: 10 }, () => {
    const before = process.cpuUsage();
    for (let i = 0; i < calls; i += 1) run();
    return process.cpuUsage(before).user / calls;
  });
  return Math.min(...runs);
}

for (const [says, bytes, calls] of [
  ['usual', encodeUsual(), 20_000],
  ['expensive', encodeExpensive(), 30],
] as const) {
  if (typeof parseReply(bytes, question) === 'string') throw new Error(`The ${says} reply is not parsed.`);
  const ours = measure(() => parseReply(bytes, question), calls);
  const theirs = measure(() => dnsPacket.decode(bytes), calls);
  console.log(
    `${says} (${bytes.length} bytes): ours ${ours.toFixed(1)} µs, dns-packet ${theirs.toFixed(1)} µs`,
  );
}
