const MAX_DIALOGS = 20;
/** Far more than any document needs. Each event costs CPU time of the service. */
const MAX_EVENTS = 20_000;
const MAX_EVENT_BYTES = 64 * 1024 * 1024;

/** Limits the events that one document can cause. */
export class EventLimits {
  #dialogs = 0;
  #events = 0;
  #eventBytes = 0;

  /** Starts the counts of the next document. */
  reset(): void {
    this.#dialogs = 0;
    this.#events = 0;
    this.#eventBytes = 0;
  }

  /** Counts an event. Returns false if it is beyond a limit. */
  countEvent(bytes: number): boolean {
    this.#events += 1;
    this.#eventBytes += bytes;
    return this.#events <= MAX_EVENTS && this.#eventBytes <= MAX_EVENT_BYTES;
  }

  /** Counts a dialog. Returns false if it is beyond the limit. */
  countDialog(): boolean {
    this.#dialogs += 1;
    return this.#dialogs <= MAX_DIALOGS;
  }
}
