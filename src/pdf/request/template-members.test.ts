import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkDataSize, parseTemplate } from './template-members.ts';

const liquid = (data: unknown) => parseTemplate({ template: 'liquid', data });

function nest(depth: number): unknown {
  return depth === 0 ? 1 : { a: nest(depth - 1) };
}

void describe('template and data', () => {
  void it('are both optional, and a template without data has none', () => {
    assert.equal(parseTemplate({}), null);
    assert.equal(parseTemplate({ template: null, data: null }), null);
    assert.deepEqual(parseTemplate({ template: 'liquid' }), { language: 'liquid', data: {} });
    assert.deepEqual(liquid({ a: [1] }), { language: 'liquid', data: { a: [1] } });
  });

  const wrong: [name: string, body: Record<string, unknown>, param: string, message: RegExp][] = [
    ['data without template', { data: {} }, 'data', /template with the value "liquid"/],
    ['another language', { template: 'jinja' }, 'template', /must be "liquid"/],
    ['an array as data', { template: 'liquid', data: [] }, 'data', /must be a JSON object/],
    ['text as data', { template: 'liquid', data: '{}' }, 'data', /must be a JSON object/],
    ['nine levels', { template: 'liquid', data: nest(9) }, 'data', /at most 8 deep: it has 9 levels/],
    ['10,001 elements', { template: 'liquid', data: { a: Array(10_000).fill(0) } }, 'data', /it has 10001/],
  ];
  for (const [name, body, param, message] of wrong)
    void it(`${name}: invalid_parameter`, () => {
      assert.throws(() => parseTemplate(body), { code: 'invalid_parameter', param, message });
    });

  void it('data of eight levels and of 10,000 members and elements are accepted', () => {
    assert.ok(liquid(nest(8)));
    assert.ok(liquid({ a: Array(5_000).fill(0), b: Object.fromEntries(Array(4_998).entries()) }));
  });

  void it('data of more than 1 MiB of JSON are payload_too_large', () => {
    checkDataSize({ data: { a: 'x'.repeat(1_048_576 - 8) } });
    assert.throws(() => checkDataSize({ data: { a: 'x'.repeat(1_048_576 - 7) } }), {
      code: 'payload_too_large',
      param: 'data',
    });
    assert.throws(() => checkDataSize({ data: { a: 'é'.repeat(600_000) } }), { code: 'payload_too_large' });
  });
});
