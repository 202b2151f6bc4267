/** Lists of the command line: interruptions, failures of the service and of disks, and hostile input. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { after, before, describe, it } from 'node:test';
import { lockFile } from '../src/cli/list/lock-file.ts';
import { splitFields } from '../src/cli/list/split-records.ts';
import { mountSmallDisk } from '../../test/support/small-disk.ts';
import { startApp, type TestApp } from '../../test/support/start-app.ts';
import {
  type Answer,
  disconnect,
  failWith,
  limitHeaders,
  startHostileServer,
  streamRows,
} from './hostile-server.ts';
import { createFolder, finish, MAIN, runHere, runProgram, startProgram } from './run-program.ts';
import { patientMs } from '../../test/support/patience.ts';

let service: TestApp;
let env: Record<string, string>;

before(async () => {
  service = await startApp({
    PLANS: 'free=60,business=1000000',
    EGRESS_ALLOW_CIDRS: '127.0.0.1/32',
  });
  env = { UTILITY_API_URL: service.url, UTILITY_API_KEY: await service.createKey() };
});
after(() => service[Symbol.asyncDispose]());

const all = streamRows((response, rows) => response.end(rows.join('')), limitHeaders(5_000));
/** Sends so many rows, then nothing more. */
const stallAfter = (count: number): Answer =>
  streamRows((response, rows) => response.write(rows.slice(0, count).join('')), limitHeaders(5_000));
const at = (server: { url: string }): Record<string, string> => ({ ...env, UTILITY_API_URL: server.url });

const listAddresses = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => `user${n}@example.com`);
/** Returns the cells of a column of lines without quotes. */
const readColumn = (path: string, column: number): string[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',')[column] ?? '');

void describe('a list', { concurrency: 3 }, () => {
  it('keeps its columns, order and delimiter; blank lines are left out, empty and repeated values are not sent', async () => {
    using work = createFolder();
    writeFileSync(
      work.at('list.csv'),
      '\ufeffName;E-Mail;Phone\r\n"Doe; ""J""";ann@gmial.com;+49 30 1\r\n\r\nBob;;1\r\nCy;foo;=1+cmd|x\r\n  \r\nDup;ann@gmial.com;"a\nb"',
    );
    const words = [
      'email',
      '--file',
      work.at('list.csv'),
      '--out',
      work.at('r.csv'),
      '--no-mx',
      '--exit-code',
    ];
    const { code, stderr } = await runProgram(words, { env });
    assert.equal(code, 1, 'foo is not valid');
    const found =
      'risky;true;typo not_checked;0.12;ann@gmail.com;false;false;false;false;true;gmial.com;ann@gmial.com;';
    assert.equal(
      readFileSync(work.at('r.csv'), 'utf8'),
      `Name;E-Mail;Phone;verdict;valid;reasons;score;did_you_mean;disposable;free_provider;role;mx_found;format_valid;domain;normalized;provider
"Doe; ""J""";ann@gmial.com;+49 30 1;${found}
Bob;;1;;;;;;;;;;;;;
Cy;foo;'=1+cmd|x;undeliverable;false;malformed placeholder;0;;false;false;false;false;false;;;
Dup;ann@gmial.com;"a\nb";${found}
`,
    );
    assert.deepEqual(readdirSync(work.path), ['list.csv', 'r.csv']);
    assert.match(stderr, /^4 rows in .* → .*\n {2}2 risky\n/);
    assert.match(stderr, /\n1 repeats an address and was not sent again\.\n$/);
  });

  it('of standard input goes to standard output, as NDJSON with --json', async () => {
    const { stdout } = await runProgram(['email', '--file', '-', '--json', '--no-mx'], {
      env,
      input: 'a@b.example\n\nfoo\n',
    });
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { line: number; email: string; valid: boolean });
    assert.deepEqual(
      rows.map(({ line, email, valid }) => [line, email, valid]),
      [
        [1, 'a@b.example', false],
        [3, 'foo', false],
      ],
    );
  });

  it('of URLs has the error of a page in its row', async () => {
    await using site = await startHostileServer((response) =>
      response.setHeader('content-type', 'text/html').end('<title>=HYPERLINK("x"),1</title>'),
    );
    const input = `${site.url}/\nhttp://127.0.0.1:1/\n`;
    const { code, stdout } = await runHere(['meta', '--file', '-', '--quiet', '--details'], {
      env,
      input,
    });
    const [header = '', ok = '', failed = ''] = stdout.split('\n');
    assert.equal(code, 0);
    assert.ok(ok.startsWith(`${site.url}/,ok,,"'=HYPERLINK(""x""),1",`), ok);
    const cells = splitFields(failed, ',');
    assert.deepEqual(cells.slice(0, 2), ['http://127.0.0.1:1/', 'unreachable']);
    assert.equal(cells.length, header.split(',').length);
  });
});

