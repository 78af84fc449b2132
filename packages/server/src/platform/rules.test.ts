import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig, settingNames } from '../config.ts';
import { TestClock } from './clock.ts';
import { redactUrl } from './log.ts';
import { centsIn, hasTwoDecimals, percentOf, plainDollars, shareOf, toCents } from './money.ts';
import { systemRandom } from './random.ts';
import { looksLikeCredential, newCredential } from './secrets/credentials.ts';
import { Secrets } from './secrets/secrets.ts';
import { endOfDay, isDay, momentOf, periodOf, startOfDay } from './time/days.ts';

const clock = new TestClock('2026-03-10T23:30:00Z');
const random = systemRandom(clock);

describe('money', () => {
  it('rounds half a cent up, once', () => {
    expect(shareOf(1005, 2000)).toBe(201);
    expect(shareOf(25, 1000)).toBe(3);
    expect(shareOf(24, 1000)).toBe(2);
    expect(toCents(19.99)).toBe(1999);
    expect(toCents(1.1)).toBe(110);
  });

  it('is written and read in digits, to the cent', () => {
    expect([0, 5, -5, 50, 110, 1999, -123450, 9_007_199_254_740_991].map(plainDollars)).toEqual([
      ...['0.00', '0.05', '-0.05', '0.50', '1.10', '19.99', '-1234.50', '90071992547409.91'],
    ]);
    expect(['0', '0.5', '19.99', '1234', '90071992547409.91'].map(centsIn)).toEqual([
      ...[0, 50, 1999, 123400, 9_007_199_254_740_991],
    ]);
    for (const none of ['', '-1', '1.', '.5', '1.234', '1e3', '1,00', ' 1']) expect(centsIn(none)).toBeNaN();
  });

  it('has two decimals at most, and a share of nothing is nothing', () => {
    expect([0.29, 1.1, 1_000_000.01, 19.999, 0.001].map(hasTwoDecimals)).toEqual([true, true, true, false, false]);
    expect([percentOf(1, 3), percentOf(2, 3), percentOf(5, 0)]).toEqual([33.33, 66.67, 0]);
  });
});

