import { openSerial } from '@tonerow/test-support/serial-state.ts';
import { expect, it } from 'vitest';
import type { SerialState } from '#features/serials';
import { assertRedeemable } from './redemption-rules.ts';

const now = new Date('2026-03-10T12:00:00.000Z');
const before = new Date(now.getTime() - 1);
const after = new Date(now.getTime() + 1);
const codeOf = (serial: Partial<SerialState>) => {
  try {
    assertRedeemable({ ...openSerial, ...serial, time_zone: 'UTC' }, now);
    return null;
  } catch (error) {
    return (error as { code: string }).code;
  }
};

it.each<[string, Partial<SerialState>, string | null]>([
  ['available', {}, null],
  ['revoked', { revoked_at: before }, 'serial_revoked'],
  ['of a deleted product', { product_deleted: true }, 'serial_revoked'],
  ['of a developer who has closed the account', { developer_deleted: true, is_draft: true }, 'developer_gone'],
  ['redeemed, and of such a developer', { developer_deleted: true, redeemed_at: before }, null],
  ['of a draft', { is_draft: true }, 'product_is_draft'],
  ['active from now on', { promo_start: now }, null],
  ['active from the next millisecond on', { promo_start: after }, 'serial_not_yet_valid'],
  ['active for one more millisecond', { expires_at: after }, null],
  ['active until now', { expires_at: now }, 'serial_expired'],
  ['redeemed, and past its window', { redeemed_at: before, expires_at: before }, null],
  ['redeemed, and of a product that is a draft again', { redeemed_at: before, is_draft: true }, null],
  ['redeemed, and revoked', { redeemed_at: before, revoked_at: before }, 'serial_revoked'],
])('judges a serial that is %s', (_what, serial, code) => {
  expect(codeOf(serial)).toBe(code);
});

it('shows from when a serial can be redeemed, in the zone of its developer', () => {
  const promo_start = new Date('2026-12-04T23:00:00.000Z');
  expect(() => assertRedeemable({ ...openSerial, promo_start, time_zone: 'Europe/Berlin' }, now)).toThrow(
    expect.objectContaining({
      message: 'This serial can be redeemed from December 5, 2026 (Europe/Berlin).',
      opensAt: promo_start,
    }),
  );
});