void describe('an interrupted list', { concurrency: 3 }, () => {
  const emails = listAddresses(1_500);

  it('killed by SIGKILL continues after its last whole row: none is lost or written twice', async () => {
    using work = createFolder();
    writeFileSync(work.at('list.csv'), `id,email\n${emails.map((email, n) => `${n},${email}`).join('\n')}\n`);
    await using stalled = await startHostileServer(all, stallAfter(200));
    const words = ['email', '--file', work.at('list.csv'), '--out', work.at('r.csv'), '--no-mx'];
    const first = startProgram(words, { env: at(stalled) });
    const part = work.at('r.csv.part');
    await waitFor(() => existsSync(part) && readColumn(part, 0).length === 1_200);
    first.kill('SIGKILL');
    await once(first, 'close');
    assert.ok(!existsSync(work.at('r.csv')));
    // The kernel may have stored half of a row.
    writeFileSync(part, `${readFileSync(part, 'utf8')}1200,user1200@exa`);
    await using rest = await startHostileServer(all);
    const { code, stderr } = await runProgram(words, { env: at(rest) });
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^Continuing after 1,200 rows\.\n1,500 rows in /);
    assert.deepEqual(readColumn(work.at('r.csv'), 1), emails);
    assert.deepEqual(
      rest.requests.map(({ body }) => (JSON.parse(body) as { emails: string[] }).emails),
      [emails.slice(1_200)],
    );
    assert.deepEqual(readdirSync(work.path), ['list.csv', 'r.csv']);
  });

  it('by Ctrl-C exits with 130 and says how to continue; the list and the flags must be the same', async () => {
    using work = createFolder();
    writeFileSync(work.at('list.txt'), emails.slice(0, 9).join('\n'));
    await using stalled = await startHostileServer(stallAfter(4));
    const words = ['email', '--file', work.at('list.txt'), '--out', work.at('r.ndjson')];
    const program = startProgram(words, { env: at(stalled) });
    const part = work.at('r.ndjson.part');
    await waitFor(() => existsSync(part) && readFileSync(part, 'utf8').split('\n').length === 5);
    const second = await runHere(words, { env: at(stalled) });
    assert.deepEqual([second.code, /Process \d+ is writing/.test(second.stderr)], [2, true]);
    program.kill('SIGINT');
    const { code, stderr } = await finish(program);
    assert.equal(code, 130);
    assert.match(stderr, /Interrupted: 4 of 9 rows are done\. Run the same command again to continue\.\n$/);
    await stalled.requests[0]?.closed;
    const stored = readFileSync(part, 'utf8');

    const otherFlags = await runHere([...words, '--policies'], { env: at(stalled) });
    assert.deepEqual([otherFlags.code, /other flags/.test(otherFlags.stderr)], [2, true]);
    writeFileSync(work.at('list.txt'), ['x@example.com', ...emails.slice(1, 9)].join('\n'));
    const otherList = await runHere(words, { env: at(stalled) });
    assert.deepEqual([otherList.code, /list has changed/.test(otherList.stderr)], [2, true]);
    assert.equal(readFileSync(part, 'utf8'), stored);

    await using rest = await startHostileServer(all);
    assert.equal((await runHere([...words, '--force'], { env: at(rest) })).code, 0);
    assert.equal((JSON.parse(rest.requests[0]?.body ?? '') as { emails: string[] }).emails.length, 9);
    const again = await runHere(words, { env: at(rest) });
    assert.deepEqual([again.code, /exists: pass --force/.test(again.stderr)], [2, true]);
  });

  it('by Ctrl-C while it waits for standard input ends at once', async () => {
    await using server = await startHostileServer(all);
    const program = spawn(process.execPath, [MAIN, 'email', '--file', '-'], { env: at(server) });
    const ended = finish(program);
    // Three requests, and a part of a fourth.
    program.stdin.write(`${listAddresses(3_900).join('\n')}\n`);
    await waitFor(() => server.requests.length === 3);
    program.kill('SIGINT');
    const { code, stderr } = await ended;
    assert.equal(code, 130);
    assert.match(stderr, /Interrupted: [\d,]+ rows are done\.\n$/);
  });

  it('by a reader that leaves, as | head, ends the request and exits with 141', async () => {
    await using stalled = await startHostileServer(stallAfter(900));
    const program = startProgram(['email', '--file', '-'], { env: at(stalled), input: emails.join('\n') });
    program.stdout?.destroy();
    const [code] = (await once(program, 'exit')) as [number];
    assert.equal(code, 141);
    await stalled.requests[0]?.closed;
  });
});

