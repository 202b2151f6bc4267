/** Rows 3 and 5 of what was measured: documents that hold the renderers, and a browser that dies at work. */
import assert from 'node:assert/strict';
import { describeAttacks } from './support/describe-attacks.ts';

describeAttacks('documents that hold the renderers', [
  {
    attack: 'pdf_waits_for_nothing',
    promise: 'four documents that wait for an element that never comes block no other account',
  },
  { attack: 'pdf_endless_loop', promise: 'four documents with an endless loop block no other account' },
  { attack: 'pdf_console_flood', promise: 'four documents that flood the console block no other account' },
  {
    attack: 'browser_killed',
    promise: 'the browser is killed under load: the service survives, and every PDF is rendered',
    check: (outcomes) => assert.ok(outcomes['browser killed'], JSON.stringify(outcomes)),
  },
]);
