import assert from 'node:assert/strict';
import { it } from 'node:test';
import { loadConfig } from '#config';
import { getOidcOptions } from './access.ts';

const ENVIRONMENT = {
  OIDC_ISSUER: 'https://id.example.com',
  OIDC_CLIENT_ID: 'utility-api',
  OIDC_CLIENT_SECRET: 'secret',
};

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
