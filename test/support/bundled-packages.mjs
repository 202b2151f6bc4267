/**
 * Preloaded into the processes of the tests (`bundle-packages.ts`): imports of the project's own sources find
 * the bundles. Plain JavaScript that any Node runs: the variable NODE_OPTIONS reaches npm and others too.
 */
import { readFileSync } from 'node:fs';
import * as module from 'node:module';

const folder = new URL(import.meta.url).searchParams.get('folder') ?? '';
const root = new URL('../../', import.meta.url).href;
const bundles = new Map(
  Object.entries(JSON.parse(readFileSync(`${folder}/imports.json`, 'utf8'))).map(([specifier, name]) => [
    specifier,
    { url: new URL(`file://${folder}/${name}`).href, format: 'module', shortCircuit: true },
  ]),
);
/** Packages keep what they import themselves, and built trees have packages of their own. */
const isOwnSource = (url) => url?.startsWith(`${root}src/`) || url?.startsWith(`${root}test/`);

module.registerHooks?.({
  resolve: (specifier, context, next) =>
    (isOwnSource(context.parentURL) && bundles.get(specifier)) || next(specifier, context),
});
