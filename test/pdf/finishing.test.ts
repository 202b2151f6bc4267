/** The members that change a PDF after it is printed: metadata, attachments and passwords. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { before, describe, it } from 'node:test';
import type { PdfEngine } from '#pdf';
import { isFullRun } from '../support/sample.ts';
import { findFaults, judgePdf } from './support/judge-pdf.ts';
import { generate } from './support/open-engine.ts';
import { shareEngine } from './support/shared-engine.ts';
import { readAttachmentNames, readFields, readPdf } from './support/read-pdf.ts';

let engine: PdfEngine;

before(async () => {
  engine = await shareEngine();
});

const ROOT = new URL('../../', import.meta.url);
const HTML =
  '<html lang=de><title>Own</title><h1 id=a>Chapter</h1><a href="#a">in</a> <a href="https://site.example/(a)">out</a>';
const NOW = '2026-11-23T08:00:00+01:00';
/** Texts that XML, PDF strings and fonts take for their own. */
const ODD = 'Übersicht <b>&amp; "A" (1) \\ 漢字 😀 ]]> ?>';

async function render(members: Record<string, unknown>): Promise<Uint8Array> {
  return (await generate(engine, { html: HTML, ...members })).pdf;
}

const encode = (text: string | Buffer): string => Buffer.from(text).toString('base64');
const NOTE = { name: 'note.txt', media_type: 'text/plain', base64: encode('a note') };

