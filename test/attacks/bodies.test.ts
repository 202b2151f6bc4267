/** Row 2 of what was measured: memory that unfinished bodies hold. */
import assert from 'node:assert/strict';
import { describeAttacks } from './support/describe-attacks.ts';

describeAttacks('bodies that never end', [
  {
    attack: 'unfinished_bodies_37_mb',
    promise: 'of 40 unfinished bodies of 37 MB, those over the account’s share are refused',
    check: (outcomes) => assert.ok(outcomes['429 rate_limit_exceeded'], JSON.stringify(outcomes)),
  },
  {
    attack: 'slow_uploads',
    promise: '58 uploads at the slowest pace that is allowed block no other account',
  },
  {
    attack: 'bodies_of_3_accounts',
    promise: 'unfinished bodies of 3 accounts, which fill the memory for bodies, block no other account',
  },
]);
