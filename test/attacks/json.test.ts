/** Row 1 of what was measured: JSON that is cheap to send and expensive to parse. */
import assert from 'node:assert/strict';
import type { Outcomes } from './support/attacker.ts';
import { describeAttacks } from './support/describe-attacks.ts';

/** Calls that were in flight when the attack ended have no response. */
function assertAnswers(outcomes: Outcomes, expected: RegExp): void {
  const others = Object.keys(outcomes).filter((one) => one !== 'unanswered' && !expected.test(one));
  assert.deepEqual(others, [], JSON.stringify(outcomes));
}

/**
 * Refused for what it is (html that is no string is missing), or because the account holds its share of body
 * bytes.
 */
const refused = (outcomes: Outcomes): void => {
  assertAnswers(outcomes, /^(400 (invalid_json|missing_html)|429 rate_limit_exceeded)$/);
  assert.ok(outcomes['400 invalid_json'] ?? outcomes['400 missing_html'], JSON.stringify(outcomes));
};

describeAttacks('bodies that are expensive to parse', [
  {
    attack: 'pdf_body_nested_38_mb',
    promise: '38 MB of nested arrays as html are refused and delay no other account',
    check: refused,
  },
  {
    attack: 'pdf_body_empty_objects_38_mb',
    promise: '38 MB of empty objects as html are refused and delay no other account',
    check: refused,
  },
  {
    attack: 'pdf_body_3_million_members',
    promise: 'a PDF request of 3 million members is refused and delays no other account',
    check: refused,
  },
  {
    attack: 'batch_400_000_members',
    promise: 'a batch of 400,000 members is refused and delays no other account',
    check: refused,
  },
  {
    attack: 'batch_nested_4_mb',
    promise: 'a batch of 4 MB of nested arrays is refused and delays no other account',
    check: refused,
  },
  {
    attack: 'batch_1000_idn_addresses',
    promise: 'a batch of 1,000 internationalized addresses is answered and delays no other account',
    check: (outcomes) => assert.ok(outcomes['200'], JSON.stringify(outcomes)),
  },
  {
    attack: 'try_bodies_38_mb',
    promise: '/account/try: 38 MB that are expensive to parse are refused and delay no other account',
    check: refused,
  },
  {
    attack: 'try_without_key',
    promise: '/account/try: 200 calls without a key meet a limit',
    check: (outcomes) => assert.ok(outcomes['429 rate_limit_exceeded'], JSON.stringify(outcomes)),
  },
]);
