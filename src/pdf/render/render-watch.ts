/** The phases of a document: `queue` (for a slot), `load` (until it is ready to print), `print`. */
export type RenderPhase = 'queue' | 'load' | 'print';

/** Observes one document. Must not throw. */
export interface RenderWatch {
  /** Called at the start of a phase. Returns the function to call at its end, however it ends. */
  startPhase: (phase: RenderPhase) => () => void;
  /** Called with the deadline of the document, in milliseconds from when it has its slot. */
  onDeadline: (ms: number) => void;
}

/** Runs a phase of a document, and returns its result. */
export async function runPhase<T>(
  watch: RenderWatch | undefined,
  phase: RenderPhase,
  run: () => Promise<T>,
): Promise<T> {
  const end = watch?.startPhase(phase);
  try {
    return await run();
  } finally {
    end?.();
  }
}
