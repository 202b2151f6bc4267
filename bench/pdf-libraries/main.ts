/**
 * Compares PDF libraries on 200 PDFs of the service: time, size and validity (`qpdf --check` of Debian's
 * package qpdf) of what business documents need, then damaged files. `npm run bench:pdf:libraries`.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { updateMetadata } from '../../src/pdf/pdf-file/update-metadata.ts';
import { installPeers } from '../install-peers.ts';
import { renderDocuments } from './documents.ts';
import { openLibraries } from './libraries.ts';
import type { Library, Operation } from './library.ts';
import { measureDamage } from './measure-damage.ts';

const PASSWORD = 'secret';
const METADATA = { title: 'Rechnung „Nr. 5“', language: 'de' };
const INVOICE_XML = Buffer.from(`<?xml version="1.0"?><invoice>${'<line/>'.repeat(1_000)}</invoice>`);

const OPERATIONS: Record<Operation, (library: Library, pdf: Uint8Array) => Promise<Uint8Array>> = {
  setMetadata: (library, pdf) => library.setMetadata(pdf, METADATA),
  encrypt: (library, pdf) => library.encrypt(pdf, PASSWORD),
  attach: (library, pdf) =>
    library.attach(pdf, { name: 'factur-x.xml', type: 'text/xml', bytes: INVOICE_XML }),
  merge: (library, pdf) => library.merge([pdf, pdf]),
};

const folder = mkdtempSync(join(tmpdir(), 'pdf-libraries-'));

/** Returns the complaints of `qpdf --check`, or an empty text. */
function check(pdf: Uint8Array): string {
  const path = join(folder, 'checked.pdf');
  writeFileSync(path, pdf);
  const { status, error, stderr } = spawnSync('qpdf', ['--check', `--password=${PASSWORD}`, path]);
  if (error) throw new Error('qpdf was not found: install the package qpdf', { cause: error });
  return status === 0 ? '' : stderr.toString();
}

const percentile = (values: number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? Number.NaN;

/** Measures one operation of all libraries, one PDF after another in turns. */
async function measure(
  operation: Operation,
  libraries: readonly Library[],
  pdfs: Uint8Array[],
): Promise<void> {
  const apply = OPERATIONS[operation];
  const sums = new Map(
    libraries.map(({ name }) => [name, { ms: [] as number[], bytes: 0, faults: [] as string[] }]),
  );
  for (const library of libraries) await apply(library, pdfs[0] ?? new Uint8Array());
  for (const pdf of pdfs) {
    for (const library of libraries) {
      const sum = sums.get(library.name);
      if (!sum) continue;
      const startedAt = performance.now();
      try {
        const changed = await apply(library, pdf);
        sum.ms.push(performance.now() - startedAt);
        sum.bytes += changed.length;
        const fault = check(changed);
        if (fault !== '') sum.faults.push(fault);
      } catch (error) {
        sum.faults.push(String(error));
      }
    }
  }
  console.log(`\n${operation}`);
  const before = pdfs.reduce((bytes, { length }) => bytes + length, 0);
  for (const [name, { ms, bytes, faults }] of sums) {
    const times = `median ${percentile(ms, 0.5).toFixed(1)} ms, 99% ${percentile(ms, 0.99).toFixed(1)} ms`;
    console.log(
      `${name.padEnd(20)} ${times}, size × ${(bytes / before).toFixed(3)}, invalid ${faults.length}`,
    );
    if (faults[0]) console.log(`  ${faults[0].trim().split('\n').slice(0, 3).join('\n  ')}`);
  }
}

/** Measures the service's own update of the metadata, which it does before it packs a tagged PDF. */
function measureOwn(pdfs: readonly Uint8Array[]): void {
  const ms = pdfs.map((pdf) => {
    const startedAt = performance.now();
    updateMetadata(Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength), METADATA);
    return performance.now() - startedAt;
  });
  console.log(
    `the service         median ${percentile(ms, 0.5).toFixed(3)} ms, only of its own untagged PDFs`,
  );
}

installPeers();
const libraries = await openLibraries();
const pdfs = await renderDocuments();
const bytes = pdfs.reduce((sum, { length }) => sum + length, 0);
console.log(
  `${pdfs.length} PDFs, ${(bytes / 2 ** 20).toFixed(1)} MiB; invalid before: ${pdfs.filter((pdf) => check(pdf) !== '').length}`,
);
measureOwn(pdfs);
try {
  for (const operation of Object.keys(OPERATIONS) as Operation[]) await measure(operation, libraries, pdfs);
} finally {
  rmSync(folder, { recursive: true });
}
measureDamage(libraries, pdfs[0] ?? new Uint8Array());
