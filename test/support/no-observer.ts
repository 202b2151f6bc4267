import type { RequestObserver } from '#telemetry';

/** Observes nothing. */
export const NO_OBSERVER: RequestObserver = {
  startSpan: null,
  onResponse() {},
  onMalformed() {},
  meter: null,
};
