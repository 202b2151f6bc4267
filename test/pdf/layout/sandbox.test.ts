import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { findChromium } from '#browser';
import { readReadiness } from '../../../src/cli/read-readiness.ts';
import { loadOperatorSecret } from '#storage';
import { startApp } from '../../support/start-app.ts';

/** A machine that forbids the sandbox: its browser starts only with `--no-sandbox`. */
void describe('a machine that does not allow the sandbox', () => {
  const folder = mkdtempSync(join(tmpdir(), 'no-sandbox-'));
  const chromiumPath = join(folder, 'chromium');
  before(async () => {
    const binary = await findChromium({
      chromiumPath: null,
      cacheDir: process.env['CHROMIUM_CACHE'] ?? null,
    });
    assert.ok(binary);
    const libraries = binary.libraryFolder === null ? '' : `LD_LIBRARY_PATH='${binary.libraryFolder}' `;
    chmodSync(folder, 0o755);
    writeFileSync(
      chromiumPath,
      `#!/bin/sh\ncase "$*" in *--no-sandbox*) ${libraries}exec '${binary.path}' "$@";; esac\nexit 1\n`,
      { mode: 0o755 },
    );
  });
  after(() => rmSync(folder, { recursive: true }));

  /** Starts the service and sends it a document. */
  async function render(requireSandbox: string): Promise<{ status: number; browser: object }> {
    await using service = await startApp({
      CHROMIUM_PATH: chromiumPath,
      PDF_REQUIRE_SANDBOX: requireSandbox,
      METRICS_PORT: '0',
    });
    const key = await service.createKey('free');
    const response = await service.call('/v1/pdf/generate', key, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ html: '<p>x' }),
    });
    const load = async (url: string): Promise<{ browser: object }> =>
      ((await (await fetch(`${url}/readyz`)).json()) as { parts: { browser: object } }).parts;
    const { browser } = await load(`http://127.0.0.1:${service.app.getMetricsPort()}`);
    const secret = await loadOperatorSecret(service.app.storage);
    assert.deepEqual((await readReadiness(service.url, secret))?.parts['browser'], browser);
    for (const fact of ['sandbox', 'network', 'browserVersion'])
      assert.ok(!(fact in (await load(service.url)).browser), fact);
    return { status: response.status, browser };
  }

  void it('503: with PDF_REQUIRE_SANDBOX=true nothing is rendered, and operators read why in readyz', async () => {
    const { status, browser } = await render('true');
    assert.equal(status, 503);
    assert.deepEqual(browser, {
      ...browser,
      ok: false,
      sandbox: false,
      reason: 'the browser could not be started in any way that is allowed',
    });
  });

  void it('200: without it documents are rendered, and operators read in readyz that there is no sandbox, strangers do not', async () => {
    const { status, browser } = await render('false');
    assert.equal(status, 200);
    assert.deepEqual(browser, { ...browser, ok: true, sandbox: false });
  });
});
