/**
 * The recipes of the PDF cookbook, as its page has them: a heading, a command and the file that it writes.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');

export const COOKBOOK = join(ROOT, 'docs/cookbook');

/** A recipe: `name` is that of its document, its PDF and its picture. */
export interface Recipe {
  title: string;
  name: string;
  picture: string;
  command: string;
  /** Opens the PDF. Undefined: it has none. */
  password: string | undefined;
}

/** Parses the page. Throws if a section has no picture or no command of its own. */
export async function loadRecipes(): Promise<Recipe[]> {
  const page = await readFile(join(COOKBOOK, 'README.md'), 'utf8');
  const sections = page
    .split(/^## /m)
    .slice(1)
    .filter((section) => section.includes('```sh\n'));
  return sections.map((section) => {
    const title = section.slice(0, section.indexOf('\n'));
    const [, picture] = /<img src="\.\.\/pictures\/(cookbook\/[a-z-]+\.webp)" alt=".+"/.exec(section) ?? [];
    const [, command] = /^```sh\n([^]*?)^```$/m.exec(section) ?? [];
    const [, name] = /--output ([a-z-]+)\.pdf$/m.exec(command ?? '') ?? [];
    const [, password] = /[{ ]password: "([^"]+)"/.exec(command ?? '') ?? [];
    if (!picture || !command || !name) throw new Error(`the recipe ${title} has no picture or no command`);
    return { title, name, picture, command, password };
  });
}

/** Runs the command of a recipe as a reader would, with the documents of the checkout. */
export async function cookRecipe(
  { command, name }: Recipe,
  url: string,
  key: string,
): Promise<{ pdf: Buffer; warnings: number }> {
  const cwd = await mkdtemp(join(tmpdir(), 'recipe-'));
  try {
    for (const folder of ['docs', 'node_modules']) await symlink(join(ROOT, folder), join(cwd, folder));
    const env = { ...process.env, UTILITY_API_URL: url, UTILITY_API_KEY: key };
    const logged = command.replace('--output', '--dump-header headers --output');
    await run('sh', ['-c', logged], { cwd, env });
    const [, warnings] = /^x-pdf-warnings: (\d+)/im.exec(await readFile(join(cwd, 'headers'), 'utf8')) ?? [];
    return { pdf: await readFile(join(cwd, `${name}.pdf`)), warnings: Number(warnings) };
  } finally {
    await rm(cwd, { recursive: true });
  }
}
