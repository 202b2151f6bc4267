/** Row 4 of what was measured: hosts and DNS servers that hang hold connections and lookups. */
import assert from 'node:assert/strict';
import { describeAttacks } from './support/describe-attacks.ts';

describeAttacks('hosts that hang', [
  {
    attack: 'hanging_hosts_5_accounts',
    promise: '5 accounts with 58 calls each to hosts that hang block no other account',
  },
  {
    attack: 'hanging_hosts_20_keys',
    promise:
      'one account with 20 keys of 58 calls to hosts that hang holds its share at most, and blocks no other account',
    // Calls in flight when the attack ends have no response: no more than the account's share of connections.
    check: (outcomes) => assert.ok((outcomes['unanswered'] ?? 0) <= 255, JSON.stringify(outcomes)),
  },
  {
    attack: 'popular_host_held',
    promise: 'calls that hang at a host do not keep another account from that host',
  },
  {
    attack: 'batches_of_slow_domains',
    promise: 'batches of 1,000 domains whose DNS is slow do not delay another account’s lookups',
  },
  {
    attack: 'slow_domains_2_accounts',
    promise: '2 accounts whose lookups fill the process do not delay another account’s',
  },
]);
