/**
 * A service that renders one document and then waits to be killed: it tells the process ids of its browser.
 */
import { generate, openEngine, type LogLine } from './open-engine.ts';

const lines: LogLine[] = [];
const engine = await openEngine({}, lines);
await generate(engine, { html: '<p>x<script>1</script>' });
const ready = lines.find(({ message }) => message === 'the browser is ready');
process.stdout.write(`${JSON.stringify(ready?.fields)}\n`);
setInterval(() => {}, 1_000);
