import { expect, it } from 'vitest';
import { changeOf } from './change.tsx';

it('shows growth or decline in percent, and what has no percentage', () => {
  expect(changeOf(112, 100)).toBe('+12%');
  expect(changeOf(50, 100)).toBe('-50%');
  expect(changeOf(100, 100)).toBe('No change');
  expect(changeOf(5, 0)).toBeNull();
  expect(changeOf(0, 0)).toBe('No change');
});

it('takes the size of a negative figure, and never calls a change nothing', () => {
  expect(changeOf(50, -100)).toBe('+150%');
  expect(changeOf(-150, -100)).toBe('-50%');
  expect(changeOf(1001, 1000)).toBe('+<1%');
});
