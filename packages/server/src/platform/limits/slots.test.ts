import { expect, it } from 'vitest';
import { Slots } from './slots.ts';

it('has what was added and not taken out, and takes each out once', () => {
  const slots = new Slots<{ n: number }>();
  const numbers = () => [...slots].map(({ n }) => n).sort();
  const [first, second] = [slots.add({ n: 1 }), slots.add({ n: 2 })];
  expect(numbers()).toEqual([1, 2]);
  first();
  slots.add({ n: 3 });
  // the place is another's by now
  first();
  expect(numbers()).toEqual([2, 3]);
  for (const member of slots) if (member.n === 2) second();
  expect(numbers()).toEqual([3]);
});
