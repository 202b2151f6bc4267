import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseHeaders } from './headers.ts';

const raw = (...texts: string[]) => texts.map((text) => Buffer.from(text, 'latin1'));

it('headers: lines of a list field are joined, and of another the first counts', () => {
  const headers = parseHeaders(
    raw('Link', '<a>; rel=icon', 'Refresh', '0; url=a', 'LINK', ' <b>; rel=canonical ', 'refresh', '1'),
  );
  assert.deepEqual(
    [headers.get('link'), headers.get('refresh')],
    ['<a>; rel=icon, <b>; rel=canonical', '0; url=a'],
  );
});
