/** Formats a call as TypeScript with the client of the service. */
import { type Call, PRINTED_MEMBERS, KEY_VARIABLE } from './snippet-call.ts';

/** Formats the call as a program for Node. It prints the members that matter. */
export function formatTypeScript(call: Call, baseUrl: string): string {
  const start = `import { UtilityApi } from 'utility-api-client';

const api = new UtilityApi({
  apiKey: process.env.${KEY_VARIABLE},
  baseUrl: ${quote(baseUrl)},
});
`;
  if (call.operation === 'generatePdf') {
    return `import { writeFile } from 'node:fs/promises';
${start}const pdf = await api.generatePdf(${formatObject(call.members)});
await writeFile('document.pdf', pdf.stream);
console.log(pdf.pages, pdf.warnings);`;
  }
  const name = call.operation === 'validateEmail' ? 'email' : 'url';
  const members = PRINTED_MEMBERS[call.operation].join(', ');
  const { [name]: input, ...options } = call.members;
  const more = Object.keys(options).length === 0 ? '' : `, ${formatObject(options)}`;
  return `${start}const { ${members} } = await api.${call.operation}(${quote(typeof input === 'string' ? input : '')}${more});
console.log(${members});`;
}

function quote(text: string): string {
  return `'${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`)}'`;
}

function formatObject(members: Record<string, unknown>): string {
  const lines = Object.entries(members).map(
    ([name, value]) => `  ${name}: ${typeof value === 'string' ? quote(value) : JSON.stringify(value)},`,
  );
  return `{\n${lines.join('\n')}\n}`;
}
