import { describe, expect, it } from 'vitest';
import { systemClock } from '#platform/clock.ts';
import { systemRandom } from '#platform/random.ts';
import { ALPHABET, CodeMaker, serialKey, testKindOf } from './codes.ts';

const random = systemRandom(systemClock);

describe('codes', () => {
  it('are four blocks of four from the alphabet', () => {
    const maker = new CodeMaker(random, null);
    for (let i = 0; i < 5000; i += 1) {
      expect(maker.next()).toMatch(new RegExp(`^[${ALPHABET}]{4}(-[${ALPHABET}]{4}){3}$`));
    }
  });

  it('have the prefix as typed in place of the first block', () => {
    const code = new CodeMaker(random, 'O01I').next();
    expect(code).toMatch(new RegExp(`^O01I(-[${ALPHABET}]{4}){3}$`));
  });

  it('do not repeat and use every symbol alike', () => {
    const maker = new CodeMaker(random, null);
    const codes = Array.from({ length: 20_000 }, () => maker.next());
    expect(new Set(codes).size).toBe(codes.length);
    const counts = new Map<string, number>();
    for (const sign of codes.join('').replaceAll('-', '')) counts.set(sign, (counts.get(sign) ?? 0) + 1);
    // 320,000 symbols, 10,000 of each expected; ten standard deviations is about 985
    expect(counts.size).toBe(32);
    for (const count of counts.values()) expect(Math.abs(count - 10_000)).toBeLessThan(985);
  });

  it('are looked up without regard to case, spaces and dashes', () => {
    expect(serialKey(' abcd efgh\t2345–6789 ')).toBe('ABCDEFGH23456789');
    expect(serialKey('ABCD-EFGH-2345-6789')).toBe('ABCDEFGH23456789');
  });

  it('are looked up ignoring invisible characters', () => {
    expect(serialKey('\u200bABCD\u2011EFGH\u00ad\u20602345\u200d6789\ufeff\u202c')).toBe('ABCDEFGH23456789');
  });

  it('are never test serials', () => {
    const digit = (sign: string) => ALPHABET.indexOf(sign);
    const picked = ['TESTFULLAAAABBBB', 'TESTABCDAAAABBBB', 'TESTFULLCCCCDDDD', 'ABCDEFGHAAAABBBB'];
    const bytes = Buffer.from(picked.flatMap((code) => [...code].map(digit)));
    const fill = (pool: Buffer) => bytes.copy(pool);
    const maker = new CodeMaker({ ...random, fill } as never, null);
    expect([maker.next(), maker.next()]).toEqual(['TEST-ABCD-AAAA-BBBB', 'ABCD-EFGH-AAAA-BBBB']);
    for (const test of ['TEST-FULL-AAAA-BBBB', 'test\u200b actv 0000 1111', 'TESTWRNG00000000']) {
      expect(testKindOf(test), test).toBe(serialKey(test).slice(4, 8));
    }
    for (const other of ['TEST-ABCD-AAAA-BBBB', 'TEST-FULL-AAAA', 'TEST-FULL-AAAA-BBBBB', 'XTEST-FULL-AAAA-BBBB']) {
      expect(testKindOf(other), other).toBeNull();
    }
  });
});
