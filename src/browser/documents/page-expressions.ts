import { OWN_URL, type Page } from '../pages/page.ts';
import { TAKE_ACTIVITY } from './document-start-script.ts';

/** The instant at which an animation without end is shown, in milliseconds of its own time. */
const ENDLESS_AT_MS = 10_000;
/** Animations may start others. */
const MAX_ROUNDS = 3;

/**
 * Formats an expression that calls `visit` with the window of the document and of each of its frames of the
 * same origin, and returns the sum of what it returned. Frames of other origins cannot be entered.
 */
function formatFrameWalk(visit: string): string {
  return `(() => {
  const visit = ${visit};
  const walk = (frame) => {
    let sum = visit(frame) ?? 0;
    for (let at = 0; at < frame.length; at += 1) {
      try {
        sum += walk(frame[at]);
      } catch {}
    }
    return sum;
  };
  return walk(window);
})()`;
}

/**
 * An expression that shows the final state of CSS transitions and animations, Web Animations and SVG
 * animations (SMIL) of the document and of its frames of the same origin; those without end at ENDLESS_AT_MS.
 * Animations that the document paused or bound to its scroll position stay as they are. Returns the number of
 * animations that ran.
 */
export const FINISH_ANIMATIONS = formatFrameWalk(`({ document }) => {
    const running = document
      .getAnimations()
      .filter(({ playState, timeline }) => playState === 'running' && timeline === document.timeline);
    for (const animation of running) {
      try {
        animation.finish();
      } catch {
        animation.pause();
        animation.currentTime = ${ENDLESS_AT_MS};
      }
    }
    for (const svg of document.querySelectorAll('svg')) {
      if (svg.ownerSVGElement !== null || svg.animationsPaused?.() !== false) continue;
      if (svg.querySelector('animate, animateTransform, animateMotion, set') === null) continue;
      svg.pauseAnimations();
      svg.setCurrentTime(${ENDLESS_AT_MS / 1000});
    }
    return running.length;
  }`);

/** Runs in an isolated world of each frame, so that those of other origins finish their animations too. */
export const FINISH_BEFORE_PRINT = `addEventListener('beforeprint', () => ${FINISH_ANIMATIONS})`;

/**
 * An expression that takes the focus from the focused element: paper has no focus ring. The document gets no
 * event of it, as what it shows in response would be printed.
 */
export const DROP_FOCUS = formatFrameWalk(`(frame) => {
    const stop = (event) => event.stopImmediatePropagation();
    const types = ['blur', 'focusout', 'change'];
    types.forEach((type) => frame.addEventListener(type, stop, true));
    frame.document.activeElement?.blur();
    types.forEach((type) => frame.removeEventListener(type, stop, true));
  }`);

/**
 * An expression that removes the targets of relative links from a document without a URL: Chromium would
 * print links to OWN_URL. Links to fragments keep their targets.
 */
export const DROP_RELATIVE_LINKS = formatFrameWalk(`({ document }) => {
    if (!document.baseURI.startsWith('${OWN_URL}')) return;
    const base = document.createElement('base');
    base.href = 'about:blank';
    document.documentElement?.prepend(base);
  }`);

/** Shows the final state of the animations of a document without scripts. */
export async function finishAnimations(page: Page): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    if ((await page.evaluate(FINISH_ANIMATIONS)) === 0) break;
    await page.showFrame();
    await page.showFrame();
  }
  await page.evaluate(DROP_FOCUS);
}

/**
 * Evaluates the expressions of LiveDocument in a document that is replaced before the page is used: the first
 * evaluation among the document's own scripts takes longer than printing an invoice, and the other
 * expressions are then compiled.
 */
export async function prepareScripts(page: Page): Promise<void> {
  await page.evaluateInDocument(TAKE_ACTIVITY);
  for (const expression of [FINISH_ANIMATIONS, DROP_FOCUS, DROP_RELATIVE_LINKS])
    await page.evaluate(expression);
  await page.showFrame();
}
