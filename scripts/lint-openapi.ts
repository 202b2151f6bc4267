/**
 * Checks openapi.json by the recommended rules of Redocly. Prints each finding, warnings too, and exits with
 * code 1 if there is one. `npm run check` runs it.
 */
import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';

/** Returns the findings, one line each; none for a clean document. */
export async function lintOpenApi(source: string): Promise<string[]> {
  const faults = await lintFromString({ source, config: await createConfig({ extends: ['recommended'] }) });
  return faults.map(
    ({ severity, ruleId, message, location }) =>
      `redocly ${severity} ${ruleId}: ${message} (${location[0]?.pointer ?? ''})`,
  );
}

if (import.meta.main) {
  const findings = await lintOpenApi(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8'));
  for (const finding of findings) console.log(finding);
  if (findings.length > 0) process.exit(1);
  console.log('openapi.json: no errors and no warnings (Redocly recommended)');
}
