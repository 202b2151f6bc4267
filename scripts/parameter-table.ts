/**
 * The tables of options in the docs pages: query parameters from the schemas of the routes, the members of a
 * PDF request from their rows, whose defaults OpenAPI has in sentences only.
 */
import type { OptionTable } from '#options';
import { PDF_OPTIONS } from '#pdf/request';

interface Parameter {
  name: string;
  required?: boolean;
  description?: string;
  schema: {
    type?: string;
    default?: boolean | number | string;
    minimum?: number;
    maximum?: number;
    maxLength?: number;
    maxItems?: number;
    /** The values of a choice. */
    enum?: readonly unknown[];
    items?: { enum?: readonly unknown[] };
  };
}

interface OpenApi {
  paths: Record<string, Record<string, { operationId: string; parameters?: Parameter[] }>>;
}

/** The pages with a table, and the operation that it describes. */
export const PARAMETER_TABLES: readonly (readonly [page: string, operationId: string])[] = [
  ['docs/reference/email.md', 'validateEmail'],
  ['docs/reference/metadata.md', 'getMetadata'],
  ['docs/reference/pdf.md', 'generatePdf'],
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
  const isPdf = operationId === 'generatePdf';
  const parameters = isPdf ? listMembers(PDF_OPTIONS) : (operation?.parameters ?? []);
  const rows = parameters.map(
    ({ name, required, description = '', schema }) =>
      `| \`${name}\` | ${formatType(schema)} | ${required ? 'required' : formatDefault(schema)} | ${description.replaceAll('<', '\\<')} |\n`,
  );
  const kind = isPdf ? 'member' : 'parameter';
  return `| ${kind} | type | default | meaning |\n|---|---|---|---|\n${rows.join('')}`;
}

/** Lists the members of a body, each followed by its own members unless they are those of the body. */
function listMembers(table: OptionTable, prefix = ''): Parameter[] {
  return Object.entries(table).flatMap(([name, row]) => {
    const { required = false, description, members } = row;
    const member = { name: prefix + name, required, description, schema: row };
    const place = `${prefix}${name}${row.type === 'array' ? '[]' : ''}.`;
    return [member, ...(members && !members.isInherited ? listMembers(members.table, place) : [])];
  });
}

function formatDefault({ default: value }: Parameter['schema']): string {
  if (value === undefined) return '';
  return value === '' ? 'none' : `\`${value}\``;
}

function formatType(schema: Parameter['schema']): string {
  const { type = 'any', minimum, maximum, maxLength, maxItems, enum: choices, items } = schema;
  if (choices !== undefined) return formatChoices(choices);
  if (items?.enum !== undefined) return `array of ${formatChoices(items.enum)}`;
  if (maxLength !== undefined) return `${type}, at most ${maxLength} characters`;
  if (maxItems !== undefined) return `${type}, at most ${maxItems}`;
  return minimum === undefined || maximum === undefined ? type : `${type}, ${minimum} to ${maximum}`;
}

function formatChoices(choices: readonly unknown[]): string {
  return choices.map((value) => `\`${String(value)}\``).join(', ');
}
