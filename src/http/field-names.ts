declare module 'fastify' {
  interface FastifyInstance {
    /** The names of the fields of all requests. */
    fieldNames: FieldNames;
  }
}

/** The names of parameters and members in the schemas of the routes. */
export class FieldNames {
  readonly #names = new Set<string>();

  add(schema: unknown): void {
    if (typeof schema !== 'object' || schema === null) return;
    for (const [key, value] of Object.entries(schema)) {
      if (key === 'properties') for (const name of Object.keys(value as object)) this.#names.add(name);
      // Members of a response are no fields of a request.
      if (key !== 'response') this.add(value);
    }
  }

  /** Returns a field such as `emails[3].address`; `unknown` if a part of it was made up by the client. */
  find(field: string | undefined): string | undefined {
    if (field === undefined) return undefined;
    const parts = field.split(/[.[\]]+/).filter((part) => part !== '' && !/^\d+$/.test(part));
    return parts.every((part) => this.#names.has(part)) ? field : 'unknown';
  }
}
