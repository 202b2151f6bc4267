import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CdpDataTooLargeError, CdpError } from '../../src/browser/browser-errors.ts';
import { startTurnMeter } from '../support/turn-meter.ts';
import { openFakeBrowser, SESSION, turns, write, type CdpEvent } from './fake-browser.ts';

/** The limit for one turn of the event loop. */
const MAX_TURN_MS = 50;
const CHUNK_BYTES = 64 * 1024;
const OTHER_SESSION = 'C915ED87B6F057DAAD98EF30FE14E5B0';
const MIB = 1024 * 1024;

/** Runs something, and returns the CPU of the longest turn of the event loop meanwhile, in milliseconds. */
async function measureLongestTurn(work: () => Promise<void>): Promise<number> {
  await turns(2);
  const meter = startTurnMeter();
  await work();
  await turns(2);
  return meter.stop();
}

/** Hands out one chunk in each turn, as a pipe does. */
async function feed(browser: ReturnType<typeof openFakeBrowser>, chunks: Iterable<Buffer>): Promise<void> {
  for (const chunk of chunks) {
    browser.respond(chunk);
    await turns(1);
  }
}

function* cut(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}

function* pdfMessage(id: number, groups: number): Generator<Buffer> {
  yield Buffer.from(`{"id":${id},"result":{"data":"`);
  const base64 = Buffer.from(Buffer.alloc(49_149, 7).toString('base64'));
  const [start, rest] = [base64.subarray(0, 3), base64.subarray(3)];
  // No chunk ends at the end of a group of four.
  const chunk = Buffer.concat([rest, start]);
  yield start;
  for (let n = 0; n < groups; n += 1) yield chunk;
  yield rest;
  yield Buffer.from(`"},"sessionId":"${SESSION}"}\0`);
}

/** Messages that JSON.parse needs long for, or that are long. */
const OVERSIZED: [name: string, params: string][] = [
  ['a string of 20 MB', `{"requestId":"job-1.0","postData":"${'x'.repeat(20 * MIB)}"}`],
  ['1.5 MB of arrays in arrays', `{"requestId":"job-1.0","x":${'['.repeat(750_000)}${']'.repeat(750_000)}}`],
  ['1.5 MB of objects', `{"requestId":"job-1.0","x":[${'{},'.repeat(500_000)}1]}`],
  [
    '1.5 MB of headers',
    `{"requestId":"job-1.0","x":{${Array.from({ length: 130_000 }, (_, n) => `"h${n}":"1"`).join(',')}}}`,
  ],
];

