/** Sets the metadata of a PDF on standard input with one library. Prints how that ended. */
import { readFileSync } from 'node:fs';
import { openLibraries } from './libraries.ts';

const METADATA = { title: 'Title', language: 'en' };

const library = (await openLibraries()).find(({ name }) => name === process.argv[2]);
const pdf = readFileSync(0);
try {
  const changed = await library?.setMetadata(pdf, METADATA);
  console.log(`repaired ${changed?.length ?? 0}`);
} catch (error) {
  console.log(`refused ${error instanceof Error ? error.constructor.name : typeof error}`);
}
process.exit(0);