void describe('the metadata of a PDF', () => {
  const members = { author: ODD, subject: `S ${ODD}`, keywords: ['one', ODD], title: ODD, lang: 'pt-BR' };

  void it('are those of the request, for an untagged and a tagged PDF', async () => {
    for (const tagged of [false, true]) {
      const pdf = await render({ ...members, tagged, now: NOW });
      assert.equal(findFaults(pdf), '');
      const { Author, Subject, Keywords, Title, Language, CreationDate, ModDate } = await readFields(pdf);
      assert.deepEqual([Author, Subject, Keywords], [ODD, `S ${ODD}`, `one, ${ODD}`]);
      assert.deepEqual([Title, Language], [ODD, 'pt-BR']);
      assert.deepEqual([CreationDate, ModDate], ["D:20261123070000+00'00'", "D:20261123070000+00'00'"]);
    }
  });

  void it('are otherwise those of the document', async () => {
    const pdf = await render({ author: 'A' });
    const { Title, Subject, Creator } = await readFields(pdf);
    assert.deepEqual([Title, Subject, Creator], ['Own', undefined, 'Chromium']);
  });

  // Poppler has many libraries, which take a minute to download.
  void it('are read by pdfinfo too', { skip: !isFullRun }, async () => {
    const { text } = judgePdf('pdfinfo', ['FILE'], await render(members));
    for (const line of [`Title: +${ODD}`, `Author: +${ODD}`, `Keywords: +one, ${ODD}`])
      assert.match(text, new RegExp(line.replace(/[()[\]\\?]/g, '\\$&')));
  });

  void it('of 10,000 keywords are refused, and the longest allowed are kept', async () => {
    const keywords = Array.from({ length: 100 }, (_, index) => `keyword-${index}`.padEnd(39, '漢'));
    assert.equal((await readFields(await render({ keywords }))).Keywords, keywords.join(', '));
    await assert.rejects(render({ keywords: Array(10_000).fill('k') }), { code: 'invalid_parameter' });
  });

  void it('and all else are equal bytes for equal requests with `now`', async () => {
    const request = { ...members, attachments: [NOTE], now: NOW };
    const [first, second] = [await render(request), await render(request)];
    assert.ok(Buffer.from(first).equals(second));
    assert.match(
      Buffer.from(first).toString('latin1'),
      /\/ID \[ <[0-9a-f]{32}>/i,
      'it has a file identifier',
    );
  });
});

void describe('attachments', () => {
  void it('are in the PDF as they were sent', async () => {
    const names = ['z.csv', 'ä (1) %5C.txt', '..x', '漢'.repeat(200), 'A#41'];
    const files = names.map((name, index) => ({ name, bytes: randomBytes(index * 40_000) }));
    const attachments = files.map(({ name, bytes }) => ({
      name,
      base64: encode(bytes),
      media_type: 'a/b+c',
    }));
    const pdf = await render({ attachments, tagged: true });
    assert.equal(findFaults(pdf), '');
    assert.deepEqual((await readAttachmentNames(pdf)).toSorted(), names.toSorted());
    for (const { name, bytes } of files) {
      const { output } = judgePdf('qpdf', [`--show-attachment=${name}`, 'FILE'], pdf);
      assert.ok(bytes.equals(output), name);
    }
    assert.equal((await readPdf(pdf)).pages[0]?.text.includes('Chapter'), true);
  });

  void it('have a type, a relationship, a description, a date and a checksum', async () => {
    const csv = { name: 'b.csv', media_type: 'text/csv', base64: encode('a;b\n'.repeat(9_000)) };
    const attachments = [{ ...csv, relationship: 'data', description: ODD }, NOTE];
    const pdf = await render({ attachments, now: NOW });
    const { text } = judgePdf('qpdf', ['--list-attachments', '--verbose', 'FILE'], pdf);
    for (const part of [
      `description: ${ODD}`,
      'mime type: text/csv',
      'mime type: text/plain',
      "D:20261123070000+00'00'",
    ])
      assert.ok(text.includes(part), part);
    // md5sum of the file.
    assert.ok(text.includes('checksum: 7d46103a11a0352ab1b043f4efd65574'), text);
    const objects = judgePdf('qpdf', ['--json=2', '--json-key=qpdf', 'FILE'], pdf).text;
    assert.deepEqual(objects.match(/"\/AFRelationship": "\/\w+"/g)?.toSorted(), [
      '"/AFRelationship": "/Data"',
      '"/AFRelationship": "/Unspecified"',
    ]);
    assert.match(objects, /"\/AF": \[\s+"\d+ 0 R",\s+"\d+ 0 R"\s+\]/, 'they belong to the document');
    assert.ok(pdf.length < 25_000, 'and text is compressed');
  });

  void it('of 20 MiB are attached, and encrypted, within a second or two', async () => {
    const bytes = randomBytes(1024 * 1024);
    const attachments = Array.from({ length: 20 }, (_, index) => ({
      ...NOTE,
      name: `${index}`,
      base64: encode(bytes),
    }));
    const pdf = await render({ attachments, password: 'p' });
    assert.ok(pdf.length > 20 * bytes.length && pdf.length < 20 * bytes.length + 100_000, `${pdf.length}`);
    const { output } = judgePdf('qpdf', ['--password=p', '--show-attachment=7', 'FILE'], pdf);
    assert.ok(output.equals(bytes));
  });
});

void describe('a request without such members', () => {
  void it('needs no PDF library: the main thread never loads it', () => {
    const code = `
      import { registerHooks } from 'node:module';
      const urls = [];
      registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) });
      await import('./src/pdf/index.ts');
      console.log(urls.filter((url) => url.includes('pdf-request.ts')).length);
      console.log(urls.filter((url) => url.includes('pdf-lib')).join());
    `;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { cwd: ROOT });
    assert.equal(stdout.toString(), '1\n\n');
  });
});

const PASSWORDS = ['secret', '()<>\\ %"', 'Größe-Ωμέγα', '🦊'.repeat(31), 'שלום', 'x'.repeat(127)];
const OWNER = 'owner-密码';

