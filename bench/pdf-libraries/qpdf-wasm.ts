import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Library, Metadata } from './library.ts';

const require = createRequire(import.meta.url);
const WASM_PATH = require.resolve('@neslinesli93/qpdf-wasm/dist/qpdf.wasm');

/** The parts in use of WebAssembly, which Node's types leave to the DOM's. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => object;
};

/** The command-line program with its file system in memory. An instance runs once. */
interface Program {
  callMain(args: string[]): number;
  FS: {
    writeFile(path: string, bytes: Uint8Array | string): void;
    readFile(path: string): Uint8Array;
  };
}

type CreateProgram = (options: object) => Promise<Program>;

/** Runs qpdf on files, and returns the file /out. 3 is the exit code of a warning. */
async function run(files: Record<string, Uint8Array | string>, args: string[]): Promise<Uint8Array> {
  const createProgram = require('@neslinesli93/qpdf-wasm') as CreateProgram;
  const lines: string[] = [];
  const keep = (line: string): void => void lines.push(line);
  const program = await createProgram({
    noInitialRun: true,
    print: keep,
    printErr: keep,
    instantiateWasm(imports: object, onReady: (instance: object) => void) {
      onReady(new WebAssembly.Instance(compile(), imports));
      return {};
    },
  });
  for (const [path, content] of Object.entries(files)) program.FS.writeFile(path, content);
  const code = program.callMain(args);
  if (code !== 0 && code !== 3) throw new Error(lines.join('\n') || `qpdf ended with ${code}`);
  return program.FS.readFile('/out');
}

let compiled: object | null = null;

function compile(): object {
  compiled ??= new WebAssembly.Module(readFileSync(WASM_PATH));
  return compiled;
}

interface QpdfJson {
  qpdf: [Record<string, unknown>, Record<string, { value?: Record<string, unknown> }>];
}

/** qpdf has no option for the title and the language: they are edited in its JSON form of the objects. */
async function setMetadata(pdf: Uint8Array, { title, language }: Metadata): Promise<Uint8Array> {
  const json = await run({ '/in': pdf }, ['--json=2', '--json-key=qpdf', '/in', '/out']);
  const { qpdf } = JSON.parse(Buffer.from(json).toString()) as QpdfJson;
  const [header, objects] = qpdf;
  const references = objects['trailer']?.value ?? {};
  const info = `obj:${String(references['/Info'])}`;
  const root = `obj:${String(references['/Root'])}`;
  const update = {
    [info]: { value: { ...objects[info]?.value, '/Title': `u:${title}` } },
    [root]: { value: { ...objects[root]?.value, '/Lang': `u:${language}` } },
  };
  const files = { '/in': pdf, '/update': JSON.stringify({ qpdf: [header, update] }) };
  return run(files, ['/in', '--update-from-json=/update', '/out']);
}

export function openQpdf(): Library {
  return {
    name: 'qpdf (WebAssembly)',
    setMetadata,
    encrypt: (pdf, password) =>
      run({ '/in': pdf }, ['--encrypt', password, `${password}!`, '256', '--', '/in', '/out']),
    attach: (pdf, { name, type, bytes }) =>
      run({ '/in': pdf, [`/${name}`]: bytes }, [
        '/in',
        '--add-attachment',
        `/${name}`,
        `--mimetype=${type}`,
        '--',
        '/out',
      ]),
    merge(pdfs) {
      const files = Object.fromEntries(pdfs.map((pdf, index) => [`/in${index}`, pdf]));
      return run(files, [
        '--empty',
        '--pages',
        ...Object.keys(files).flatMap((path) => [path, '1-z']),
        '--',
        '/out',
      ]);
    },
  };
}
