/** The operations as the routes describe them, for the tests of the contributor's map. */
import { formatOpenApiDoc } from '../../scripts/generated-docs.ts';
import { expandReferences } from '../support/expand-references.ts';

export interface Schema {
  type?: string | string[];
  default?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
}

interface Route {
  operationId: string;
  parameters?: { name: string; required?: boolean; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema; examples?: object }> }>;
}

/** An operation as OpenAPI describes it. */
export interface DescribedOperation {
  id: string;
  /** The query parameters or the members of the body. */
  members: Record<string, Schema>;
  /** The names of those that it requires. */
  required: Set<string>;
  /** The members of the JSON result; none for a PDF. */
  result: Record<string, Schema>;
  /** The identifiers of its errors. */
  errors: Set<string>;
}

/** Returns the operations by their ids, described by the routes as they are now. */
export async function describeOperations(): Promise<Record<string, DescribedOperation>> {
  const { paths } = expandReferences(await formatOpenApiDoc()) as {
    paths: Record<string, Record<string, Route>>;
  };
  const routes = Object.values(paths).flatMap((methods) => Object.values(methods));
  return Object.fromEntries(routes.map((route) => [route.operationId, describe(route)]));
}

function describe({ operationId, parameters = [], requestBody, responses }: Route): DescribedOperation {
  const errors = Object.entries(responses).flatMap(([status, { content }]) =>
    status === '200' ? [] : Object.keys(content?.['application/json']?.examples ?? {}),
  );
  const body = requestBody?.content['application/json']?.schema;
  return {
    id: operationId,
    members: {
      ...Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
      ...body?.properties,
    },
    required: new Set([
      ...parameters.filter(({ required }) => required).map(({ name }) => name),
      ...(body?.required ?? []),
    ]),
    result: responses['200']?.content?.['application/json']?.schema.properties ?? {},
    errors: new Set(errors),
  };
}