describe('days', () => {
  it('do not become those of the next month', () => {
    const read = (text: string) => () => momentOf(text, 'end', 'UTC', 'expires_at');
    expect(read('2028-02-29T10:00:00Z')()?.toISOString()).toBe('2028-02-29T10:00:00.000Z');
    expect(read('2027-02-29T10:00:00Z')).toThrow('Enter a date');
  });

  it('begin and end in the account’s time zone, also when the clocks change', () => {
    expect(startOfDay('2026-03-29', 'Europe/Berlin').toISOString()).toBe('2026-03-28T23:00:00.000Z');
    expect(endOfDay('2026-03-29', 'Europe/Berlin').toISOString()).toBe('2026-03-29T21:59:59.999Z');
    expect([isDay('2028-02-29'), isDay('2027-02-29'), isDay('2026-13-01'), isDay('tomorrow')]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it('make periods up to the end of today', () => {
    const week = periodOf('1w', 'Asia/Tokyo', clock);
    // in Tokyo it is the 11th already
    expect([week.from?.toISOString(), week.to?.toISOString()]).toEqual([
      '2026-03-04T15:00:00.000Z',
      '2026-03-11T14:59:59.999Z',
    ]);
    expect(periodOf('all', 'UTC', clock)).toEqual({ from: null, to: null });
    expect(() => periodOf('2026-03-02_to_2026-03-01', 'UTC', clock)).toThrow('is after the last day');
    for (const half of ['custom', '_to_', '2026-03-02_to_', '_to_2026-03-02'])
      expect(periodOf(half, 'Asia/Tokyo', clock)).toEqual(periodOf('1m', 'Asia/Tokyo', clock));
  });
});

it('detects a mistyped credential without a lookup', () => {
  const token = newCredential('tnr_pat_', random);
  expect(looksLikeCredential('tnr_pat_', token)).toBe(true);
  expect(looksLikeCredential('tnr_plg_', token)).toBe(false);
  expect(looksLikeCredential('tnr_pat_', `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`)).toBe(false);
});

it('makes ids that sort in the order they were made', () => {
  const ids = Array.from({ length: 5000 }, () => random.id());
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
});

describe('secrets', () => {
  it('rotate: the first seals, all of them open', () => {
    const old = new Secrets(['a'.repeat(32)], random);
    const sealed = old.seal('text', 'x');
    const rotated = new Secrets(['b'.repeat(32), 'a'.repeat(32)], random);
    expect(rotated.open(sealed, 'x').toString()).toBe('text');
    expect(() => new Secrets(['b'.repeat(32)], random).open(sealed, 'x')).toThrow('not configured');
    expect(() => rotated.open(sealed, 'y')).toThrow();
    sealed[33] = (sealed[33] ?? 0) ^ 1;
    expect(() => rotated.open(sealed, 'x')).toThrow();
  });
});

it('blots credentials out of addresses', () => {
  expect(redactUrl('/legacy/tnr_plg_abc/wp-json/lmfwc/v2/licenses/activate/ABCD-EFGH?consumer_key=ck&a=1')).toBe(
    '/legacy/[redacted]/wp-json/lmfwc/v2/licenses/activate/[redacted]?consumer_key=[redacted]&a=1',
  );
  expect(redactUrl('/legacy/tnr_plg_abc?edd_action=check_license&license=ABCD')).toBe(
    '/legacy/[redacted]?edd_action=check_license&license=[redacted]',
  );
  expect(redactUrl('/api/x?app_key=abc&page=2&token=t#frag')).toBe(
    '/api/x?app_key=[redacted]&page=2&token=[redacted]#frag',
  );
});

describe('settings', () => {
  it('have defaults that run on a laptop', () => {
    expect(readConfig({})).toMatchObject({
      port: 4000,
      host: '127.0.0.1',
      publicUrl: 'http://127.0.0.1:4000',
      roles: { api: true, worker: true },
      trustProxy: false,
    });
  });

  it.each([
    [{ PORT: 'many' }, 'PORT: write a number in digits.'],
    [{ PORT: '70000' }, 'PORT: write 65535 or less.'],
    [{ TONEROW_WORKERS: '0' }, 'TONEROW_WORKERS: write 1 or more.'],
    [{ TONEROW_WORKERS: '1.5' }, 'TONEROW_WORKERS: write a whole number.'],
    [{ DATABASE_URL: 'postgres://x' }, 'TONEROW_SECRET'],
    [{ TONEROW_SECRET: 'short' }, '32 characters'],
    [{ S3_BUCKET: 'only' }, 'half configured'],
    [{ TONEROW_ROLE: 'api,janitor' }, 'TONEROW_ROLE: “janitor” is none of its values. Write api or worker.'],
    [{ TONEROW_ROLE: ' ' }, 'TONEROW_ROLE: write api, worker, or api,worker.'],
    [{ TONEROW_RATE_LIMITS: 'maybe' }, 'TONEROW_RATE_LIMITS: “maybe” is none of its values. Write on or off.'],
  ])('that cannot be used are named: %o', (env, words) => {
    expect(() => readConfig(env)).toThrow(ConfigError);
    expect(() => readConfig(env)).toThrow(words);
  });

  it('are refused in no words of a library, whichever it is', () => {
    const wrong = Object.fromEntries(settingNames.map((name) => [name, '-1.5']));
    const { message } = (() => {
      try {
        return readConfig(wrong) as never;
      } catch (error) {
        return error as Error;
      }
    })();
    expect(message).toMatch(/TONEROW_LOG_LEVEL: “-1.5” is none of its values. Write fatal, /);
    expect(message).not.toMatch(/Invalid|expected|Too (?:small|big)|received/);
  });
});

it('begins links with an address that fits into a header', () => {
  expect(readConfig({ TONEROW_PUBLIC_URL: 'https://löwe.example/' }).publicUrl).toBe('https://xn--lwe-sna.example');
  expect(readConfig({ TONEROW_PUBLIC_URL: 'https://row.example:8443/a//' }).publicUrl).toBe(
    'https://row.example:8443/a',
  );
});
