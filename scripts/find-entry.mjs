/**
 * Prints the file that `npm start` runs: that of the built tree if there is a current one, else that of the
 * sources. Plain JavaScript for Node 20.
 */
import { fileURLToPath } from 'node:url';
import { inspectTree, TREE } from './setup/tree-key.mjs';

const state = inspectTree(fileURLToPath(new URL('../', import.meta.url)));
if (state === 'stale')
  console.error(
    `start: ${TREE}/ was built from other sources, so the sources run: "npm run build" builds it again.`,
  );
console.log(state === 'current' ? `${TREE}/src/main.ts` : 'src/main.ts');
