/** The OpenAPI 3.1 document, generated from the schemas of the routes. */
import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';

const DESCRIPTION = `Email validation, URL metadata and HTML to PDF.

Every request has its API key in the \`x-api-key\` header. A key belongs on a server, never in client-side code.
Every response under /v1 has \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`, and the same figures as \`RateLimit\` and \`RateLimit-Policy\`; a 429 also \`Retry-After\`.
Errors are JSON: \`{"error": "<identifier>", "message": "<sentence>", "request_id": "<id>"}\`, with \`param\` if one field is at fault; as \`application/problem+json\` (RFC 9457) if \`Accept\` prefers it.`;

/** The operations that the document may describe, and the version of the service. */
type Served = Readonly<Partial<Record<'validateEmail' | 'getMetadata' | 'generatePdf', unknown>>> & {
  version: string;
};

/** Collects the schemas of the routes that are registered after it, which are the served operations. */
export async function registerOpenApi(app: FastifyInstance, served: Served): Promise<void> {
  const tags = [
    ...(served.validateEmail
      ? [{ name: 'email', 'x-displayName': 'Email', description: 'Email validation' }]
      : []),
    ...(served.getMetadata
      ? [{ name: 'metadata', 'x-displayName': 'Metadata', description: 'URL metadata' }]
      : []),
    ...(served.generatePdf ? [{ name: 'pdf', 'x-displayName': 'PDF', description: 'HTML to PDF' }] : []),
  ];
  await app.register(swagger, {
    transformObject: (document) =>
      shareComponents('openapiObject' in document ? document.openapiObject : document.swaggerObject),
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Utility API',
        version: served.version,
        description: DESCRIPTION,
        contact: { name: 'The operator of this server' },
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/', description: 'This server' }],
      tags,
      security: [{ apiKey: [] }],
      components: {
        securitySchemes: {
          apiKey: {
            type: 'apiKey',
            in: 'header',
            name: 'x-api-key',
            description: 'An API key of your account.',
          },
        },
      },
    },
  });
}

/** Keeps the routes that are registered after it in `scope` out of the document. */
export function hideRoutes(scope: FastifyInstance): void {
  scope.addHook('onRoute', (route) => {
    route.schema = { ...route.schema, hide: true };
  });
}

/** Adds GET /openapi.json. */
export function routeOpenApi(app: FastifyInstance): void {
  let document: string | undefined;
  app.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    document ??= JSON.stringify(app.swagger());
    return reply.type('application/json; charset=utf-8').send(document);
  });
}

/**
 * Moves what the operations of an OpenAPI document repeat into its components: schemas that have a title,
 * and headers and error responses that are equal.
 */
type Json = Record<string, unknown>;

interface Header {
  $ref?: string;
  schema?: { examples?: unknown[] };
}

interface Response {
  $ref?: string;
  headers?: Record<string, Header>;
  content?: Record<string, { schema?: { $ref?: string }; examples?: Json }>;
}

interface Operation {
  responses: Record<string, Response>;
}

/** Returns `document` with its components. Throws if two schemas or headers that differ have one name. */
export function shareComponents<T extends object>(document: T): T {
  const { paths: inline, components } = document as { paths?: Json; components?: Json };
  const schemas: Json = {};
  const paths = nameSchemas(inline, schemas) as Record<string, Record<string, Operation>>;
  const headers: Json = {};
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  for (const { responses } of operations)
    for (const response of Object.values(responses)) shareHeaders(response, headers);
  const responses = shareErrors(operations);
  return {
    ...document,
    paths,
    components: { ...components, schemas: sortByName(schemas), headers, responses },
  };
}

/** Replaces each schema with a title, at any depth, by a reference to its component. */
function nameSchemas(value: unknown, schemas: Json): unknown {
  if (Array.isArray(value)) return value.map((item) => nameSchemas(item, schemas));
  if (typeof value !== 'object' || value === null) return value;
  const { title, ...members } = value as Json;
  const named = Object.fromEntries(
    Object.entries(members).map(([name, member]) => [
      name,
      name === 'example' || name === 'examples' ? member : nameSchemas(member, schemas),
    ]),
  );
  // A member whose name is title has a schema, not a text.
  if (typeof title !== 'string')
    return title === undefined ? named : { title: nameSchemas(title, schemas), ...named };
  const reference = { $ref: `#/components/schemas/${title}` };
  // Generators lose that an object may be null if its own schema says so: the reference says it.
  const mayBeNull = isEqual(named['type'], ['object', 'null']);
  addComponent(schemas, title, mayBeNull ? { ...named, type: 'object' } : named);
  return mayBeNull ? { description: named['description'], anyOf: [reference, { type: 'null' }] } : reference;
}

function shareHeaders({ headers: own = {} }: Response, headers: Json): void {
  for (const [name, { schema, ...header }] of Object.entries(own)) {
    const { examples: [example] = [], ...type } = schema ?? {};
    addComponent(headers, name, { ...header, schema: type, example });
    own[name] = { $ref: `#/components/headers/${name}` };
  }
}

/** Shares the error responses that are equal in all operations which have them. */
function shareErrors(operations: Operation[]): Json {
  const all = operations.flatMap(({ responses }) =>
    Object.entries(responses).flatMap(([status, response]) => {
      const name = nameErrors(response);
      return name === null
        ? []
        : [{ name, response, share: (ref: { $ref: string }) => (responses[status] = ref) }];
    }),
  );
  const shared: Json = {};
  for (const [name, uses] of Map.groupBy(all, (use) => use.name)) {
    const [first, ...others] = uses;
    const areEqual = others.every(({ response }) => isEqual(response, first?.response));
    if (others.length === 0 || !areEqual) continue;
    shared[name] = first?.response;
    for (const { share } of uses) share({ $ref: `#/components/responses/${name}` });
  }
  return shared;
}

/** Returns a name of an error response by the identifiers of its examples; null for other responses. */
function nameErrors({ content = {} }: Response): string | null {
  const { schema, examples = {} } = content['application/json'] ?? {};
  if (schema?.$ref !== '#/components/schemas/Error') return null;
  const names = Object.keys(examples).map((code) =>
    code.replace(/(?:^|_)(.)/g, (_, first: string) => first.toUpperCase()),
  );
  return names.join('Or');
}

function addComponent(components: Json, name: string, component: unknown): void {
  if (Object.hasOwn(components, name) && !isEqual(components[name], component))
    throw new Error(`Two components of the OpenAPI document that differ have the name ${name}.`);
  components[name] = component;
}

function sortByName(components: Json): Json {
  return Object.fromEntries(Object.entries(components).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** True if two parts of a document are equal: equal schemas are written with their members in one order. */
function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
