/**
 * A service that renders one document, prints the process id of its browser, and waits to be killed.
 */
import { generate, openEngine, type LogLine } from './open-engine.ts';

const lines: LogLine[] = [];
const engine = await openEngine({}, lines);
await generate(engine, { html: '<p>x<script>1</script>' });
const ready = lines.find(({ message }) => message === 'the browser is ready');
process.stdout.write(`${JSON.stringify(ready?.fields)}\n`);
setInterval(() => {}, 1_000);
