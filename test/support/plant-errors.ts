/**
 * Loaded into the service with `--import`. Each message from the parent process names an error to cause
 * outside any request.
 */
import assert from 'node:assert';
import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { PassThrough } from 'node:stream';

const PLANTS: Record<string, () => void> = {
  timer: () =>
    void setTimeout(() => {
      throw new TypeError('planted in a timer');
    }),
  rejection: () => void Promise.reject(new Error('planted in a promise')),
  socket: () => void connect(9, '127.0.0.1'),
  stream: () => void new PassThrough().on('data', JSON.parse).write('planted in a stream'),
  child: () => void spawn('/nonexistent/planted'),
  primitive: () =>
    void setTimeout(() => {
      throw 'planted string';
    }),
  assertion: () => void setTimeout(() => assert.fail('planted assertion')),
  memory: () => void setTimeout(() => new ArrayBuffer(Number.MAX_SAFE_INTEGER)),
  database: () => void setTimeout(() => new DatabaseSync(':memory:').exec('planted')),
};

process.on('message', (name: string) => PLANTS[name]?.());
// The IPC channel must not keep the service alive.
process.channel?.unref();
