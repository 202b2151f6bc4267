import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { launchBrowser } from './launch-browser.ts';

void it('a browser that cannot be started leaves no folder', async () => {
  const previous = process.env['TMPDIR'];
  const folder = mkdtempSync(join(tmpdir(), 'launch-test-'));
  process.env['TMPDIR'] = folder;
  try {
    const jail = { prefix: [], hasOwnGroup: false, user: null, network: 'flags', sandbox: true } as const;
    // spawn() throws for the first path, and reports the second one later.
    for (const path of ['/bin/with\0null', '/nonexistent/chromium']) {
      const binary = { path, libraryFolder: null, fontconfigFile: null };
      await assert.rejects(launchBrowser(binary, { ...jail, prefix: [] }));
      assert.deepEqual(readdirSync(folder), [], path);
    }
  } finally {
    if (previous === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = previous;
    rmSync(folder, { recursive: true, force: true });
  }
});
