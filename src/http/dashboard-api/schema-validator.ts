import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/schema';

/** One way in which a value does not match its schema, as TypeBox reports it. */
export interface SchemaFault {
  keyword: string;
  instancePath: string;
  message: string;
  params: object;
}

/**
 * Returns a function that lists the faults of a value by `schema`, or null if it matches. The first value
 * compiles the schema: if all of them were compiled before the service listens, each start would be later.
 */
export function createValidator(schema: TSchema): (value: unknown) => readonly SchemaFault[] | null {
  let compiled: Validator | undefined;
  return (value) => {
    compiled ??= Compile(schema);
    return compiled.Check(value) ? null : compiled.Errors(value)[1];
  };
}
