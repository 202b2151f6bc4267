import type { Pdf } from '../../index.ts';
import { type Command, type CommandInput, isOn } from '../command.ts';
import { connect, PROFILE_FLAG } from '../connect.ts';
import { CliError, EXIT, type ExitCode } from '../exit-codes.ts';
import { formatDuration } from '../list/progress.ts';
import { toPlainText } from '../plain-text.ts';
import type { Session } from '../session.ts';
import { writeJson } from '../write-json.ts';
import { PDF_FLAGS } from './pdf-flags.ts';
import { choosePdfTarget, parsePdfFlags } from './pdf-input.ts';
import { writePdf } from './write-pdf.ts';

export const pdfCommand: Command = {
  name: 'pdf',
  summary: 'Print HTML to PDF',
  usage: ['pdf <html file> [-o <path>] [flags]'],
  description:
    'Prints a file, or standard input with -. Without -o, invoice.html becomes invoice.pdf in this folder, and standard input goes to standard output. Files beside the document are not sent: name their address with --base-url.',
  maxArguments: 1,
  completes: 'files',
  flags: [
    {
      name: 'out',
      short: 'o',
      type: 'file',
      placeholder: 'path',
      summary: 'Write the PDF to this file; - is standard output',
    },
    { name: 'margin', type: 'text', placeholder: 'length', summary: 'All margins' },
    ...PDF_FLAGS,
    { name: 'json', type: 'boolean', summary: 'Write pages, size and warnings as JSON' },
    { name: 'quiet', short: 'q', type: 'boolean', summary: 'Show no summary and no warnings' },
    PROFILE_FLAG,
  ],
  examples: [
    'utility-api pdf invoice.html',
    'utility-api pdf invoice.html -o invoice.pdf --footer footer.html --margin 12mm',
    'render-report | utility-api pdf - > report.pdf',
  ],
  run: runPdf,
};

async function runPdf(input: CommandInput): Promise<ExitCode> {
  const { flags, session, arguments: words } = input;
  const [source] = words;
  if (source === undefined)
    throw new CliError(
      EXIT.usage,
      'pdf takes a file of HTML: utility-api pdf invoice.html. - is standard input.',
    );
  if (/^https?:\/\//i.test(source))
    throw new CliError(EXIT.usage, 'pdf takes a file of HTML, not a URL: save the page first.');
  const target = choosePdfTarget(source, input);
  const request = await parsePdfFlags(source, input);
  const startedAt = performance.now();
  const pdf = await connect(session, flags).generatePdf(request, { signal: session.signal });
  const bytes = await writePdf(pdf, target, session);
  await report(input, pdf, { target, bytes, elapsedMs: performance.now() - startedAt });
  return EXIT.ok;
}

async function report(
  { flags, session }: CommandInput,
  pdf: Pdf,
  { target, bytes, elapsedMs }: { target: string; bytes: number; elapsedMs: number },
): Promise<void> {
  const { pages, warnings, warningCount } = pdf;
  if (isOn(flags, 'json'))
    return writeJson(session, { out: target, pages, bytes, warning_count: warningCount, warnings }, true);
  if (isOn(flags, 'quiet')) return;
  const size = `${pages} ${pages === 1 ? 'page' : 'pages'}, ${formatBytes(bytes)}`;
  if (target !== '-') session.note(`${toPlainText(target)}: ${size}, in ${formatDuration(elapsedMs)}`);
  noteWarnings(session, pdf);
}

function noteWarnings({ note, errorStyle: style }: Session, { warnings, warningCount }: Pdf): void {
  for (const warning of warnings) note(`${style('yellow', 'Warning:')} ${toPlainText(warning)}`);
  const rest = warningCount - warnings.length;
  if (rest > 0) note(`${style('yellow', 'Warning:')} ${rest} more.`);
}

function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
