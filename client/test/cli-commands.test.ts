/** The command line on the real service: the operations, profiles, exit codes, help and completions. */
import assert from 'node:assert/strict';
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  globSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parseSync } from 'oxc-parser';
import { startApp, type TestApp, WITH_BROWSER } from '../../test/support/start-app.ts';
import { PDF_FLAGS } from '../src/cli/commands/pdf-flags.ts';
import { EXIT_MEANINGS } from '../src/cli/exit-codes.ts';
import { listFlags } from '../src/cli/parse-flags.ts';
import { COMMANDS } from '../src/cli/run-cli.ts';
import { failWith, json, startHostileServer } from './hostile-server.ts';
import { createFolder, runHere, runProgram } from './run-program.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const ESCAPES = '\u001b]0;owned\u0007\u001b[31m\u009b2J\u202egnp.exe\r\n';

let service: TestApp;
let env: Record<string, string>;
const folder = createFolder();

before(async () => {
  service = await startApp({ ...WITH_BROWSER, EGRESS_ALLOW_CIDRS: '127.0.0.1/32' });
  env = { UTILITY_API_URL: service.url, UTILITY_API_KEY: await service.createKey() };
});
after(async () => {
  await service[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

void describe('utility-api email', { concurrency: 3 }, () => {
  it('shows the verdict, its reasons and the suggestion', async () => {
    const { code, stdout, stderr } = await runProgram(['email', 'ann@gmial.com', '--no-mx'], { env });
    assert.equal(
      stdout,
      `! ann@gmial.com is risky
  - the address looks like a typo
  - DNS was not queried
  Did you mean ann@gmail.com?
  Score   0.12
  Domain  gmial.com
`,
    );
    assert.deepEqual([code, stderr], [0, '']);
  });

  it('--json writes the result of the API on one line', async () => {
    const { stdout } = await runHere(['email', 'foo', '--json'], { env });
    const { valid, details } = JSON.parse(stdout) as { valid: boolean; details: { verdict: string } };
    assert.deepEqual([valid, details.verdict, stdout.split('\n').length], [false, 'undeliverable', 2]);
  });

  it('an address that is not valid is exit code 1 only with --exit-code', async () => {
    assert.equal((await runHere(['email', 'foo'], { env })).code, 0);
    assert.equal((await runHere(['email', 'foo', '--exit-code'], { env })).code, 1);
  });
});

void describe('utility-api meta', { concurrency: 3 }, () => {
  it('shows the metadata as aligned fields', async () => {
    await using site = await startHostileServer((response) =>
      response
        .setHeader('content-type', 'text/html')
        .end('<title>T</title><meta property="og:type" content="a">'),
    );
    const { stdout } = await runHere(['meta', `${site.url}/`], { env });
    assert.match(stdout, /^T\n {2}URL {6}http:.*\n(.*\n)* {2}og:type {2}a\n$/);
  });

  it('a page that cannot be read is exit code 6', async () => {
    const { code, stderr } = await runHere(['meta', 'http://127.0.0.1:1/'], { env });
    assert.equal(code, 6);
    assert.match(stderr, /^Error: The target URL could not be reached.*\nRequest: \S+\n$/);
  });
});

void describe('utility-api pdf', { concurrency: 3 }, () => {
  it('has a flag for every member of the request', () => {
    const { components } = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'));
    const members = Object.keys(components.schemas.PdfRequest.properties).filter((name) => name !== 'html');
    assert.deepEqual(new Set<string>(PDF_FLAGS.map(({ option }) => option)), new Set(members));
  });

  it('makes attachments, documents, data, passwords and an invoice of files', async () => {
    using work = createFolder();
    for (const [name, content] of [
      ['a.html', '<p>{{ x }}'],
      ['b.html', '<p>b'],
      ['data.json', '{"x":1}'],
      ['rows.csv', 'a;b\n'],
      ['note', '\u0000'],
      ['secret.txt', 'open sesame\n'],
      ['x.xml', '<x/>'],
    ] as const)
      writeFileSync(work.at(name), content);
    await using server = await startHostileServer((response) =>
      response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF'),
    );
    const its = { ...env, UTILITY_API_URL: server.url };
    const flags: [string, string][] = [
      ['--more', 'b.html'],
      ['--more', 'a.html'],
      ['--data', 'data.json'],
      ['--template', 'liquid'],
      ['--attach', 'rows.csv'],
      ['--attach', 'note'],
      ['--owner-password-file', 'secret.txt'],
      ['--permissions', 'print,fill-forms'],
      ['--facturx', 'x.xml'],
      ['--facturx-profile', 'EN16931'],
      ['--watermark', 'b.html'],
    ];
    const words = ['pdf', 'a.html', '-o', 'a.pdf', ...flags.flat()];
    assert.equal((await runProgram(words, { env: its, cwd: work.path })).code, 0);
    assert.deepEqual(JSON.parse(server.requests[0]?.body ?? ''), {
      html: '<p>{{ x }}',
      more_documents: [{ html: '<p>b' }, { html: '<p>{{ x }}' }],
      data: { x: 1 },
      template: 'liquid',
      attachments: [
        { name: 'rows.csv', media_type: 'text/csv', base64: 'YTtiCg==' },
        { name: 'note', base64: 'AA==' },
      ],
      owner_password: 'open sesame',
      permissions: ['print', 'fill_forms'],
      facturx: { xml: '<x/>', profile: 'EN16931' },
      watermark_html: '<p>b',
    });
    const replaces = await runProgram(['pdf', 'a.html', '-o', 'b.html', '--more', 'b.html'], {
      env,
      cwd: work.path,
    });
    assert.match(replaces.stderr, /The PDF would replace b\.html/);
    const broken = await runProgram(['pdf', 'a.html', '--template', 'liquid', '--data', 'x.xml'], {
      env,
      cwd: work.path,
    });
    assert.deepEqual([broken.code, broken.stderr.startsWith('Error: x.xml is not JSON: ')], [2, true]);
  });

  it('writes invoice.pdf for invoice.html, with header, footer and CSS of files', async () => {
    using work = createFolder();
    writeFileSync(work.at('invoice.html'), '<h1>One</h1><h1>Two</h1>');
    writeFileSync(work.at('f.html'), 'Page {{page}}');
    writeFileSync(work.at('x.css'), 'h1 { break-after: page } h1:last-child { break-after: auto }');
    const words = [
      'pdf',
      'invoice.html',
      '--footer',
      'f.html',
      '--header',
      'f.html',
      '--css',
      'x.css',
      '--json',
    ];
    const flags = [
      '--margin',
      '10mm',
      '--page-size',
      'A5',
      '--scale',
      '0.9',
      '--no-javascript',
      '--wait-for',
      '0',
    ];
    const { code, stdout } = await runProgram([...words, ...flags], { env, cwd: work.path });
    assert.equal(code, 0);
    const { out, pages, bytes } = JSON.parse(stdout) as { out: string; pages: number; bytes: number };
    assert.deepEqual([out, pages, bytes], ['invoice.pdf', 2, statSync(work.at('invoice.pdf')).size]);
    assert.equal(readdirSync(work.path).length, 4, 'no part is left');
  });

  it('prints standard input to standard output, with its warnings beside it', async () => {
    const input = '<p>ü</p><img src="http://127.0.0.1:1/x.png">';
    const { code, stdout, stderr } = await runProgram(['pdf', '-'], { env, input });
    assert.equal(code, 0);
    assert.match(stdout, /^%PDF-/);
    assert.match(stderr, /^Warning: The image http:\/\/127\.0\.0\.1:1\/x\.png/);
  });

  it('prints each warning on its own line', async () => {
    const input = '<a class="page-number" href="#a">a</a> <a class="page-number" href="#b">b</a>';
    const { stderr } = await runProgram(['pdf', '-'], { env, input });
    assert.deepEqual(
      stderr.trimEnd().split('\n'),
      ['a', 'b'].map(
        (name) => `Warning: A link shows no page number, as its target is on no page: #${name}.`,
      ),
    );
  });

  it('names the flag that another one needs', async () => {
    using work = createFolder();
    writeFileSync(work.at('a.html'), '<p>x');
    writeFileSync(work.at('b'), '{}');
    for (const [name, value, other] of [
      ['facturx', work.at('b'), 'facturx-profile'],
      ['facturx-profile', 'BASIC', 'facturx'],
      ['data', work.at('b'), 'template'],
      ['permissions', 'print', 'owner-password-file'],
      ['watermark-position', 'over', 'watermark'],
    ] as const) {
      const words = ['pdf', work.at('a.html'), '-o', work.at('a.pdf'), `--${name}`, value];
      const { code, stderr } = await runHere(words, { env });
      assert.deepEqual([code, stderr.startsWith(`Error: --${name} needs --${other}, `)], [2, true], stderr);
    }
    const { stderr } = await runHere(['pdf', work.at('a.html'), '--pdfa', '2b'], { env });
    assert.match(stderr, /^Error: --pdfa is 3b, not "2b"\./);
  });

  it('writes through a link, which stays one', async () => {
    using work = createFolder();
    writeFileSync(work.at('kept.pdf'), 'old');
    symlinkSync('kept.pdf', work.at('a.pdf'));
    await using server = await startHostileServer((response) =>
      response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF'),
    );
    const its = { ...env, UTILITY_API_URL: server.url };
    const { code } = await runHere(['pdf', '-', '-o', work.at('a.pdf')], { env: its, input: 'x' });
    assert.deepEqual([code, readFileSync(work.at('kept.pdf'), 'utf8')], [0, '%PDF']);
    assert.deepEqual(readlinkSync(work.at('a.pdf')), 'kept.pdf');
    assert.deepEqual(readdirSync(work.path), ['a.pdf', 'kept.pdf']);
  });

  it('refuses a document that is not UTF-8, of a file and of standard input', async () => {
    using work = createFolder();
    const input = Buffer.from('<p>\xfc', 'latin1');
    writeFileSync(work.at('a.html'), input);
    for (const [source, options] of [
      [work.at('a.html'), {}],
      ['-', { input }],
    ] as const) {
      const { code, stderr } = await runHere(['pdf', source, '-o', work.at('a.pdf')], { env, ...options });
      assert.deepEqual([code, /is not UTF-8/.test(stderr)], [2, true], stderr);
    }
  });

  it('replaces no file that it reads, and names an empty one', async () => {
    using work = createFolder();
    writeFileSync(work.at('a.html'), '<p>x');
    writeFileSync(work.at('empty.html'), ' ');
    for (const words of [
      ['a.html', '-o', './a.html'],
      ['empty.html', '--footer', 'a.html', '-o', 'a.html'],
    ]) {
      const { code, stderr } = await runProgram(['pdf', ...words], { env, cwd: work.path });
      assert.deepEqual([code, readFileSync(work.at('a.html'), 'utf8')], [2, '<p>x']);
      assert.match(stderr, /The PDF would replace (\.\/)?a\.html/);
    }
    const { code, stderr } = await runHere(['pdf', work.at('empty.html')], { env });
    assert.deepEqual([code, stderr.endsWith('empty.html is empty.\n')], [2, true]);
  });

  it('an error of the folder of the PDF names the PDF', async () => {
    using work = createFolder();
    writeFileSync(work.at('a.html'), '<p>x');
    const { code, stderr } = await runHere(['pdf', work.at('a.html'), '-o', '/nonexistent/a.pdf'], { env });
    assert.equal(code, 7);
    assert.equal(stderr, 'Error: /nonexistent/a.pdf: no such file or directory (ENOENT).\n');
  });

  it('leaves no half document when the connection breaks', async () => {
    using work = createFolder();
    await using server = await startHostileServer((response) => {
      response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': '100000' });
      response.write('%PDF-1.7 half', () => response.destroy());
    });
    writeFileSync(work.at('a.html'), 'x');
    const its = { ...env, UTILITY_API_URL: server.url };
    const { code } = await runHere(['pdf', work.at('a.html'), '-o', work.at('a.pdf')], { env: its });
    assert.deepEqual([code, readdirSync(work.path)], [5, ['a.html']]);
  });
});

void describe('the exit code', { concurrency: 3 }, () => {
  const dead = { UTILITY_API_URL: 'http://127.0.0.1:1', UTILITY_API_KEY: 'k' };

  it('is that of the table in docs/reference/cli.md', () => {
    const rows = readFileSync(join(root, 'docs/reference/cli.md'), 'utf8').matchAll(
      /^\| (\d+) \| (.*?) \|$/gm,
    );
    const documented = [...rows].map(([, code, meaning]) => [Number(code), meaning]);
    assert.deepEqual(
      documented,
      EXIT_MEANINGS.map((row) => [...row]),
    );
  });

  for (const [name, words, code, message] of [
    ['2 for a flag that does not exist', ['email', '--fiel', 'x'], 2, /Did you mean --file\?/],
    ['2 for a command that does not exist', ['emial'], 2, /Did you mean email\?/],
    ['2 for a value that is not one of the flag', ['pdf', 'x', '--page-size', 'A9'], 2, /one of A4, Letter/],
    ['2 for no address', ['email'], 2, /takes an address, or a list/],
    [
      '7 for a file that does not exist',
      ['pdf', '/nonexistent.html'],
      7,
      /^Error: \/nonexistent\.html: no such file or directory \(ENOENT\)\.\n$/,
    ],
    ['7 for a folder in place of a file', ['pdf', '/'], 7, /\/ is a folder/],
    ['2 for two documents', ['pdf', 'x', 'y'], 2, /takes one argument, not 2/],
    ['2 for a flag of lists without a list', ['email', 'a@b.example', '-o', 'x'], 2, /--out is for a list/],
  ] as const)
    it(`is ${name}`, async () => {
      const { code: exitCode, stderr, stdout } = await runHere(words, { env });
      assert.deepEqual([exitCode, stdout], [code, '']);
      assert.match(stderr, message);
    });

  it('is 3 without a key and with a wrong one', async () => {
    const none = await runHere(['email', 'a@b.example']);
    assert.equal(none.code, 3);
    assert.match(none.stderr, /utility-api login/);
    assert.equal(
      (await runHere(['email', 'a@b.example'], { env: { ...env, UTILITY_API_KEY: 'x' } })).code,
      3,
    );
  });

  it('is 4 over the limit, after the attempts of the client', async () => {
    await using server = await startHostileServer(failWith(429, 'rate_limit_exceeded'));
    const its = { ...env, UTILITY_API_URL: server.url };
    const { code } = await runHere(['email', 'a@b.example'], { env: its });
    assert.deepEqual([code, server.requests.length], [4, 3]);
  });

  it('is 5 if the service cannot be reached', async () => {
    const { code, stderr } = await runHere(['email', 'a@b.example'], { env: dead });
    assert.equal(code, 5);
    assert.match(stderr, /The connection to the service failed/);
  });

  it('is 7 if standard output is full', { skip: !existsSync('/dev/full') }, () => {
    const words = `${process.execPath} ${root}client/src/cli/main.ts email a@b.example --no-mx > /dev/full`;
    // The service runs in this process, so the program must not wait for it.
    const { status } = spawnSync('sh', ['-c', words.replace('email a@b.example --no-mx', '--help')], {
      env: {},
    });
    assert.equal(status, 7);
  });
});

void describe('text of a hostile service', { concurrency: 3 }, () => {
  const isHarmless = (text: string): boolean =>
    !/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/.test(text);

  it('controls no terminal: results, JSON and warnings', async () => {
    const tags = { title: ESCAPES, [ESCAPES]: ESCAPES };
    await using server = await startHostileServer(
      json(200, { url: ESCAPES, title: ESCAPES, og: tags, twitter: tags }),
    );
    const its = { ...env, UTILITY_API_URL: server.url };
    for (const words of [
      ['meta', 'http://a.example/'],
      ['meta', 'http://a.example/', '--json'],
    ]) {
      const { stdout, stderr } = await runHere(words, { env: its });
      assert.ok(stdout.length > 20 && isHarmless(stdout + stderr), JSON.stringify(stdout + stderr));
    }
  });

  it('controls no terminal: the rows of a list, which a file gets as they are', async () => {
    const row = { index: 0, url: ESCAPES, title: ESCAPES, og: {}, twitter: {} };
    await using server = await startHostileServer((response) =>
      response.writeHead(200, { 'content-type': 'application/x-ndjson' }).end(`${JSON.stringify(row)}\n`),
    );
    const its = { ...env, UTILITY_API_URL: server.url };
    const run = { env: its, input: `url,note\nhttp://a.example/,${ESCAPES.trim()}` };
    const { code, stdout } = await runHere(['meta', '--file', '-'], { ...run, isTerminal: true });
    assert.equal(code, 0);
    assert.ok(stdout.includes('owned') && isHarmless(stdout), JSON.stringify(stdout));
    assert.ok((await runHere(['meta', '--file', '-'], run)).stdout.includes(ESCAPES.trim()));
  });

  it('controls no terminal: errors', async () => {
    const error = { error: ESCAPES, message: `no ${ESCAPES}`, request_id: 'r' };
    await using server = await startHostileServer(json(400, error, { 'x-request-id': 'abc' }));
    const { code, stderr } = await runHere(['email', 'x'], {
      env: { ...env, UTILITY_API_URL: server.url },
    });
    assert.equal(code, 2);
    assert.ok(stderr.startsWith('Error: no') && isHarmless(stderr), JSON.stringify(stderr));
  });
});

void describe('profiles', { concurrency: 3 }, () => {
  it('login stores the key of standard input in a file of mode 0600, and the next command uses it', async () => {
    using home = createFolder();
    const at = { XDG_CONFIG_HOME: home.path };
    const words = ['login', '--url', service.url, '--profile', 'local'];
    const { code, stderr } = await runProgram(words, { env: at, input: `${env['UTILITY_API_KEY']}\n` });
    assert.equal(code, 0, stderr);
    assert.match(stderr, /^The key is valid: \d+ requests per minute\.\nStored as the profile local in /);
    assert.ok(!stderr.includes(env['UTILITY_API_KEY'] ?? ''));
    const path = home.at('utility-api/config.json');
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.equal(statSync(home.at('utility-api')).mode & 0o077, 0);
    const named = await runHere(['status', '--profile', 'local', '--json'], { env: at });
    assert.equal((JSON.parse(named.stdout) as { url: string }).url, service.url);
    assert.ok(!named.stdout.includes(env['UTILITY_API_KEY'] ?? ''), 'status shows no whole key');
    chmodSync(path, 0o644);
    const warned = await runHere(['status'], { env: { ...at, UTILITY_API_PROFILE: 'local' } });
    assert.match(warned.stderr, /Warning: other users can read/);
    assert.equal((await runHere(['logout', '--profile', 'local'], { env: at })).code, 0);
    assert.equal((await runHere(['status', '--profile', 'local'], { env: at })).code, 3);
    assert.ok(!readFileSync(path, 'utf8').includes('ua_live_'));
  });

  it('login names the flag of a malformed address, not the option of the client', async () => {
    const { code, stderr } = await runHere(['login', '--url', 'foo'], { env: {}, input: 'k' });
    assert.equal(code, 2);
    assert.match(stderr, /^Error: The address of the service must be an http/);
  });

  it('login stores no key that the service refuses', async () => {
    using home = createFolder();
    const its = { XDG_CONFIG_HOME: home.path };
    const { code } = await runHere(['login', '--url', service.url], { env: its, input: 'ua_live_wrong' });
    assert.deepEqual([code, readdirSync(home.path)], [3, []]);
  });

  it('a key is not sent to the address of another service', async () => {
    using home = createFolder();
    await using other = await startHostileServer(json(200, {}));
    const at = { XDG_CONFIG_HOME: home.path };
    await runHere(['login', '--url', service.url, '--no-verify'], { env: at, input: 'secret' });
    const { code, stderr } = await runHere(['email', 'x'], { env: { ...at, UTILITY_API_URL: other.url } });
    assert.deepEqual([code, other.requests.length], [3, 0]);
    assert.match(stderr, /There is no key for http/);
  });

  it('a malformed file is an error that names it, and is kept', async () => {
    using home = createFolder();
    await runHere(['login', '--url', service.url, '--no-verify'], {
      env: { XDG_CONFIG_HOME: home.path },
      input: 'k',
    });
    const path = home.at('utility-api/config.json');
    writeFileSync(path, '{');
    const words = ['login', '--url', service.url, '--no-verify'];
    const { code, stderr } = await runHere(words, { env: { XDG_CONFIG_HOME: home.path }, input: 'k' });
    assert.deepEqual([code, stderr.includes(path), readFileSync(path, 'utf8')], [7, true, '{']);
  });
});

void describe('help and completions', { concurrency: 3 }, () => {
  it('the help lists every command, and that of a command every flag, in 80 columns', async () => {
    const { stdout } = await runHere(['--help']);
    for (const { name } of COMMANDS) assert.match(stdout, new RegExp(`^  ${name} +\\w`, 'm'));
    const helps = await Promise.all(COMMANDS.map(({ name }) => runHere([name, '--help'])));
    for (const [index, help] of helps.entries()) {
      const command = COMMANDS[index];
      assert.equal(help.code, 0);
      for (const { name } of command ? listFlags(command) : [])
        assert.match(help.stdout, new RegExp(`--${name}\\b`));
      const longest = help.stdout.split('\n').toSorted((one, other) => other.length - one.length)[0] ?? '';
      assert.ok(longest.length <= 80, longest);
    }
  });

  const hasScript = existsSync('/usr/bin/script');
  it(
    'a terminal gets colors and a progress bar; NO_COLOR turns colors off',
    { skip: !hasScript },
    async () => {
      writeFileSync(folder.at('list.txt'), 'a@gmial.com\n'.repeat(3));
      const show = async (words: string, more: object): Promise<string> => {
        const program = `exec '${process.execPath}' '${root}client/src/cli/main.ts' ${words}`;
        const { PATH = '' } = process.env;
        const variables = { ...env, PATH, TERM: 'xterm', SHELL: '/bin/sh', ...more };
        return (await promisify(execFile)('script', ['-qec', program, '/dev/null'], { env: variables }))
          .stdout;
      };
      const colored = await show('email a@gmial.com --no-mx', {});
      assert.ok(colored.includes('\u001b[1ma@gmial.com\u001b[0m is \u001b[33mrisky'), colored);
      const list = await show(`email --file ${folder.at('list.txt')} -o ${folder.at('out.csv')}`, {
        NO_COLOR: '1',
      });
      assert.ok(
        list.includes('\r\u001b[K') && list.includes('3 rows in') && !list.includes('\u001b[1m'),
        list,
      );
    },
  );

  const complete = (words: string[]): string[] => {
    const script = `source <(cat); COMP_WORDS=(utility-api ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _utility_api; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['-c', script], { input: bash, encoding: 'utf8', cwd: folder.path })
      .split('\n')
      .filter(Boolean);
  };
  let bash = '';

  it('bash completes commands, flags, values and files', async () => {
    bash = (await runHere(['completion', 'bash'])).stdout;
    writeFileSync(folder.at('my invoice.html'), '');
    assert.deepEqual(complete(['e']), ['email']);
    assert.deepEqual(complete(['pdf', '--page-s']), ['--page-size']);
    assert.deepEqual(complete(['pdf', '--page-size', 'L']), ['Letter', 'Legal']);
    assert.deepEqual(complete(['pdf', 'my']), ['my invoice.html']);
    assert.deepEqual(complete(['email', '-f', 'my']), ['my invoice.html']);
    assert.deepEqual(complete(['completion', '']), ['bash', 'zsh', 'fish']);
  });

  for (const shell of ['zsh', 'fish'])
    it(
      `${shell} accepts its script`,
      { skip: spawnSync(shell, ['--version']).error !== undefined },
      async () => {
        const { stdout } = await runHere(['completion', shell]);
        writeFileSync(folder.at(`completion.${shell}`), stdout);
        execFileSync(shell, ['-n', folder.at(`completion.${shell}`)]);
      },
    );

  it('the sources import one another, the client and modules of Node', () => {
    const paths = globSync('client/src/cli/**/*.ts', { cwd: root });
    assert.ok(paths.length > 20);
    for (const path of paths)
      for (const { moduleRequest } of parseSync(path, readFileSync(join(root, path), 'utf8')).module
        .staticImports)
        assert.match(moduleRequest.value, /^(node:[\w/]+|\.\.?\/[\w./-]+\.ts)$/, path);
  });
});
