import assert from 'node:assert/strict';
import { it } from 'node:test';
import { loadConfig } from '#config';
import { getOidcOptions, getSignups } from './access.ts';

const ENVIRONMENT = {
  OIDC_ISSUER: 'https://id.example.com',
  OIDC_CLIENT_ID: 'utility-api',
  OIDC_CLIENT_SECRET: 'secret',
};

it('sign-up is closed by default if PUBLIC_URL is set and SMTP_URL is not, and the log says how to open it', () => {
  const PUBLIC = { PUBLIC_URL: 'https://api.example.com' };
  const getLogged = (environment: Record<string, string>): [string, string[]] => {
    const lines: string[] = [];
    const logger = { warn: (line: string): void => void lines.push(line) };
    return [getSignups(loadConfig(environment), logger as never), lines];
  };
  const [closed, lines] = getLogged(PUBLIC);
  assert.equal(closed, 'closed');
  assert.match(lines.join(), /^sign-up is closed, because PUBLIC_URL .* set SMTP_URL to open it, or SIGNUPS/);
  assert.deepEqual(getLogged({}), ['open', []]);
  assert.deepEqual(getLogged({ ...PUBLIC, SMTP_URL: 'smtp://mail.example.com' }), ['open', []]);
  for (const SIGNUPS of ['open', 'invite', 'closed'])
    assert.deepEqual(getLogged({ ...PUBLIC, SIGNUPS }), [SIGNUPS, []]);
});

it('an identity provider needs all of its settings; without any, there is none', () => {
  assert.equal(getOidcOptions(loadConfig({})), null);
  assert.deepEqual(getOidcOptions(loadConfig({ ...ENVIRONMENT, OIDC_NAME: 'Example ID' })), {
    issuer: 'https://id.example.com',
    clientId: 'utility-api',
    clientSecret: 'secret',
    name: 'Example ID',
  });
  for (const missing of Object.keys(ENVIRONMENT))
    assert.throws(
      () => getOidcOptions(loadConfig({ ...ENVIRONMENT, [missing]: '' })),
      new RegExp(`set ${missing} too, or unset all of them`),
    );
});
