import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { ApiError } from '#errors';
import type { OnReclaim, ShareKind, Shares } from '#limits';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ClientDisconnected } from '../wire/disconnection.ts';
import { RequestHolds } from './request-holds.ts';

/** A response as far as holds see it. */
class Response extends EventEmitter {
  closed = false;
  destroyed = false;
  headersSent = false;
  writableFinished = false;

  send(): void {
    this.writableFinished = true;
    this.emit('finish');
    this.emit('close');
  }

  disconnect(): void {
    this.emit('close');
  }

  destroy(): void {
    this.destroyed = true;
  }

  get raw(): ServerResponse {
    return this as unknown as ServerResponse;
  }
}

/** Opens holds over shares that record the places held. */
function open() {
  const places = new Set<{ kind: ShareKind; amount: number }>();
  let reclaim: OnReclaim | undefined;
  const shares = {
    take(kind: ShareKind, _holder: unknown, amount: number, onReclaim: OnReclaim) {
      reclaim = onReclaim;
      const place = { kind, amount };
      places.add(place);
      return { resize: (size: number) => (place.amount = size), release: () => places.delete(place) };
    },
  } as unknown as Shares;
  const holds = new RequestHolds(shares);
  const createExchange = (response: Response): [FastifyRequest, FastifyReply] => {
    const request = { caller: { accountId: 'a' } } as FastifyRequest;
    holds.receive(request);
    return [request, { raw: response.raw } as FastifyReply];
  };
  const hold = (response: Response) => holds.hold('pdfRequests', ...createExchange(response));
  const holdMemory = (response: Response) => holds.holdMemory(...createExchange(response));
  const reclaimPlace = (error: ApiError): void => reclaim?.(error);
  const listHeld = () => Array.from(places, ({ kind, amount }) => [kind, amount]);
  return { holds, hold, holdMemory, listHeld, reclaimPlace };
}

describe('the shares of a request', () => {
  it('are held until its response is sent', () => {
    const { hold, listHeld } = open();
    const response = new Response();
    const { signal, setBytes } = hold(response);
    setBytes(5);
    assert.deepEqual(listHeld(), [
      ['pdfRequests', 1],
      ['bodyBytes', 5],
    ]);
    response.send();
    assert.deepEqual(listHeld(), []);
    assert.ok(!signal.aborted);
  });

  it('are held until the client disconnects, which aborts its work', async () => {
    const { hold, listHeld } = open();
    const response = new Response();
    const { signal } = hold(response);
    response.disconnect();
    await setImmediate();
    assert.ok(signal.reason instanceof ClientDisconnected);
    assert.deepEqual(listHeld(), []);
  });

  it('count an empty body as one byte, and follow its size', () => {
    const { hold, listHeld } = open();
    const { setBytes } = hold(new Response());
    for (const [bytes, counted] of [
      [0, 1],
      [7, 7],
      [0, 1],
    ] as const) {
      setBytes(bytes);
      assert.deepEqual(listHeld(), [
        ['pdfRequests', 1],
        ['bodyBytes', counted],
      ]);
    }
  });

  it('are held by an injected request until the response that forwards its own is sent', async () => {
    const { holds, hold, listHeld } = open();
    const [outer, inner, unrelated] = [new Response(), new Response(), new Response()];
    await holds.injectFor(outer.raw, async () => {
      await setImmediate();
      hold(inner);
    });
    inner.send();
    assert.deepEqual(listHeld(), [['pdfRequests', 1]]);
    outer.send();
    assert.deepEqual(listHeld(), []);
    hold(unrelated);
    unrelated.send();
    assert.deepEqual(listHeld(), [], 'another request holds its places for itself');
  });

  it('are memory alone for a request that injects another, which it releases before', () => {
    const { holdMemory, listHeld } = open();
    const response = new Response();
    const { setBytes, release } = holdMemory(response);
    assert.deepEqual(listHeld(), []);
    setBytes(9);
    assert.deepEqual(listHeld(), [['bodyBytes', 9]]);
    release();
    assert.deepEqual(listHeld(), []);
    response.send();
    assert.deepEqual(listHeld(), []);
  });

  it('that are reclaimed abort its work; a response that has begun is cut off', () => {
    const error = new ApiError('overloaded');
    for (const isSent of [false, true]) {
      const { hold, reclaimPlace } = open();
      const response = new Response();
      response.headersSent = isSent;
      const { signal, setBytes } = hold(response);
      reclaimPlace(error);
      assert.equal(signal.reason, error);
      assert.throws(() => setBytes(1), error);
      assert.equal(response.destroyed, isSent);
    }
  });
});
