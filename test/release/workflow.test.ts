/** The workflow of the hosted runner: valid for GitHub's own parser, pinned, and with few rights. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { it } from 'node:test';

// The parser imports its schema without the attribute that Node requires.
registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
});
const { parseWorkflow, convertWorkflowTemplate, NoOperationTraceWriter } =
  await import('@actions/workflow-parser');

const load = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const content = load('.github/workflows/ci.yml');

async function findFaults(text: string): Promise<string[]> {
  const { context, value } = parseWorkflow({ name: 'ci.yml', content: text }, new NoOperationTraceWriter());
  if (!value) return context.errors.getErrors().map(String);
  const { errors = [] } = await convertWorkflowTemplate(context, value);
  return [...context.errors.getErrors().map(String), ...errors.map(({ Message }) => Message)];
}

it('is valid for the parser of GitHub Actions', async () => {
  assert.deepEqual(await findFaults(content), []);
});

for (const [name, from, to] of [
  ['an unknown key', 'runs-on: ubuntu-24.04', 'runs_on: ubuntu-24.04'],
  ['a job that does not exist', 'needs: [check, image]', 'needs: [check, images]'],
  ['an unknown context', '${{ github.ref }}', '${{ gitub.ref }}'],
  ['an unknown permission', 'id-token: write', 'id-tokens: write'],
] as const)
  it(`the parser reports ${name}`, async () => {
    assert.ok(content.includes(from));
    assert.notDeepEqual(await findFaults(content.replace(from, to)), []);
  });

it('each action is pinned by a whole commit, with its version in a comment', () => {
  const uses = content.match(/uses:.*$/gm) ?? [];
  assert.ok(uses.length > 8);
  for (const line of uses) assert.match(line, /^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  const commits = new Map<string, string>();
  for (const line of uses) {
    const [, action = '', commit = ''] = /uses: (\S+)@(\S+)/.exec(line) ?? [];
    assert.equal(commits.get(action) ?? commit, commit, `${action} has one version`);
    commits.set(action, commit);
  }
});

it('the scripts and files that it runs exist', () => {
  const { scripts } = JSON.parse(load('package.json')) as { scripts: Record<string, string> };
  for (const [, script = ''] of content.matchAll(/npm run (?!--if-present)([\w:-]+)/g))
    assert.ok(scripts[script], `npm run ${script}`);
  const files = [...content.matchAll(/(?:node |run: )((?:scripts\/|\.ci\/)[\w./-]+)/g)].map(
    ([, file = '']) => file,
  );
  assert.deepEqual(files, ['.ci/run', 'scripts/check-release.ts']);
  for (const file of files) assert.ok(existsSync(new URL(`../../${file}`, import.meta.url)), file);
});

it('the release alone may write, and text of a pull request is not run', () => {
  assert.match(content, /^permissions: \{\}$/m);
  const [before = '', release = ''] = content.split(/^ {2}release:$/m);
  assert.doesNotMatch(before, /: write|secrets\.|push: true/);
  assert.match(release, /if: github\.ref_type == 'tag'/);
  assert.doesNotMatch(content, /pull_request_target/);
  // An expression inside a script is pasted into it: values reach scripts by variables.
  const scripts = content.match(/run: (\|\n(?: {10}.*\n)+|.*\n)/g) ?? [];
  assert.ok(scripts.length >= 3);
  for (const script of scripts) assert.doesNotMatch(script, /\$\{\{/);
});
