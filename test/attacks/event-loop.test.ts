/**
 * Row 10 of what was measured: requests that take over 50 ms of the main thread in one turn. And many
 * requests, or all attackers, at once.
 */
import assert from 'node:assert/strict';
import { describeAttacks } from './support/describe-attacks.ts';

describeAttacks('the event loop', [
  {
    attack: 'page_endless_trailers',
    promise: 'a page with endless trailers takes no turn of over 50 ms',
    check: (outcomes) => assert.ok(outcomes['422 unreachable'], JSON.stringify(outcomes)),
  },
  {
    attack: 'legitimate_html_5_mib',
    promise: 'a document of 5 MiB takes no turn of over 50 ms',
    check: (outcomes) => assert.ok(!outcomes['400 invalid_json'], JSON.stringify(outcomes)),
  },
  {
    attack: 'connections_2000_at_once',
    promise: '2,000 requests on new connections at once start in turns of less than 50 ms',
    check: (outcomes) => assert.ok((outcomes['200'] ?? 0) >= 2000, JSON.stringify(outcomes)),
  },
  {
    attack: 'all_at_once_20_keys',
    promise: 'one account with 20 keys runs every attack at once and harms no other account',
  },
]);
