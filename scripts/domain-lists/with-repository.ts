import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Fetches a commit of a repository with plain git, alone or with all commits before it, and returns the
 * result of `use`, which gets the path of the bare clone. The clone is deleted afterwards.
 */
export async function withRepository<T>(
  repository: string,
  commit: string,
  depth: 'commit' | 'history',
  use: (clone: string) => T | Promise<T>,
): Promise<T> {
  const clone = mkdtempSync(join(tmpdir(), 'domain-lists-'));
  try {
    execFileSync('git', ['init', '--quiet', '--bare', clone]);
    const only = depth === 'commit' ? ['--depth', '1'] : [];
    execFileSync('git', ['-C', clone, 'fetch', '--quiet', ...only, repository, commit]);
    return await use(clone);
  } finally {
    rmSync(clone, { recursive: true, force: true });
  }
}
