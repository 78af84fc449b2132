import { describe, expect, it } from 'vitest';
import { nameKey } from '#platform/text/name-key.ts';
import { productNamedBy } from './juce-product-id.ts';

const product = (name: string, juce?: string) => ({
  id: `id-of-${nameKey(name)}`,
  name,
  name_key: nameKey(name),
  juce_key: nameKey(juce ?? name),
});

describe('the product that a stock plugin names', () => {
  const products = [
    product('Synth'),
    product('Synth 2'),
    product('Prism Delay', 'com.row.prism'),
    product('Velvet Keys', 'Velvet Keys 1.0.0'),
    product('Straße'),
    // the name of one is what another calls itself
    product('Aurora', 'Borealis'),
    product('Borealis', 'com.row.borealis'),
  ];

  it.each([
    ['Synth', 'Synth'],
    [' sYnTh ', 'Synth'],
    ['Synth 1.0.0', 'Synth'],
    ['Synth 2.0', 'Synth'],
    ['Synth 2', 'Synth 2'],
    ['Synth 2 1.4.1', 'Synth 2'],
    ['Synth v1.0', 'Synth'],
    ['com.row.prism', 'Prism Delay'],
    ['Prism Delay 2.0.0', 'Prism Delay'],
    ['id-of-prism delay', 'Prism Delay'],
    ['Velvet Keys 1.0.0', 'Velvet Keys'],
    ['Velvet Keys 1.1.0', 'Velvet Keys'],
    ['Stra\u00dfe', 'Straße'],
    ['Borealis', 'Aurora'],
    ['com.row.borealis', 'Borealis'],
  ])('%j is %j', (sent, name) => {
    expect(productNamedBy(sent, products)?.name).toBe(name);
  });

  it.each(['', ' ', 'Synth 3', 'Syn', 'Synth Pro', 'Synth Pro 1.0.0', 'com.row.prism.demo', '1.0.0'])(
    '%j is none',
    (sent) => {
      expect(productNamedBy(sent, products)).toBeUndefined();
    },
  );

  it('is none when only a version distinguishes two names', () => {
    const two = [product('A', 'Synth 1.0.0'), product('B', 'Synth 2.0.0')];
    expect(productNamedBy('Synth 2.0.0', two)?.name).toBe('B');
    expect(productNamedBy('Synth 3.0.0', two)).toBeUndefined();
  });

  it('may be written with composed or decomposed characters', () => {
    expect(productNamedBy('Mu\u0308ller', [product('M\u00fcller')])).toBeTruthy();
  });
});
