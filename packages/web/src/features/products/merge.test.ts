import { describe, expect, it } from 'vitest';
import { mergeProduct } from './merge.ts';
import { blankProduct } from './product-schema.ts';

const base = { ...blankProduct, name: 'Prism', price: '49', files: [{ name: 'Manual', url: 'https://example.com/a' }] };

describe('two people editing one product', () => {
  it('keeps what was typed and takes over what only the other one changed', () => {
    const merged = mergeProduct(base, { ...base, short_desc: 'A delay' }, { ...base, price: '59' });
    expect(merged).toEqual({ typedChanges: { short_desc: 'A delay' }, collisions: [] });
  });

  it('names the fields that both changed, with the words of the other one', () => {
    const stored = { ...base, name: 'Prism II', files: [] };
    const typed = { ...base, name: 'Prism 2', files: [...base.files, { name: '', url: 'https://example.com/b' }] };
    const { typedChanges, collisions } = mergeProduct(base, typed, stored);
    expect(typedChanges).toEqual({ name: typed.name, files: typed.files });
    expect(collisions.map(({ label, stored: words }) => [label, words])).toEqual([
      ['Product Name', 'Prism II'],
      ['Files / External Links', 'empty'],
    ]);
  });

  it('sees no collision where both typed the same', () => {
    const both = { ...base, name: 'Prism 2' };
    expect(mergeProduct(base, both, both).collisions).toEqual([]);
  });
});
