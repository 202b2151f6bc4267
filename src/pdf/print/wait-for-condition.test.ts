import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CdpError, type LiveDocument, type Page } from '#browser';
import { parsePdfRequest } from '../pdf-request.ts';
import { waitForCondition } from './wait-for-condition.ts';

/** The results of an expression in the document, in turn; the last one again and again. */
type Outcomes = readonly unknown[];

interface FakeOptions {
  outcomes?: Outcomes;
  /** Seconds until the document's real time is over. */
  seconds?: number;
}

/** Waits in a document in which no selector matches. Returns the message of the error. */
async function fail(
  members: Record<string, unknown>,
  { outcomes = [], seconds = Infinity }: FakeOptions = {},
): Promise<string> {
  let evaluations = 0;
  let passed = 0;
  const page = {
    evaluate: () => Promise.resolve(false),
    evaluateInDocument() {
      const outcome = outcomes[Math.min(evaluations, outcomes.length - 1)];
      evaluations += 1;
      return outcome instanceof Promise ? outcome : Promise.resolve(outcome);
    },
  } as unknown as Page;
  const document = {
    advance() {
      passed += 1;
      return Promise.resolve(passed < seconds);
    },
  } as unknown as LiveDocument;
  const waiting = waitForCondition(page, document, parsePdfRequest({ html: 'x', ...members }));
  const error = await waiting.then(
    () => null,
    (thrown: Error & { code: string; param: string }) => thrown,
  );
  assert.equal(error?.code, 'timeout');
  assert.equal(error?.param, Object.keys(members)[0]);
  return error.message;
}

const falsy = { kind: 'falsy' };

void describe('the error of a condition that does not hold', () => {
  void it('names the limit that ended the wait', async () => {
    const selector = { wait_for: '#never' };
    const start = 'No element matched the selector in wait_for, "#never",';
    assert.equal(await fail(selector), `${start} within 30 s of the document's time.`);
    assert.equal(await fail(selector, { seconds: 31 }), `${start} within 30 s of the document's time.`);
    assert.equal(await fail(selector, { seconds: 30 }), `${start} before the time limit.`);
    assert.match(
      await fail({ wait_for_expression: 'x' }, { outcomes: [falsy], seconds: 1 }),
      /, "x", did not become true before the time limit\.$/,
    );
  });

  void it('has the last error of the expression, unless it had a value after that', async () => {
    const expression = { wait_for_expression: 'foo' };
    const error = { kind: 'error', error: 'Error: a\nb https://u:secret@h/x' };
    assert.match(
      await fail(expression, { outcomes: [falsy, error] }),
      / Its last error: Error: a b https:\/\/h\/x\.$/,
    );
    assert.match(await fail(expression, { outcomes: [error, falsy] }), /document's time\.$/);
    const long = { kind: 'error', error: 'e'.repeat(1_000) };
    assert.match(await fail(expression, { outcomes: [long] }), / Its last error: e{160}…\.$/);
  });

  void it('says if a promise did not settle', async () => {
    const outcomes = [new Promise(() => {})];
    assert.match(
      await fail({ wait_for_expression: 'foo' }, { outcomes }),
      /time\. Its promise did not settle\.$/,
    );
  });

  void it('is that of the deadline if the document returns what no evaluation returns', async () => {
    for (const outcome of [undefined, null, 5, 'truthy', {}, { kind: {} }, { kind: 'error' }])
      assert.match(
        await fail({ wait_for_expression: 'foo' }, { outcomes: [outcome] }),
        /did not become true/,
      );
  });

  void it('says that the events of a load are waited for without wait_for', async () => {
    for (const event of ['networkidle0', 'networkidle2', 'networkidle', ' load ', 'DOMContentLoaded'])
      assert.match(await fail({ wait_for: event }), / by itself: leave out wait_for\.$/);
    for (const selector of ['#load', 'loading', '.networkidle'])
      assert.match(await fail({ wait_for: selector }), /document's time\.$/);
  });

  void it('never has the password of a URL in the expression', async () => {
    const message = await fail(
      { wait_for_expression: 'fetch("https://u:secret@h/")' },
      { outcomes: [falsy] },
    );
    assert.match(message, /"fetch\(\\"https:\/\/h\/\\"\)"/);
  });
});

void it('an error of the browser that is not about the selector is thrown as it is', async () => {
  const lost = new CdpError('lost');
  const page = { evaluate: () => Promise.reject(lost) } as unknown as Page;
  const request = parsePdfRequest({ html: 'x', wait_for: 'p' });
  await assert.rejects(waitForCondition(page, {} as LiveDocument, request), lost);
});
