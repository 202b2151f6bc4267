/**
 * npm run bench -- email-authors <folder>: counts the domains of the authors of all git repositories below
 * the folder, and those that would be corrected, by the answer of DNS. It keeps and prints no addresses.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { getDomainFacts } from '../../src/email/domain/domain-facts.ts';
import { loadDomainLists, validateEmail } from '../../src/email/index.ts';
import { DNS_MODES } from './score-suggestions.ts';

const MAX_DEPTH = 3;
const DOMAIN = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/;

const [folder] = process.argv.slice(2);
if (folder === undefined || !existsSync(folder)) {
  console.log('skipped: name a folder of git repositories');
  process.exit();
}
const repositories = listRepositories(folder, 0);
const domains = new Set(repositories.flatMap(listAuthorDomains));
console.log(`${domains.size} domains of the authors of ${repositories.length} repositories`);

const lists = loadDomainLists();
for (const facts of DNS_MODES) {
  const corrected: string[] = [];
  for (const domain of domains) {
    const request = { email: `ann@${domain}`, checkMx: true, suggest: true, details: false };
    const { didYouMean } = await validateEmail(request, { lists, lookupMail: async () => facts });
    if (didYouMean !== null) corrected.push(`${domain} → ${didYouMean.slice('ann@'.length)}`);
  }
  console.log(`${facts.outcome}: ${corrected.length} corrected: ${corrected.join(', ')}`);
}

/** Lists the git directories below a folder, with a work tree or without. */
function listRepositories(path: string, depth: number): string[] {
  if (existsSync(join(path, 'HEAD')) && existsSync(join(path, 'objects'))) return [path];
  if (existsSync(join(path, '.git'))) return [join(path, '.git')];
  if (depth === MAX_DEPTH) return [];
  const folders = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.flatMap(({ name }) => listRepositories(join(path, name), depth + 1));
}

/** Lists the domains of authors that can be on the Internet, each once. */
function listAuthorDomains(gitFolder: string): string[] {
  let log = '';
  try {
    log = execFileSync('git', ['--git-dir', gitFolder, 'log', '--all', '--format=%ae'], {
      encoding: 'utf8',
      maxBuffer: 2 ** 30,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return [];
  }
  const names = log.split('\n').map((address) => address.slice(address.lastIndexOf('@') + 1).toLowerCase());
  return [...new Set(names)].filter((name) => {
    const { hasKnownTld, isSpecialUse } = getDomainFacts(name);
    return DOMAIN.test(name) && hasKnownTld && !isSpecialUse;
  });
}
