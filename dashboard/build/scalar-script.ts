/** Makes Scalar's browser script a file of the build: `import url from 'virtual:scalar'` answers its hashed address. */
import scalar from '@scalar/fastify-api-reference';
import type { Plugin } from 'vite';

const NAME = 'virtual:scalar';
const RESOLVED = `\0${NAME}`;

const DEVELOPMENT_PATH = '/scalar.js';

/** The Vite plugin. */
export function scalarScript(): Plugin {
  let isBuild = false;
  return {
    name: 'scalar-script',
    configResolved: (config) => {
      isBuild = config.command === 'build';
    },
    configureServer: (server) => {
      server.middlewares.use(DEVELOPMENT_PATH, (_, response) => {
        response.setHeader('content-type', 'text/javascript; charset=utf-8');
        response.end(readScalarScript());
      });
    },
    resolveId: (id) => (id === NAME ? RESOLVED : null),
    load(id) {
      if (id !== RESOLVED) return null;
      if (!isBuild) return `export default ${JSON.stringify(DEVELOPMENT_PATH)};`;
      const reference = this.emitFile({ type: 'asset', name: 'scalar.js', source: readScalarScript() });
      return `export default import.meta.ROLLUP_FILE_URL_${reference};`;
    },
  };
}

// The package keeps the script in a string that only its route gives away: register it with a stand-in that keeps the route.
function readScalarScript(): string {
  const handlers: ((request: unknown, reply: unknown) => unknown)[] = [];
  const server = {
    hasPlugin: () => false,
    initialConfig: {},
    route: (route: { url: string; handler: (typeof handlers)[number] }) => {
      if (route.url.endsWith('scalar.js')) handlers.push(route.handler);
    },
  };
  (scalar as unknown as (server: unknown, options: unknown, done: () => void) => void)(
    server,
    { configuration: { url: '/openapi.json' } },
    () => {},
  );
  const reply = { header: () => reply, send: (body: string) => body };
  const script = handlers[0]?.({}, reply);
  if (typeof script !== 'string')
    throw new Error('@scalar/fastify-api-reference no longer holds its script where it was.');
  return script;
}
