import { randomUUID } from 'node:crypto';
import { ANIMATION_FRAMES } from './start-script/animation-frames.ts';
import { CLOCK } from './start-script/clock.ts';
import { PENDING_WORK } from './start-script/pending-work.ts';
import { SCRIPT_ERRORS } from './start-script/script-errors.ts';
import { TIMERS } from './start-script/timers.ts';
import { TOOLS } from './start-script/tools.ts';

/** The name of the functions that the script leaves in each window. No document can know it in advance. */
const CONTROL = `__${randomUUID()}`;

/** An expression that sets the document's clock (`performance.now()`) to zero. */
export const RESTART_CLOCK = `window['${CONTROL}']?.restartClock()`;
/** An expression that starts to count the changes of the document. */
export const OBSERVE_CHANGES = `window['${CONTROL}']?.observeChanges()`;

/** The work of a document since the last call, and what it waits for. */
export interface Activity {
  /** Operations in progress outside the document's thread. */
  pending: number;
  /** Changes of the document, and messages of its workers. */
  changes: number;
  /** Timers that will run once. */
  timers: number;
  /** Sources of further work: intervals, animation frames, and frames of the document. */
  repeating: number;
  /** Animations and transitions that run. */
  animations: number;
  /** New observers of what is visible: they are called when a frame is shown. */
  observers: number;
}

/** An expression that returns Activity; null if the document's scripts do not run. */
export const TAKE_ACTIVITY = `window['${CONTROL}']?.takeActivity() ?? null`;

/** An error that no script of the document caught. */
export interface ScriptError {
  message: string;
  /** The URL of the script; empty if it is not known. */
  file: string;
  line: number;
}

/** An expression that returns the first errors by their numbers; null if no scripts run. */
export const LIST_ERRORS = `window['${CONTROL}']?.listErrors() ?? null`;

/**
 * Nothing reads a document's console. Each message is a call to the one main thread of the browser, which all
 * documents share: a document that floods it would delay the others.
 */
const SILENT_CONSOLE = `
  for (const name of Object.keys(console)) if (typeof console[name] === 'function') console[name] = () => {};
`;

/** A shared worker belongs to no document: no limit of a document would hold for it. */
const NO_SHARED_WORKERS = 'delete window.SharedWorker;';

/** Leaves the functions in the window that the expressions above call. */
const CONTROL_FUNCTIONS = `
  const { getAnimations } = Document.prototype;
  let observers = 0;
  wrapClass('IntersectionObserver', () => { observers += 1; });
  defineProperty(window, '${CONTROL}', { value: freeze({
    __proto__: null,
    listErrors,
    restartClock,
    observeChanges: () => {
      const kinds = { __proto__: null, subtree: true, childList: true, attributes: true, characterData: true };
      apply(observe, new Observer(() => { changes += 1; }), [document, kinds]);
    },
    takeActivity: () => {
      const activity = {
        pending,
        changes,
        timers: timers.size,
        repeating: intervals.size + waitingCount + window.length,
        animations: apply(getAnimations, document, []).length,
        observers,
      };
      observers = 0;
      changes = 0;
      return activity;
    },
  }) });
`;

/** Runs first in every document and frame. Its parts share one scope. */
export const DOCUMENT_START_SCRIPT = `(() => {
  'use strict';
  ${[SILENT_CONSOLE, NO_SHARED_WORKERS, TOOLS, CLOCK, TIMERS, ANIMATION_FRAMES, PENDING_WORK, SCRIPT_ERRORS, CONTROL_FUNCTIONS].join('')}
})();`;
