import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Script } from 'node:vm';
import { DOCUMENT_START_SCRIPT } from './document-start-script.ts';

void it('the parts of the start script share one scope without a conflict', () => {
  // A script with a syntax error does not run, and a browser reports it to the document's console only.
  assert.doesNotThrow(() => new Script(DOCUMENT_START_SCRIPT));
});
