/**
 * Formats the module utility_api/types.py: the results, options and errors of the operations, from the
 * OpenAPI document.
 */
import {
  listOperations,
  type OpenApiDocument,
  type Operation,
  resolveReference,
} from './openapi-document.ts';
import { type Field, formatClass, PythonTypes, toPascalCase } from './python-types.ts';

/** Not options: the first argument of a method, and the order of a batch, which is that of its input. */
const NOT_OPTIONS = new Set(['email', 'emails', 'url', 'urls', 'html', 'order']);

const HEADER = `"""The results, options and errors of Utility API.

Generated from openapi.json by \`npm run docs\`. Do not edit.
"""

from typing import Dict, List, Literal, Optional, TypedDict, Union
`;

/** Returns the text of the module. */
export function formatPythonTypes(document: OpenApiDocument): string {
  const types = new PythonTypes(document);
  const operations = listOperations(document);
  for (const operation of operations) defineResults(types, document, operation);
  const options = operations.map((operation) => formatOptions(types, document, operation));
  return [HEADER, ...types.definitions(), ...options].join('\n\n');
}

/** Defines the classes of the JSON and of the lines that an operation responds with, and of its errors. */
function defineResults(types: PythonTypes, document: OpenApiDocument, operation: Operation): void {
  for (const [status, response] of Object.entries(operation.responses))
    for (const { schema = {} } of Object.values(resolveReference(document, response).content ?? {})) {
      const name = toPascalCase(operation.operationId) + (status === '200' ? 'Result' : 'Error');
      if (schema.$ref !== undefined || schema.properties) types.format(schema, name);
      if (schema.contentSchema) types.format(schema.contentSchema, `${name}Line`);
    }
}

/** Formats the class of the keyword arguments of an operation. None stands for an option that is not sent. */
function formatOptions(types: PythonTypes, document: OpenApiDocument, operation: Operation): string {
  const name = `${toPascalCase(operation.operationId)}Options`;
  const body = operation.requestBody?.content['application/json']?.schema ?? {};
  const members = types.fields(resolveReference(document, body), name);
  // A parameter for other bodies than JSON has the name of a member of JSON.
  const known = new Set(members.map((member) => member.name));
  const parameters = listParameters(types, document, operation, name).filter(
    (field) => !known.has(field.name),
  );
  const fields = [...members, ...parameters]
    .filter((field) => !NOT_OPTIONS.has(field.name))
    .map((field) => ({ ...field, isRequired: false, type: `Optional[${field.type}]` }));
  return formatClass(name, fields, `The keyword arguments of ${toSnakeCase(operation.operationId)}.`);
}

function listParameters(
  types: PythonTypes,
  document: OpenApiDocument,
  { parameters = [] }: Operation,
  owner: string,
): Field[] {
  return parameters
    .map((parameter) => resolveReference(document, parameter))
    .filter((parameter) => parameter.in === 'query')
    .map(({ name = '', schema = {}, description }) => ({
      name,
      type: types.format(schema, owner + toPascalCase(name)),
      isRequired: false,
      description: description ?? schema.description,
    }));
}

function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
