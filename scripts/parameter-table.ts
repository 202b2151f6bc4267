/** The tables of query parameters in the docs pages, generated from the schemas of the routes. */

interface Parameter {
  name: string;
  required?: boolean;
  description?: string;
  schema: {
    type?: string;
    default?: unknown;
    minimum?: number;
    maximum?: number;
    maxLength?: number;
    /** The values of a choice. */
    enum?: unknown[];
  };
}

interface OpenApi {
  paths: Record<string, Record<string, { operationId: string; parameters?: Parameter[] }>>;
}

/** The pages with a table, and the operation that it describes. */
export const PARAMETER_TABLES: readonly (readonly [page: string, operationId: string])[] = [
  ['docs/reference/email.md', 'validateEmail'],
  ['docs/reference/metadata.md', 'getMetadata'],
];

/** Replaces the table between the marks of a page. Throws if the page has no marks. */
export function replaceParameterTable(page: string, operationId: string, openApi: string): string {
  const open = `<!-- parameters of ${operationId}: \`npm run docs\` writes them from the schema of the route -->\n`;
  const close = '<!-- /parameters -->';
  const start = page.indexOf(open);
  const end = page.indexOf(close, start);
  if (start < 0 || end < 0) throw new Error(`the page has no place for the parameters of ${operationId}`);
  return page.slice(0, start + open.length) + formatTable(operationId, openApi) + page.slice(end);
}

function formatTable(operationId: string, openApi: string): string {
  const { paths } = JSON.parse(openApi) as OpenApi;
  const operation = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .find((candidate) => candidate.operationId === operationId);
  const rows = (operation?.parameters ?? []).map(
    ({ name, required, description = '', schema }) =>
      `| \`${name}\` | ${formatType(schema)} | ${required ? 'required' : formatDefault(schema)} | ${description} |\n`,
  );
  return `| parameter | type | default | meaning |\n|---|---|---|---|\n${rows.join('')}`;
}

function formatDefault({ default: value }: Parameter['schema']): string {
  return value === '' ? 'none' : `\`${String(value)}\``;
}

function formatType({
  type = 'any',
  minimum,
  maximum,
  maxLength,
  enum: choices,
}: Parameter['schema']): string {
  if (choices !== undefined) return choices.map((value) => `\`${String(value)}\``).join(', ');
  if (maxLength !== undefined) return `${type}, at most ${maxLength} characters`;
  return minimum === undefined || maximum === undefined ? type : `${type}, ${minimum} to ${maximum}`;
}
