/** Formats JSON Schemas as TypeScript types, with their descriptions as doc comments. */

/** The keywords of JSON Schema that openapi.json uses. */
export interface JsonSchema {
  $ref?: string;
  type?: string | readonly string[];
  properties?: Readonly<Record<string, JsonSchema>>;
  required?: readonly string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  anyOf?: readonly JsonSchema[];
  oneOf?: readonly JsonSchema[];
  allOf?: readonly JsonSchema[];
  enum?: readonly (string | number | boolean | null)[];
  const?: string | number | boolean | null;
  /** The known values of a text to which others may be added. */
  'x-extensible-enum'?: readonly string[];
  /** Another type that the service accepts. */
  'x-accepts'?: string;
  description?: string;
  default?: unknown;
}

const SCALARS: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};
const MAX_COMMENT_LINE = 100;

/** Formats a schema as a type. Throws if it has a keyword that has no type. */
export function formatSchema(schema: JsonSchema): string {
  const { 'x-accepts': other, ...main } = schema;
  if (other !== undefined) return `${formatSchema(main)} | ${formatType(other, {})}`;
  if (schema.$ref !== undefined) return parseReference(schema.$ref);
  const { anyOf = schema.oneOf, allOf } = schema;
  if (anyOf) return anyOf.map((option) => `(${formatSchema(option)})`).join(' | ');
  if (allOf) return allOf.map((part) => `(${formatSchema(part)})`).join(' & ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const known = schema['x-extensible-enum'];
  // With `string & {}`, editors still list the known values.
  if (known) return `${known.map((value) => JSON.stringify(value)).join(' | ')} | (string & {})`;
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  if (types.length === 0) return 'unknown';
  return types.map((type) => formatType(type, schema)).join(' | ');
}

function formatType(type: string, schema: JsonSchema): string {
  if (type === 'object') return formatObject(schema);
  if (type === 'array') return `(${formatSchema(schema.items ?? {})})[]`;
  const scalar = SCALARS[type];
  if (scalar === undefined) throw new Error(`no TypeScript type for ${JSON.stringify(schema)}`);
  return scalar;
}

/** Formats the members of an object. An object without members has any: Record<string, …>. */
export function formatObject({ properties = {}, required = [], additionalProperties }: JsonSchema): string {
  const members = Object.entries(properties).map(([name, member]) =>
    formatMember(name, member, required.includes(name)),
  );
  if (members.length > 0) return `{\n${members.join('')}}`;
  const value = typeof additionalProperties === 'object' ? formatSchema(additionalProperties) : 'unknown';
  return additionalProperties === false ? 'Record<string, never>' : `Record<string, ${value}>`;
}

function formatMember(name: string, schema: JsonSchema, isRequired: boolean): string {
  const key = /^[\w$]+$/.test(name) ? name : JSON.stringify(name);
  const given =
    isRequired || schema.default === undefined ? '' : ` Default: ${JSON.stringify(schema.default)}.`;
  const comment = formatComment(`${schema.description ?? ''}${given}`, '  ');
  // With exactOptionalPropertyTypes too, undefined means that the member is left out.
  return `${comment}  ${key}${isRequired ? '' : '?'}: ${formatSchema(schema)}${isRequired ? '' : ' | undefined'};\n`;
}

/** Formats a doc comment; '' without a text. */
export function formatComment(text: string, indent = ''): string {
  const plain = text.replaceAll('*/', '*\\/').replaceAll(/\s+/g, ' ').trim();
  if (plain === '') return '';
  const lines = wrap(plain);
  if (lines.length === 1) return `${indent}/** ${plain} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`;
}

function wrap(text: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > MAX_COMMENT_LINE) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** Returns the name of the component that a reference names. */
export function parseReference(reference: string): string {
  const [, name] = /^#\/components\/schemas\/(\w+)$/.exec(reference) ?? [];
  if (name === undefined) throw new Error(`not a reference to a component schema: ${reference}`);
  return name;
}
