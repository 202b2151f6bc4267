import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PassThrough } from 'node:stream';
import { CdpClosedError } from '../browser-errors.ts';
import { CdpConnection } from './cdp-connection.ts';

const open = () => new CdpConnection(new PassThrough(), new PassThrough());

describe('the listener to the end of a connection', () => {
  it('is called once when the connection closes, with the cause', () => {
    const connection = open();
    const causes: unknown[] = [];
    connection.onClose((cause) => causes.push(cause));
    assert.deepEqual(causes, []);
    const cause = new Error('no JSON');
    connection.close(cause);
    connection.close();
    assert.deepEqual(causes, [cause]);
  });

  it('is called at once if the connection has closed', () => {
    for (const cause of [null, new Error('no JSON')]) {
      const connection = open();
      connection.close(cause);
      const causes: unknown[] = [];
      connection.onClose((reason) => causes.push(reason));
      assert.deepEqual(causes, [cause]);
    }
  });
});

describe('a closed connection', () => {
  it('rejects the commands in flight and those after', async () => {
    const connection = open();
    const inFlight = connection.send('Browser.getVersion');
    connection.close();
    await assert.rejects(inFlight, CdpClosedError);
    await assert.rejects(connection.send('Browser.getVersion'), CdpClosedError);
  });
});
