import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { type Config, ConfigError, loadConfig } from './load-config.ts';
import { SETTINGS } from './settings.ts';

interface Row {
  /** Texts that are accepted, with the value that each becomes. */
  good: [text: string, value: unknown][];
  /** Texts that are refused, with what the message says. */
  bad: [text: string, message: RegExp][];
}

const CONTROL: [string, RegExp][] = ['a\u0007b', 'a\nb', 'a\u007fb'].map((text) => [
  text,
  /must not hold control characters/,
]);

function integerRow(min: number, max: number): Row {
  const message = new RegExp(`must be a whole number from ${min} to ${max}\\.$`);
  const texts = [String(min - 1), String(max + 1), '1.5', '1e3', '0x10', '٣', 'a'];
  return {
    good: [
      [String(min), min],
      [String(max), max],
    ],
    bad: texts.map((text) => [text, message]),
  };
}

const CIDRS: Row = {
  good: [
    ['10.0.0.0/8, fd00::/8', ['10.0.0.0/8', 'fd00::/8']],
    ['192.0.2.7,::1', ['192.0.2.7/32', '::1/128']],
  ],
  bad: ['10.0.0.0/33', 'fd00::/129', '10.0.0.0/8/8', '10.0.0.0/', '10.0.0.0/-1', '10.0.0', 'host/8'].map(
    (text) => [text, /must be a comma-separated list of CIDR ranges .* is not one\.$/],
  ),
};

const TEXT: Row = { good: [['a b/ü', 'a b/ü']], bad: CONTROL };

const BOOLEAN: Row = {
  good: [
    ['true', true],
    ['TRUE', true],
    ['1', true],
    ['false', false],
    ['0', false],
  ],
  bad: ['yes', 'on', '2', 'toString'].map((text) => [text, /must be true or false/]),
};

const COLLECTOR: Row = {
  good: [['http://127.0.0.1:4318', 'http://127.0.0.1:4318']],
  bad: [['127.0.0.1:4318', /must be a URL that starts with http/]],
};

