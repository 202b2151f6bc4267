import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CdpClosedError, CdpError } from '../../src/browser/browser-errors.ts';
import { seeded } from '../support/random.ts';
import { openFakeBrowser, SESSION, turns, write, type CdpEvent } from './fake-browser.ts';

const ROUNDS = process.env['TEST_FULL'] === '1' ? 30_000 : 700;
const PDF = Buffer.from(Array.from({ length: 5_000 }, (_, index) => index % 251));

/** Everything that Chromium sends: events small, large and dense, results, an error, a PDF. */
const TRANSCRIPT = Buffer.from(
  [
    write({ method: 'Page.loadEventFired', params: { timestamp: 1 }, sessionId: SESSION }),
    write({ id: 1, result: { product: 'é€😀' } }),
    write({ method: 'Fetch.requestPaused', params: { requestId: 'job-1.0', requests: ['x'.repeat(3_000)] } }),
    write({ id: 2, result: { data: PDF.toString('base64'), stream: '' }, sessionId: SESSION }),
    write({ method: 'Page.frameAttached', params: { frameId: 'a', parentFrameId: 'b' }, sessionId: SESSION }),
    write({ id: 3, error: { code: -32601, message: 'no', data: 'such thing' }, sessionId: SESSION }),
    write({ method: 'Target.detachedFromTarget', params: { sessionId: SESSION } }),
  ].join(''),
);

interface Run {
  events: CdpEvent[];
  outcomes: Promise<unknown>[];
  browser: ReturnType<typeof openFakeBrowser>;
}

/** Three commands in flight, and a listener to both sessions. */
function start(): Run {
  const browser = openFakeBrowser();
  const { connection } = browser;
  const events: CdpEvent[] = [];
  const onEvent = (event: CdpEvent): void => {
    assert.equal(browser.closings.length, 0, 'nothing is dispatched after the close');
    events.push(event);
  };
  connection.listen('', onEvent);
  connection.listen(SESSION, onEvent);
  const outcomes = [
    connection.send('Browser.getVersion'),
    connection.sendForData('Page.printToPDF', {}, SESSION),
    connection.send('Page.enable', {}, SESSION),
  ].map((promise) => promise.catch((error: unknown) => error));
  return { events, outcomes, browser };
}

/** Hands bytes over in chunks of any size. */
async function feed({ browser }: Run, bytes: Buffer, random: (below: number) => number): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    const size = 1 + random(random(4) === 0 ? 8 : 4_000);
    browser.respond(bytes.subarray(at, at + size));
    at += size;
    if (random(8) === 0) await turns(1);
  }
}

type Damage = (bytes: Buffer, random: (below: number) => number) => Buffer;

/** Faults of a pipe; the browser ends after each. */
const DAMAGES: Record<string, Damage> = {
  'ends at a byte': (bytes, random) => bytes.subarray(0, random(bytes.length + 1)),
  'one byte is another': (bytes, random) => {
    const damaged = Buffer.from(bytes);
    damaged[random(damaged.length)] = random(256);
    return damaged;
  },
  'bytes are missing': (bytes, random) => {
    const at = random(bytes.length);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + random(300))]);
  },
  'garbage is between': (bytes, random) => {
    const at = random(bytes.length);
    const garbage = Buffer.from(Array.from({ length: 1 + random(50) }, () => random(256)));
    return Buffer.concat([bytes.subarray(0, at), garbage, bytes.subarray(at)]);
  },
  'a piece is repeated': (bytes, random) => {
    const at = random(bytes.length);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(random(at + 1))]);
  },
};

/** Complete messages that no browser sends. */
const MALFORMED: [name: string, message: string | Buffer][] = [
  ['no JSON', 'nonsense'],
  ['an empty message', ''],
  ['half a message', '{"method":"Page.loadEventFired","params":{"x'],
  ['truncated UTF-8', Buffer.from('{"method":"Page.loadEventFired","params":{"x":"\xe2\x82"}}', 'latin1')],
  ['null', 'null'],
  ['an array', '[{"id":1,"result":{}}]'],
  ['a number', '7'],
  ['neither id nor method', '{"params":{}}'],
  ['an id that is a string', '{"id":"1","result":{}}'],
  ['an id that is no integer', '{"id":1.5,"result":{}}'],
  ['a response without a result', '{"id":1}'],
  ['a result that is null', '{"id":1,"result":null}'],
  ['an error that is a string', '{"id":1,"error":"no"}'],
  ['an error without a message', '{"id":1,"error":{"code":1}}'],
  ['a method that is an object', '{"method":{},"params":{}}'],
  ['parameters that are null', '{"method":"Page.loadEventFired","params":null}'],
  ['parameters that are a string', '{"method":"Page.loadEventFired","params":"x"}'],
  ['a session that is a number', '{"method":"Page.loadEventFired","params":{},"sessionId":1}'],
  ['a PDF that is not base64', `{"id":2,"result":{"data":"${'A'.repeat(100)}é"}}`],
  ['a PDF that continues after its padding', `{"id":2,"result":{"data":"${'A'.repeat(98)}==AAAA"}}`],
  ['a PDF of half a group', `{"id":2,"result":{"data":"${'A'.repeat(97)}"}}`],
  ['a PDF without its end', `{"id":2,"result":{"data":"${'A'.repeat(100)}`],
  ['a PDF that is a number', '{"id":2,"result":{"data":7}}'],
  ['an end that is not JSON', `{"id":2,"result":{"data":"${'A'.repeat(100)}"]]`],
  ['3 MB of something else', 'x'.repeat(3_000_000)],
];

