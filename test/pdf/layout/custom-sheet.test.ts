import assert from 'node:assert/strict';
import { before, it } from 'node:test';
import type { PdfEngine } from '#pdf';
import { generate } from '../support/open-engine.ts';
import { shareEngine } from '../support/shared-engine.ts';
import { readPdf } from '../support/read-pdf.ts';

const NO_MARGINS = { margin_top: '0', margin_bottom: '0', margin_left: '0', margin_right: '0' };
const POINTS_PER_MM = 72 / 25.4;
/** Chromium rounds a side up to whole points, and then to its device pixels of 0.24 points. */
const ROUNDING_POINTS = 1.12;

let engine: PdfEngine;

before(async () => {
  engine = await shareEngine();
});

/** Asserts the size of the first page, in millimeters. */
async function assertSheet(members: Record<string, unknown>, width: number, height: number): Promise<void> {
  const [page] = (await readPdf((await generate(engine, { html: '<p>x', ...members })).pdf)).pages;
  const sides = `${page?.width} × ${page?.height} points`;
  assert.ok(Math.abs((page?.width ?? 0) - width * POINTS_PER_MM) <= ROUNDING_POINTS, sides);
  assert.ok(Math.abs((page?.height ?? 0) - height * POINTS_PER_MM) <= ROUNDING_POINTS, sides);
}

it('a sheet has the page_width and page_height of the request, in both lanes', async () => {
  const label = { page_width: '62mm', page_height: '29mm', ...NO_MARGINS };
  await assertSheet(label, 62, 29);
  await assertSheet({ ...label, wait_for: 0 }, 62, 29);
  await assertSheet({ ...label, orientation: 'portrait' }, 29, 62);
  await assertSheet({ page_width: '24in', page_height: '36in' }, 609.6, 914.4);
});

it('the smallest and the largest sheet are printed', async () => {
  await assertSheet({ page_width: '10mm', page_height: '10mm', ...NO_MARGINS }, 10, 10);
  await assertSheet({ page_width: '5080mm', page_height: '5080mm' }, 5080, 5080);
});

it('page_width and page_height override each @page rule of the document', async () => {
  const html = '<style>@page{size:A3!important}@page :first{size:A5 landscape!important}</style><p>x';
  await assertSheet({ html, page_width: '100mm', page_height: '150mm' }, 100, 150);
});
