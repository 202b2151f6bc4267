/** Runs programs of the machine for the smoke test. */
import { spawnSync } from 'node:child_process';

/** Runs a command, shows its output as it comes, and throws if it fails. */
export function run(command: string, args: readonly string[], env: Record<string, string> = {}): void {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', env: { ...process.env, ...env } });
  if (status !== 0)
    throw new Error(`${command} ${args[0]} failed: ${error?.message ?? `exit code ${status}`}`);
}

/** Runs a command and returns its output, without the line break at its end. Throws if it fails. */
export function capture(command: string, args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status !== 0)
    throw new Error(
      `${command} ${args.join(' ')} failed: ${error?.message ?? (stderr.trim() || stdout.trim())}`,
    );
  return stdout.trimEnd();
}

/** Installs the Debian packages of programs that are missing: `program → package`. Throws without root. */
export function provide(programs: Readonly<Record<string, string>>): void {
  const missing = Object.entries(programs).filter(
    ([program]) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0,
  );
  if (missing.length === 0) return;
  const packages = missing.map(([, name]) => name);
  if (process.getuid?.() !== 0) throw new Error(`run this as root, or install ${packages.join(', ')}`);
  run('apt-get', ['install', '--yes', '--quiet', '--no-install-recommends', ...packages], {
    DEBIAN_FRONTEND: 'noninteractive',
  });
}
