import { describe, expect, it } from 'vitest';
import { flag, machines } from './cells.ts';

describe('machines', () => {
  it('are ids with any common sign between them, each once', () => {
    expect(machines('')).toEqual([]);
    expect(machines(' a1 , b2;c3|a1\nd4 ')).toEqual(['a1', 'b2', 'c3', 'd4']);
    expect(machines('https://one.example, https://two.example')).toEqual([
      'https://one.example',
      'https://two.example',
    ]);
    expect(machines(',;|')).toEqual([]);
  });

  it('are refused where an id cannot be one', () => {
    expect(() => machines('x'.repeat(201))).toThrow('longer than 200 characters');
    expect(() => machines('a\u200bb')).toThrow('invisible characters');
    expect(() => machines(Array.from({ length: 101 }, (_, at) => `m${at}`).join())).toThrow('more than 100 ids');
  });
});

describe('whether a serial is revoked', () => {
  it.each(['yes', 'TRUE', '1', 'disabled', 'Blocked', 'suspended', 'refunded'])('%s: it is', (word) => {
    expect(flag(word, 'Revoked')).toBe(true);
  });

  it.each(['', 'no', 'false', '0', 'active', 'Inactive', 'expired', 'pending'])('%s: it is not', (word) => {
    expect(flag(word, 'Revoked')).toBe(false);
  });

  it('is not guessed', () => {
    expect(() => flag('perhaps', 'Revoked')).toThrow('must be yes or no');
  });
});
