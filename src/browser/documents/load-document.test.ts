import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import { BLOCKED_PORTS } from './load-document.ts';

// A second copy of the list of the Fetch standard. It lacks port 0.
const { badPorts } = createRequire(import.meta.resolve('undici'))('./lib/web/fetch/constants.js') as {
  badPorts: string[];
};

describe('the ports that no browser connects to', () => {
  it('are those of the Fetch standard', () => {
    const expected = [0, ...badPorts.map(Number)];
    assert.deepEqual([...BLOCKED_PORTS], expected);
  });
});
