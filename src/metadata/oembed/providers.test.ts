import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findListedEndpoint } from './providers.ts';

describe('the list of oEmbed providers', () => {
  it('has the endpoint of a URL, with the URL and the format', () => {
    const cases: Record<string, string> = {
      'https://www.youtube.com/watch?v=a&t=1':
        'https://www.youtube.com/oembed?url=https%3A%2F%2Fwww.youtube.com%2Fwatch%3Fv%3Da%26t%3D1&format=json',
      'https://youtube.com/watch?v=a':
        'https://www.youtube.com/oembed?url=https%3A%2F%2Fyoutube.com%2Fwatch%3Fv%3Da&format=json',
      'https://vimeo.com/7': 'https://vimeo.com/api/oembed.json?url=https%3A%2F%2Fvimeo.com%2F7&format=json',
      'http://open.spotify.com/track/7':
        'https://open.spotify.com/oembed?url=http%3A%2F%2Fopen.spotify.com%2Ftrack%2F7&format=json',
    };
    for (const [url, endpoint] of Object.entries(cases)) assert.equal(findListedEndpoint(url), endpoint);
  });

  it('has none for another host, path or port that looks like it', () => {
    for (const url of [
      'https://www.youtube.com.evil.test/watch?v=a',
      'https://evil.test/https://www.youtube.com/watch?v=a',
      'https://notyoutube.com/watch?v=a',
      'https://www.youtube.com:8443/watch?v=a',
      'https://www.youtube.com/about',
      'https://evil.test/#https://www.youtube.com/watch',
      `https://www.youtube.com/watch?v=${'a'.repeat(2_000)}`,
      'https://localhost/',
      'https://10.0.0.1/',
      'not a URL',
    ])
      assert.equal(findListedEndpoint(url), null, url);
  });
});
