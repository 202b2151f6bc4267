import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server, type Socket as TcpSocket } from 'node:net';
import dnsPacket, { type Answer, type DecodedPacket, type RecordType } from 'dns-packet';
import { answerFromZones, type DnsZones } from './dns-zones.ts';

/** A query as received. `nth` counts the queries for this name and type, from 1. */
export interface DnsQuestion {
  name: string;
  type: string;
  nth: number;
  id: number;
  transport: 'udp' | 'tcp';
  edns: boolean;
  recursionDesired: boolean;
  clientPort: number;
}

/** One response. The members from `drop` on make the server misbehave. */
export interface DnsReply {
  rcode?: string;
  /** Default: recursion desired and available. */
  flags?: number;
  answers?: Answer[];
  authorities?: Answer[];
  additionals?: Answer[];
  delayMs?: number;
  /** Sends nothing. Over TCP, the connection stays open. */
  drop?: boolean;
  /** Over UDP: sets the TC bit and omits answers and authorities. Ignored over TCP. */
  truncate?: boolean;
  wrongId?: boolean;
  /** The name to put in the question section; `'none'` omits the section. */
  wrongQuestion?: string;
  /** Sends from a UDP port other than the one queried. */
  wrongPort?: boolean;
  /**
   * Sends these bytes instead of a message. Bytes 0 and 1 become the id of the query, plus 1 with `wrongId`.
   */
  malformed?: Uint8Array;
  /** Over TCP: closes the connection after half of the message. */
  cutShort?: boolean;
}

export interface DnsServerOptions {
  /**
   * Records by name. Unlisted names are NXDOMAIN, except top-level domains and the parents of listed names,
   * which exist without records.
   */
  zones?: DnsZones;
  /** Called first; if it returns null, `zones` answers. An array of replies is sent in order. */
  answer?: (question: DnsQuestion) => DnsReply | DnsReply[] | null;
}

export interface DnsServer extends AsyncDisposable {
  host: string;
  port: number;
  /** All queries so far, in order. */
  questions: DnsQuestion[];
  /** Returns the number of queries for a name, of one type if given. */
  count(name: string, type?: string): number;
  forget(): void;
  close(): Promise<void>;
}

const RCODES: Record<string, number> = {
  NOERROR: 0,
  FORMERR: 1,
  SERVFAIL: 2,
  NXDOMAIN: 3,
  NOTIMP: 4,
  REFUSED: 5,
};
const RECURSION_AVAILABLE = dnsPacket.RECURSION_AVAILABLE | dnsPacket.RECURSION_DESIRED;

function encodeReply(query: DecodedPacket, reply: DnsReply, transport: 'udp' | 'tcp'): Buffer {
  const id = ((query.id ?? 0) + (reply.wrongId ? 1 : 0)) & 0xffff;
  if (reply.malformed) {
    const raw = Buffer.from(reply.malformed);
    if (raw.length >= 2) raw.writeUInt16BE(id, 0);
    return raw;
  }
  const truncated = reply.truncate === true && transport === 'udp';
  const rcode = RCODES[reply.rcode ?? 'NOERROR'] ?? 0;
  const asked = query.questions ?? [];
  const renamed = asked.map((q) => ({ type: q.type, class: q.class, name: reply.wrongQuestion ?? q.name }));
  return dnsPacket.encode({
    type: 'response',
    id,
    flags: (reply.flags ?? RECURSION_AVAILABLE) | rcode | (truncated ? dnsPacket.TRUNCATED_RESPONSE : 0),
    questions: reply.wrongQuestion === 'none' ? [] : renamed,
    answers: truncated ? [] : (reply.answers ?? []),
    authorities: truncated ? [] : (reply.authorities ?? []),
    additionals: reply.additionals ?? [],
  });
}

/**
 * Starts a DNS server on one free port of 127.0.0.1, UDP and TCP. It sends the responses that the test
 * defines and records the queries.
 */
