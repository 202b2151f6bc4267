import assert from 'node:assert/strict';
import { it } from 'node:test';
import { PDF_OPTIONS } from './pdf-options.ts';
import { suggestOptions } from '#options';
import { ALIASES } from './foreign-names.ts';

const MEMBERS = new Set(Object.keys(PDF_OPTIONS));

void it('finds the member that an unknown name means', () => {
  for (const [name, meant] of [
    ['pageSize', 'page_size'],
    ['PrintBackground', 'print_background'],
    ['page-ranges', 'page_ranges'],
    ['baseURL', 'base_url'],
    ['margin_topp', 'margin_top'],
    ['titel', 'title'],
    ['fileName', 'filename'],
    ['orientaton', 'orientation'],
    ['format', 'page_size'],
    ['Paper_Size', 'page_size'],
    ['margins', 'margin_top, margin_right, margin_bottom or margin_left'],
    ['waitUntil', 'wait_for or wait_for_expression'],
    ['headerTemplate', 'header_html'],
  ] as const)
    assert.equal(suggestOptions(name, MEMBERS, ALIASES), meant, name);
});

void it('finds none for a name that is far from all, or too short for a slip', () => {
  for (const name of ['', '_', 'a', 'cs', 'foo', 'nonsense', 'constructor', '__proto__', 'toString'])
    assert.equal(suggestOptions(name, MEMBERS, ALIASES), null, name);
});

void it('finds no member of another object', () => {
  const members = new Set(['name', 'base64']);
  assert.equal(suggestOptions('format', members, ALIASES), null);
  assert.equal(suggestOptions('Base_64', members, ALIASES), 'base64');
});

void it('its aliases are no members, and mean members', () => {
  for (const [alias, meant] of Object.entries(ALIASES)) {
    assert.equal(MEMBERS.has(alias), false, alias);
    for (const member of meant.split(/, | or /)) assert.ok(MEMBERS.has(member), member);
  }
});
