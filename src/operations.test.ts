import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createLookupMail } from '#egress';
import { loadDomainLists } from '#email';
import { computeCapacities, createShares } from '#shares';
import { createOperations, type OperationsOptions } from './operations.ts';

/** A resolver whose servers never respond. */
const hanging = {
  recall: () => null,
  query: (_name: string, _type: string, signal?: AbortSignal) =>
    new Promise((_resolve, reject) => {
      signal?.throwIfAborted();
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
    }),
} as unknown as Parameters<typeof createLookupMail>[0]['resolver'];

it('validations of an account over its share give way to those of an account within its own', async () => {
  const capacities = {
    ...computeCapacities({ pdfSlots: 1, egressConnections: 8, bodyMemoryMb: 96 }),
    emailRequests: 8,
  };
  const shares = createShares({ capacities, maxBodyBytes: 40_000_000, now: () => performance.now() });
  const { validateEmail } = createOperations({
    shares,
    lookupMail: createLookupMail({ resolver: hanging, isPublicAddress: () => true }),
    lists: loadDomainLists(),
  } as unknown as OperationsOptions);
  const ended: string[] = [];
  let count = 0;
  const start = (accountId: string): void => {
    count += 1;
    const request = { email: `ann@domain${count}.com`, checkMx: true, suggest: false, details: false };
    const report = validateEmail(request, { accountId, slots: null });
    void Promise.resolve(report).catch(({ code }: { code: string }) => ended.push(`${accountId} ${code}`));
  };
  for (let n = 0; n < 7; n += 1) start('large');
  for (let n = 0; n < 3; n += 1) start('small');
  await new Promise(setImmediate);
  // One place stays free for a third account.
  assert.deepEqual(ended, ['large overloaded', 'large overloaded', 'large overloaded']);
  assert.equal(shares.getState('emailRequests').held, 7);
  assert.equal(shares.getState('dnsLookups').held, 7, 'their lookups have ended');
});