export async function startDnsServer(options: DnsServerOptions = {}): Promise<DnsServer> {
  const questions: DnsQuestion[] = [];
  const counts = new Map<string, number>();
  const timers = new Set<NodeJS.Timeout>();
  const connections = new Set<TcpSocket>();
  const { tcp, udp, port } = await bindBoth();
  const otherUdp = createSocket('udp4');
  otherUdp.bind(0, '127.0.0.1');
  await once(otherUdp, 'listening');

  function bump(key: string): number {
    const next = (counts.get(key) ?? 0) + 1;
    counts.set(key, next);
    return next;
  }

  function repliesTo(query: DecodedPacket, transport: 'udp' | 'tcp', clientPort: number): DnsReply[] {
    const asked = query.questions?.[0];
    if (!asked) return [{ rcode: 'FORMERR' }];
    const name = asked.name.toLowerCase();
    bump(name);
    const question: DnsQuestion = {
      name,
      type: asked.type,
      nth: bump(`${name} ${asked.type}`),
      id: query.id ?? 0,
      transport,
      edns: (query.additionals ?? []).some((record) => record.type === 'OPT'),
      recursionDesired: query.flag_rd,
      clientPort,
    };
    questions.push(question);
    const replies = options.answer?.(question) ?? answerFromZones(options.zones ?? {}, question);
    return Array.isArray(replies) ? replies : [replies];
  }

  function later(delayMs: number | undefined, send: () => void): void {
    if (delayMs === undefined) return send();
    const timer = setTimeout(() => {
      timers.delete(timer);
      send();
    }, delayMs);
    timers.add(timer);
  }

  udp.on('message', (message, client) => {
    const query = dnsPacket.decode(message);
    for (const reply of repliesTo(query, 'udp', client.port)) {
      if (reply.drop) continue;
      const bytes = encodeReply(query, reply, 'udp');
      later(reply.delayMs, () => (reply.wrongPort ? otherUdp : udp).send(bytes, client.port, client.address));
    }
  });

  tcp.on('connection', (socket) => {
    connections.add(socket);
    socket.on('close', () => connections.delete(socket));
    socket.on('error', () => socket.destroy());
    let received = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
        const end = 2 + received.readUInt16BE(0);
        const query = dnsPacket.decode(received.subarray(2, end));
        received = received.subarray(end);
        for (const reply of repliesTo(query, 'tcp', socket.remotePort ?? 0)) {
          if (!reply.drop) later(reply.delayMs, () => writeTcp(socket, query, reply));
        }
      }
    });
  });

  async function close(): Promise<void> {
    for (const timer of timers) clearTimeout(timer);
    for (const socket of connections) socket.destroy();
    const closed = [once(udp, 'close'), once(otherUdp, 'close'), once(tcp, 'close')];
    udp.close();
    otherUdp.close();
    tcp.close();
    await Promise.all(closed);
  }

  return {
    host: '127.0.0.1',
    port,
    questions,
    count: (name, type) => counts.get(type === undefined ? name : `${name} ${type}`) ?? 0,
    forget() {
      questions.length = 0;
      counts.clear();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function writeTcp(socket: TcpSocket, query: DecodedPacket, reply: DnsReply): void {
  if (socket.destroyed) return;
  const body = encodeReply(query, reply, 'tcp');
  const framed = Buffer.alloc(body.length + 2);
  framed.writeUInt16BE(body.length, 0);
  body.copy(framed, 2);
  if (reply.cutShort) socket.end(framed.subarray(0, Math.ceil(framed.length / 2)));
  else socket.write(framed);
}

async function bindBoth(): Promise<{ tcp: Server; udp: Socket; port: number }> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const tcp = createServer();
    tcp.listen(0, '127.0.0.1');
    await once(tcp, 'listening');
    const address = tcp.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const udp = createSocket({ type: 'udp4', recvBufferSize: 4 * 1024 * 1024 });
    udp.bind(port, '127.0.0.1');
    try {
      await once(udp, 'listening');
      return { tcp, udp, port };
    } catch {
      tcp.close();
    }
  }
  throw new Error('No port is free for both UDP and TCP on 127.0.0.1.');
}

export type { Answer as DnsServerRecord, RecordType as DnsServerType };
