/** Formats a call as Python with the client of the service. */
import { type Call, PRINTED_MEMBERS } from './snippet-call.ts';

const METHODS = {
  validateEmail: ['validate_email', 'email'],
  getMetadata: ['get_metadata', 'url'],
  generatePdf: ['generate_pdf', 'html'],
} as const;

/** Formats the call as a program for Python. The client reads the key from its environment variable. */
export function formatPython(call: Call, baseUrl: string): string {
  const [method, name] = METHODS[call.operation];
  const { [name]: input, ...options } = call.members;
  const values = [formatLiteral(typeof input === 'string' ? input : '')];
  for (const [option, value] of Object.entries(options)) values.push(`${option}=${formatLiteral(value)}`);
  const args =
    values.length === 1 ? values.join() : `\n${values.map((value) => `        ${value},\n`).join('')}    `;
  const result = call.operation === 'generatePdf' ? 'pdf' : 'result';
  return `from utility_api import UtilityApi

with UtilityApi(base_url=${formatLiteral(baseUrl)}) as api:
    ${result} = api.${method}(${args})
${formatUse(call.operation)}`;
}

function formatUse(operation: Call['operation']): string {
  if (operation === 'generatePdf') {
    return `    pdf.save("document.pdf")
    print(pdf.pages, pdf.warnings)`;
  }
  const members = PRINTED_MEMBERS[operation].map((member) => `result["${member}"]`);
  return `    print(${members.join(', ')})`;
}

/** Formats a value of JSON. Python has the escapes of JSON. */
function formatLiteral(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(formatLiteral).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  if (value === null) return 'None';
  const members = Object.entries(value).map(
    ([name, each]) => `${JSON.stringify(name)}: ${formatLiteral(each)}`,
  );
  return `{${members.join(', ')}}`;
}
