import type { LiveEvent } from '@tonerow/sdk';
import { describe, expect, it } from 'vitest';
import { notificationOf } from './event-notifications.ts';

const whole: Record<string, object> = {
  redemption: { serial_id: 's', first_name: null, last_name: null },
  import: { id: 'i', kind: 'available', state: 'running', dry_run: false, count: 0, rejected: 0, error: null },
  low_serials: { product_id: 'p' },
  billing: { id: 'b', number: '2026-0003', month: '2026-03', amount_cents: 1055 },
};
const told = (type: string, data: Record<string, unknown>) => {
  const notice = notificationOf({ type, data: { ...whole[type], ...data } } as LiveEvent);
  return notice && [notice.title, notice.detail];
};

describe('text of an event', () => {
  it.each([
    [
      'low_serials',
      { product_name: 'Prism Delay', serials_available: 3 },
      ['Prism Delay is running low', '3 serials left'],
    ],
    [
      'low_serials',
      { product_name: 'Prism Delay', serials_available: 0 },
      ['Prism Delay is running low', 'No serials left'],
    ],
    [
      'redemption',
      { first_name: 'Mara', last_name: null, product_name: 'Needle EQ', serial: 'AAAA-BBBB' },
      ['Mara redeemed Needle EQ', 'AAAA-BBBB'],
    ],
    [
      'redemption',
      { email: 'mara@example.com', product_name: 'Needle EQ', serial: 'AAAA-BBBB' },
      ['mara@example.com redeemed Needle EQ', 'AAAA-BBBB'],
    ],
    [
      'webhook_failing',
      { endpoint_id: 'w', host: 'shop.example.com', disabled: false },
      ['A webhook fails', 'shop.example.com'],
    ],
    [
      'webhook_failing',
      { endpoint_id: 'w', host: 'shop.example.com', disabled: true },
      ['A webhook was switched off', 'shop.example.com'],
    ],
    ['billing', { what: 'paid' }, ['Your invoice for March 2026 is paid', '$10.55']],
    ['billing', { what: 'failed' }, ['Your payment for March 2026 did not go through', '$10.55']],
    ['billing', { what: 'confirm_payment' }, ['Your bank asks you to confirm the payment for March 2026', '$10.55']],
    ['billing', { what: 'card_needed' }, ['There is no card to charge for March 2026', '$10.55']],
    ['billing', { what: 'uncollectible' }, ['Your invoice for March 2026 is still unpaid', '$10.55']],
    [
      'card',
      { what: 'expiring', last4: '4242', exp_month: 4, exp_year: 2026 },
      ['Your card ending in 4242 expires soon', 'At the end of 04/2026'],
    ],
    ['import', { state: 'complete', kind: 'customers', count: 1 }, ['Import complete', '1 customer imported']],
    [
      'import',
      { state: 'complete', kind: 'redeemed', count: 200, rejected: 2 },
      ['Import completed with warnings', '200 serials imported, 2 lines left out'],
    ],
    ['import', { state: 'failed', error: 'The file is empty.' }, ['Import failed', 'The file is empty.']],
    ['import', { state: 'undone' }, ['Import taken back', 'What it added was deleted.']],
    ['import', { state: 'complete', error: 'It is in use.' }, ['Import not taken back', 'It is in use.']],
  ])('%s %o', (type, data, expected) => {
    expect(told(type, data)).toEqual(expected);
  });

  it.each([
    ['import', { state: 'running', lines: 500 }],
    ['import', { state: 'undoing' }],
    ['import', { state: 'checking' }],
    ['import', { state: 'open', error: 'It cannot be read.' }],
    ['import', { state: 'complete', dry_run: true }],
    ['something new', {}],
  ])('nothing for %s %o', (type, data) => {
    expect(told(type, data)).toBeNull();
  });
});
