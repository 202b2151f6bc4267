/** Programs of Debian that judge PDFs in tests: qpdf, and pdfinfo of poppler. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { findProgram } from '../../support/debian-packages.ts';

const PACKAGES = { qpdf: 'qpdf', pdfinfo: 'poppler-utils' } as const;

export interface Verdict {
  status: number;
  /** Both outputs of the program. */
  text: string;
  output: Buffer;
}

/** Runs a program with a PDF: `FILE` among its arguments is the file's path. */
export function judgePdf(name: keyof typeof PACKAGES, args: readonly string[], pdf: Uint8Array): Verdict {
  const { path, libraries } = findProgram({ name, packages: [PACKAGES[name]], needsAllLibraries: true });
  const folder = mkdtempSync(join(tmpdir(), 'judge-'));
  try {
    const file = join(folder, 'document.pdf');
    writeFileSync(file, pdf);
    const { status, stdout, stderr, error } = spawnSync(
      path,
      args.map((arg) => (arg === 'FILE' ? file : arg)),
      {
        env: { ...process.env, LC_ALL: 'C.UTF-8', LD_LIBRARY_PATH: libraries.join(delimiter) },
        maxBuffer: 64 * 1024 * 1024,
      },
    );
    if (error) throw error;
    return { status: status ?? -1, text: `${stdout.toString()}${stderr.toString()}`, output: stdout };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the complaints of `qpdf --check`; an empty text for a sound PDF. */
export function findFaults(pdf: Uint8Array, password = ''): string {
  const { status, text } = judgePdf('qpdf', ['--check', `--password=${password}`, 'FILE'], pdf);
  return status === 0 ? '' : text;
}
