import { describe, expect, it } from 'vitest';
import { CellError } from '../kinds/cell-error.ts';
import { cents, decimalSignOf } from './amounts.ts';

describe('what an amount shows of its column', () => {
  it.each([
    ['49.50', 'point'],
    ['49,50', 'comma'],
    ['49,5', 'comma'],
    ['1,299.00', 'point'],
    ['1.299,00', 'comma'],
    ['1.299.000', 'comma'],
    ['1,299,000', 'point'],
    ['$1,299', 'either'],
    ['41,597', 'either'],
    ['1.299', 'either'],
    // no thousands begin with a zero or have four digits before them
    ['0,597', 'comma'],
    ['1234.567', 'point'],
    ['.50', 'point'],
    ['1 299,00', 'comma'],
    ["1'299.50", 'point'],
    ['４９，５０', 'comma'],
    ['49', null],
    ['free', null],
    ['', null],
  ])('%j: %j', (text, sign) => {
    expect(decimalSignOf(text)).toBe(sign);
  });
});

describe('an amount', () => {
  it.each([
    ['9.99', 'point', 999],
    ['$1,299.00', 'point', 129_900],
    ['US$ 1,299', 'point', 129_900],
    ['1299 USD', 'point', 129_900],
    ['9,99', 'comma', 999],
    ['1.299,00 $', 'comma', 129_900],
    ['1 299,5', 'comma', 129_950],
    ["1'299.50", 'point', 129_950],
    ['.5', 'point', 50],
    ['0', 'point', 0],
    ['49.500', 'point', 4950],
    ['４９．５０', 'point', 4950],
    ['', 'point', null],
  ] as const)('%j by the %s is %j', (text, sign, value) => {
    expect(cents(text, 'Total Price', sign)).toBe(value);
  });

  it.each([
    ['41,597', 'comma', 'Total Price has more than two decimals: "41,597".'],
    ['9,99', 'point', 'Total Price is not a price: "9,99".'],
    ['1,29,900', 'point', 'Total Price is not a price: "1,29,900".'],
    ['1.2.3', 'point', 'Total Price is not a price: "1.2.3".'],
    ['1234,567.00', 'point', 'Total Price is not a price: "1234,567.00".'],
    ['abc', 'point', 'Total Price is not a price: "abc".'],
    ['$', 'point', 'Total Price is not a price: "$".'],
    ['-5.00', 'point', 'Total Price is below zero: "-5.00".'],
    ['(5.00)', 'point', 'Total Price is below zero: "(5.00)".'],
    ['49,50 €', 'comma', 'Total Price is in another currency than US dollars: "49,50 €".'],
    ['EUR 49', 'point', 'Total Price is in another currency than US dollars: "EUR 49".'],
    ['CA$49', 'point', 'Total Price is in another currency than US dollars: "CA$49".'],
    ['1000000.01', 'point', 'Total Price is above 1,000,000.'],
  ] as const)('%j by the %s is refused', (text, sign, message) => {
    expect(() => cents(text, 'Total Price', sign)).toThrow(new CellError(message));
  });
});
