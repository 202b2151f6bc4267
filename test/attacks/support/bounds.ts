/** The bounds of every attack, besides `attack.maxTurnMs`, the CPU time of one turn of the event loop. */

/** The share of the well-behaved caller's calls that must succeed. */
export const MIN_SUCCESS = 0.99;
/** The resident memory of the service's process, in megabytes. */
export const MAX_RSS_MB = 600;
