import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { matchMedia } from './match-media.ts';

describe('a media query', () => {
  it('for a minimum or a maximum matches at exactly that length', () => {
    for (const [query, matches] of Object.entries({
      '(min-width: 799px)': true,
      '(min-width: 800px)': true,
      '(min-width: 801px)': false,
      '(max-width: 799px)': false,
      '(max-width: 800px)': true,
      '(max-width: 801px)': true,
      '(min-height: 600px)': true,
      '(min-height: 601px)': false,
      '(max-height: 600px)': true,
      '(max-height: 599px)': false,
      '(max-width: 50em)': true,
      '(min-width: 50em)': true,
      '(max-width: 49.99em)': false,
    }))
      assert.equal(matchMedia(query), matches, query);
  });

  it('matches if its type and all of its features do, and a list if one of its queries does', () => {
    for (const [query, matches] of Object.entries({
      '': true,
      print: true,
      screen: false,
      'only print and (min-width: 1px)': true,
      'screen and (min-width: 1px)': false,
      '(min-width: 1px) and (max-width: 2px)': false,
      'screen, print': true,
      'screen, (max-width: 2px)': false,
      '(orientation: landscape) and (prefers-color-scheme: light)': true,
      '(orientation: portrait)': false,
    }))
      assert.equal(matchMedia(query), matches, query);
  });

  it('is unknown if it has anything else, alone or in a list', () => {
    for (const query of [
      '(color)',
      'not print',
      '(min-width: 1cm)',
      'tv',
      'print, (hover)',
      'print,',
      '\u00A0',
    ])
      assert.equal(matchMedia(query), null, query);
  });
});
