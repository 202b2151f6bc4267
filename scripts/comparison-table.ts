/** Writes the comparison of README from the tables that the benchmarks have written to bench/. */

/** The pages with the recorded tables. */
export interface Recorded {
  email: string;
  metadata: string;
  pdf: string;
}

/** Loads the recorded tables of a checkout. */
export function loadRecorded(load: (path: string) => string): Recorded {
  const [email = '', metadata = '', pdf = ''] = ['email', 'metadata', 'pdf'].map((name) =>
    load(`bench/${name}/results.md`),
  );
  return { email, metadata, pdf };
}

/** A row: what is compared, the figure of this service, and that of the best of the others. */
type Row = [what: string, ours: string, best: string, command: string];

/** Replaces the table between the marks. */
export function replaceComparison(readme: string, recorded: Recorded): string {
  const block = /(<!-- comparison: [^\n]* -->\n)[^]*?(<!-- \/comparison -->)/;
  if (!block.test(readme)) throw new Error('README.md has no marks of the comparison');
  const rows = listRows(recorded).map(
    ([what, ours, best, command]) => `| ${what} | **${ours}** | ${best} | \`${command}\` |\n`,
  );
  const table = `| | Utility API | best of the others | measured by |\n|---|---|---|---|\n${rows.join('')}`;
  return readme.replace(block, (_, open: string, close: string) => open + table + close);
}

function listRows({ email, metadata, pdf }: Recorded): Row[] {
  const scores = 'npm run bench -- email-scores';
  const [syntax, , unseen, , domains] = loadTables(email, 'scores');
  const [real] = loadTables(metadata, 'real pages');
  const [speed] = loadTables(metadata, 'speed');
  const pages = 'npm run bench -- metadata-pages';
  return [
    ['addresses whose syntax is judged right, of 304', ...compareRows(syntax, 1), scores],
    ['mistyped large providers corrected, of 485 of unseen sources', ...compareRows(unseen, 1), scores],
    ['real domains "corrected" wrongly, of 130,337', ...compareRows(domains, 1, Math.min), scores],
    ['titles right, of 164 real pages', ...compareColumns(real, 'title'), pages],
    ['favicons right, of 164 real pages', ...compareColumns(real, 'favicon'), pages],
    [
      'pages read per second',
      ...compareRows(speed?.slice(1), 1, Math.max, 'the whole service'),
      'npm run bench -- metadata',
    ],
    ['invoice to PDF, median ms', ...comparePdf(pdf, 'Latency alone', 2, Math.min), 'npm run bench -- pdf'],
    [
      'invoices to PDF per second, 4 callers',
      ...comparePdf(pdf, 'PDFs per second, invoice', 2, Math.max),
      'npm run bench -- pdf',
    ],
  ];
}

type Table = readonly (readonly string[])[];

/** Returns the rows of each table between the marks of a name. */
function loadTables(page: string, name: string): Table[] {
  const text = new RegExp(`<!-- ${name} -->\n([^]*?)<!-- /${name} -->`).exec(page)?.[1] ?? '';
  const tables = text.split('\n\n').map((block) => block.split('\n').filter((line) => line.startsWith('|')));
  return tables
    .filter((lines) => lines.length > 0)
    .map((lines) =>
      lines.map((line) =>
        line
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      ),
    );
}

/** Compares a column of the row of this service with the other rows. */
function compareRows(
  table: Table = [],
  column: number,
  best: (...values: number[]) => number = Math.max,
  ours = '**this module**',
): [string, string] {
  const place = table.findIndex(([name]) => name === ours);
  const peers = table
    .slice(place + 1)
    .filter((row) => !row[0]?.startsWith('without') && isNumber(row[column]));
  return [
    cleanCell(table[place]?.[column]),
    formatBest(
      peers.map((row) => [row[0] ?? '', row[column] ?? '']),
      best,
    ),
  ];
}

/** Compares the columns of a row. The first column is that of this service. */
function compareColumns(table: Table = [], row: string): [string, string] {
  const [, , ...names] = table[0] ?? [];
  const [, own, ...peers] = table.find(([name]) => name === row) ?? [];
  const pairs = peers.map((value, at): [string, string] => [names[at] ?? '', value]);
  return [
    cleanCell(own),
    formatBest(
      pairs.filter(([, value]) => isNumber(value)),
      Math.max,
    ),
  ];
}

/** Compares a column of the first measurement with this heading. */
function comparePdf(
  page: string,
  heading: string,
  column: number,
  best: (...values: number[]) => number,
): [string, string] {
  const lines = page.slice(page.indexOf(heading)).split('\n\n')[0]?.split('\n') ?? [];
  const cells = lines.map((line) => line.trim().split(/ {2,}/));
  const row = cells.find(([name]) => name === 'the whole service (HTTP)') ?? [];
  const peers = cells.filter(([name]) => /^(?:puppeteer|wkhtmltopdf|WeasyPrint)/.test(name ?? ''));
  const pairs = peers.map((peer): [string, string] => [peer[0] ?? '', peer[column] ?? '']);
  return [cleanCell(row[column]), formatBest(pairs, best)];
}

function formatBest(pairs: readonly [string, string][], best: (...values: number[]) => number): string {
  const target = best(...pairs.map(([, value]) => toNumber(value)));
  const names = pairs.filter(([, value]) => toNumber(value) === target);
  const [name = '', value = ''] = names.at(-1) ?? [];
  return `${cleanCell(value)} (${name})`;
}

/** Removes the share in brackets and the blank before a percent sign. */
function cleanCell(cell = ''): string {
  return cell.replace(/ \(.*\)$/, '').replace(' %', '%');
}

function isNumber(cell = ''): boolean {
  return Number.isFinite(toNumber(cell));
}

function toNumber(cell: string): number {
  return Number.parseFloat(cleanCell(cell).replaceAll(',', ''));
}
