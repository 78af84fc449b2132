import { expect, it } from 'vitest';
import { toQuantity } from './quantity.ts';

it.each(['10000', '10,000', '10.000', '10 000', ' 10\u202f000 '])('reads %j as ten thousand', (text) => {
  expect(toQuantity(text)).toBe(10_000);
});

it.each(['', '1.5', '1,5', '-3', '1e1', '10,00', '1,0000', 'ten', '5 serials'])(
  'does not guess a number in %j',
  (text) => {
    expect(toQuantity(text)).toBeNaN();
  },
);
