/** The command line for operators, as messages name it. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** In a built tree (`npm run build`), a script beside the sources. */
const SCRIPT = fileURLToPath(new URL('../bin/admin', import.meta.url));

/** Returns the command: that of the built tree, if this is one, else that of a checkout. */
export function getAdminCommand(): string {
  return existsSync(SCRIPT) ? SCRIPT : 'npm run --silent admin --';
}
