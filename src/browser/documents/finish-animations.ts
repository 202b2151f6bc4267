import type { Page } from '../pages/page.ts';

/** The instant at which an animation without end is shown, in milliseconds of its own time. */
const ENDLESS_AT_MS = 10_000;

/**
 * An expression that shows the final state of CSS transitions and animations, Web Animations and SVG
 * animations (SMIL) of the document and of its frames of the same origin; those without end at ENDLESS_AT_MS.
 * Animations that the document paused or bound to its scroll position stay as they are. Returns the number of
 * animations that ran.
 */
export const FINISH_ANIMATIONS = `(() => {
  const finish = (animation) => {
    try {
      animation.finish();
    } catch {
      animation.pause();
      animation.currentTime = ${ENDLESS_AT_MS};
    }
  };
  const finishSvg = (svg) => {
    if (svg.ownerSVGElement !== null || svg.animationsPaused?.() !== false) return;
    if (svg.querySelector('animate, animateTransform, animateMotion, set') === null) return;
    svg.pauseAnimations();
    svg.setCurrentTime(${ENDLESS_AT_MS / 1000});
  };
  const finishFrame = (frame) => {
    const { document } = frame;
    const running = document
      .getAnimations()
      .filter(({ playState, timeline }) => playState === 'running' && timeline === document.timeline);
    running.forEach(finish);
    document.querySelectorAll('svg').forEach(finishSvg);
    let count = running.length;
    for (let at = 0; at < frame.length; at += 1) {
      try {
        count += finishFrame(frame[at]);
      } catch {
        // A frame of another origin finishes its animations when it is printed.
      }
    }
    return count;
  };
  return finishFrame(window);
})()`;

/** Runs in an isolated world of each frame. */
export const FINISH_BEFORE_PRINT = `addEventListener('beforeprint', () => ${FINISH_ANIMATIONS})`;

/** Animations may start others. */
const MAX_ROUNDS = 3;

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
 * An expression that takes the focus from the focused element: paper has no focus ring. The document gets no
 * event of it, as what it shows in response would be printed.
 */
export const DROP_FOCUS = `(() => {
  const stop = (event) => event.stopImmediatePropagation();
  const drop = (frame) => {
    const types = ['blur', 'focusout', 'change'];
    types.forEach((type) => frame.addEventListener(type, stop, true));
    frame.document.activeElement?.blur();
    types.forEach((type) => frame.removeEventListener(type, stop, true));
    for (let at = 0; at < frame.length; at += 1) {
      try {
        drop(frame[at]);
      } catch {
        // A frame of another origin keeps its focus.
      }
    }
  };
  drop(window);
})()`;
