/** The OpenAPI document with its references replaced, for tests of its examples. */
import { formatOpenApiDoc } from '../../scripts/generated-docs.ts';
import { expandReferences } from '../support/expand-references.ts';

export interface Example {
  summary?: string;
  value: unknown;
}

export interface MediaType {
  schema: { properties?: Record<string, object & { examples?: unknown[] }> };
  example?: unknown;
  examples?: Record<string, Example>;
}

export interface Header {
  schema: object;
  example?: unknown;
}

export interface Parameter {
  name: string;
  required?: boolean;
  schema: object;
  example?: unknown;
}

export interface OpenApiResponse {
  headers: Record<string, Header>;
  content: Record<string, MediaType>;
}

export interface DescribedOperation {
  path: string;
  method: string;
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, MediaType> };
  responses: Record<string, OpenApiResponse>;
}

/** Returns the operations as the document describes them, without references. */
export async function openDocument(): Promise<DescribedOperation[]> {
  const { paths } = expandReferences(await formatOpenApiDoc()) as {
    paths: Record<string, Record<string, DescribedOperation>>;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      path,
      method: method.toUpperCase(),
    })),
  );
}
