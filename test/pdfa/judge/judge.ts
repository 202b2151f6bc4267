/** Judges PDFs with veraPDF and Mustang's validator, in one Java process. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { installValidators } from './install-validators.ts';

/** `3b` and `ua1`: veraPDF's profiles of PDF/A-3b and PDF/UA-1; `mustang`: the rules of e-invoices. */
export type JudgeName = '3b' | 'ua1' | 'mustang';

const SOURCE = fileURLToPath(new URL('Judge.java', import.meta.url));

export class Judge {
  readonly #java: ChildProcess;
  readonly #folder = mkdtempSync(join(tmpdir(), 'utility-api-judge-'));
  readonly #waiting: { resolve: (line: string) => void; reject: (error: Error) => void }[] = [];
  #files = 0;
  #log = '';

  /** Starts Java, which compiles Judge.java first. Throws as installValidators does. */
  constructor() {
    const jar = installValidators();
    const options = ['-Xmx1g', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Djava.awt.headless=true'];
    this.#java = spawn('java', [...options, '-cp', jar, SOURCE], { stdio: 'pipe' });
    const { stdout, stderr } = this.#java;
    if (!stdout || !stderr) throw new Error('Java has no output');
    createInterface({ input: stdout }).on('line', (line) => this.#waiting.shift()?.resolve(line));
    stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#log = `${this.#log}${text}`.slice(-4_000);
    });
    this.#java.on('exit', () => {
      for (const { reject } of this.#waiting.splice(0))
        reject(new Error(`The Java process of the validators ended:\n${this.#log}`));
    });
  }

  /** Returns the faults that the judge finds in a PDF: none if it conforms. */
  async judge(name: JudgeName, pdf: Uint8Array): Promise<string[]> {
    this.#files += 1;
    const path = join(this.#folder, `${this.#files}.pdf`);
    writeFileSync(path, pdf);
    const line = await new Promise<string>((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#java.stdin?.write(`${name}\t${path}\n`);
    });
    rmSync(path);
    return line === 'ok' ? [] : line.split('\t');
  }

  close(): void {
    this.#java.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
