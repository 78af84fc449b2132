import { describe, expect, it } from 'vitest';
import { centsAt, decimalOf, decimalsOf, minorOf, shared, sharedByWorth, splitByWorth } from './money.ts';

it.each([
  ['98.00', 'EUR', 9800],
  ['98', 'EUR', 9800],
  ['0.005', 'EUR', 1],
  ['0.004', 'EUR', 0],
  ['5000', 'JPY', 5000],
  ['5000.5', 'JPY', 5001],
  ['12.345', 'KWD', 12_345],
  ['-44.10', 'USD', -4410],
  ['-0.00', 'USD', 0],
  ['9999999999999.99', 'USD', 999_999_999_999_999],
  ['1e3', 'USD', null],
  ['', 'USD', null],
  ['1,50', 'EUR', null],
  ['1.00', 'EURO', null],
])('%s %s is %s of its smallest unit', (text, currency, minor) => {
  expect(minorOf(text, currency)).toBe(minor);
});

it('writes an amount as it was read', () => {
  expect([decimalOf(4410, 'USD'), decimalOf(-5, 'EUR'), decimalOf(5000, 'JPY'), decimalOf(7, 'KWD')]).toEqual([
    '44.10',
    '-0.05',
    '5000',
    '0.007',
  ]);
  expect([decimalsOf('JPY'), decimalsOf('KWD'), decimalsOf('eur'), decimalsOf('12')]).toEqual([0, 3, null, null]);
});

it.each([
  [9800, 'EUR', '1.0834', 10_617],
  [5000, 'JPY', '0.006412', 3206],
  [12_345, 'KWD', '3.2546', 4018],
  [1, 'EUR', '0.5', 1],
  [1, 'EUR', '0.49', 0],
  [0, 'EUR', '1.1', 0],
  [999_999_999_999, 'EUR', '1.1', null],
  [100, 'EUR', 'about one', null],
])('%i %s at %s are %s cents', (minor, currency, rate, cents) => {
  expect(centsAt(minor, currency, rate)).toBe(cents);
});

describe('shares', () => {
  it('add up to the amount, odd cents to the first', () => {
    expect(shared(10_000, 3)).toEqual([3334, 3333, 3333]);
    expect(shared(2, 3)).toEqual([1, 1, 0]);
    expect(shared(5, 0)).toEqual([]);
  });

  it('by worth add up too, and none is more than it is worth', () => {
    expect(sharedByWorth(1000, [4900, 4900, 2900])).toEqual([386, 386, 228]);
    expect(sharedByWorth(99_999, [4900, 0, 2900])).toEqual([4900, 0, 2900]);
    expect(sharedByWorth(3, [0, 0])).toEqual([0, 0]);
    for (let amount = 0; amount <= 60; amount += 1) {
      const worth = [7, 0, 13, 1, 39];
      const shares = sharedByWorth(amount, worth);
      expect(shares.reduce((sum, each) => sum + each, 0)).toBe(amount);
      expect(shares.every((share, n) => share <= (worth[n] as number))).toBe(true);
    }
  });

  it('by worth split what is more than that, as dollars are of another currency', () => {
    expect(splitByWorth(10_800, [5000, 2500, 2500])).toEqual([5400, 2700, 2700]);
    expect(splitByWorth(10, [1, 1, 1])).toEqual([4, 3, 3]);
    expect(splitByWorth(7, [0, 0])).toEqual([4, 3]);
    expect(splitByWorth(0, [5, 5])).toEqual([0, 0]);
    expect(splitByWorth(5, [])).toEqual([]);
  });
});
