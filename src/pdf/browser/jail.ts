/** How the browser is started: the commands in front of it, and what they give. */
export interface Jail {
  /** The command line up to the browser's path. */
  prefix: string[];
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
  return jails.filter(({ network }) => options.useNetworkNamespace || network === 'flags');
}

const DROP = [
  'setpriv',
  `--reuid=${BROWSER_UID}`,
  `--regid=${BROWSER_UID}`,
  '--clear-groups',
  '--no-new-privs',
];
const TIE = ['--pdeathsig', 'KILL'];
const OWN_NETWORK = ['unshare', '--user', '--map-current-user', '--net', '--'];

function rootJails(sandbox: boolean): Jail[] {
  const user = { uid: BROWSER_UID, gid: BROWSER_UID };
  const jails: Jail[] = [
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

function userJails(sandbox: boolean): Jail[] {
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
