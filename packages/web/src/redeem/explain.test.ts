import { describe, expect, it } from 'vitest';
import { de } from '#lib/redeem-texts/de.ts';
import { en } from '#lib/redeem-texts/en.ts';
import { wordsOf } from '#lib/redeem-texts/words.ts';
import { RedeemError } from './api.ts';
import { explain } from './explain.ts';

const english = wordsOf('en', en);
const german = wordsOf('de', de);

describe('the message for a failed call', () => {
  it('is ours, by the code', () => {
    expect(explain(new RedeemError('serial_not_found', 'Serial not found'), german, 'x')).toBe(de.serial_not_found);
    expect(explain(new RedeemError('network'), german, 'x')).toBe(de.network);
  });

  it('is the server’s own where we have no words for it, and else what did not work', () => {
    expect(explain(new RedeemError('conflict', 'Somebody was faster.'), german, 'x')).toBe('Somebody was faster.');
    expect(explain(new RedeemError('conflict'), english, en.failed)).toBe('Redemption failed.');
    expect(explain(new TypeError('x is not a function'), english, en.failed)).toBe('Redemption failed.');
  });

  it('includes how long to wait', () => {
    const wait = (retryAfter: number) => explain(new RedeemError('rate_limited', '', { retryAfter }), german, 'x');
    expect(wait(30)).toContain('30 Sekunden');
    expect(wait(60)).toContain('eine Minute');
    expect(wait(61)).toContain('2 Minuten');
  });

  it('includes from when on a serial can be redeemed, on the clock of whoever reads', () => {
    const opensAt = '2026-12-05T12:00:00.000Z';
    const early = (words: typeof german) =>
      explain(new RedeemError('serial_not_yet_valid', 'No.', { opensAt }), words, 'x');
    expect(early(german)).toMatch(
      /^Diese Seriennummer kann erst ab \d\. Dezember 2026 um \d\d:00 \S+ eingelöst werden\./,
    );
    expect(early(english)).toMatch(/from December \d, 2026 at \d+:00 [AP]M \S+\. Come back then/);
    expect(explain(new RedeemError('serial_not_yet_valid', 'Not before Friday.'), german, 'x')).toBe(
      'Not before Friday.',
    );
  });

  it('names the field that was refused', () => {
    expect(explain(new RedeemError('invalid_request', '', { field: 'email' }), english, 'x')).toBe(en.emailNeeded);
    const file = new RedeemError('invalid_request', 'machine_file: machine_file is too large', {
      field: 'machine_file',
    });
    expect(explain(file, german, 'x')).toBe(de.machineFileNeeded);
    expect(explain(new RedeemError('invalid_request', 'Hm.', { field: 'toString' }), english, 'x')).toBe('Hm.');
  });
});
