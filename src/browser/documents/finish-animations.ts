/** The instant at which an animation without end is shown, in milliseconds of its own time. */
const ENDLESS_AT_MS = 10_000;

/**
 * Shows the final state of CSS transitions and animations, Web Animations and SVG animations (SMIL) of one
 * frame; those without end at ENDLESS_AT_MS. What a document paused, or bound to its scroll position, stays.
 * Returns the number of animations that ran.
 */
const FINISH = `(() => {
  let count = 0;
  for (const animation of document.getAnimations()) {
    if (animation.playState !== 'running' || animation.timeline !== document.timeline) continue;
    count += 1;
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
  return count;
})()`;

/** Finishes the animations of the document, and returns how many ran. */
export const FINISH_ANIMATIONS = FINISH;

/** Runs in an isolated world of each frame: frames finish their animations when they are printed. */
export const FINISH_BEFORE_PRINT = `addEventListener('beforeprint', () => ${FINISH})`;

/** An expression that resolves after the browser has shown the page, and so has sent events of animations. */
export const AFTER_TWO_FRAMES = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(true))))`;
