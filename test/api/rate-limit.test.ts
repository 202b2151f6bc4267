import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isFullRun } from '../support/sample.ts';
import { startApp } from '../support/start-app.ts';

const path = '/v1/email/validate?email=a@b.invalid';
const noon = Date.UTC(2030, 0, 1, 12);
const REQUESTS = isFullRun ? 1000 : 300;

describe('rate limits', () => {
  it(`of ${REQUESTS} requests at once with limit 60 exactly 60 are admitted; the others are 429 with Retry-After`, async () => {
    let now = noon + 15_500;
    await using service = await startApp({}, { now: () => now });
    const key = await service.createKey('free');
    const answers = await Promise.all(Array.from({ length: REQUESTS }, () => service.call(path, key)));
    const statuses = Map.groupBy(answers, (answer) => answer.status);
    assert.deepEqual([statuses.get(200)?.length, statuses.get(429)?.length], [60, REQUESTS - 60]);
    const refused = statuses.get(429)?.[0];
    assert.ok(refused);
    assert.equal(refused.headers.get('retry-after'), '45');
    assert.equal(refused.headers.get('x-ratelimit-remaining'), '0');
    assert.equal(refused.headers.get('x-ratelimit-reset'), String((noon + 60_000) / 1000));
    assert.equal(((await refused.json()) as { error: string }).error, 'rate_limit_exceeded');
    now = noon + 60_000;
    assert.equal((await service.call(path, key)).status, 200, 'the next clock minute starts anew');
  });

  it('a batch over the limit says how many requests it needs and how many are left, and counts nothing', async () => {
    await using service = await startApp({ PLANS: 'tiny=5' }, { now: () => noon });
    const key = await service.createKey('tiny');
    const send = (count: number): Promise<Response> =>
      service.call('/v1/email/validate/batch', key, {
        method: 'POST',
        body: JSON.stringify({ emails: Array.from({ length: count }, () => 'a@b.invalid') }),
        headers: { 'content-type': 'application/json' },
      });
    assert.equal((await send(2)).status, 200);
    const refused = await send(4);
    assert.equal(refused.status, 429);
    assert.match(
      ((await refused.json()) as { message: string }).message,
      /^The batch needs 4 requests of the rate limit, and 3 of 5 are left in this minute:/,
    );
    assert.equal(refused.headers.get('ratelimit'), '"default";r=3;t=60');
    assert.equal(refused.headers.get('ratelimit-policy'), '"default";q=5;w=60');
    assert.equal((await send(3)).status, 200, 'the refused batch used nothing');
  });

  it('a PDF counts its further documents, all or none, and has no more than the plan’s requests of a minute', async () => {
    await using service = await startApp({ PLANS: 'tiny=5' }, { now: () => noon });
    const key = await service.createKey('tiny');
    const send = async (documents: number) => {
      const more_documents = Array.from({ length: documents - 1 }, () => ({ html: 'x' }));
      const response = await service.call('/v1/pdf/generate', key, {
        method: 'POST',
        body: JSON.stringify({ html: 'x', more_documents }),
        headers: { 'content-type': 'application/json' },
      });
      const { message, param } = (await response.json()) as { message: string; param?: string };
      return { status: response.status, left: response.headers.get('x-ratelimit-remaining'), message, param };
    };
    const large = await send(6);
    assert.deepEqual([large.status, large.param, large.left], [400, 'more_documents', '4']);
    assert.match(large.message, /^The PDF has 6 documents, more than the 5 requests a minute of your plan:/);
    const refused = await send(5);
    assert.deepEqual([refused.status, refused.left], [429, '3']);
    assert.match(
      refused.message,
      /^The documents of more_documents need 4 requests of the rate limit, and 3 of 5 are left in this minute:/,
    );
    // This service has no browser, so that an admitted PDF is 503.
    const admitted = await send(3);
    assert.deepEqual([admitted.status, admitted.left], [503, '0']);
  });

  it('a response with any status counts, except 429', async () => {
    await using service = await startApp({ PLANS: 'tiny=3' }, { now: () => noon });
    const key = await service.createKey('tiny');
    const remaining = async (target: string): Promise<string | null> =>
      (await service.call(target, key)).headers.get('x-ratelimit-remaining');
    assert.deepEqual(
      [await remaining('/v1/nothing'), await remaining('/v1/email/validate'), await remaining(path)],
      ['2', '1', '0'],
    );
    assert.equal((await service.call('/v1/nothing', key)).status, 429, '429 comes before 404');
  });

  it('keys count separately, also those of one account', async () => {
    await using service = await startApp({ PLANS: 'tiny=1' }, { now: () => noon });
    const [one, two] = [await service.createKey('tiny'), await service.createKey('tiny')];
    assert.equal((await service.call(path, one)).status, 200);
    assert.equal((await service.call(path, two)).status, 200);
    assert.equal((await service.call(path, one)).status, 429);
  });

  it('guessing keys is limited by address, and a valid key from there is not affected', async () => {
    await using service = await startApp({ UNAUTHENTICATED_PER_MINUTE: '5' }, { now: () => noon });
    const key = await service.createKey('free');
    const statuses: number[] = [];
    for (let n = 0; n < 7; n++) statuses.push((await service.call(path, 'guess')).status);
    assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429, 429]);
    assert.equal((await service.call(path, key)).status, 200);
  });

  it('X-Forwarded-For is used only from configured proxies', async () => {
    await using direct = await startApp({ UNAUTHENTICATED_PER_MINUTE: '1' }, { now: () => noon });
    const from = (service: typeof direct, address: string): Promise<Response> =>
      service.call(path, null, { headers: { 'x-forwarded-for': address } });
    assert.deepEqual(
      [(await from(direct, '192.0.2.1')).status, (await from(direct, '192.0.2.2')).status],
      [401, 429],
    );
    await using behind = await startApp(
      { UNAUTHENTICATED_PER_MINUTE: '1', TRUST_PROXY: '127.0.0.0/8' },
      { now: () => noon },
    );
    assert.deepEqual(
      [
        (await from(behind, '192.0.2.1')).status,
        (await from(behind, '192.0.2.2')).status,
        (await from(behind, '192.0.2.2')).status,
      ],
      [401, 401, 429],
    );
  });
});
