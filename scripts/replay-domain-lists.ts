/**
 * npm run lists -- replay: judges the build of the lists by what it could not know. Prints the tables of
 * docs/internals/email.md, and writes them there. It fetches the histories that are not in the folder of
 * inputs (`--inputs <folder>`). If they cannot be had, it prints why and succeeds.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { gradeNames, type GradedNames, type ListInputs } from './domain-lists/build-domain-lists.ts';
import { HELD_OUT_HISTORIES, HELD_OUT_SOURCES, pickCompanies } from './domain-lists/held-out.ts';
import { type History, HISTORIES } from './domain-lists/histories.ts';
import { loadHistories } from './domain-lists/load-history.ts';
import { computeHistoriesHash, loadListInputs } from './domain-lists/load-list-inputs.ts';
import { INPUT_FOLDER, loadSources } from './domain-lists/load-sources.ts';
import {
  countAdded,
  countGrades,
  findReplayDay,
  formatRows,
  leaveOneOut,
  replayDay,
  type Row,
} from './domain-lists/replay.ts';

const DOC = new URL('../docs/internals/email.md', import.meta.url);
const COMPANIES = 500;

const { values: options } = parseArgs({ options: { inputs: { type: 'string', default: INPUT_FOLDER } } });

try {
  const inputs = await loadListInputs(options.inputs);
  const table = formatReplay(await countReplay(inputs));
  const text = readFileSync(DOC, 'utf8');
  const marks = /(<!-- comparison: npm run lists -- replay[^\n]*-->\n)[^]*?(<!-- \/comparison -->)/;
  writeFileSync(
    DOC,
    text.replace(marks, (_all, start: string, end: string) => `${start}${table}\n${end}`),
  );
  console.log(table);
  for (const { repository, commit, files } of Object.values<History>({ ...HISTORIES, ...HELD_OUT_HISTORIES }))
    console.log(`${repository} ${commit}: ${files.join(', ')}`);
} catch (error) {
  console.log(`Skipped: the histories cannot be had. ${String(error)}`);
}

async function countReplay(inputs: ListInputs): Promise<Record<string, Row[]>> {
  const full = gradeNames(inputs);
  const day = findReplayDay(inputs);
  const before = `the build of ${day}, by what followed`;
  return {
    [before]: replayDay(inputs, full, day),
    'the build without a list, by that list': leaveOneOut(inputs, full, day),
    'the build, by what it read': countAdded(full, day, full),
    'the build, by sources that it does not read': await countHeldOut(full),
  };
}

async function countHeldOut(full: GradedNames): Promise<Row[]> {
  const histories = await loadHistories(options.inputs, HELD_OUT_HISTORIES);
  const offered = Object.entries(histories).map(([name, changes]) => {
    const names = new Set(changes.flatMap(({ added }) => added));
    return countGrades(`offered by ${name}`, [...names], full);
  });
  const companies = pickCompanies(await loadSources(options.inputs, HELD_OUT_SOURCES), COMPANIES);
  return [...offered, countGrades('companies and mail providers', companies, full)];
}

function formatReplay(tables: Record<string, Row[]>): string {
  const inputs = `Histories ${computeHistoriesHash()}.`;
  return [inputs, ...Object.entries(tables).map(([title, rows]) => formatRows(title, rows))].join('\n\n');
}