void describe('a PDF with a password', () => {
  const clear = ['Own', 'Chapter', 'site.example', 'A name', 'a note', 'note.txt'];
  const members = { author: 'A name', attachments: [NOTE], lang: 'pt-BR', tagged: true, outline: true };

  for (const password of PASSWORDS)
    void it(`opens with it, and with no other: ${password.slice(0, 12)}`, async () => {
      const pdf = await render({ ...members, password });
      assert.equal(findFaults(pdf, password), '');
      // pdf.js takes long to derive a key.
      if (isFullRun || password === PASSWORDS[3]) {
        const read = await readPdf(pdf, password);
        assert.deepEqual([read.title, read.language, read.outline], ['Own', 'pt-BR', ['Chapter']]);
        assert.match(read.pages[0]?.text ?? '', /Chapter/);
        await assert.rejects(readPdf(pdf, password.slice(0, -2)), { name: 'PasswordException' });
      }
      for (const wrong of ['', `${password} `.slice(0, 127).toUpperCase(), OWNER])
        assert.match(findFaults(pdf, wrong), /invalid password/);
    });

  void it('shows none of its texts without it', async () => {
    const pdf = Buffer.from(await render({ ...members, password: 'p' })).toString('latin1');
    const hex = (text: string): string => Buffer.from(text, 'utf16le').swap16().toString('hex');
    for (const text of clear) {
      assert.ok(!pdf.includes(text), text);
      assert.ok(!pdf.toLowerCase().includes(hex(text)), `${text} in UTF-16`);
    }
    assert.ok(!pdf.includes('<x:xmpmeta'));
  });

  void it('is encrypted with AES-256, its attachments and their checksums too', async () => {
    const pdf = await render({ ...members, password: 'p', now: NOW });
    const { text } = judgePdf('qpdf', ['--show-encryption', '--password=p', 'FILE'], pdf);
    assert.match(text, /^R = 6$/m);
    for (const part of ['stream', 'string', 'file'])
      assert.ok(text.includes(`${part} encryption method: AESv3`), part);
    const list = judgePdf('qpdf', ['--list-attachments', '--verbose', '--password=p', 'FILE'], pdf).text;
    assert.ok(list.includes('checksum: 3403af8117ebb858a392014b80cb3833'), list);
    assert.ok(list.includes("D:20261123070000+00'00'"));
  });

  void it('has another key each time', async () => {
    const [first, second] = [
      await render({ password: 'p', now: NOW }),
      await render({ password: 'p', now: NOW }),
    ];
    assert.ok(!Buffer.from(first).equals(second));
  });
});

void describe('the owner of a PDF', () => {
  /** Returns what qpdf says that a reader may do. */
  function listAllowed(pdf: Uint8Array, password: string): string[] {
    const { text } = judgePdf('qpdf', ['--show-encryption', `--password=${password}`, 'FILE'], pdf);
    return [...text.matchAll(/^(.+): allowed$/gm)].map(([, what = '']) => what);
  }
  /** The permission that every reader has. */
  const ACCESSIBILITY = 'extract for accessibility';
  const CASES: Record<string, [permissions: string[] | undefined, allowed: string[]]> = {
    'nothing but reading': [[], []],
    print: [['print'], ['print low resolution']],
    print_high_quality: [['print_high_quality'], ['print low resolution', 'print high resolution']],
    copy: [['copy'], ['extract for any purpose']],
    annotate: [['annotate'], ['modify annotations']],
    fill_forms: [['fill_forms'], ['modify forms']],
    assemble: [['assemble'], ['modify document assembly']],
    modify: [['modify'], ['modify other']],
    'everything if there are no permissions': [
      undefined,
      [
        'extract for any purpose',
        'print low resolution',
        'print high resolution',
        'modify document assembly',
        'modify forms',
        'modify annotations',
        'modify other',
        'modify anything',
      ],
    ],
  };
  for (const [name, [permissions, allowed]] of Object.entries(CASES))
    void it(`allows ${name}`, async () => {
      const pdf = await render({ owner_password: OWNER, ...(permissions && { permissions }) });
      assert.deepEqual(listAllowed(pdf, ''), [ACCESSIBILITY, ...allowed]);
    });

  void it('opens it with all permissions; others open it without a password, or with theirs', async () => {
    for (const password of [null, 'user']) {
      const pdf = await render({ password, owner_password: OWNER, permissions: ['copy'] });
      for (const one of [password ?? '', OWNER]) assert.equal(findFaults(pdf, one), '');
      assert.match(
        (await readPdf(pdf, password === null ? undefined : OWNER)).pages[0]?.text ?? '',
        /Chapter/,
      );
      const show = (one: string) =>
        judgePdf('qpdf', ['--show-encryption', `--password=${one}`, 'FILE'], pdf).text;
      assert.match(show(OWNER), /Supplied password is owner password/);
      assert.doesNotMatch(show(password ?? ''), /Supplied password is owner password/);
    }
  });
});
