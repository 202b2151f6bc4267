import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createQuerySchema, describeMembers } from './operation-options.ts';

const TABLE = {
  color: { type: 'string', description: 'The color.', example: 'red', since: '1.2.0' },
  size: { type: 'integer', description: 'The size.', example: 1, default: 3 },
} as const;

const look = (schema: object | undefined, keyword: string): unknown =>
  (schema as Record<string, unknown>)[keyword];

void describe('the description of an option', () => {
  void it('names the version that introduced it', () => {
    assert.equal(look(describeMembers(TABLE)['color'], 'description'), 'The color. Since 1.2.0.');
    assert.equal(
      look(createQuerySchema({}, TABLE).properties['color'], 'description'),
      'The color. Since 1.2.0.',
    );
  });

  void it('has the default of a member of a body, which is a keyword in a query', () => {
    assert.equal(look(describeMembers(TABLE)['size'], 'description'), 'The size. Default: 3.');
    assert.equal(look(createQuerySchema({}, TABLE).properties['size'], 'default'), 3);
  });
});
