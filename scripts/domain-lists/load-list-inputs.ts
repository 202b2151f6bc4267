import { readFileSync } from 'node:fs';
import { disposableEmailBlocklist } from 'disposable-email-domains-js';
import { RELAY_DOMAINS } from '../../src/email/verdict/host-traits.ts';
import { computeInputHash, type Overlay, OVERLAY_NAMES } from './build-domain-lists.ts';
import { SOURCES } from './sources.ts';

const HERE = new URL('./', import.meta.url);

/** Loads the overlay files beside this one. */
export function loadOverlay(): Overlay {
  const entries = OVERLAY_NAMES.map((name) => [name, readFileSync(new URL(`${name}.txt`, HERE), 'utf8')]);
  return Object.fromEntries(entries) as Overlay;
}

/** Loads the list of the installed, pinned package. */
export function loadDisposablePackage(): string[] {
  return [...disposableEmailBlocklist()];
}

/**
 * Computes the hash of the inputs of a generated list, without loading the sources: their hashes are pinned.
 */
export function computeListHash(name: string, overlay: Overlay): string {
  const own = OVERLAY_NAMES.find((one) => name === `${one}.txt`);
  if (own !== undefined && own !== 'never-disposable') return computeInputHash([overlay[own]]);
  const { roles: _roles, neighbors: _neighbors, 'disposable-mail-hosts': _hosts, ...texts } = overlay;
  const pinned = Object.values(SOURCES).map(({ sha256 }) => sha256);
  const listed = [loadDisposablePackage(), [...RELAY_DOMAINS]].map((names) => names.join('\n'));
  return computeInputHash([...listed, ...pinned, ...Object.values(texts)]);
}
