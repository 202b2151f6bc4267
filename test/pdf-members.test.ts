import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MEMBERS, parsePdfRequest } from '../src/pdf/pdf-request.ts';
import { writeOpenApiDoc } from '../scripts/generated-docs.ts';

it('the PDF request that OpenAPI describes has the members that the parser takes, and no other', async () => {
  const document = JSON.parse(await writeOpenApiDoc()) as {
    paths: Record<
      string,
      { post: { requestBody: { content: Record<string, { schema: { properties: object } }> } } }
    >;
  };
  const described = Object.keys(
    document.paths['/v1/pdf/generate']?.post.requestBody.content['application/json']?.schema.properties ?? {},
  );
  assert.ok(described.length > 10);
  for (const member of described)
    assert.doesNotThrow(
      () => parsePdfRequest({ html: 'x', [member]: member === 'html' ? 'x' : null }),
      `${member} is described and refused`,
    );
  assert.deepEqual(described.toSorted(), [...MEMBERS].toSorted());
});
