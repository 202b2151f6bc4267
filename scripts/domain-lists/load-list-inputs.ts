import { readFileSync } from 'node:fs';
import { disposableEmailBlocklist } from 'disposable-email-domains-js';
import { RELAY_DOMAINS } from '../../src/email/verdict/host-traits.ts';
import { computeInputHash, type ListInputs, type Overlay, OVERLAY_NAMES } from './build-domain-lists.ts';
import { HISTORIES } from './histories.ts';
import { listMissingHistories, loadHistories } from './load-history.ts';
import { listMissingSources, loadSources } from './load-sources.ts';
import { parseSources } from './parse-source.ts';
import { SOURCES } from './sources.ts';

const HERE = new URL('./', import.meta.url);

/** Loads the overlay files beside this one. */
export function loadOverlay(): Overlay {
  const entries = OVERLAY_NAMES.map((name) => [name, readFileSync(new URL(`${name}.txt`, HERE), 'utf8')]);
  return Object.fromEntries(entries) as Overlay;
}

/** Loads the list of the installed, pinned package. */
function loadDisposablePackage(): string[] {
  return disposableEmailBlocklist().map((name) => name.toLowerCase());
}

/** Loads all inputs from the folder. Fetches those that are missing. */
export async function loadListInputs(folder: string): Promise<ListInputs> {
  const sources = parseSources(await loadSources(folder, SOURCES));
  const histories = await loadHistories(folder, HISTORIES);
  return { disposablePackage: loadDisposablePackage(), sources, histories, overlay: loadOverlay() };
}

/** Lists the inputs that are not in the folder, or not as pinned. */
export function listMissingInputs(folder: string): string[] {
  return [
    ...listMissingSources(folder, SOURCES).map(({ file }) => file),
    ...listMissingHistories(folder, HISTORIES),
  ];
}

/**
 * Computes the hash of the inputs of a generated list, without loading the sources: their hashes are pinned.
 */
export function computeListHash(name: string, overlay: Overlay): string {
  const own = OVERLAY_NAMES.find((one) => name === `${one}.txt`);
  if (own !== undefined && own !== 'never-disposable') return computeInputHash([overlay[own]]);
  const { roles: _roles, neighbors: _neighbors, 'disposable-mail-hosts': _hosts, ...texts } = overlay;
  const pinned = Object.values(SOURCES).map(({ sha256 }) => sha256);
  const commits = Object.values(HISTORIES).map(({ commit }) => commit);
  const listed = [loadDisposablePackage(), [...RELAY_DOMAINS]].map((names) => names.join('\n'));
  return computeInputHash([...listed, ...pinned, ...commits, ...Object.values(texts)]);
}

/** Computes a hash of the pinned histories, by which a test finds a stale table of the replay. */
export function computeHistoriesHash(): string {
  return computeInputHash(Object.values(HISTORIES).map(({ commit }) => commit));
}
