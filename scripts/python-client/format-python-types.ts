/**
 * Formats the module utility_api/types.py: the results, options and error codes of the operations, from the
 * OpenAPI document.
 */
import {
  listOperations,
  type OpenApiDocument,
  type Operation,
  resolveReference,
  type Schema,
} from './openapi-document.ts';
import { type Field, formatClass, PythonTypes, toPascalCase } from './python-types.ts';

/** The parameters and members that a method takes as an argument of its own. */
const SUBJECTS = new Set(['email', 'emails', 'url', 'urls', 'html', 'order']);

const HEADER = `"""The results, options and error codes of Utility API.

Generated from openapi.json by \`npm run docs\`. Do not edit.
"""

from typing import List, Literal, Optional, TypedDict, Union
`;

/** Returns the text of the module. */
export function formatPythonTypes(document: OpenApiDocument): string {
  const types = new PythonTypes(document);
  const operations = listOperations(document);
  for (const operation of operations) defineResults(types, document, operation);
  const options = operations.map((operation) => formatOptions(types, document, operation));
  return [HEADER, ...types.classes(), ...options, formatErrorCodes(document)].join('\n\n');
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
  const fields = [...members, ...listParameters(types, document, operation, name)]
    .filter((field) => !SUBJECTS.has(field.name))
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

/** Formats the type of the identifiers that the errors of all operations can have. */
function formatErrorCodes(document: OpenApiDocument): string {
  const codes = new Set(
    listOperations(document).flatMap(({ responses }) => Object.values(responses).flatMap(listCodes)),
  );
  const lines = [...codes].toSorted().map((code) => `    ${JSON.stringify(code)},\n`);
  return `ErrorCode = Literal[\n${lines.join('')}]\n"""The identifiers of errors. The service may add others later."""\n`;

  function listCodes(response: Operation['responses'][string]): string[] {
    const media = resolveReference(document, response).content ?? {};
    return Object.values(media).flatMap(({ schema = {} }) => {
      const { error = {} } = resolveReference<Schema>(document, schema).properties ?? {};
      const { enum: values = [] } = resolveReference<Schema>(document, error);
      return values.filter((value) => typeof value === 'string');
    });
  }
}

function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
