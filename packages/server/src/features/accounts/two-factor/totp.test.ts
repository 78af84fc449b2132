import { describe, expect, it } from 'vitest';
import { systemRandom } from '#platform/random.ts';
import { newRecoveryCode, plainRecoveryCode } from './recovery-codes.ts';
import { keyOf, stepOf } from './totp.ts';

const secret = Buffer.from('12345678901234567890');

describe('codes', () => {
  // RFC 6238, appendix B, the last six digits
  it.each([
    ['1970-01-01T00:00:59Z', '287082', 1],
    ['2005-03-18T01:58:29Z', '081804', 37_037_036],
    ['2005-03-18T01:58:31Z', '050471', 37_037_037],
    ['2009-02-13T23:31:30Z', '005924', 41_152_263],
    ['2033-05-18T03:33:20Z', '279037', 66_666_666],
  ])('of %s fit', (at, code, step) => {
    expect(stepOf(code, secret, new Date(at))).toBe(step);
  });

  it('fit one step early and late, and no further', () => {
    const at = (seconds: number) => stepOf('081804', secret, new Date(1_111_111_109_000 + seconds * 1000));
    expect([at(-30), at(0), at(30)]).toEqual([37_037_036, 37_037_036, 37_037_036]);
    expect([at(-60), at(60)]).toEqual([null, null]);
  });

  it.each(['', '08180', '0818044', 'abcdef', '٠٨١٨٠٤', '-81804'])('are not "%s"', (code) => {
    expect(stepOf(code, secret, new Date(1_111_111_109_000))).toBeNull();
  });

  it('come from a key that apps understand', () => {
    const { base32, url } = keyOf(secret, 'ada+row@example.com');
    expect(base32).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
    expect(url).toBe(
      `otpauth://totp/Tonerow:ada%2Brow%40example.com?issuer=Tonerow&secret=${base32}&algorithm=SHA1&digits=6&period=30`,
    );
  });
});

describe('recovery codes', () => {
  it('are easy to read, and read however they are typed', () => {
    const code = newRecoveryCode(systemRandom({ now: () => new Date(0) }));
    expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{4}-[0-9a-hjkmnp-tv-z]{4}-[0-9a-hjkmnp-tv-z]{4}$/);
    expect(plainRecoveryCode(` ${code.toUpperCase().replaceAll('-', ' ')}`)).toBe(plainRecoveryCode(code));
    expect(plainRecoveryCode('oO0I-lL1a-bcde')).toBe('000111' + '1abcde');
  });
});