void describe('a list whose service fails', { concurrency: 3 }, () => {
  it('survives refusals by the limit, a restart and lost connections in its midst', async () => {
    using work = createFolder();
    const emails = listAddresses(2_100);
    writeFileSync(work.at('list.txt'), emails.join('\n'));
    const halfway = streamRows((response, rows) => {
      response.write(rows.slice(0, 500).join(''), () => response.destroy());
    });
    const down = failWith(503, 'unavailable');
    await using server = await startHostileServer(
      all,
      failWith(429, 'rate_limit_exceeded'),
      halfway,
      disconnect,
      down,
      all,
    );
    const { code, stderr } = await runProgram(
      ['email', '--file', work.at('list.txt'), '--out', work.at('r.csv')],
      { env: at(server) },
    );
    assert.equal(code, 0, stderr);
    assert.deepEqual(readColumn(work.at('r.csv'), 0), emails);
  });

  it('keeps its rows when the key is refused in its midst', async () => {
    using work = createFolder();
    writeFileSync(work.at('list.txt'), listAddresses(1_200).join('\n'));
    await using server = await startHostileServer(all, failWith(401, 'unauthorized'));
    const { code, stderr } = await runHere(
      ['email', '--file', work.at('list.txt'), '--out', work.at('r.csv')],
      { env: at(server) },
    );
    assert.equal(code, 3);
    assert.match(stderr, /1,000 of 1,200 rows are done\. Run the same command again/);
    assert.equal(readColumn(work.at('r.csv.part'), 0).length, 1_000);
  });
});

void describe('files of a list', { concurrency: 3 }, () => {
  it('that are broken are reported with their line, and nothing is sent', async () => {
    using work = createFolder();
    await using server = await startHostileServer(all);
    for (const [bytes, message] of [
      ['email,name\na@x.example,"Ann\nb@x.example,Bob\n', /Line 2 opens a quote/],
      ['email,name\na@x.example,Ann,Lee\n', /Line 2 has more cells/],
      [Buffer.from('email\nJ\u00fcrgen@x.example\n', 'latin1'), /Line 2 is not UTF-8/],
      [Buffer.from('\ufeffemail\na@x.example\n', 'utf16le'), /UTF-16/],
      ['a,b\nc,d\n', /No column of the list clearly has addresses/],
    ] as const) {
      writeFileSync(work.at('list.csv'), bytes);
      const { code, stderr } = await runHere(
        ['email', '--file', work.at('list.csv'), '--out', work.at('r.csv')],
        { env: at(server) },
      );
      assert.equal(code, 2, stderr);
      assert.match(stderr, message);
    }
    assert.deepEqual([server.requests.length, readdirSync(work.path)], [0, ['list.csv']]);
  });

  it('that are a file of their own output are kept', async () => {
    using work = createFolder();
    writeFileSync(work.at('r.csv.part'), 'a@b.example\n');
    symlinkSync('r.csv.part', work.at('list.csv'));
    for (const name of ['r.csv.part', 'list.csv']) {
      const words = ['email', '--file', work.at(name), '--out', work.at('r.csv'), '--force'];
      const { code, stderr } = await runHere(words, { env });
      assert.deepEqual([code, /write to another one/.test(stderr)], [2, true], stderr);
    }
    assert.equal(readFileSync(work.at('r.csv.part'), 'utf8'), 'a@b.example\n');
  });

  it('are locked: a lock without an id is that of a run that begins, and one of an ended process is replaced', () => {
    using work = createFolder();
    const [lock, output] = [work.at('r.lock'), work.at('r')];
    writeFileSync(lock, '');
    assert.throws(() => lockFile(lock, output), /Another run is writing/);
    const { pid } = spawnSync(process.execPath, ['--version']);
    writeFileSync(lock, String(pid));
    const unlock = lockFile(lock, output);
    assert.throws(() => lockFile(lock, output), new RegExp(`Process ${process.pid} is writing`));
    unlock();
    assert.deepEqual(readdirSync(work.path), []);
  });

  it('that cannot be written are exit code 7', async () => {
    const words = ['email', '--file', '-', '--out', '/nonexistent/r.csv'];
    assert.equal((await runHere(words, { env, input: 'a@b.example' })).code, 7);
  });

  it('on a full disk keep the rows that fit, and the run continues when there is space', async (t) => {
    using disk = mountSmallDisk(1);
    if (!disk) return t.skip('needs root');
    using work = createFolder();
    const emails = listAddresses(900);
    writeFileSync(work.at('list.txt'), emails.join('\n'));
    await using server = await startHostileServer(
      streamRows((response, rows) => {
        disk.fill();
        response.end(rows.join(''));
      }),
      all,
    );
    const out = `${disk.folder}/r.csv`;
    const words = ['email', '--file', work.at('list.txt'), '--out', out];
    const { code, stderr } = await runProgram(words, { env: at(server) });
    assert.equal(code, 7);
    assert.match(stderr, /ENOSPC.*\n\d+ of 900 rows are done\. Run the same command again/);
    const { size } = statSync(`${out}.part`);
    assert.ok(size > 0);
    disk.free();
    assert.equal((await runProgram(words, { env: at(server) })).code, 0);
    assert.deepEqual(readColumn(out, 0), emails);
  });
});

/** Waits until a file of the program is as expected. */
async function waitFor(isMet: () => boolean): Promise<void> {
  const deadline = performance.now() + patientMs(20_000);
  while (!isMet()) {
    assert.ok(performance.now() < deadline, 'the program does not write its rows');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
