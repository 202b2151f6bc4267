/**
 * The routes under /account by their schemas: bodies and responses are typed and checked by them, and the
 * dashboard's types are generated from them.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, FastifyTypeProvider, RawServerDefault } from 'fastify';
import { type Static, type TObject, type TSchema, Type } from 'typebox';
import { createBodyCheck, createValidator } from './parse-input.ts';

/** Derives the types of requests and responses from the schemas of the route. */
interface SchemaTypes extends FastifyTypeProvider {
  validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown;
  serializer: this['schema'] extends TSchema ? Static<this['schema']> : unknown;
}

/** The scope in which the routes under /account are registered. */
export type AccountScope = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  SchemaTypes
>;

/** The schema of a 204 response. */
export const NO_CONTENT = Type.Void();

/** Makes a scope check bodies and responses by the schemas of its routes. */
export function createAccountScope(scope: FastifyInstance): AccountScope {
  scope.setValidatorCompiler<TSchema>(({ schema, httpPart }) => {
    // The router has matched the parameters of the path.
    if (httpPart !== 'body') return () => true;
    const checkBody = createBodyCheck(schema as TObject);
    return (body: unknown) => {
      const error = checkBody(body);
      return error ? { error } : { value: body };
    };
  });
  scope.setSerializerCompiler<TSchema>(({ schema, method, url }) => {
    const validate = createValidator(schema);
    return (payload: unknown) => {
      const faults = validate(payload);
      if (faults === null) return JSON.stringify(payload);
      const list = faults.map(({ instancePath, message }) => `${instancePath} ${message}`).join('; ');
      throw new Error(`The response of ${method} ${url} does not match its schema: ${list}`);
    };
  });
  return scope.withTypeProvider<SchemaTypes>();
}
