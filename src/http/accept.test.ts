import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { prefersLines, prefersProblem } from './accept.ts';

describe('an Accept header prefers lines to JSON', () => {
  for (const [accept, expected] of [
    [undefined, false],
    ['', false],
    ['*/*', false],
    ['application/*', false],
    ['application/json', false],
    ['text/html', false],
    ['application/x-ndjson', true],
    ['Application/X-NDJSON ; Q=0.5', true],
    ['application/x-ndjson;q=0', false],
    ['application/x-ndjson;q=0.000, */*', false],
    ['application/x-ndjson;q=0.1, application/json', false],
    ['application/x-ndjson, application/json;q=0.9', true],
    ['application/x-ndjson, application/json', true],
    ['application/json, application/x-ndjson', false],
    ['application/json;q=0.5, application/x-ndjson;q=0.5', false],
    ['application/x-ndjson, */*', true],
    ['*/*, application/x-ndjson', true],
    ['application/x-ndjson;q=0.5, */*;q=0.8', false],
    ['*/*;q=0.1, application/x-ndjson', true],
    ['application/*;q=0.5, application/x-ndjson;q=0.2', false],
    ['text/html, application/x-ndjson;q=0.3', true],
    ['application/json;q=0, */*', true],
    ['application/x-ndjson; charset=utf-8; q=0.2, application/json; q=0.1', true],
    ['application/x-ndjson-seq', false],
  ] as const)
    it(`${String(accept)}: ${expected}`, () => assert.equal(prefersLines(accept), expected));
});

describe('an Accept header prefers application/problem+json to JSON', () => {
  for (const [accept, expected] of [
    [undefined, false],
    ['', false],
    ['*/*', false],
    ['application/*', false],
    ['application/json', false],
    ['text/html', false],
    ['application/problem+json', true],
    ['Application/Problem+JSON ; Q=0.5', true],
    ['application/problem+json;q=0', false],
    ['application/problem+json, application/json', false],
    ['application/json, application/problem+json', false],
    ['application/json;q=0.9, application/problem+json', true],
    ['application/json, application/problem+json;q=0.9', false],
    ['application/problem+json, */*', false],
    ['application/problem+json, */*;q=0.8', true],
    ['application/pdf, application/problem+json', true],
    ['application/json;q=0, */*', true],
    ['application/problem+xml', false],
    [`application/problem+json${','.repeat(512)}`, false],
  ] as const)
    it(`${String(accept).slice(0, 60)}: ${expected}`, () => assert.equal(prefersProblem(accept), expected));
});
