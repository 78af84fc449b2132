import { describe, expect, it } from 'vitest';
import { draftOf, mistakesIn } from './draft.ts';
import { drawsOf, givesOf, keyWords } from './words.ts';

const glide = { id: 'p1', name: 'Glide' };
const typed = { ...draftOf(null), key: 'GLIDE', products: [glide] };
/** Only the fields that have a mistake. */
const wrong = (draft: typeof typed) =>
  Object.fromEntries(Object.entries(mistakesIn(draft)).filter(([, message]) => message));

describe('a mapping', () => {
  it('needs a SKU, a product and a number of serials that the server takes', () => {
    expect(wrong(typed)).toEqual({});
    expect(wrong({ ...typed, key: ' ', products: [] })).toEqual({
      key: 'Enter the SKU.',
      products: 'Choose a product.',
    });
    for (const units of ['0', '101', '1.5', '', 'x'])
      expect(wrong({ ...typed, units })).toEqual({ units: 'Enter 1 to 100.' });
    for (const units of ['1', '100']) expect(wrong({ ...typed, units })).toEqual({});
  });

  it('has a prefix of four letters or digits, which serials from batches do not take', () => {
    expect(wrong({ ...typed, prefix: 'glid' })).toEqual({});
    expect(wrong({ ...typed, prefix: 'GLI' })).toEqual({ prefix: 'Use exactly 4 letters or digits.' });
    expect(wrong({ ...typed, prefix: 'GLI', source: 'pool' })).toEqual({});
  });
});

describe('what is sold', () => {
  it('is named as the shop names it', () => {
    expect(keyWords('variant:44')).toBe('Variant 44');
    expect(keyWords('product:9')).toBe('Product 9');
    expect(keyWords('GLIDE:1')).toBe('SKU GLIDE:1');
  });

  const item = {
    product_ids: ['p1'],
    units: 1,
    source: 'generate' as const,
    batch_tag: null,
    prefix: null,
    expires_at: null,
    renewals: 'ignore' as const,
  };
  it('gives what a sentence shows', () => {
    expect(givesOf(item)).toBe('1 serial, generated.');
    expect(givesOf({ ...item, product_ids: ['p1', 'p2'], units: 3, prefix: 'GLID', batch_tag: 'Shop' })).toBe(
      '3 serials of each, generated in a batch tagged “Shop”, beginning with GLID.',
    );
    expect(givesOf({ ...item, source: 'pool', batch_tag: 'Shop', renewals: 'issue' })).toBe(
      '1 serial, from your batches tagged “Shop”. Each renewal gives another.',
    );
    expect(drawsOf({ ...item, units: 2, batch_tag: 'Fair' })).toBe(
      '2 codes, drawn from your stock, only of batches tagged “Fair”.',
    );
  });
});
