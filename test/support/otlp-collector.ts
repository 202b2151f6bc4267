/** A collector of OpenTelemetry that keeps the spans it receives (OTLP over HTTP, protobuf). */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentId: string;
  name: string;
  /** 2 is a server. */
  kind: number;
  attributes: Record<string, string | number>;
  /** 2 is an error. */
  status: number;
}

export interface Collector extends AsyncDisposable {
  url: string;
  spans: ReceivedSpan[];
  /** The attributes of the service. */
  resource: Record<string, string | number>;
  requests: { path: string; headers: IncomingMessage['headers'] }[];
  /** All bytes that were received, as latin1. */
  getText: () => string;
  /** Resolves when so many spans of a kind were received. */
  waitForServerSpans: (count: number) => Promise<void>;
}

export async function startCollector(): Promise<Collector> {
  const bodies: Buffer[] = [];
  let onBody = (): void => {};
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      bodies.push(body);
      collector.requests.push({ path: request.url ?? '', headers: request.headers });
      readExport(body, collector);
      response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
      onBody();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const collector: Collector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: [],
    resource: {},
    requests: [],
    getText: () => Buffer.concat(bodies).toString('latin1'),
    async waitForServerSpans(count) {
      while (collector.spans.filter(({ kind }) => kind === 2).length < count)
        await new Promise<void>((resolve) => (onBody = resolve));
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
  return collector;
}

type Fields = Map<number, (Buffer | number)[]>;

/** Reads the fields of a protobuf message: bytes and numbers by field number. */
function readFields(bytes: Buffer): Fields {
  const fields: Fields = new Map();
  let at = 0;
  const readVarint = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const tag = readVarint();
    const type = tag & 7;
    let value: Buffer | number;
    if (type === 0) value = readVarint();
    else {
      const length = type === 2 ? readVarint() : type === 1 ? 8 : 4;
      value = bytes.subarray(at, at + length);
      at += length;
    }
    const list = fields.get(tag >> 3) ?? [];
    fields.set(tag >> 3, [...list, value]);
  }
  return fields;
}

const list = (fields: Fields, number: number): Fields[] =>
  (fields.get(number) ?? []).map((value) => readFields(value as Buffer));

function readText(fields: Fields | undefined, number: number, encoding: 'utf8' | 'hex' = 'utf8'): string {
  return ((fields?.get(number)?.[0] as Buffer | undefined) ?? Buffer.alloc(0)).toString(encoding);
}

function readAttributes(fields: Fields, number: number): Record<string, string | number> {
  return Object.fromEntries(
    list(fields, number).map((pair) => {
      const [value] = list(pair, 2);
      return [readText(pair, 1), (value?.get(3)?.[0] as number | undefined) ?? readText(value, 1)];
    }),
  );
}

/** https://github.com/open-telemetry/opentelemetry-proto, trace.proto */
function readExport(body: Buffer, collector: Collector): void {
  for (const resourceSpans of list(readFields(body), 1)) {
    for (const resource of list(resourceSpans, 1)) collector.resource = readAttributes(resource, 1);
    for (const span of list(resourceSpans, 2).flatMap((scope) => list(scope, 2)))
      collector.spans.push({
        traceId: readText(span, 1, 'hex'),
        spanId: readText(span, 2, 'hex'),
        parentId: readText(span, 4, 'hex'),
        name: readText(span, 5),
        kind: (span.get(6)?.[0] as number | undefined) ?? 0,
        attributes: readAttributes(span, 9),
        status: (list(span, 15)[0]?.get(3)?.[0] as number | undefined) ?? 0,
      });
  }
}
