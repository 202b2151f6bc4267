import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { after, describe, it } from 'node:test';
import { deflateSync } from 'node:zlib';
import { WorkerFailure } from '#concurrency';
import { toFinishOptions } from '../finish/finish-input.ts';
import { prepareRequest } from '../load/prepare-request.ts';
import { parsePdfRequest, type PdfRequest } from '../pdf-request.ts';
import { DocumentWorker } from './document-worker.ts';

const NEVER = new AbortController().signal;
const MEGABYTE = 1_000_000;

const request = (html: string): PdfRequest => parsePdfRequest({ html });
/** A PDF without pages, with a stream of so many bytes. */
const formatPdf = (bytes: number): Buffer =>
  Buffer.from(
    `%PDF-1.4\n1 0 obj\n<</Type /Catalog /Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type /Pages /Count 0 /Kids []>>\nendobj\n3 0 obj\n<</Length ${bytes}>> stream\n${'x'.repeat(bytes)}\nendstream\nendobj\ntrailer\n<</Size 4 /Root 1 0 R>>\nstartxref\n0\n%%EOF\n`,
  );
/** A request that keeps the thread busy for a while. */
const slow = (): PdfRequest => ({ ...request('x'), headerHtml: '<b>'.repeat(MEGABYTE / 4) });

const opened: DocumentWorker[] = [];
function open(options?: ConstructorParameters<typeof DocumentWorker>[0]): DocumentWorker {
  const worker = new DocumentWorker(options);
  opened.push(worker);
  return worker;
}
after(() => Promise.all(opened.map((worker) => worker.close())));

void describe('a job in the document worker', () => {
  const worker = open();

  void it('has the result that the main thread would have', async () => {
    for (const html of [
      '<p>é€😀</p>',
      '<script>1</script>',
      'a\u0000b\uD800c',
      '\uFEFF<head><base href=x>',
    ]) {
      const large = { ...request(html.padEnd(MEGABYTE)), css: 'p{}', footerHtml: '{{page}}</b>\uDC00' };
      assert.deepEqual(await worker.run('prepareRequest', large, NEVER), prepareRequest(large));
    }
  });

  void it('takes the bytes of a PDF over and hands them back, also from memory that can grow', async () => {
    const file = formatPdf(MEGABYTE);
    for (const memory of [
      new ArrayBuffer(file.length),
      new ArrayBuffer(file.length, { maxByteLength: 2 * file.length }),
    ]) {
      const pdf = Buffer.from(memory);
      pdf.set(file);
      const input = { documents: [pdf], layers: [], pages: null, options: toFinishOptions(request('x')) };
      const finished = await worker.run('finishPdf', input, NEVER);
      assert.ok(finished.pdf.length > MEGABYTE);
      assert.equal(pdf.length, 0, 'moved, not copied');
    }
  });

  void it('that throws fails alone', async () => {
    const wrong = { ...request('x'), html: null as unknown as string };
    const failed = worker.run('prepareRequest', wrong, NEVER);
    const next = worker.run('prepareRequest', request('x'), NEVER);
    await assert.rejects(failed, (error) => error instanceof WorkerFailure && error.reason === 'failed');
    assert.notEqual((await next).scanned, null);
  });

  void it('that cannot be sent fails alone', async () => {
    const wrong = { ...request('x'), html: (() => 'x') as unknown as string };
    await assert.rejects(worker.run('prepareRequest', wrong, NEVER), WorkerFailure);
    assert.notEqual((await worker.run('prepareRequest', request('x'), NEVER)).scanned, null);
  });

  void it('that fills the memory ends its thread, and the next job gets a new one', async () => {
    const small = open({ heapMb: 48 });
    const large = { ...slow(), footerHtml: '<b>'.repeat(2 * MEGABYTE) };
    const failed = small.run('prepareRequest', large, NEVER);
    const next = small.run('prepareRequest', request('x'), NEVER);
    await assert.rejects(failed, (error) => error instanceof WorkerFailure && error.reason === 'memory');
    assert.notEqual((await next).scanned, null);
  });
});

/** A PDF of one empty page, in which `extra` is object 4. */
function createPdf(extra: Buffer = Buffer.from('<<>>')): Buffer {
  const bodies = [
    '<</Type /Catalog /Pages 2 0 R>>',
    '<</Type /Pages /Kids [3 0 R] /Count 1>>',
    '<</Type /Page /Parent 2 0 R /MediaBox [0 0 9 9]>>',
  ].map((body, index) => `${index + 1} 0 obj\n${body}\nendobj\n`);
  const parts = [
    `%PDF-1.4\n${bodies.join('')}4 0 obj\n`,
    extra,
    '\nendobj\ntrailer\n<</Root 1 0 R /Size 5>>\n%%EOF',
  ];
  return Buffer.concat(parts.map((part) => Buffer.from(part)));
}

