import { stockedSerial } from '@tonerow/test-support/serial-state.ts';
import { expect, it } from 'vitest';
import { type StandingFacts, standingOf, standingOfAll } from './standing.ts';

const now = new Date('2026-03-10T12:00:00Z');
const viewer = { now, timeZone: 'UTC', resetCents: 3 };
const serial: StandingFacts = {
  ...stockedSerial,
  id: 'one',
  code: 'AAAA',
  product_id: 'delay',
  product_name: 'Delay',
  redeemed_at: new Date('2026-03-01T12:00:00Z'),
  download_count: 0,
  limit_since: null,
  seats_used: 0,
  max_activations: 3,
  seats_since: null,
  refused_at: null,
  refused_status: null,
};
const stand = (facts: Partial<StandingFacts>) => standingOf({ ...serial, ...facts }, viewer);
const messageOf = (facts: Partial<StandingFacts>) => stand(facts).message;
const hours = (ago: number) => new Date(now.getTime() - ago * 3_600_000);

it('finds nothing at a serial that can be used', () => {
  expect(stand({})).toEqual({
    code: 'in_order',
    message: 'Everything is in order',
    since: null,
    serial_id: 'one',
    serial: 'AAAA',
    product_id: 'delay',
    product_name: 'Delay',
    mends: [],
    also: [],
  });
  expect(messageOf({ download_count: 4, seats_used: 2 })).toBe('Everything is in order');
  expect(messageOf({ redeemed_at: null })).toBe('Ready to be redeemed');
  expect(messageOf({ redeemed_at: null, handed_out_at: now })).toBe('Handed out, and not redeemed yet');
});

it('names what is wrong, since when, and what helps at what price', () => {
  const limit = stand({ download_count: 5, limit_since: hours(2) });
  expect([limit.message, limit.since]).toEqual(['Download limit reached', hours(2)]);
  expect(limit.mends).toEqual([{ action: 'reset_downloads', label: 'Reset downloads', cost: 0.03 }]);
  const full = stand({ seats_used: 3, seats_since: hours(5) });
  expect([full.message, full.since]).toEqual(['All 3 seats taken', hours(5)]);
  expect(full.mends.map(({ label }) => label)).toEqual(['Release a seat', 'Add seats']);
  expect(messageOf({ seats_used: 1, max_activations: 1 })).toBe('The only seat is taken');
  const revoked = stand({ revoked_at: hours(1), download_count: 5 });
  expect([revoked.message, revoked.since, revoked.also]).toEqual(['Revoked', hours(1), []]);
  expect(messageOf({ product_deleted: true })).toBe('The product was deleted');
});

it('puts the weightiest first and keeps the others', () => {
  const all = stand({ seats_used: 3, download_count: 5, refused_at: hours(1), refused_status: 'product_mismatch' });
  expect([all.code, ...all.also.map(({ code }) => code)]).toEqual(['download_limit', 'seats_taken', 'refused']);
});

it('is about redeeming as long as nobody has redeemed the serial', () => {
  const unused = { redeemed_at: null };
  const expired = stand({ ...unused, expires_at: hours(1) });
  expect([expired.message, ...expired.mends.map(({ label }) => label)]).toEqual(['Expired', 'Extend the batch']);
  expect(messageOf({ ...unused, is_draft: true })).toBe('The product is a draft');
  expect(messageOf({ ...unused, promo_start: hours(-1) })).toBe(
    'Can’t be redeemed before March 10, 2026 at 1:00 PM (UTC)',
  );
  expect(messageOf({ expires_at: hours(1), is_draft: true })).toBe('Everything is in order');
});

it('names the day of a refusal in the time zone of who looks', () => {
  const refused = (ago: number) => messageOf({ refused_at: hours(ago), refused_status: 'product_mismatch' });
  expect([refused(1), refused(13), refused(61)]).toEqual([
    'Refused today: wrong product',
    'Refused yesterday: wrong product',
    'Refused 3 days ago: wrong product',
  ]);
  const facts = { ...serial, refused_at: hours(13), refused_status: 'email_mismatch' };
  expect(standingOf(facts, { ...viewer, timeZone: 'America/New_York' }).message).toBe(
    'Refused yesterday: wrong email address',
  );
  expect(standingOf(facts, { ...viewer, timeZone: 'Asia/Tokyo' }).message).toBe('Refused today: wrong email address');
});

it('forgets a refusal that the serial itself explains or has outlived', () => {
  const refused = (refused_status: string, more: Partial<StandingFacts> = {}) =>
    messageOf({ refused_at: hours(1), refused_status, ...more });
  expect(refused('seat_limit')).toBe('Everything is in order');
  expect(refused('revoked')).toBe('Everything is in order');
  expect(refused('quota_blocked')).toBe('Everything is in order');
  expect(refused('quota_blocked', { redeemed_at: null })).toBe('Refused today: your plan’s redemptions were used up');
});

it('combines all serials of a customer', () => {
  expect(standingOfAll([], viewer).message).toBe('No serial yet');
  expect(standingOfAll([serial, serial], viewer)).toMatchObject({ code: 'in_order', serial_id: null, also: [] });
  const full = { ...serial, id: 'two', seats_used: 3 };
  const revoked = { ...serial, id: 'three', revoked_at: now };
  const both = standingOfAll([serial, full, revoked], viewer);
  expect([both.code, both.serial_id]).toEqual(['revoked', 'three']);
  expect(both.also.map(({ code, serial_id }) => [code, serial_id])).toEqual([['seats_taken', 'two']]);
  const many = Array.from({ length: 60 }, (_, index) => ({ ...full, id: String(index) }));
  expect(standingOfAll(many, viewer).also).toHaveLength(20);
});
