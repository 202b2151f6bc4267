/**
 * Runs in a network namespace of its own (`unshare --net`), in which every address there is leads to this
 * machine: renders the documents of each run from standard input, one run after the other, and prints how
 * many packets were sent meanwhile.
 */
import { execFileSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { createWithSlot, generate, NOT_SERVED, openEngine } from './open-engine.ts';
import { readPdf } from './read-pdf.ts';

export interface NamespaceInput {
  useNetworkNamespace: boolean;
  bodies: Record<string, unknown>[];
}

export interface NamespaceOutput {
  network: 'namespace' | 'flags';
  sandbox: boolean;
  /** Packets that a connection and a datagram of the test's own sent: the proof that packets are seen. */
  controlPackets: number;
  packets: number;
  /** The text of each PDF, or the code of its error, and the URLs that it requested. */
  results: { text?: string; error?: string }[];
  requested: string[];
}

function readPackets(): number {
  const lines = readFileSync('/proc/self/net/dev', 'utf8').split('\n').slice(2);
  return lines.reduce((sum, line) => sum + Number(line.split(':')[1]?.trim().split(/\s+/)[9] ?? 0), 0);
}

async function sendControl(): Promise<void> {
  await new Promise<void>((resolve) => connect({ host: '10.0.0.5', port: 80 }).on('error', () => resolve()));
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.send('x', 3478, '1.1.1.1', () => resolve()));
  socket.close();
}

async function main(): Promise<NamespaceOutput[]> {
  const inputs = JSON.parse(readFileSync(0, 'utf8')) as NamespaceInput[];
  execFileSync('ip', ['link', 'set', 'lo', 'up']);
  execFileSync('ip', ['route', 'add', 'local', '0.0.0.0/0', 'dev', 'lo']);
  execFileSync('ip', ['-6', 'route', 'add', 'local', '::/0', 'dev', 'lo']);
  await sendControl();
  const controlPackets = readPackets();
  const outputs: NamespaceOutput[] = [];
  for (const input of inputs) outputs.push({ ...(await render(input)), controlPackets });
  return outputs;
}

async function render(input: NamespaceInput): Promise<Omit<NamespaceOutput, 'controlPackets'>> {
  const requested: string[] = [];
  const engine = await openEngine({
    useNetworkNamespace: input.useNetworkNamespace,
    openResourceFetcher: () => (request) => (requested.push(request.url), Promise.resolve(NOT_SERVED)),
    withSlot: createWithSlot(2, Infinity),
  });
  const { network, sandbox } = engine.status();
  const before = readPackets();
  const results = await Promise.all(
    input.bodies.map(async (body) => {
      try {
        const { pdf } = await generate(engine, body);
        return { text: (await readPdf(pdf)).pages.map(({ text }) => text).join('\n') };
      } catch (error) {
        return { error: (error as { code?: string }).code ?? 'unknown' };
      }
    }),
  );
  await engine.close();
  return { network, sandbox, packets: readPackets() - before, results, requested };
}

process.stdout.write(JSON.stringify(await main()));
