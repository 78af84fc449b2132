import { expect, it } from 'vitest';
import { changeLine } from './change-line.ts';

it('names the change in words, with a share only where there is enough to share', () => {
  expect(changeLine(0, 0, 'yesterday')).toBe('None, as yesterday');
  expect(changeLine(4, 4, 'yesterday')).toBe('As many as yesterday');
  expect(changeLine(3, 1, 'yesterday')).toBe('2 more than yesterday');
  expect(changeLine(15, 10, 'the 30 days before')).toBe('5 more than the 30 days before (+50%)');
  expect(changeLine(999, 1000, 'yesterday')).toBe('1 fewer than yesterday (-<1%)');
  expect(changeLine(1000, 4000, 'yesterday')).toBe('3,000 fewer than yesterday (-75%)');
});
