import { resolvesWithin } from '#concurrency';
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

/** Resolves after the browser has shown the page, and so has sent events of animations. */
const AFTER_TWO_FRAMES = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(true))))`;

/** A page that does not show anything (a document that hides itself) has no frames. */
const MAX_FRAMES_MS = 500;
/** Animations may start others. */
const MAX_ROUNDS = 3;

/** Lets the browser show the page, which sends the events of animations and observers. */
export async function showFrames(page: Page): Promise<void> {
  await resolvesWithin(page.evaluate(AFTER_TWO_FRAMES), MAX_FRAMES_MS);
}

/** Shows the final state of the animations of a document without scripts, in real time. */
export async function finishAnimations(page: Page): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    if ((await page.evaluate(FINISH_ANIMATIONS)) === 0) return;
    await showFrames(page);
  }
}
