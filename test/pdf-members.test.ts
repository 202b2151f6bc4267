import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MEMBERS, parsePdfRequest } from '../src/pdf/pdf-request.ts';
import { formatOpenApiDoc } from '../scripts/generated-docs.ts';

it('OpenAPI describes exactly the members of a PDF request that the parser accepts', async () => {
  const document = JSON.parse(await formatOpenApiDoc()) as {
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
      `${member} is described but rejected`,
    );
  assert.deepEqual(described.toSorted(), [...MEMBERS].toSorted());
});
