import { expect, it } from 'vitest';
import { plainAmount, readAmount } from './amount.ts';
import { formatExactMoney, formatMoney, formatPrice } from './format.ts';

it.each([
  ['49', 49],
  [' 49.9 ', 49.9],
  ['49,99', 49.99],
  ['$1,234.50', 1234.5],
  ['1 234,50', 1234.5],
  ['1,234', 1234],
  ['12,345,678', 12_345_678],
  ['1.234,50', 1234.5],
  ['0.07', 0.07],
])('%s is read as %d', (text, amount) => {
  expect(readAmount(text)).toBe(amount);
});

it.each(['', 'free', '-5', '1.234', '9.999', '1,23,456', '1.234.567', '1,234,5', '.5', '5.', '1e3', '٤٩'])(
  '%s is no amount',
  (text) => {
    expect(readAmount(text)).toBeNull();
  },
);

it('writes what it can read again', () => {
  for (const amount of [0, 0.1, 1.005, 29, 1234.5, 1_000_000]) {
    expect(readAmount(plainAmount(amount))).toBeCloseTo(amount, 2);
  }
});

it('shows amounts with separators, cents, three decimals of small prices, and no minus before nothing', () => {
  expect([formatMoney(1234.5), formatMoney(-1234.5), formatMoney(-0), formatMoney(-0.001)]).toEqual([
    '$1,234.50',
    '-$1,234.50',
    '$0.00',
    '$0.00',
  ]);
  expect([formatExactMoney(0.035), formatExactMoney(1200), formatExactMoney(-0)]).toEqual([
    '$0.035',
    '$1,200.000',
    '$0.000',
  ]);
  expect([formatPrice(29), formatPrice(29.9), formatPrice(1200)]).toEqual(['$29', '$29.90', '$1,200']);
});
