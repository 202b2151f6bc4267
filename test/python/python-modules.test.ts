/** The generated modules of the Python client agree with openapi.json and package.json. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { formatPythonTypes } from '../../scripts/python-client/format-python-types.ts';
import type { OpenApiDocument } from '../../scripts/python-client/openapi-document.ts';
import { formatPythonModules } from '../../scripts/python-client/write-python-types.ts';

it('the generated modules of the Python client are up to date (npm run docs)', () => {
  for (const [path, text] of formatPythonModules())
    assert.equal(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'), text, path);
});

it('a member is required, optional or null in the Python types as in the document', () => {
  const document: OpenApiDocument = {
    paths: {
      '/v1/email': {
        get: {
          operationId: 'validateEmail',
          parameters: [
            { name: 'email', in: 'query', schema: { type: 'string' } },
            { name: 'check_mx', in: 'query', schema: { type: 'boolean' }, description: 'Looks up MX.' },
          ],
          responses: {
            '200': { content: { 'application/json': { schema: { $ref: '#/components/schemas/Result' } } } },
          },
        },
      },
    },
    components: {
      schemas: {
        Result: {
          type: 'object',
          required: ['domain', 'spf'],
          properties: {
            domain: { type: ['string', 'null'] },
            spf: { $ref: '#/components/schemas/Spf' },
            tags: { type: 'object', additionalProperties: { type: 'integer' } },
          },
        },
        Spf: { type: ['object', 'null'], properties: { policy: { type: 'string', enum: ['all', 'none'] } } },
      },
    },
  };
  const text = formatPythonTypes(document);
  assert.ok(text.includes('class Spf(TypedDict, total=False):\n    policy: Literal["all", "none"]\n'));
  assert.ok(
    text.includes('class _ResultAlways(TypedDict):\n    domain: Optional[str]\n    spf: Optional[Spf]\n'),
  );
  assert.ok(text.includes('class Result(_ResultAlways, total=False):\n    tags: Dict[str, int]\n'));
  assert.ok(
    text.endsWith(
      'class ValidateEmailOptions(TypedDict, total=False):\n    """The keyword arguments of validate_email."""\n    check_mx: Optional[bool]\n    """Looks up MX."""\n',
    ),
  );
  assert.ok(
    text.indexOf('class Spf') < text.indexOf('class _ResultAlways'),
    'a class follows those it names',
  );
});