void describe('no turn of the event loop is long', () => {
  void it('a PDF of 100 MB is decoded as it arrives, into memory of its own size', async () => {
    const browser = openFakeBrowser();
    const groups = 2_035;
    const before = process.memoryUsage().arrayBuffers;
    let mostBytes = 0;
    let pdf: Buffer = Buffer.alloc(0);
    const longest = await measureLongestTurn(async () => {
      const result = browser.connection.sendForData('Page.printToPDF', {}, SESSION);
      await feed(browser, pdfMessage(1, groups));
      mostBytes = process.memoryUsage().arrayBuffers - before;
      pdf = await result;
    });
    assert.equal(pdf.length, 49_149 * (groups + 1));
    for (const at of [0, 49_148, 49_149, pdf.length - 1]) assert.equal(pdf[at], 7);
    assert.ok(longest < MAX_TURN_MS, `${longest} ms`);
    assert.ok(mostBytes < 1.3 * pdf.length, `${mostBytes} bytes are held`);
  });

  void it('a PDF of more than 192 MiB fails its command, and the next one arrives', async () => {
    const browser = openFakeBrowser();
    const result = browser.connection.sendForData('Page.printToPDF', {}, SESSION);
    const failed = assert.rejects(result, CdpDataTooLargeError);
    const next = browser.connection.sendForData('Page.printToPDF', {}, SESSION);
    await feed(browser, pdfMessage(1, 4_100));
    await failed;
    await feed(browser, pdfMessage(2, 0));
    assert.equal((await next).length, 49_149);
    assert.deepEqual(browser.closings, []);
  });

  for (const [name, params] of OVERSIZED) {
    void it(`${name} in an event: its session gets the beginning, other sessions are not affected`, async () => {
      const browser = openFakeBrowser();
      const events: CdpEvent[] = [];
      const others: CdpEvent[] = [];
      browser.connection.listen(SESSION, (event) => events.push(event));
      browser.connection.listen(OTHER_SESSION, (event) => others.push(event));
      const event = Buffer.from(
        `{"method":"Fetch.requestPaused","params":${params},"sessionId":"${SESSION}"}\0` +
          write({ method: 'Page.loadEventFired', params: {}, sessionId: OTHER_SESSION }),
      );
      const longest = await measureLongestTurn(() => feed(browser, cut(event)));
      assert.ok(longest < MAX_TURN_MS, `${longest} ms`);
      assert.deepEqual(
        events.map(({ method, params, head }) => [method, params, head.includes('"requestId":"job-1.0"')]),
        [['Fetch.requestPaused', null, true]],
      );
      assert.ok((events[0]?.bytes ?? 0) > 1_000_000);
      assert.deepEqual(
        others.map(({ method }) => method),
        ['Page.loadEventFired'],
      );
    });

    void it(`${name} in a result: its command fails, others are not affected`, async () => {
      const browser = openFakeBrowser();
      const evaluated = browser.connection.send('Runtime.evaluate', { expression: '1' }, SESSION);
      const failed = assert.rejects(evaluated, CdpError);
      const next = browser.connection.send('Browser.getVersion');
      const longest = await measureLongestTurn(() =>
        feed(browser, cut(Buffer.from(`{"id":1,"result":${params},"sessionId":"${SESSION}"}\0`))),
      );
      await failed;
      browser.respond(write({ id: 2, result: { product: 'x' } }));
      assert.equal((await next).product, 'x');
      assert.ok(longest < MAX_TURN_MS, `${longest} ms`);
    });
  }

  void it('a long string below the limit is parsed', async () => {
    const browser = openFakeBrowser();
    const events: CdpEvent[] = [];
    browser.connection.listen('', (event) => events.push(event));
    const text = '"\\,[{é'.repeat(150_000);
    await feed(browser, cut(Buffer.from(write({ method: 'Page.frameNavigated', params: { text } }))));
    assert.deepEqual(events[0]?.params, { text });
  });

  void it('of a flood of events, each turn handles a few, and all of them in the end', async () => {
    const browser = openFakeBrowser();
    const seen = { total: 0, inTurn: 0, mostInTurn: 0 };
    browser.connection.listen('', () => {
      seen.total += 1;
      seen.inTurn += 1;
      seen.mostInTurn = Math.max(seen.mostInTurn, seen.inTurn);
    });
    const event = write({ method: 'Page.frameAttached', params: { frameId: 'x' } });
    browser.respond(event.repeat(2_000));
    browser.respond(event.repeat(2_000));
    for (let n = 0; n < 200 && seen.total < 4_000; n += 1) {
      seen.inTurn = 0;
      await turns(1);
    }
    assert.equal(seen.total, 4_000);
    assert.ok(seen.mostInTurn <= 64, `${seen.mostInTurn} events in one turn`);
  });

  void it('a document of 5 MB and a resource of 50 MB are sent in slices, in the order of the commands', async () => {
    const browser = openFakeBrowser();
    const html = `${'\u0001"<é😀'.repeat(700_000)}\ud800`;
    const body = Buffer.alloc(
      50_000_000,
      Uint8Array.from({ length: 251 }, (_, index) => index),
    );
    const longest = await measureLongestTurn(async () => {
      for (const sending of [
        browser.connection.send('Page.enable', {}, SESSION),
        browser.connection.send('Page.setDocumentContent', { frameId: 'f', html }, SESSION),
        browser.connection.send('Fetch.fulfillRequest', { requestId: 'r', responseCode: 200, body }, SESSION),
        browser.connection.send('Browser.getVersion'),
      ])
        sending.catch(() => {});
      while (!browser.sent.at(-1)?.includes('Browser.getVersion')) await turns(1);
    });
    const messages = Buffer.concat(browser.sent)
      .toString('utf8')
      .split('\0')
      .slice(0, -1)
      .map((json) => JSON.parse(json) as { id: number; params?: { html?: string; body?: string } });
    assert.deepEqual(
      messages.map(({ id }) => id),
      [1, 2, 3, 4],
    );
    assert.deepEqual(messages[1], {
      id: 2,
      method: 'Page.setDocumentContent',
      sessionId: SESSION,
      params: { frameId: 'f', html },
    });
    assert.ok(body.equals(Buffer.from(messages[2]?.params?.body ?? '', 'base64')));
    assert.ok(longest < MAX_TURN_MS, `${longest} ms`);
    browser.connection.close();
  });
});
