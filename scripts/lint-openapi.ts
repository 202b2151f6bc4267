/**
 * Checks openapi.json by the recommended rules of Redocly and by Spectral's rules for OpenAPI. Prints each
 * finding, warnings too, and exits with code 1 if there is one. `npm run check` runs it.
 */
import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import spectralRulesets from '@stoplight/spectral-rulesets';

/** Returns the findings of both linters, one line each; none for a clean document. */
export async function lintOpenApi(source: string): Promise<string[]> {
  return [...(await lintByRedocly(source)), ...(await lintBySpectral(source))];
}

async function lintByRedocly(source: string): Promise<string[]> {
  const faults = await lintFromString({ source, config: await createConfig({ extends: ['recommended'] }) });
  return faults.map(
    ({ severity, ruleId, message, location }) =>
      `redocly ${severity} ${ruleId}: ${message} (${location[0]?.pointer ?? ''})`,
  );
}

async function lintBySpectral(source: string): Promise<string[]> {
  const spectral = new spectralCore.Spectral();
  spectral.setRuleset(new spectralCore.Ruleset({ extends: [[spectralRulesets.oas, 'recommended']] }));
  const faults = await spectral.run(JSON.parse(source) as Record<string, unknown>);
  return faults.map(
    ({ severity, code, message, path }) => `spectral ${severity} ${code}: ${message} (${path.join('/')})`,
  );
}

if (import.meta.main) {
  const findings = await lintOpenApi(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8'));
  for (const finding of findings) console.log(finding);
  if (findings.length > 0) process.exit(1);
  console.log('openapi.json: no errors and no warnings (Redocly recommended, Spectral oas)');
}
