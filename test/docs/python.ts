/** The parsers of Python and TOML that Python has. */
import { spawnSync } from 'node:child_process';
import type { Block } from './markdown.ts';

const PROGRAM = `
import ast, json, sys, tomllib
faults = []
for block in json.load(sys.stdin):
    try:
        (ast.parse if block["language"] == "python" else tomllib.loads)(block["code"])
    except Exception as error:
        faults.append(f'{block["path"]}:{block["line"]}: {error}')
print(json.dumps(faults))
`;

/** Returns what is wrong with the blocks; null without a Python that has both parsers. */
export function parseByPython(blocks: readonly Block[]): string[] | null {
  const input = JSON.stringify(
    blocks.map(({ path, line, language, code }) => ({ path, line, language, code })),
  );
  const { status, stdout } = spawnSync('python3', ['-c', PROGRAM], { input, encoding: 'utf8' });
  return status === 0 ? (JSON.parse(stdout) as string[]) : null;
}
