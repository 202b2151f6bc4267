import { ACTIVITY, OBSERVERS, PENDING_WORK } from './start-script/activity.ts';
import { ANIMATION_FRAMES, CLOCK, IDLE_TASKS, OTHER_CLOCKS, TIMERS } from './start-script/clock.ts';
import { CONTROL, PRINT_QUERIES, SCRIPT_ERRORS, TOOLS } from './start-script/tools.ts';

/** Resolves after `ms` of real time. */
export function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}

/**
 * Formats an expression that starts the document's clock (`performance.now()`) before its content is set.
 * `offsetMs` is added to the time that the renderer shows.
 */
export function formatStartDocument(offsetMs: number): string {
  return `window['${CONTROL}']?.start(${offsetMs})`;
}

/** An expression that starts to count the changes of the document. */
export const OBSERVE_CHANGES = `window['${CONTROL}']?.observeChanges()`;

/** An expression that calls the listeners of media queries for print. */
export const ANNOUNCE_PRINT = `window['${CONTROL}']?.announcePrint()`;

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

/**
 * All pages of a headless browser share one screen: a document that locked its orientation would turn it for
 * the documents of other keys too.
 */
const NO_ORIENTATION_LOCK = 'delete window.ScreenOrientation?.prototype.lock;';

/**
 * A window that no script opened keeps its size and its place (CSSOM View §4). A headless browser would
 * change them, also for the next document in the page.
 */
const NO_RESIZING = `
  for (const name of ['moveBy', 'moveTo', 'resizeBy', 'resizeTo'])
    define(window, name, { [name]() {} }[name]);
`;

/** A document in a kept page could read the URL that the one before it has given itself. */
const NO_URL_BEFORE = 'delete window.NavigationActivation?.prototype.from;';

/** The parts in their order. They share one scope. */
const PARTS = [
  SILENT_CONSOLE + NO_SHARED_WORKERS + TOOLS + NO_ORIENTATION_LOCK + NO_RESIZING + NO_URL_BEFORE,
  CLOCK + OTHER_CLOCKS + TIMERS + ANIMATION_FRAMES + IDLE_TASKS,
  PENDING_WORK + SCRIPT_ERRORS + OBSERVERS + PRINT_QUERIES + ACTIVITY,
];

/** Runs first in every document and frame. */
export const DOCUMENT_START_SCRIPT = `(() => {
  'use strict';
  ${PARTS.join('')}
})();`;
