/** The phases of a request's work as bars. */
import type { LoggedRequest } from '../../api/types.ts';
import { formatDuration } from '../../components/format.ts';
import { PHASE_NAMES } from './request-names.ts';
import classes from './requests.module.css';

const ROW = 20;
/** The percentage of the width for bars; the rest is for the label of the longest. */
const BARS_WIDTH = 58;

interface Span {
  name: string;
  startMs: number;
  ms: number;
  meaning: 'longest' | 'late' | undefined;
}

/** Shows one bar per phase, each where the one before ended. In a timeout the last one is amber. */
export function TimeSpent({ request }: { request: LoggedRequest }) {
  const spans = computeSpans(request);
  const last = spans.at(-1);
  const totalMs = Math.max(1, last ? last.startMs + last.ms : 0);
  return (
    <ul className={classes.spans} aria-label="Phases">
      {spans.map(({ name, startMs, ms, meaning }) => (
        <li key={name}>
          <svg height={ROW} aria-hidden="true" focusable="false">
            <rect
              data-meaning={meaning}
              x={`${(startMs / totalMs) * BARS_WIDTH}%`}
              width={`${Math.max(0.6, (ms / totalMs) * BARS_WIDTH)}%`}
              y={4}
              height={ROW - 8}
              rx={1}
            />
            <text x={`${Math.max(0.6, ((startMs + ms) / totalMs) * BARS_WIDTH)}%`} dx={8} y={14}>
              {name}, {formatDuration(ms)}
            </text>
          </svg>
          <span className={classes.hidden}>
            {name}, {formatDuration(ms)}
          </span>
        </li>
      ))}
    </ul>
  );
}

function computeSpans({ phases, ms, error }: LoggedRequest): Span[] {
  const known = phases.reduce((sum, phase) => sum + phase.ms, 0);
  const longest = Math.max(...phases.map((phase) => phase.ms));
  let startMs = 0;
  const spans = phases.map((phase, index): Span => {
    const isLate = error === 'timeout' && index === phases.length - 1;
    const span: Span = {
      name: PHASE_NAMES[phase.phase],
      startMs,
      ms: phase.ms,
      meaning: isLate ? 'late' : phase.ms === longest ? 'longest' : undefined,
    };
    startMs += phase.ms;
    return span;
  });
  const restMs = ms - known;
  return restMs > 0 ? [...spans, { name: 'Other work', startMs, ms: restMs, meaning: undefined }] : spans;
}
