import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseClientCidrs, parseOperations } from './create-key.ts';

describe('the operations of a key', () => {
  it('can be any one of them', () => {
    for (const operation of ['validateEmail', 'getMetadata', 'generatePdf'])
      assert.deepEqual(parseOperations([operation]), [operation]);
  });

  it('have their usual order, each one time', () => {
    assert.deepEqual(parseOperations(['generatePdf', 'validateEmail', 'generatePdf']), [
      'validateEmail',
      'generatePdf',
    ]);
  });

  it('are null for all of them', () => {
    assert.equal(parseOperations(null), null);
    assert.equal(parseOperations(['generatePdf', 'getMetadata', 'validateEmail']), null);
  });

  it('are invalid_parameter if there is none, or one that does not exist', () => {
    for (const operations of [[], ['nothing'], ['getMetadata', 'validateEmails'], ['']])
      assert.throws(() => parseOperations(operations), {
        code: 'invalid_parameter',
        param: 'operations',
      });
  });
});

describe('the client addresses of a key', () => {
  it('are ranges, each one time, and a single address is a range', () => {
    assert.deepEqual(parseClientCidrs(['192.0.2.1', '192.0.2.1/32', '2001:db8::/32']), [
      '192.0.2.1/32',
      '2001:db8::/32',
    ]);
    assert.equal(parseClientCidrs(null), null);
  });
});
