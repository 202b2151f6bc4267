import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PDFDocument, PDFName } from '@cantoo/pdf-lib';
import { parsePdfRequest } from '../pdf-request.ts';
import { toFinishOptions } from './finish-input.ts';
import { setMetadata } from './finish-pdf.ts';

void describe('the metadata of a request', () => {
  const body = { html: 'x', subject: '🦊', title: 'T', lang: 'de' };

  void it('are also set in a PDF without any', async () => {
    const pdf = await PDFDocument.create({ updateMetadata: false });
    setMetadata(pdf, toFinishOptions(parsePdfRequest(body)));
    assert.deepEqual(
      [pdf.getSubject(), pdf.getTitle(), pdf.getLanguage(), pdf.getAuthor(), pdf.getKeywords()],
      ['🦊', 'T', 'de', undefined, undefined],
    );
    const info = pdf.context.lookup(pdf.context.trailerInfo.Info)?.toString() ?? '';
    assert.match(info, /\/Subject <feffd83edd8a>/i, 'UTF-16 with its mark');
  });

  void it('leave what the PDF has', async () => {
    const pdf = await PDFDocument.create();
    pdf.setAuthor('A');
    const created = pdf.getCreationDate();
    setMetadata(pdf, toFinishOptions(parsePdfRequest({ html: 'x', subject: 'S' })));
    assert.deepEqual([pdf.getAuthor(), pdf.getSubject(), pdf.getCreationDate()], ['A', 'S', created]);
    assert.equal(pdf.catalog.get(PDFName.of('ViewerPreferences')), undefined);
  });
});
