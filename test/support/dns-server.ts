import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server, type Socket as TcpSocket } from 'node:net';
import dnsPacket, { type Answer, type DecodedPacket, type RecordType } from 'dns-packet';
import { answerFromZones, type DnsZones } from './dns-zones.ts';

/** What was asked, and how. `nth` counts the questions for this name and type, from 1. */
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

/** One message to send back. The members below `authorities` are misbehaviour. */
export interface DnsReply {
  rcode?: string;
  /** Default: recursion available. */
  flags?: number;
  answers?: Answer[];
  authorities?: Answer[];
  additionals?: Answer[];
  delayMs?: number;
  /** No answer at all. Over TCP the connection stays open and silent. */
  drop?: boolean;
  /** Over UDP: the TC bit and empty sections. Over TCP: as if it were not there. */
  truncate?: boolean;
  wrongId?: boolean;
  /** Another name in the question section; `'none'` leaves the section out. */
  wrongQuestion?: string;
  /** From a UDP port that was not asked. */
  wrongPort?: boolean;
  /** Sent as they are instead of a message; `{id}` bytes 0 and 1 are set to the question's id unless `wrongId`. */
  malformed?: Uint8Array;
  /** Over TCP: closes the connection in the middle of the message. */
  cutShort?: boolean;
}

export interface DnsServerOptions {
  /** Names and what they hold. Unlisted names are NXDOMAIN; every top-level domain and every parent of a listed name exists. */
  zones?: DnsZones;
  /** Asked first; null leaves the question to `zones`. Several replies are sent in order. */
  answer?: (question: DnsQuestion) => DnsReply | DnsReply[] | null;
}

export interface DnsServer extends AsyncDisposable {
  host: string;
  port: number;
  /** Every question so far, in order. */
  questions: DnsQuestion[];
  /** How often a name (of a type) was asked. */
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

/** A real DNS server on 127.0.0.1, UDP and TCP on one free port, that answers what a test tells it and counts what it was asked. */
export async function startDnsServer(options: DnsServerOptions = {}): Promise<DnsServer> {
  const questions: DnsQuestion[] = [];
  const counts = new Map<string, number>();
  const timers = new Set<NodeJS.Timeout>();
  const connections = new Set<TcpSocket>();
  const { tcp, udp, port } = await bindBoth();
  const stranger = createSocket('udp4');
  stranger.bind(0, '127.0.0.1');
  await once(stranger, 'listening');

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
    const told = options.answer?.(question) ?? answerFromZones(options.zones ?? {}, question);
    return Array.isArray(told) ? told : [told];
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
      later(reply.delayMs, () => (reply.wrongPort ? stranger : udp).send(bytes, client.port, client.address));
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
    const closed = [once(udp, 'close'), once(stranger, 'close'), once(tcp, 'close')];
    udp.close();
    stranger.close();
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
