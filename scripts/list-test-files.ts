/** Prints the files that `npm test` starts, for its command line. */
import { listTestFiles } from '../test/support/test-groups.ts';

console.log(listTestFiles().join('\n'));