void describe('the pipe to the browser', () => {
  void it('a chunk that arrives after the close with the end of a message is dropped', async () => {
    const run = start();
    const message = Buffer.from(write({ method: 'Page.loadEventFired', params: { x: 'y' } }));
    run.browser.respond(message.subarray(0, 20));
    run.browser.connection.close();
    run.browser.respond(message.subarray(20));
    run.browser.respond(TRANSCRIPT);
    await Promise.all(run.outcomes);
    assert.deepEqual([run.events, run.browser.closings], [[], [null]]);
  });

  void it('messages arrive whole and in order, for any chunks', async () => {
    const random = seeded(1);
    for (let round = 0; round < 300; round += 1) {
      const run = start();
      await feed(run, TRANSCRIPT, random);
      const [version, pdf, enabled] = await Promise.all(run.outcomes);
      assert.deepEqual(version, { product: 'é€😀' });
      assert.ok(PDF.equals(pdf as Buffer));
      assert.ok(enabled instanceof CdpError && enabled.message === 'no: such thing');
      await turns(2);
      assert.deepEqual(
        run.events.map(({ method }) => method),
        ['Page.loadEventFired', 'Fetch.requestPaused', 'Page.frameAttached', 'Target.detachedFromTarget'],
      );
      assert.deepEqual(run.browser.closings, []);
    }
  });

  for (const [name, damage] of Object.entries(DAMAGES)) {
    void it(`${name}: every command settles, the connection closes once, nothing is thrown`, async () => {
      const random = seeded(2);
      for (let round = 0; round < ROUNDS; round += 1) {
        const run = start();
        await feed(run, damage(TRANSCRIPT, random), random);
        if (random(2) === 0) run.browser.output.destroy();
        else run.browser.output.end();
        run.browser.output.resume();
        // The browser's end of the pipe may be seen before the last that it wrote.
        if (random(2) === 0) run.browser.respond(TRANSCRIPT.subarray(random(TRANSCRIPT.length)));
        const outcomes = await Promise.all(run.outcomes);
        await turns(1);
        assert.equal(run.browser.closings.length, 1);
        assert.ok(
          outcomes.every((outcome) => !(outcome instanceof TypeError) && outcome !== undefined),
          'each has an outcome',
        );
      }
    });
  }

  for (const [name, message] of MALFORMED) {
    void it(`${name}: closes the connection, and says why`, async () => {
      const run = start();
      run.browser.respond(Buffer.concat([Buffer.from(message), Buffer.from([0]), TRANSCRIPT]));
      const outcomes = await Promise.all(run.outcomes);
      assert.ok(outcomes.every((outcome) => outcome instanceof CdpClosedError));
      assert.ok(run.browser.closings[0] instanceof Error);
      assert.deepEqual([run.events, run.browser.closings.length], [[], 1]);
      await assert.rejects(run.browser.connection.send('Browser.getVersion'), CdpClosedError);
    });
  }

  void it('a listener that throws closes the connection', () => {
    const browser = openFakeBrowser();
    browser.connection.listen('', ({ params }) => {
      throw new TypeError(`unexpected ${JSON.stringify(params)}`);
    });
    browser.respond(write({ method: 'Target.targetCrashed', params: {} }));
    assert.match(browser.closings[0]?.message ?? '', /unexpected \{\}/);
  });

  void it('what follows the message that closes the connection is not dispatched', () => {
    const browser = openFakeBrowser();
    const seen: string[] = [];
    browser.connection.listen('', ({ method }) => {
      seen.push(method);
      browser.connection.close();
    });
    browser.respond(write({ method: 'A.a', params: {} }) + write({ method: 'B.b', params: {} }));
    assert.deepEqual(seen, ['A.a']);
  });

  void it('an error that names no command is ignored', () => {
    const run = start();
    run.browser.respond(write({ error: { code: -32700, message: 'Message must be a valid JSON' } }));
    assert.deepEqual([run.events, run.browser.closings], [[], []]);
    run.browser.connection.close();
  });
});
