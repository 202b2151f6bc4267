import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';

/** The values of OTEL_TRACES_SAMPLER. */
export type SamplerName =
  | 'always_on'
  | 'always_off'
  | 'traceidratio'
  | 'parentbased_always_on'
  | 'parentbased_always_off'
  | 'parentbased_traceidratio';

/** Creates the sampler of a name; `ratio` is the part of the traces that is kept. */
export function createSampler(name: SamplerName, ratio: number): Sampler {
  const prefix = 'parentbased_';
  if (name.startsWith(prefix))
    return new ParentBasedSampler({ root: createSampler(name.slice(prefix.length) as SamplerName, ratio) });
  if (name === 'traceidratio') return new TraceIdRatioBasedSampler(ratio);
  return name === 'always_off' ? new AlwaysOffSampler() : new AlwaysOnSampler();
}