const ROWS: Record<keyof Config, Row> = {
  host: { good: [['0.0.0.0', '0.0.0.0']], bad: CONTROL },
  port: integerRow(0, 65_535),
  metricsPort: integerRow(0, 65_535),
  metricsHost: { good: [['0.0.0.0', '0.0.0.0']], bad: CONTROL },
  dataDir: TEXT,
  databaseUrl: {
    good: [
      'postgres://user:p%40ss@db.example.com:5433/app?sslmode=verify-full&sslrootcert=/etc/ca.pem',
      'postgresql://user@[::1]/app?sslmode=require',
      'postgres://db/app?sslmode=no-verify&application_name=x',
      'postgres:///app?host=/var/run/postgresql',
    ].map((text) => [text, text]),
    bad: [
      ['mysql://host/app', /must be a URL like postgres:/],
      ['host/app', /must be a URL like postgres:/],
      ['postgres://user:p@ss/word@host/app', /must be a URL like postgres:|must name/],
      ['postgres:///app', /must name the host/],
      ['postgres://host', /must name the database/],
      ['postgres://host/', /must name the database/],
      [
        'postgres://host/app?sslmode=prefer',
        /as sslmode: disable, no-verify, require, verify-full; «prefer» is/,
      ],
      ['postgres://host/app?sslmode=', /as sslmode/],
      ['postgres://host/app?pool_size=3', /no other parameters than sslmode, .*; «pool_size» is one/],
      ['postgres://user:100%zz@host/app', /percent-encoded/],
    ],
  },
  databasePoolSize: integerRow(1, 500),
  databaseStatementTimeoutMs: integerRow(100, 600_000),
  databaseStartTimeoutMs: integerRow(0, 600_000),
  redisUrl: {
    good: [
      ['redis://:secret@redis.example.com:6379/1', 'redis://:secret@redis.example.com:6379/1'],
      ['rediss://redis.example.com', 'rediss://redis.example.com'],
      ['rediss://host?sslrootcert=/ca.pem', 'rediss://host?sslrootcert=/ca.pem'],
      ['redis://host?limits_timeout_ms=500', 'redis://host?limits_timeout_ms=500'],
    ],
    bad: [
      ['http://host', /must be a URL that starts with redis:\/\/ or rediss:\/\//],
      ['localhost:6379', /must be a URL that starts with redis:\/\/ or rediss:\/\//],
      ['redis:///1', /must name the host/],
      ['redis://host/name', /the number of a database/],
      ['redis://:100%zz@host', /percent-encoded/],
      [
        'redis://host?enableOfflineQueue=true',
        /no other parameters than sslrootcert, .*«enableOfflineQueue»/,
      ],
      ['redis://host?limits_timeout_ms=50', /limits_timeout_ms of 100 to 2000/],
      ['redis://host?limits_timeout_ms=050', /limits_timeout_ms of 100 to 2000/],
      ['redis://host?limits_timeout_ms=2001', /limits_timeout_ms of 100 to 2000/],
      ['redis://host?limits_timeout_ms=', /limits_timeout_ms of 100 to 2000/],
      ['redis://host?sslrootcert=/ca.pem', /must start with rediss:\/\//],
      ['rediss://host?sslcert=/client.pem', /sslcert and sslkey together/],
    ],
  },
  redisPrefix: {
    good: [['staging:', 'staging:']],
    bad: ['a b', '{a}', 'a'.repeat(65)].map((text) => [text, /must be 1 to 64 letters, digits/]),
  },
  publicUrl: {
    good: [
      ['https://api.example.com/', 'https://api.example.com'],
      ['http://host:8080', 'http://host:8080'],
      ['HTTPS://API.example.com:443', 'https://api.example.com'],
    ],
    bad: [
      ...[
        'ftp://host',
        'example.com',
        'https://user@host',
        'https://host/?a=b',
        'https://host/#a',
        '/path',
      ].map((text): [string, RegExp] => [
        text,
        /must be an http:\/\/ or https:\/\/ URL without credentials, query and fragment/,
      ]),
      ['https://host/base/', /must have no path \(«\/base\/?»\).* a host name of its own.*https:\/\/host or/],
    ],
  },
  operations: {
    good: [
      ['email,metadata,pdf', new Set(['email', 'metadata', 'pdf'])],
      [' pdf ,email', new Set(['pdf', 'email'])],
      ['metadata', new Set(['metadata'])],
    ],
    bad: [
      ...['Email', 'email pdf', 'validateEmail', 'toString', 'all'].map((text): [string, RegExp] => [
        text,
        /must be a comma-separated list of email, metadata, pdf; «.*» is not one of them/,
      ]),
      ['pdf,email,pdf', /names pdf twice; write each operation once/],
      [',', /names no operation; write one or more of email, metadata, pdf, or leave it unset for all/],
    ],
  },
  shutdownDelayMs: integerRow(0, 600_000),
  logLevel: {
    good: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].map((text) => [text, text]),
    bad: ['INFO', 'verbose', '30'].map((text) => [text, /must be one of fatal, error, warn, info, debug/]),
  },
  trustProxy: {
    good: [['false', false], ['0', false], ['FALSE', false], ...CIDRS.good],
    bad: [['true', /CIDR ranges/], ...CIDRS.bad],
  },
  plans: {
    good: [
      [
        'a=1,b=2/3',
        new Map([
          ['a', { limitPerMinute: 1, slots: null }],
          ['b', { limitPerMinute: 2, slots: 3 }],
        ]),
      ],
      [
        'a=1*1,b=2/3*999',
        new Map([
          ['a', { limitPerMinute: 1, slots: null, weight: 1 }],
          ['b', { limitPerMinute: 2, slots: 3, weight: 999 }],
        ]),
      ],
    ],
    bad: [
      ['a', /must be name=limit/],
      ['a=1*', /must be name=limit/],
      ['a=1*4/2', /must be name=limit/],
      ['a=1*0', /must be name=limit.*«a=1\*0» is not/],
      ['a=1*1000', /must be name=limit.*weight \(1–999\)/],
    ],
  },
  monthlyQuotas: {
    good: [
      ['free=1', new Map([['free', 1]])],
      [
        ' free=10000, business=999999999999',
        new Map([
          ['free', 10_000],
          ['business', 999_999_999_999],
        ]),
      ],
    ],
    bad: [
      ...['free', 'free=', 'free=-1', 'free=1.5', 'free=1k', 'Free=1', 'free=1/2'].map(
        (text): [string, RegExp] => [text, /must be plan=units, separated by commas.*; «.*» is not/],
      ),
      ['free=0', /must allow at least 1 unit per month; «free=0» does not/],
      ['free=1,free=2', /names the plan free twice; write each plan once/],
      [',', /names no plan; write plan=units/],
      ['gold=5', /names the plan gold, which PLANS does not: use one of free, pro, business/],
    ],
  },
  adminCommand: TEXT,
  unauthenticatedPerMinute: integerRow(1, 1_000_000),
  dnsServers: {
    good: [
      [
        '192.0.2.1, 192.0.2.2:5353, ::1, [::1]:54',
        [
          { host: '192.0.2.1', port: 53 },
          { host: '192.0.2.2', port: 5353 },
          { host: '::1', port: 53 },
          { host: '::1', port: 54 },
        ],
      ],
    ],
    bad: [
      ...['dns.example.com', '192.0.2.1:0', '192.0.2.1:65536', '192.0.2.1:x', '[192.0.2.1'].map(
        (text): [string, RegExp] => [text, /must be a comma-separated list of IP addresses/],
      ),
      [',', /must name at least one IP address/],
    ],
  },
  egressAllowCidrs: CIDRS,
  egressDenyCidrs: CIDRS,
  egressPorts: {
    good: [
      ['*', '*'],
      ['443, 80', [443, 80]],
      ['1, 65535', [1, 65_535]],
    ],
    bad: ['0', '65536', '80-90', '80,*', 'http'].map((text) => [
      text,
      /must be \* or a comma-separated list of ports from 1 to 65535/,
    ]),
  },
  egressConnectionsPerHost: integerRow(1, 1000),
  egressContactUrl: {
    good: [['https://example.com/bot?a=b', 'https://example.com/bot?a=b']],
    bad: ['example.com', 'mailto:a@example.com', 'https://u:p@example.com/', 'https://example.com/(bot)'].map(
      (text) => [text, /must be an http:\/\/ or https:\/\/ URL without credentials, parentheses/],
    ),
  },
  egressUserAgent: {
    good: [['Bot/1.0 (a; b)', 'Bot/1.0 (a; b)']],
    bad: ['Bot\r\nx: y', 'Böt', 'a\tb'].map((text) => [text, /must be printable ASCII/]),
  },
  metaCacheTtlSeconds: integerRow(0, 86_400),
  metaRender: BOOLEAN,
  disposableListUrls: {
    good: [
      ['https://lists.example.com/a.txt?b', ['https://lists.example.com/a.txt?b']],
      ['https://lists.example.com/#reviewed', ['https://lists.example.com/#reviewed']],
      [
        'http://lists.example.com/, https://lists.example.com/a%2Cb,,http://lists.example.com/',
        ['http://lists.example.com/', 'https://lists.example.com/a%2Cb'],
      ],
    ],
    bad: [
      'ftp://lists.example.com',
      'lists.txt',
      'file:///etc/passwd',
      'https://lists.example.com/a,b',
      'https://user:word@lists.example.com/',
      'https://lists.example.com/#review',
    ].map((text) => [text, /must be a comma-separated list of http.* is not one \(write a comma .*%2C\)\.$/]),
  },
  emailAllowDomainsFile: TEXT,
  emailBlockDomainsFile: TEXT,
  chromiumPath: TEXT,
  chromiumCacheDir: TEXT,
  pdfSlots: {
    good: [
      ['1', 1],
      ['256', 256],
    ],
    bad: ['0', '257', 'AUTO', '1.5'].map((text) => [text, /must be auto or a whole number from 1 to 256/]),
  },
  pdfTimeoutMs: integerRow(1000, 300_000),
  pdfRendererMemoryMb: integerRow(128, 65_536),
  pdfProcessPerDocument: BOOLEAN,
  pdfRequireSandbox: BOOLEAN,
  bodyMemoryMb: integerRow(64, 4096),
  signups: {
    good: ['open', 'invite', 'closed'].map((text) => [text, text]),
    bad: ['Open', 'none'].map((text) => [text, /must be one of open, invite, closed/]),
  },
  frontDoor: BOOLEAN,
  smtpUrl: {
    good: [
      ['smtp://mail.example.com:25', 'smtp://mail.example.com:25'],
      ['smtps://user:secret@mail.example.com', 'smtps://user:secret@mail.example.com'],
    ],
    bad: ['https://mail.example.com', 'mail.example.com'].map((text) => [
      text,
      /must be a URL that starts with smtp:\/\/ or smtps:\/\//,
    ]),
  },
  mailFrom: { good: [['Ann <ann@example.com>', 'Ann <ann@example.com>']], bad: CONTROL },
  oidcIssuer: {
    good: [
      'https://id.example.com/realms/one',
      'https://id.example.com/',
      'http://localhost:8080',
      'http://127.0.0.1:8080/realms/one',
      'http://[::1]:8080',
    ].map((text) => [text, text]),
    bad: [
      ...['id.example.com', 'https://user:secret@id.example.com', 'https://id.example.com?x=1'].map(
        (text): [string, RegExp] => [text, /must be an https:\/\/ URL without credentials/],
      ),
      ...['http://id.example.com', 'http://localhost.example.com', 'http://10.0.0.1'].map(
        (text): [string, RegExp] => [text, /http:\/\/ is accepted for a provider on this machine only/],
      ),
    ],
  },
  oidcClientId: TEXT,
  oidcClientSecret: TEXT,
  oidcName: TEXT,
  otelEndpoint: COLLECTOR,
  otelSamplerRatio: {
    good: [
      ['0', 0],
      ['0.25', 0.25],
      ['.5', 0.5],
      ['1', 1],
    ],
    bad: ['1.1', '-0.1', 'a', '1e-1', '.', 'NaN'].map((text) => [text, /must be a number from 0 to 1/]),
  },
};

/** The values of all settings in an empty environment; null is a value, `auto` depends on the machine. */
const DEFAULTS: Omit<Config, 'pdfSlots'> = {
  host: '127.0.0.1',
  port: 3000,
  metricsPort: null,
  metricsHost: '127.0.0.1',
  dataDir: './data',
  databaseUrl: null,
  databasePoolSize: 10,
  databaseStatementTimeoutMs: 5000,
  databaseStartTimeoutMs: 30_000,
  redisUrl: null,
  redisPrefix: 'utility-api:',
  publicUrl: null,
  operations: new Set(['email', 'metadata', 'pdf']),
  shutdownDelayMs: 0,
  logLevel: 'info',
  trustProxy: false,
  plans: new Map([
    ['free', { limitPerMinute: 60, slots: null, weight: 1 }],
    ['pro', { limitPerMinute: 600, slots: null, weight: 4 }],
    ['business', { limitPerMinute: 6000, slots: null, weight: 16 }],
  ]),
  monthlyQuotas: null,
  adminCommand: null,
  unauthenticatedPerMinute: 600,
  dnsServers: null,
  egressAllowCidrs: [],
  egressDenyCidrs: [],
  egressPorts: [80, 443, 8080, 8443],
  egressConnectionsPerHost: 6,
  egressContactUrl: null,
  egressUserAgent: null,
  metaCacheTtlSeconds: 600,
  metaRender: true,
  disposableListUrls: [],
  emailAllowDomainsFile: null,
  emailBlockDomainsFile: null,
  chromiumPath: null,
  chromiumCacheDir: null,
  pdfTimeoutMs: 30_000,
  pdfProcessPerDocument: false,
  pdfRendererMemoryMb: 1200,
  pdfRequireSandbox: false,
  bodyMemoryMb: 192,
  signups: null,
  frontDoor: true,
  smtpUrl: null,
  mailFrom: 'Utility API <utility-api@localhost>',
  oidcIssuer: null,
  oidcClientId: null,
  oidcClientSecret: null,
  oidcName: 'Single sign-on',
  otelEndpoint: null,
  otelSamplerRatio: 1,
};

/** Returns the problems that stop the start. */
function findProblems(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(env);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.problems;
  }
}

describe('every setting', () => {
  it('has a row in this test and a default', () => {
    assert.deepEqual(
      Object.keys(ROWS),
      Object.keys(SETTINGS),
      'ROWS of src/config/settings.test.ts has the settings of src/config/settings.ts, in their order',
    );
    const { pdfSlots, ...config } = loadConfig({});
    assert.deepEqual(config, DEFAULTS);
    assert.ok(pdfSlots >= 3);
  });

  for (const [name, { good, bad }] of Object.entries(ROWS) as [keyof Config, Row][]) {
    const { env } = SETTINGS[name];
    it(`${env} is set by good values`, () => {
      for (const [text, value] of good) {
        assert.deepEqual(loadConfig({ [env]: text })[name], value, text);
        assert.deepEqual(loadConfig({ [env]: ` ${text}\n` })[name], value, `${text} with blanks`);
      }
    });

    it(`${env} stops the start with one line on a bad value`, () => {
      for (const [text, message] of bad) {
        const problems = findProblems({ [env]: text });
        assert.equal(problems.length, 1, text);
        const [problem = ''] = problems;
        assert.match(problem, message);
        assert.ok(problem.startsWith(`${env} `) && problem.endsWith('.'), problem);
      }
    });

    it(`${env} has its default if it is empty`, () => {
      assert.deepEqual(loadConfig({ [env]: '  ' })[name], loadConfig({})[name]);
    });
  }

  it('is checked: one line for each bad value', () => {
    assert.deepEqual(
      findProblems({ PORT: 'x', SIGNUPS: 'x', BODY_MEMORY_MB: '1', HOST: 'fine' }).map(
        (problem) => problem.split(' ', 1)[0],
      ),
      ['PORT', 'BODY_MEMORY_MB', 'SIGNUPS'],
    );
  });
});

describe('SMTP_URL_FILE', () => {
  const folder = mkdtempSync(join(tmpdir(), 'config-'));
  const file = join(folder, 'smtp-url');
  after(() => rmSync(folder, { recursive: true }));

  it('names a file with the value, and blanks around it do not count', () => {
    writeFileSync(file, '\n smtps://user:secret@mail.example.com\n');
    assert.equal(loadConfig({ SMTP_URL_FILE: file }).smtpUrl, 'smtps://user:secret@mail.example.com');
  });

  it('is ignored if SMTP_URL is set', () => {
    writeFileSync(file, 'smtp://of-the-file');
    assert.equal(loadConfig({ SMTP_URL: 'smtp://direct', SMTP_URL_FILE: file }).smtpUrl, 'smtp://direct');
    assert.equal(loadConfig({ SMTP_URL: '', SMTP_URL_FILE: file }).smtpUrl, 'smtp://of-the-file');
  });

  it('leaves the value unset if the file is empty or SMTP_URL_FILE is', () => {
    writeFileSync(file, ' \n');
    assert.equal(loadConfig({ SMTP_URL_FILE: file }).smtpUrl, null);
    assert.equal(loadConfig({ SMTP_URL_FILE: '' }).smtpUrl, null);
  });

  it('stops the start if the file is missing or has a bad value, and the message does not quote it', () => {
    const missing = findProblems({ SMTP_URL_FILE: join(folder, 'missing') });
    assert.deepEqual(missing, [
      'SMTP_URL cannot be read: the file that SMTP_URL_FILE names does not exist or may not be read.',
    ]);
    writeFileSync(file, 'https://user:secret@mail.example.com');
    const [bad = ''] = findProblems({ SMTP_URL_FILE: file });
    assert.match(bad, /^SMTP_URL must be a URL that starts with smtp:\/\/ or smtps:\/\/\.$/);
    assert.doesNotMatch(bad, /secret/);
  });

  it('does not exist for settings that are no secrets', () => {
    writeFileSync(file, '4000');
    chmodSync(file, 0o600);
    assert.equal(loadConfig({ PORT_FILE: file }).port, 3000);
  });
});
