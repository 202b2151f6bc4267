/** Adds Scalar's browser script to the build: `import url from 'virtual:scalar'` imports its hashed URL. */
import scalar from '@scalar/fastify-api-reference';
import type { Plugin } from 'vite';

const NAME = 'virtual:scalar';
const RESOLVED = `\0${NAME}`;

const DEVELOPMENT_PATH = '/scalar.js';

/** Returns the Vite plugin. */
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
        response.end(extractScalarScript());
      });
    },
    resolveId: (id) => (id === NAME ? RESOLVED : null),
    load(id) {
      if (id !== RESOLVED) return null;
      if (!isBuild) return `export default ${JSON.stringify(DEVELOPMENT_PATH)};`;
      const reference = this.emitFile({ type: 'asset', name: 'scalar.js', source: extractScalarScript() });
      return `export default import.meta.ROLLUP_FILE_URL_${reference};`;
    },
  };
}

// The package exports the script only through its route, so it is registered with a minimal server.
function extractScalarScript(): string {
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
    throw new Error('@scalar/fastify-api-reference no longer serves its script at scalar.js.');
  return script;
}
