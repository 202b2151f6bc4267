/** The OpenAPI 3.1 document, generated from the schemas of the routes. */
import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { shareComponents } from './openapi-components.ts';

const DESCRIPTION = `Email validation, URL metadata and HTML to PDF.

Every request has its API key in the \`x-api-key\` header. A key belongs on a server, never in client-side code.
Every response under /v1 has \`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`, and the same figures as \`RateLimit\` and \`RateLimit-Policy\`; a 429 also \`Retry-After\`.
Errors are JSON: \`{"error": "<identifier>", "message": "<sentence>", "request_id": "<id>"}\`, with \`param\` if one field is at fault; as \`application/problem+json\` (RFC 9457) if \`Accept\` prefers it.`;

/** The operations that the document may describe, and the version of the service. */
type Served = Readonly<Partial<Record<'validateEmail' | 'getMetadata' | 'generatePdf', unknown>>> & {
  version: string;
};

/** Collects the schemas of the routes that are registered after it: those of the served operations. */
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
