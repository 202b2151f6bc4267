import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Page } from '../../src/browser/pages/page.ts';
import { FrameQueue } from '../../src/browser/pages/frames.ts';
import { openFakeBrowser, SESSION, turns, write } from './fake-browser.ts';

const NO_FRAMES = new FrameQueue(() => {});

const MAX_EVENTS = 20_000;
const MAX_EVENT_BYTES = 64 * 1024 * 1024;
/** Larger than what is parsed. */
const OVERSIZED = 'x'.repeat(3_000_000);
const TARGET = 'page-1';

/** Opens a page of a browser that the test plays. */
function openPage() {
  const browser = openFakeBrowser();
  const page = new Page(
    browser.connection,
    { targetId: TARGET, contextId: 'context-1', sessionId: SESSION },
    NO_FRAMES,
  );
  return {
    page,
    /** Sends an event and waits until the page has handled it. Returns its size. */
    async receive(method: string, params: object): Promise<number> {
      const message = write({ method, params, sessionId: SESSION });
      browser.respond(message);
      await turns(2);
      return message.length - 1;
    },
    getSent: (): string => Buffer.concat(browser.sent).toString('utf8'),
  };
}

void describe('the events of a page', () => {
  void it('abandon it above 20,000 of a document', async () => {
    const { page, receive } = openPage();
    for (let count = 0; count < MAX_EVENTS; count += 1) await receive('Page.windowOpen', {});
    assert.equal(page.lossReason, null);
    await receive('Page.windowOpen', {});
    assert.equal(page.lossReason, 'flood');
  });

  void it('abandon it above 5,000 requests of a document', async () => {
    const { page, receive } = openPage();
    const request = { requestId: 'interception-job-1', request: { url: 'http://a.invalid/' } };
    for (let count = 0; count < 5_000; count += 1) await receive('Fetch.requestPaused', request);
    assert.equal(page.lossReason, null);
    await receive('Fetch.requestPaused', request);
    assert.equal(page.lossReason, 'flood');
  });

  void it('abandon it above 64 MiB of a document', async () => {
    const { page, receive } = openPage();
    let bytes = await receive('Page.windowOpen', { url: OVERSIZED });
    const size = bytes;
    for (; bytes + size <= MAX_EVENT_BYTES; bytes += size)
      await receive('Page.windowOpen', { url: OVERSIZED });
    assert.equal(page.lossReason, null);
    await receive('Page.windowOpen', { url: OVERSIZED });
    assert.equal(page.lossReason, 'flood');
  });

  void it('are counted for each document', async () => {
    const { page, receive } = openPage();
    for (let sent = 0; sent < 2 * MAX_EVENT_BYTES; sent += OVERSIZED.length) {
      page.reset();
      await receive('Page.windowOpen', { url: OVERSIZED });
    }
    assert.equal(page.lossReason, null);
  });

  void it('abandon it above 20 dialogs, which are dismissed', async () => {
    const { page, receive, getSent } = openPage();
    for (let count = 0; count < 20; count += 1) await receive('Page.javascriptDialogOpening', {});
    assert.equal(page.lossReason, null);
    assert.equal(getSent().match(/"Page\.handleJavaScriptDialog","params":\{"accept":false\}/g)?.length, 20);
    await receive('Page.javascriptDialogOpening', {});
    assert.equal(page.lossReason, 'dialogs');
  });
});

void describe('an event that is too large to be parsed', () => {
  void it('fails the request that it is', async () => {
    const { page, receive, getSent } = openPage();
    await receive('Fetch.requestPaused', { requestId: 'interception-job-1.0', request: { url: OVERSIZED } });
    assert.equal(page.lossReason, null);
    assert.match(getSent(), /"Fetch\.failRequest".*"requestId":"interception-job-1\.0"/);
  });

  void it('abandons the page if the id of the request is not found', async () => {
    const { page, receive, getSent } = openPage();
    await receive('Fetch.requestPaused', { request: { url: OVERSIZED } });
    assert.equal(page.lossReason, 'memory');
    assert.doesNotMatch(getSent(), /Fetch\.failRequest/);
  });

  void it('abandons the page if its own frame was navigated, not if another one was', async () => {
    const { page, receive } = openPage();
    await receive('Page.frameNavigated', { frame: { id: 'other', parentId: TARGET, url: OVERSIZED } });
    assert.equal(page.lossReason, null);
    await receive('Page.frameNavigated', { frame: { id: TARGET, url: OVERSIZED } });
    assert.equal(page.lossReason, 'navigated');
  });

  void it('abandons the page if it is a worker or a dialog, and is ignored if it needs no action', async () => {
    for (const method of ['Page.windowOpen', 'Page.lifecycleEvent']) {
      const { page, receive } = openPage();
      await receive(method, { name: OVERSIZED });
      assert.equal(page.lossReason, null);
    }
    for (const method of ['Page.javascriptDialogOpening', 'Target.attachedToTarget']) {
      const { page, receive } = openPage();
      await receive(method, { message: OVERSIZED });
      assert.equal(page.lossReason, 'memory');
    }
  });
});
