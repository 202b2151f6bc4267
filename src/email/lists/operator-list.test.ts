import assert from 'node:assert/strict';
import { mkdtemp, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { OperatorList } from './operator-list.ts';
import { OperatorListError, parseOperatorList } from './parse-list.ts';

describe('parseOperatorList', () => {
  it('parses one domain per line, with comments', async () => {
    const text = '\ufeff# ours\r\nAcme.com\r\n\r\n*.müll.de  # seen in May\n@spam.acme.com\npp.ua\ngmail.com';
    assert.deepEqual(
      [...(await parseOperatorList(text))],
      ['acme.com', 'xn--mll-hoa.de', 'spam.acme.com', 'pp.ua', 'gmail.com'],
    );
    assert.equal((await parseOperatorList('# nothing yet\n')).size, 0);
  });

  for (const [line, message] of [
    ['not a domain', 'line 3: «not a domain» is not a domain; write one domain per line'],
    ['com', 'line 3: «com» is not a domain; write one domain per line'],
    ['a.com,b.com', 'line 3: «a.com,b.com» is not a domain; write one domain per line'],
    ['10.0.0.1', 'line 3: «10.0.0.1» is not a domain; write one domain per line'],
    [
      'co.uk',
      'line 3: «co.uk» is a public suffix, under which everyone registers; write the domains below it',
    ],
  ] as const)
    it(`refuses ${line}, with the number of its line`, () =>
      assert.rejects(parseOperatorList(`acme.com\n\n${line}\nb.com`), {
        name: 'OperatorListError',
        message,
      }));
});

describe('OperatorList', () => {
  let folder: string;
  let path: string;
  let logged: string[] = [];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'operator-list-'));
    path = join(folder, 'domains.txt');
  });
  after(() => rm(folder, { recursive: true, force: true }));

  async function open(text: string): Promise<OperatorList> {
    logged = [];
    await writeFile(path, text);
    const list = new OperatorList({
      kind: 'blocked',
      path,
      now: () => 7,
      log: (level, message, facts) => logged.push(`${level} ${message} ${JSON.stringify(facts)}`),
    });
    await list.load();
    return list;
  }

  it('reads a change when two checks see the same file: an editor may be writing it', async () => {
    const list = await open('acme.com\n');
    assert.equal(await list.check(), false);
    await writeFile(path, 'acme.com\nb.com');
    assert.equal(await list.check(), false);
    await writeFile(path, 'acme.com\nb.com\nc.com\n');
    assert.equal(await list.check(), false);
    assert.equal(await list.check(), true);
    assert.deepEqual([...list.names], ['acme.com', 'b.com', 'c.com']);
    assert.equal(await list.check(), false);
    assert.deepEqual(logged, [`info a list of the operator was read again {"path":"${path}","entries":3}`]);
  });

  it('reads a file that an editor puts in place of the old one', async () => {
    const list = await open('acme.com\n');
    await writeFile(`${path}~`, 'acme.org\n');
    await rename(`${path}~`, path);
    await list.check();
    assert.equal(await list.check(), true);
    assert.deepEqual([...list.names], ['acme.org']);
  });

  for (const [what, change, reason] of [
    [
      'has a bad line',
      () => writeFile(path, 'b.com\n<html>\n'),
      /domains\.txt, line 2: «<html>» is not a do/,
    ],
    ['is deleted', () => rm(path), /domains\.txt, it cannot be read: ENOENT/],
    ['is not UTF-8', () => writeFile(path, Buffer.from([0xff, 0x0a])), /domains\.txt, it is not UTF-8/],
    ['is too large', () => truncate(path, 9 * 1024 * 1024), /domains\.txt, it is over 8388608 bytes/],
  ] as const)
    it(`keeps the last good list and logs once if the file ${what}`, async () => {
      const list = await open('acme.com\n');
      await change();
      await list.check();
      assert.equal(await list.check(), true);
      assert.equal(await list.check(), false);
      assert.deepEqual([...list.names], ['acme.com']);
      assert.equal(logged.length, 1);
      assert.match(logged[0] ?? '', reason);
      assert.equal(list.status.refresh?.outcome, 'refused');
      assert.match(list.status.refresh?.reason ?? '', reason);
      await writeFile(path, 'good.com\n');
      await list.check();
      assert.equal(await list.check(), true);
      assert.deepEqual([...list.names], ['good.com']);
      assert.equal(list.status.refresh?.outcome, 'replaced');
    });

  it('a bad file at the start is an error with its path and line', async () => {
    await writeFile(path, 'acme.com\nacme\n');
    const list = new OperatorList({ kind: 'allowed', path, now: () => 7, log: () => {} });
    await assert.rejects(list.load(), (error: Error) => {
      assert.ok(error instanceof OperatorListError);
      assert.equal(error.message, `${path}, line 2: «acme» is not a domain; write one domain per line`);
      return true;
    });
  });
});
