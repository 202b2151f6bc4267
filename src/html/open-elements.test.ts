import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OpenElements, formatEndTags } from './open-elements.ts';

function open(names: string): OpenElements<{ name: string }> {
  const elements = new OpenElements<{ name: string }>();
  for (const name of names.split(' ')) elements.open({ name });
  return elements;
}

void describe('the stack of open elements', () => {
  void it('closes the innermost element of a name with all inside it', () => {
    const elements = open('div b div i u');
    const closed = elements.close('div');
    assert.equal(formatEndTags(closed ?? []), '</u></i></div>');
    assert.deepEqual([elements.depth, elements.top?.name, elements.at(1).name], [2, 'b', 'div']);
    assert.deepEqual([elements.count('div'), elements.count('i')], [1, 0]);
  });

  void it('closes nothing for a name that is not open', () => {
    const elements = open('div b');
    assert.equal(elements.close('i'), null);
    assert.equal(elements.depth, 2);
    elements.close('b');
    assert.equal(elements.close('b'), null);
  });

  void it('closes down to a depth', () => {
    const elements = open('div b i');
    assert.equal(formatEndTags(elements.closeTo(0)), '</i></b></div>');
    assert.deepEqual([elements.depth, elements.top, elements.count('div')], [0, undefined, 0]);
    assert.deepEqual(elements.closeTo(0), []);
  });
});
