import { expect, it } from 'vitest';
import { attentionOf } from './attention.ts';

const card = { expiring: false };
const fine = { state: 'paid', reason: null, card, cardNeeded: true } as const;

it('an account that is paid up, with a card that lasts, needs no attention, nor does one that needs no card', () => {
  expect(attentionOf(fine)).toBeNull();
  expect(attentionOf({ ...fine, state: undefined, card: null, cardNeeded: false })).toBeNull();
});

it('a failed charge comes before everything else, and is told by what helps', () => {
  const expiring = { expiring: true };
  expect(attentionOf({ ...fine, state: 'open', card: expiring })).toBe('charge_failed');
  expect(attentionOf({ ...fine, state: 'failed', reason: 'card_declined' })).toBe('charge_failed');
  expect(attentionOf({ ...fine, state: 'open', reason: 'authentication_required' })).toBe('confirm_payment');
  expect(attentionOf({ ...fine, state: 'open', reason: 'authentication_required', card: null })).toBe('card_needed');
  expect(attentionOf({ ...fine, state: 'uncollectible', card: expiring })).toBe('uncollectible');
});

it('a plan without its card, and a card that ends soon, are told before a charge fails', () => {
  expect(attentionOf({ ...fine, card: null })).toBe('card_needed');
  expect(attentionOf({ ...fine, state: undefined, card: { expiring: true } })).toBe('card_expiring');
});
