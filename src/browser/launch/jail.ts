/** One way to start the browser: the commands in front of it, and the protection they give. */
export interface Jail {
  /** The command line up to the browser's path. */
  prefix: string[];
  /**
   * True if the prefix gives the browser a process group of its own: one kill ends the group, and Ctrl-C at a
   * terminal does not reach it. If false, `detached` makes one, with a session of its own too.
   */
  hasOwnGroup: boolean;
  /** For child_process.spawn, if no command in front changes the user. */
  user: { uid: number; gid: number } | null;
  network: 'namespace' | 'flags';
  sandbox: boolean;
}

/**
 * A user id without an account. As `nobody`, the browser and other services that run as `nobody` could reach
 * each other.
 */
export const BROWSER_UID = 65_533;

/**
 * Lists the ways to start the browser, the safest first: an unprivileged user, the sandbox on, an empty
 * network namespace, killed by the kernel when the service dies. A way that the machine forbids fails within
 * milliseconds.
 */
export function listJails(options: {
  isRoot: boolean;
  requireSandbox: boolean;
  useNetworkNamespace: boolean;
}): Jail[] {
  return [true, false]
    .filter((sandbox) => sandbox || !options.requireSandbox)
    .flatMap((sandbox) => listWays(options.isRoot, sandbox).map((way): Jail => ({ ...way, sandbox })))
    .filter(({ network }) => options.useNetworkNamespace || network === 'flags');
}

const DROP_RIGHTS =
  `setpriv --reuid=${BROWSER_UID} --regid=${BROWSER_UID} --clear-groups --no-new-privs`.split(' ');
/**
 * The kernel kills the browser when the service dies. `timeout 0` never ends anything: it only moves itself
 * and the browser to a process group of their own. `detached` would also give them a session of their own,
 * and the kernel shares the CPU among sessions (autogroup, sched(7)): while documents keep the browser's
 * session busy, the service would wait for seconds.
 */
const DIE_WITH_SERVICE = '--pdeathsig KILL -- timeout 0 setpriv --pdeathsig KILL --'.split(' ');
/**
 * On a busy CPU, nice 5 gets a third of the time of nice 0; on an idle one it makes no difference. With a
 * higher value, other load on the host starves renders.
 */
const LOWER_PRIORITY = ['nice', '-n', '5'];
const OWN_NETWORK = ['unshare', '--user', '--map-current-user', '--net', '--'];
const ROOT_NETWORK = ['unshare', '--net', '--'];

type Way = Omit<Jail, 'sandbox'>;

function createWay(network: Way['network'], ...words: string[]): Way {
  const prefix = [...LOWER_PRIORITY, ...words];
  return { prefix, hasOwnGroup: words.length > 0, user: null, network };
}

function listWays(isRoot: boolean, sandbox: boolean): Way[] {
  if (!isRoot) {
    const keepUser = ['setpriv', '--no-new-privs', ...DIE_WITH_SERVICE];
    return [
      createWay('namespace', ...OWN_NETWORK, ...keepUser),
      createWay('flags', ...keepUser),
      createWay('flags'),
    ];
  }
  const unprivileged = [
    createWay('namespace', ...ROOT_NETWORK, ...DROP_RIGHTS, ...DIE_WITH_SERVICE),
    createWay('namespace', ...DROP_RIGHTS, '--', ...OWN_NETWORK, 'setpriv', ...DIE_WITH_SERVICE),
    createWay('flags', ...DROP_RIGHTS, ...DIE_WITH_SERVICE),
    { ...createWay('flags'), user: { uid: BROWSER_UID, gid: BROWSER_UID } },
  ];
  // Without the right to change users only root is left, and Chromium refuses to run as root with its
  // sandbox.
  const asRoot = [
    createWay('namespace', ...ROOT_NETWORK, 'setpriv', ...DIE_WITH_SERVICE),
    createWay('flags'),
  ];
  return sandbox ? unprivileged : [...unprivileged, ...asRoot];
}
