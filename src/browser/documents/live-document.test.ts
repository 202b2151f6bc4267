import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OWN_URL, type Page } from '../pages/page.ts';
import { VirtualTime } from '../pages/virtual-time.ts';
import { TAKE_ACTIVITY } from './document-start-script.ts';
import { type Activity, NO_ACTIVITY } from './start-script/activity.ts';
import { LiveDocument } from './live-document.ts';

/** The work of a document in one second of its time. */
interface Work extends Partial<Activity> {
  requests?: number;
}

/** Loads a document and runs it until it is idle. Returns the seconds of its time that passed. */
async function countSeconds(listWork: (second: number) => Work): Promise<number> {
  return (await runToIdle(listWork)).seconds;
}

/** Returns also the seconds that had passed at each frame. */
async function runToIdle(listWork: (second: number) => Work): Promise<{ seconds: number; frames: number[] }> {
  let seconds = 0;
  const frames: number[] = [];
  const requests = { inFlight: 0, started: 0 };
  const page = {
    url: OWN_URL,
    targetId: 'target',
    workers: { count: 0 },
    whenLost: new Promise<never>(() => {}),
    lossReason: null,
    onLoad: null as (() => void) | null,
    time: undefined as VirtualTime | undefined,
    setScripting() {},
    async send(method: string) {
      if (method === 'Page.setDocumentContent') this.onLoad?.();
      return { virtualTimeTicksBase: 0 };
    },
    async evaluate() {},
    async showFrame() {
      frames.push(seconds);
    },
    sendAndForget(_method: string, params?: unknown) {
      const { budget } = params as { budget?: number };
      if (budget === undefined) return;
      this.time?.expire();
      if (budget < 900) return;
      seconds += 1;
      requests.started += listWork(seconds).requests ?? 0;
    },
    async evaluateInDocument(expression: string): Promise<Activity | null> {
      if (expression !== TAKE_ACTIVITY || seconds === 0) return null;
      const { requests: _, ...activity } = listWork(seconds);
      return { ...NO_ACTIVITY, ...activity };
    },
  };
  page.time = new VirtualTime(page);
  const document = await LiveDocument.load(
    page as unknown as Page,
    { html: '<p>', url: null, epochMs: 0, media: 'print', javascript: true },
    requests,
    { settleMs: 60_000, now: () => 0, onNoResponse: 'end' },
  );
  await document.runToIdle();
  return { seconds, frames };
}

describe('a document is idle', () => {
  it('after a second in which nothing happened and nothing is left that could run', async () => {
    assert.equal(await countSeconds(() => ({})), 1);
    assert.equal(await countSeconds((second) => (second <= 4 ? { requests: 1 } : {})), 5);
  });

  it('after three seconds without a request, a change or a timer if something could still run', async () => {
    assert.equal(await countSeconds(() => ({ repeating: 1 })), 3);
    assert.equal(await countSeconds((second) => ({ repeating: 1, timers: second === 2 ? 1 : 0 })), 5);
  });

  it('if it changes again and again, three seconds after its ninth one with a change', async () => {
    assert.equal(await countSeconds(() => ({ changes: 1 })), 12);
    assert.equal(await countSeconds(() => ({ timers: 1 })), 12);
  });

  it('after 30 seconds if it requests something again and again', async () => {
    assert.equal(await countSeconds(() => ({ requests: 1 })), 30);
  });

  it('later if it only made requests at first: those seconds are none with a change', async () => {
    assert.equal(await countSeconds((second) => (second <= 10 ? { requests: 1 } : { timers: 1 })), 22);
  });
});

describe('a document is shown', () => {
  it('in two frames after its load event and two when it is idle', async () => {
    const { frames } = await runToIdle(() => ({}));
    assert.deepEqual(frames, [0, 0, 1, 1]);
  });

  it('once more if it is never idle, and is not waited for again', async () => {
    const { frames, seconds } = await runToIdle(() => ({ changes: 1 }));
    assert.deepEqual(frames, [0, 0, 12, 12]);
    assert.equal(seconds, 12);
  });
});
