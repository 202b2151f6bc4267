import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import type { Dispatcher } from 'undici';
import { Refusal } from '../guard/refusal.ts';
import type { Connection } from './connection.ts';
import { Exchange } from './exchange.ts';

const REQUEST = { method: 'GET', path: '/', headers: [] };
const REST = 256 * 1024;

/** Starts an exchange on a connection without a socket. `calls`: those of its connection and its listener. */
function open(changes: { dispatch?: () => void; errored?: Error } = {}) {
  const calls: string[] = [];
  const sent: unknown[] = [];
  const progress = { reports: 0 };
  const errors: unknown[] = [];
  const call = (name: string) => (): void => void calls.push(name);
  const connection = {
    client: { dispatch: changes.dispatch ?? ((request: object) => void sent.push(request)) },
    socket: { errored: changes.errored ?? null },
    isHeadAwaited: false,
    noteProgress: () => void (progress.reports += 1),
    destroy: call('destroy'),
    release: call('release'),
  };
  const exchange = new Exchange(connection as unknown as Connection, {
    onHead: (status, headers) => void calls.push(`head ${status}, ${headers.length / 2} fields`),
    onData: (chunk) => void calls.push(`data ${chunk.length}`),
    onEnd: call('onEnd'),
    onError: (error) => {
      errors.push(error);
      calls.push('onError');
    },
    onCancel: call('onCancel'),
  });
  exchange.start(REQUEST);
  const respond = (status: number, headers: string[] = []) =>
    exchange.onResponseStart(
      { rawHeaders: headers.map((text) => Buffer.from(text)) } as unknown as Dispatcher.DispatchController,
      status,
    );
  const controller = {
    pause: call('pause'),
    resume: call('resume'),
  } as unknown as Dispatcher.DispatchController;
  exchange.onRequestStart(controller);
  const receive = (bytes: number) => exchange.onResponseData(controller, Buffer.alloc(bytes));
  return { exchange, connection, controller, calls, sent, progress, errors, respond, receive };
}

describe('an exchange', () => {
  it('passes on the response and then releases the connection', () => {
    const { exchange, connection, calls, sent, progress, respond, receive } = open();
    assert.deepEqual(sent, [{ ...REQUEST, body: null }]);
    assert.deepEqual([connection.isHeadAwaited, exchange.hasResponse], [true, false]);
    exchange.onResponseStarted();
    assert.deepEqual([connection.isHeadAwaited, exchange.hasResponse], [true, true]);
    respond(200, ['a', 'b']);
    assert.equal(connection.isHeadAwaited, false);
    receive(3);
    assert.equal(progress.reports, 2, 'at the head and at each part of the body');
    exchange.onResponseEnd();
    assert.deepEqual(calls, ['head 200, 1 fields', 'data 3', 'release', 'onEnd']);
    exchange.cancel();
    exchange.fail(new Error('later'));
    exchange.discardRest();
    respond(200);
    receive(1);
    assert.equal(calls.length, 4, 'nothing follows');
  });

  it('sends the body of its request', () => {
    const { exchange, sent } = open();
    const body = Buffer.from('x');
    exchange.start({ ...REQUEST, body });
    assert.deepEqual(sent[1], { ...REQUEST, body });
  });

  it('fails if it cannot be sent, or the connection does', () => {
    const error = new Error('away');
    const unsent = open({
      dispatch() {
        throw error;
      },
    });
    const reset = open({ errored: error });
    reset.exchange.onResponseEnd();
    const broken = open();
    broken.exchange.onResponseError(broken.controller, error);
    for (const { calls, errors } of [unsent, reset, broken])
      assert.deepEqual([calls, errors], [['destroy', 'onError'], [error]]);
  });

  it('accepts 16 interim responses and 1,000 header fields, and refuses more', () => {
    const { calls, errors, respond } = open();
    for (let responses = 0; responses < 16; responses += 1) respond(103);
    assert.deepEqual(calls, []);
    respond(199);
    assert.deepEqual(calls, ['destroy', 'onError']);
    assert.ok(errors[0] instanceof Refusal);
    const [many, tooMany] = [open(), open()];
    many.respond(200, Array<string>(2 * 1_000).fill('a'));
    assert.deepEqual(many.calls, ['head 200, 1000 fields']);
    tooMany.respond(200, Array<string>(2 * 1_001).fill('a'));
    assert.deepEqual(tooMany.calls, ['destroy', 'onError']);
    assert.ok(tooMany.errors[0] instanceof Refusal);
  });

  it('closes the connection when it is canceled', () => {
    const { exchange, calls, receive } = open();
    exchange.cancel();
    exchange.cancel();
    receive(1);
    assert.deepEqual(calls, ['destroy', 'onCancel']);
  });

  it('is paused and resumed', () => {
    const { exchange, calls } = open();
    exchange.pause();
    exchange.resume();
    assert.deepEqual(calls, ['pause', 'resume']);
  });
});

describe('the rest of a body that is discarded', () => {
  it('is received, so that the connection can be reused', () => {
    const { exchange, calls, respond, receive } = open();
    respond(200, ['content-length', String(REST + 5)]);
    receive(5);
    calls.length = 0;
    exchange.discardRest();
    exchange.discardRest();
    receive(REST);
    exchange.onResponseEnd();
    assert.deepEqual(calls, ['resume', 'release', 'onCancel']);
  });

  it('is not received if it is announced, or proves, to be longer than 256 KiB', () => {
    const announced = open();
    announced.respond(200, ['content-length', String(REST + 1)]);
    announced.exchange.discardRest();
    assert.deepEqual(announced.calls.slice(1), ['destroy', 'onCancel']);
    const { exchange, calls, receive } = open();
    exchange.discardRest();
    receive(REST);
    assert.deepEqual(calls, ['resume']);
    receive(1);
    assert.deepEqual(calls, ['resume', 'destroy', 'onCancel']);
  });

  it('is not received after 100 ms', () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const { exchange, calls } = open();
      exchange.discardRest();
      mock.timers.tick(99);
      assert.deepEqual(calls, ['resume']);
      mock.timers.tick(1);
      assert.deepEqual(calls, ['resume', 'destroy', 'onCancel']);
    } finally {
      mock.timers.reset();
    }
  });

  it('may fail: then the listener, which has its result, gets no error', () => {
    const { exchange, calls } = open();
    exchange.discardRest();
    exchange.fail(new Error('away'));
    assert.deepEqual(calls, ['resume', 'destroy', 'onCancel']);
  });
});
