import assert from 'node:assert/strict';
import { it } from 'node:test';
import { renumberNodes } from './renumber-nodes.ts';

function renumber(source: string): string {
  const pdf = Buffer.from(source, 'latin1');
  renumberNodes(pdf, 1);
  return pdf.toString('latin1');
}

void it('identifiers of table headers count from 1, in their order', () => {
  assert.equal(
    renumber(
      '<</ID (node00000505)>> <</Headers [(node00000466) (node00000505)]>> /Names [(node00000466) 1 0 R\n(node00000505) 2 0 R]',
    ),
    '<</ID (node00000002)>> <</Headers [(node00000001) (node00000002)]>> /Names [(node00000001) 1 0 R\n(node00000002) 2 0 R]',
  );
});

void it('an identifier counts wherever it is: first, last, and next to another', () => {
  assert.equal(renumber('(node00000007)(node00000009)'), '(node00000001)(node00000002)');
});

void it('other strings stay as they are', () => {
  const source = '/ID (node5) (node00000505 (node0000050x) (node';
  assert.equal(renumber(source), source);
});

void it('identifiers of a further document follow those of the one before', () => {
  const pdf = Buffer.from('(node00000007)(node00000009)');
  assert.equal(renumberNodes(pdf, 41), 43);
  assert.equal(pdf.toString(), '(node00000041)(node00000042)');
});
