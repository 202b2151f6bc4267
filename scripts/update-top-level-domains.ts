/**
 * Rewrites the list of top-level domains from IANA's, and prints the changes. An argument names another
 * source: a URL, or a file for a machine without the Internet.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { formatTopLevelDomains, loadTopLevelDomains, parseTopLevelDomains } from './top-level-domains.ts';

const SOURCE = 'https://data.iana.org/TLD/tlds-alpha-by-domain.txt';
const file = new URL('../src/email/domain/top-level-domains.txt', import.meta.url);

const before = parseTopLevelDomains(readFileSync(file, 'utf8'));
const after = await loadTopLevelDomains(process.argv[2] ?? SOURCE);
const added = after.names.filter((name) => !before.names.includes(name));
const removed = before.names.filter((name) => !after.names.includes(name));
writeFileSync(file, formatTopLevelDomains(after));
console.log(`Version ${before.version} → ${after.version}: ${after.names.length} top-level domains`);
console.log(`added: ${added.join(' ') || 'none'}; removed: ${removed.join(' ') || 'none'}`);
