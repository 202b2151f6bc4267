/** The blocks of the docs that need a running service, as they are: shells, programs and responses. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { type ExampleSite, openExampleSite } from '../openapi/example-site.ts';
import { waitForRoomInMinute } from '../support/clock-minute.ts';
import { startApp, type TestApp, WITH_BROWSER } from '../support/start-app.ts';
import type { SentRequest } from './block-table.ts';
import { formatPlace, listBlocks } from './listed-blocks.ts';
import type { Block } from './markdown.ts';
import { assertHead, assertMatches, parseExample } from './match.ts';
import { runProgram } from './programs.ts';
import { runBlocks, type Session } from './shell-session.ts';

describe('beside a running service, a block of the docs', () => {
  let site: ExampleSite;
  let service: TestApp;
  const pages = [...new Set(listBlocks('shell').map(([{ path }]) => path))];
  /** Of the pages whose programs the machine has. They run at once: most of the time they wait for npm. */
  const sessions = new Map<string, Promise<Session>>();
  before(async () => {
    site = await openExampleSite();
    service = await startApp({ ...WITH_BROWSER, ...site.settings });
    for (const page of pages) if (findMissingPrograms(page).length === 0) sessions.set(page, runPage(page));
    await Promise.allSettled(sessions.values());
  });
  after(async () => {
    await service[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  /** Runs the shell blocks of a page, once. */
  async function runPage(page: string): Promise<Session> {
    const key = await service.createKey('pro');
    // An address that is not valid, for the blocks that handle one.
    const variables = {
      EMAIL: 'ann@',
      KEY: key,
      UTILITY_API_KEY: key,
      URL: service.url,
      UTILITY_API_URL: service.url,
    };
    const ran = listBlocks('shell').flatMap(([block]) => (block.path === page ? [block] : []));
    return runBlocks(ran, { url: service.url, variables: { ...variables, DATA_DIR: service.dataDir } });
  }

  for (const page of pages)
    it(`for a shell runs: ${page}`, async (t) => {
      const session = await sessions.get(page);
      if (!session) return t.skip(`${findMissingPrograms(page).join(' and ')} is missing`);
      const { outputs, files } = session;
      for (const [block, output] of outputs) checkOutput(block, output, files);
    });

  /** Checks that a block printed or wrote something, and no error unless it says so. */
  function checkOutput(block: Block, output: string, files: readonly string[]): void {
    const isSilent = /^KEY=|(?:-o|--output) \w/.test(block.code);
    assert.ok(isSilent || output !== '', `${formatPlace(block)} prints nothing`);
    for (const [, file = ''] of block.code.matchAll(/(?:-o|--output) ([\w.-]+)/g))
      assert.ok(files.includes(file), `${formatPlace(block)} writes ${file}`);
    if (site.isPageServed) assert.doesNotMatch(output, /"error":|"isError":true/, formatPlace(block));
  }

  it('shows what the command before it prints', async () => {
    for (const [block] of listBlocks('output')) {
      const session = await sessions.get(block.path);
      if (!session) continue;
      const output = (block.before && session.outputs.get(block.before)) ?? '';
      if (!site.isPageServed && block.before?.code.includes('/v1/meta')) continue;
      if (block.language === 'text') assert.equal(output, block.code, formatPlace(block));
      else if (block.language === 'http') assertHead(output, block.code, formatPlace(block));
      else assertMatches(JSON.parse(output), parseExample(block.code), formatPlace(block));
    }
  });

  async function send({ path, body, accept = '*/*', after }: SentRequest, key: string): Promise<string> {
    if (after) await send(after, key);
    const headers = { accept, ...(body && { 'content-type': 'application/json' }) };
    const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
    return (await service.call(path, key, init)).text();
  }

  for (const [block, { to }] of listBlocks('response'))
    it(`shows what the service sends: ${formatPlace(block)}`, async (t) => {
      if (!site.isPageServed) return t.skip('this process may not listen on ports 80 and 443');
      if (to.after) await waitForRoomInMinute(4_000);
      const text = await send(to, await service.createKey('pro'));
      const isLines = block.language === 'ndjson';
      const [actual, example] = [text, block.code].map((one) => (isLines ? one.trim().split('\n') : [one]));
      assert.equal(actual?.length, example?.length, text);
      for (const [index, line] of (example ?? []).entries())
        assertMatches(JSON.parse(actual?.[index] ?? ''), parseExample(line), formatPlace(block));
    });

  for (const [block] of listBlocks('program'))
    it(`is a program that runs: ${formatPlace(block)}`, async () => {
      const variables = { UTILITY_API_KEY: await service.createKey() };
      await runProgram(block, { url: service.url, variables });
    });
});

/** Returns the programs that the shell blocks of a page need and the machine does not have. */
function findMissingPrograms(page: string): string[] {
  const blocks = listBlocks('shell').filter(([{ path }]) => path === page);
  return ['curl', 'jq'].filter(
    (program) =>
      blocks.some(([{ code }]) => new RegExp(`(?:^|\\| )${program} `, 'm').test(code)) &&
      !hasProgram(program),
  );
}

const found = new Map<string, boolean>();

function hasProgram(program: string): boolean {
  let has = found.get(program);
  if (has === undefined) {
    has = spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' }).status === 0;
    found.set(program, has);
  }
  return has;
}
