import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Page } from '../../src/browser/pages/page.ts';
import { FrameQueue } from '../../src/browser/pages/frames.ts';
import { openFakeBrowser, SESSION, write } from './fake-browser.ts';

const NO_FRAMES = new FrameQueue(() => {});

void it('a page that is abandoned rejects its commands in flight, and those of its workers', async () => {
  const { connection, respond } = openFakeBrowser();
  const page = new Page(
    connection,
    { targetId: 'target', contextId: 'context', sessionId: SESSION },
    NO_FRAMES,
  );
  const params = { sessionId: 'WORKER', targetInfo: { type: 'worker' } };
  respond(write({ method: 'Target.attachedToTarget', sessionId: SESSION, params }));
  const evaluating = page.evaluate('0');
  const pinging = page.workers.ping();
  page.abandon('discarded');
  await assert.rejects(evaluating, /the page has ended/);
  await pinging;
  connection.close();
});

void it('a worker that ends is not waited for any more', async () => {
  const { connection, respond } = openFakeBrowser();
  const page = new Page(
    connection,
    { targetId: 'target', contextId: 'context', sessionId: SESSION },
    NO_FRAMES,
  );
  const params = { sessionId: 'WORKER', targetInfo: { type: 'worker' } };
  respond(write({ method: 'Target.attachedToTarget', sessionId: SESSION, params }));
  const pinging = page.workers.ping();
  respond(write({ method: 'Target.detachedFromTarget', sessionId: SESSION, params }));
  await pinging;
  connection.close();
});
