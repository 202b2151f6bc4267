import { ApiError } from '#errors';
import { formatName } from '../query.ts';
import {
  type MetadataOptions,
  metadataOptions,
  type RequestOptions,
  toRequestOptions,
} from './metadata-query.ts';

/** The options of a batch. */
interface BatchOptions extends RequestOptions {
  isOrdered: boolean;
}

interface OptionSchema {
  type?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  enum?: readonly unknown[];
}

const ORDER: OptionSchema = { type: 'boolean', default: true };
const BATCH_OPTIONS: ReadonlyMap<string, OptionSchema> = new Map(
  Object.entries({ ...(metadataOptions as Record<string, OptionSchema>), order: ORDER }),
);

/** Parses the members of a batch besides `urls`. Throws ApiError `invalid_parameter`. */
export function parseBatchOptions(members: Readonly<Record<string, unknown>>): BatchOptions {
  for (const name of Object.keys(members)) {
    if (BATCH_OPTIONS.has(name)) continue;
    const known = ['urls', ...BATCH_OPTIONS.keys()].join(', ');
    const shown = formatName(name);
    throw invalid(shown, `There is no member ${shown} here: the members are ${known}.`);
  }
  const { order, ...options } = Object.fromEntries(
    [...BATCH_OPTIONS].map(([name, schema]) => [name, parseOption(name, schema, members[name])]),
  );
  return { ...toRequestOptions(options as MetadataOptions), isOrdered: order === true };
}

/** Checks one member by the schema of its option; null means absent. */
function parseOption(name: string, schema: OptionSchema, value: unknown): unknown {
  if (value === undefined || value === null) return schema.default;
  const { type, minimum = 0, maximum = 0, maxLength = 0, enum: choices } = schema;
  if (choices !== undefined) {
    // A choice may have the values true and false.
    const text = typeof value === 'boolean' ? String(value) : value;
    if (choices.includes(text)) return text;
    throw invalid(name, `${name} must be one of ${choices.join(', ')}.`);
  }
  if (type === 'boolean') {
    if (typeof value === 'boolean') return value;
    throw invalid(name, `${name} must be true or false.`);
  }
  if (type === 'integer') {
    if (Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum) return value;
    throw invalid(name, `${name} must be a whole number from ${minimum} to ${maximum}.`);
  }
  if (typeof value === 'string' && value.length <= maxLength) return value;
  throw invalid(name, `${name} must be text of at most ${maxLength} characters.`);
}

function invalid(param: string, message: string): ApiError {
  return new ApiError('invalid_parameter', message, { param });
}
