import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * A network namespace that routes every address to this machine, so that listeners here receive all traffic
 * and the kernel counts it. Requires Linux with user namespaces and iproute2; tests that need it are skipped
 * without them.
 */
const MARK = 'IN_SMALL_INTERNET';
const ENTER = ['--user', '--map-root-user', '--net', 'sh', '-c'];
const ROUTES = [
  'ip link set lo up',
  'ip route add local 0.0.0.0/0 dev lo',
  'ip -6 route add local ::/0 dev lo',
  // An unreachable host.
  'ip route add unreachable 93.184.215.99/32 table local',
  // A host that drops all packets, if the kernel supports veth.
  '{ ip link add hole type veth peer name pit && ip link set hole up && ip link set pit up' +
    ' && ip route add unicast 93.184.215.98/32 dev hole table local' +
    ' && ip neigh add 93.184.215.98 lladdr 02:00:00:00:00:01 dev hole || true; }',
].join(' && ');

/** True if this process runs in a small internet. */
export const isInSmallInternet = process.env[MARK] === '1';

/** Returns the reason why this machine cannot create a small internet, or false if it can. */
export function findSmallInternetObstacle(): string | false {
  if (process.platform !== 'linux') return 'needs Linux';
  const tried = spawnSync('unshare', [...ENTER, ROUTES], { encoding: 'utf8' });
  return tried.status === 0 ? false : 'needs unshare(1) with user namespaces, and ip(8)';
}

/** Runs a test file in a small internet; rejects with its output if a test fails. */
export function runInSmallInternet(file: string): Promise<void> {
  const environment: NodeJS.ProcessEnv = { ...process.env, [MARK]: '1' };
  delete environment.NODE_TEST_CONTEXT;
  const script = `${ROUTES} && exec "$@"`;
  const child = spawn('unshare', [...ENTER, script, 'sh', process.execPath, '--test-reporter=spec', file], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`inside the small internet:\n${output.slice(-20_000)}`));
    });
  });
}

/** True if 93.184.215.98 drops packets. */
export function hasSwallowingHost(): boolean {
  return readFileSync('/proc/self/net/dev', 'utf8').includes('hole:');
}

/** Returns the numbers of TCP connects and sent UDP datagrams since the namespace was created. */
export function readKernelCounters(): { tcpConnects: number; udpSent: number } {
  const rows = readFileSync('/proc/self/net/snmp', 'utf8').split('\n');
  const read = (protocol: string, field: string) => {
    const [names, values] = rows
      .filter((row) => row.startsWith(`${protocol}: `))
      .map((row) => row.split(' '));
    return Number(values?.[names?.indexOf(field) ?? -1]);
  };
  const rows6 = readFileSync('/proc/self/net/snmp6', 'utf8');
  const udp6 = Number(/^Udp6OutDatagrams\s+(\d+)/m.exec(rows6)?.[1]);
  return { tcpConnects: read('Tcp', 'ActiveOpens'), udpSent: read('Udp', 'OutDatagrams') + udp6 };
}
