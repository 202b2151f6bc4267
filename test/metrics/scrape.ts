import assert from 'node:assert/strict';
import type { TestApp } from '../support/start-app.ts';
import { patientMs } from '../support/patience.ts';

/** The values of /metrics by series: the name with its labels, as written. */
export type Scrape = ReadonlyMap<string, number>;

/** Loads the text of /metrics of an app whose METRICS_PORT is 0. */
export async function loadText({ app }: TestApp): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${app.getMetricsPort() ?? 0}/metrics`);
  assert.equal(response.status, 200);
  return response.text();
}

export async function scrape(service: TestApp): Promise<Scrape> {
  return parseSeries(await loadText(service));
}

export function parseSeries(text: string): Scrape {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

/** Returns the value of a series of the service, 0 if there is none. */
export function getValue(values: Scrape, series: string): number {
  return values.get(`utility_api_${series}`) ?? 0;
}

/** Scrapes until the condition holds. The writes of usage and the end of a browser take a moment. */
export async function scrapeUntil(
  service: TestApp,
  isDone: (values: Scrape) => boolean,
  timeoutMs = patientMs(20_000),
): Promise<Scrape> {
  for (const startMs = performance.now(); ;) {
    const values = await scrape(service);
    if (isDone(values)) return values;
    if (performance.now() - startMs > timeoutMs)
      throw new Error(
        `not so after ${timeoutMs} ms:\n${[...values].map((pair) => pair.join(' ')).join('\n')}`,
      );
  }
}
