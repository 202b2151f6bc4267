import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { computeMailVerdict } from './mail-verdict.ts';

/** The exchanges of a domain, and why it refuses mail; null if it does not. */
const CASES: [exchanges: string[], reason: string | null][] = [
  [['mx.example-host.com'], null],
  [['MX.Example-Host.COM'], null],
  [[''], 'null_mx'],
  [['.'], 'null_mx'],
  [['', '.'], 'null_mx'],
  [['', 'mx.example-host.com'], null],
  [['localhost'], 'unusable_mx'],
  [['mailhost'], 'unusable_mx'],
  [['127.0.0.1'], 'unusable_mx'],
  [['93.184.215.14'], 'unusable_mx'],
  [['2606:2800:21f::14'], 'unusable_mx'],
  [['::ffff:93.184.215.14'], 'unusable_mx'],
  [['mx.localhost'], 'unusable_mx'],
  [['mx.example.invalid'], 'unusable_mx'],
  [['mx.example.nosuchtld'], 'unusable_mx'],
  [['localhost', '127.0.0.1'], 'unusable_mx'],
  [['localhost', 'mx.example-host.com'], null],
];

describe('the verdict on the exchanges of a domain', () => {
  for (const [names, reason] of CASES)
    it(`${JSON.stringify(names)}: ${reason ?? 'found'}`, () => {
      const exchanges = names.map((exchange) => ({ exchange, priority: 10 }));
      assert.deepEqual(computeMailVerdict({ outcome: 'mx', exchanges }), {
        status: reason === 'null_mx' ? 'null_mx' : 'found',
        refuses: reason !== null,
        reason,
        exchanges,
      });
    });

  it('mx.example-host.com without a public address: unreachable_mx, unless its name has a fault', () => {
    const judge = (...names: string[]): string | null => {
      const exchanges = names.map((exchange) => ({ exchange, priority: 10 }));
      return computeMailVerdict({ outcome: 'mx', exchanges, unreachable: true }).reason;
    };
    assert.equal(judge('', 'mx.example-host.com'), 'unreachable_mx');
    assert.equal(judge('localhost'), 'unusable_mx');
  });
});
