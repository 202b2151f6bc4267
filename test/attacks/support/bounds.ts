/** What every attack is held to. `attack.maxTurnMs` bounds the CPU of one turn of the event loop. */

/** The part of the well-behaved caller's calls that succeed. */
export const MIN_SUCCESS = 0.99;
/** The resident memory of the service's process, in megabytes. */
export const MAX_RSS_MB = 600;