/** A PDF that keeps the library busy for a long time: an object stream that inflates to 64 MiB of zeros. */
function createSlowPdf(): Buffer {
  const data = deflateSync(Buffer.alloc(64 * 1024 * 1024));
  const head = `<</Type /ObjStm /N 1 /First 9 /Filter /FlateDecode /Length ${data.length}>>\nstream\n`;
  return createPdf(Buffer.concat([Buffer.from(head), data, Buffer.from('\nendstream')]));
}

void describe('finishing a PDF', () => {
  const worker = open();
  const options = toFinishOptions(parsePdfRequest({ html: 'x', author: 'A' }));
  const finish = async (pdf: Buffer, signal = NEVER): Promise<Uint8Array> =>
    (await worker.run('finishPdf', { documents: [pdf], layers: [], pages: null, options }, signal)).pdf;

  void it('lets no other job wait, and ends when it is aborted', async () => {
    const gone = new AbortController();
    const slow = finish(createSlowPdf(), gone.signal);
    assert.match(Buffer.from(await finish(createPdf())).toString('latin1'), /^%PDF-1\.7/);
    assert.notEqual((await worker.run('prepareRequest', request('x'), NEVER)).scanned, null);
    assert.equal(worker.threads, 2);
    gone.abort(new Error('gone'));
    await assert.rejects(slow, /gone/);
    assert.equal(worker.threads, 1);
  });

  void it('that fails, fails alone', async () => {
    await assert.rejects(finish(Buffer.from('no PDF')), WorkerFailure);
    assert.ok((await finish(createPdf())).length > 0);
  });

  void it('leaves a later job enough memory, whatever names the PDFs before had', async () => {
    const small = open({ heapMb: 64, maxIdleHeapMb: 48 });
    // A thread that kept the names would have no memory for the fourth.
    for (let job = 0; job < 5; job += 1) {
      const names = Array.from({ length: 80_000 }, (_, at) => `/name${job}-${at} null`);
      const document = createPdf(Buffer.from(`<<${names.join('\n')}>>`));
      const input = { documents: [document], layers: [], pages: null, options };
      assert.ok((await small.run('finishPdf', input, NEVER)).pdf.length > 0);
    }
  });

  void it('takes over the bytes of the documents and of attachments, also if they share memory', async () => {
    const memory = new ArrayBuffer(300_000);
    const attachments = [0, 150_000].map((from) => ({
      name: `${from}`,
      mediaType: 'text/plain',
      bytes: new Uint8Array(memory, from, 150_000),
      relationship: 'Data' as const,
      description: null,
    }));
    const input = { documents: [createPdf()], layers: [], pages: null, options: { ...options, attachments } };
    const { pdf } = await worker.run('finishPdf', input, NEVER);
    assert.equal(memory.detached, true);
    assert.ok(pdf.length > 0);
  });
});

void describe('an aborted job', () => {
  const worker = open();
  const reason = new Error('gone');

  void it('is ended, and others are not', async () => {
    const running = new AbortController();
    const aborted = worker.run('prepareRequest', slow(), running.signal);
    const other = worker.run('prepareRequest', request('x'), NEVER);
    running.abort(reason);
    await assert.rejects(aborted, reason);
    assert.notEqual((await other).scanned, null);
  });

  void it('does not begin if it was aborted before', async () => {
    await assert.rejects(worker.run('prepareRequest', request('x'), AbortSignal.abort(reason)), reason);
  });
});

void describe('the thread', () => {
  void it('starts with the first job and ends when it is idle', async () => {
    const worker = open({ idleMs: 1 });
    assert.equal(worker.threads, 0);
    const job = worker.run('prepareRequest', request('x'), NEVER);
    assert.equal(worker.threads, 1);
    await job;
    for (let turn = 0; worker.threads > 0 && turn < 1_000_000; turn += 1) await nextTurn();
    assert.equal(worker.threads, 0);
    assert.notEqual((await worker.run('prepareRequest', request('x'), NEVER)).scanned, null, 'starts again');
  });

  void it('ends when the worker is closed, and its jobs fail', async () => {
    const worker = open();
    const jobs = [slow(), slow()].map((job) => worker.run('prepareRequest', job, NEVER));
    const outcomes = Promise.allSettled(jobs);
    await worker.close();
    for (const outcome of await outcomes)
      assert.ok(outcome.status === 'rejected' && outcome.reason instanceof WorkerFailure);
    assert.equal(worker.threads, 0);
    await assert.rejects(worker.run('prepareRequest', request('x'), NEVER), WorkerFailure);
  });
});
