/** Formats a call as TypeScript with the client of the service. */
import { type Call, KEY_VARIABLE } from './snippets.ts';

/** Formats the call as a program for Node. The members of a result that matter are named. */
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
  const [method, name, result] =
    call.operation === 'validateEmail'
      ? ['validateEmail', 'email', '{ valid, did_you_mean }']
      : ['getMetadata', 'url', '{ title, og }'];
  const { [name]: input, ...options } = call.members;
  const more = Object.keys(options).length === 0 ? '' : `, ${formatObject(options)}`;
  return `${start}const ${result} = await api.${method}(${quote(typeof input === 'string' ? input : '')}${more});`;
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
