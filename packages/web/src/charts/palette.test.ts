import { expect, it } from 'vitest';
import { mix } from './palette.ts';

it('mixes colors, long or short', () => {
  expect(mix('#6d28d9', '#ffffff', 0.5)).toBe('rgb(182,148,236)');
  expect(mix('#6d28d9', '#fff', 0.5)).toBe('rgb(182,148,236)');
  expect(mix('#000', '#fff', 1)).toBe('rgb(0,0,0)');
});
