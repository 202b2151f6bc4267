/** How the browser is started: the commands in front of it, and what they give. */
export interface Jail {
  /** The command line up to the browser's path. */
  prefix: string[];
  /**
   * Whether the prefix gives the browser a process group of its own, which one kill ends and Ctrl-C at a
   * terminal does not reach. Otherwise `detached` must, with a session of its own too.
   */
  hasOwnGroup: boolean;
  /** For child_process.spawn, where no command in front changes the user. */
  user: { uid: number; gid: number } | null;
  network: 'namespace' | 'flags';
  sandbox: boolean;
}

/** An id that belongs to nobody: not even other services that run as `nobody` can touch the browser, nor it them. */
export const BROWSER_UID = 65_533;

/**
 * The ways to start the browser, the safest first: an unprivileged user, its sandbox on, an empty network namespace, and the
 * kernel told to kill it when the service dies. A machine that refuses one fails within milliseconds, and the next is tried.
 */
export function listJails(options: {
  isRoot: boolean;
  requireSandbox: boolean;
  useNetworkNamespace: boolean;
}): Jail[] {
  const jails = [true, false]
    .filter((sandbox) => sandbox || !options.requireSandbox)
    .flatMap((sandbox) => (options.isRoot ? rootJails(sandbox) : userJails(sandbox)));
  return jails
    .filter(({ network }) => options.useNetworkNamespace || network === 'flags')
    .map((jail) => ({
      ...jail,
      prefix: [...BEHIND_THE_SERVICE, ...jail.prefix],
      hasOwnGroup: jail.prefix.includes('timeout'),
    }));
}

type JailCore = Omit<Jail, 'hasOwnGroup'>;

const DROP = [
  'setpriv',
  `--reuid=${BROWSER_UID}`,
  `--regid=${BROWSER_UID}`,
  '--clear-groups',
  '--no-new-privs',
];
/**
 * The kernel kills the browser when the service dies. In between is `timeout`, which never ends anything with
 * 0 seconds: it moves itself and the browser to a process group of their own, but not to a session of their
 * own, as `detached` would. The kernel shares the CPU among sessions (autogroup, sched(7)): beside documents
 * that keep the browser's session busy, the service's own session waits up to seconds for its turn.
 */
const TIE = ['--pdeathsig', 'KILL', '--', 'timeout', '0', 'setpriv', '--pdeathsig', 'KILL'];
/**
 * On a busy CPU, nice 5 gets a third of what nice 0 gets; on an idle one it makes no difference. Lower, other
 * load on the host starves renders.
 */
const BEHIND_THE_SERVICE = ['nice', '-n', '5'];
const OWN_NETWORK = ['unshare', '--user', '--map-current-user', '--net', '--'];

function rootJails(sandbox: boolean): JailCore[] {
  const user = { uid: BROWSER_UID, gid: BROWSER_UID };
  const jails: JailCore[] = [
    { prefix: ['unshare', '--net', '--', ...DROP, ...TIE, '--'], user: null, network: 'namespace', sandbox },
    {
      prefix: [...DROP, '--', ...OWN_NETWORK, 'setpriv', ...TIE, '--'],
      user: null,
      network: 'namespace',
      sandbox,
    },
    { prefix: [...DROP, ...TIE, '--'], user: null, network: 'flags', sandbox },
    { prefix: [], user, network: 'flags', sandbox },
  ];
  // Without the right to change users, root is the only one left; Chromium then refuses to run with its sandbox.
  if (!sandbox) {
    jails.push(
      {
        prefix: ['unshare', '--net', '--', 'setpriv', ...TIE, '--'],
        user: null,
        network: 'namespace',
        sandbox,
      },
      { prefix: [], user: null, network: 'flags', sandbox },
    );
  }
  return jails;
}

function userJails(sandbox: boolean): JailCore[] {
  return [
    {
      prefix: [...OWN_NETWORK, 'setpriv', '--no-new-privs', ...TIE, '--'],
      user: null,
      network: 'namespace',
      sandbox,
    },
    { prefix: ['setpriv', '--no-new-privs', ...TIE, '--'], user: null, network: 'flags', sandbox },
    { prefix: [], user: null, network: 'flags', sandbox },
  ];
}
