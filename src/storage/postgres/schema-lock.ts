/** The lock of the schema: an arbitrary number, and the same in every release. */
export const SCHEMA_LOCK = 7_406_381_024;
