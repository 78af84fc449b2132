import type { BillingState } from '../statements/statements.schemas.ts';

/**
 * What a developer should do something about.
 * - `charge_failed`, `confirm_payment`: the card was declined, or its bank wants the payment confirmed
 * - `uncollectible`: given up; `card_needed`: there is none to charge; `card_expiring`: it ends within a month
 */
export const attentions = [
  'charge_failed',
  'confirm_payment',
  'uncollectible',
  'card_needed',
  'card_expiring',
] as const;
export type Attention = (typeof attentions)[number];

/** The provider's word for a payment that the cardholder has to confirm, and ours for one without a card. */
export const CONFIRM = 'authentication_required';
export const NO_CARD = 'no_card';

/** Whether the last charge failed because its bank wants to ask the cardholder. */
export const asksToConfirm = ({ state, last_reason }: { state: string; last_reason: string | null }): boolean =>
  (state === 'open' || state === 'failed') && last_reason === CONFIRM;

interface Standing {
  /** The state of the invoice that counts; undefined: none was charged yet. */
  state: BillingState | undefined;
  /** Why its last charge failed. */
  reason: string | null;
  card: { expiring: boolean } | null;
  /** Whether the plan needs a card. */
  cardNeeded: boolean;
}

/** The most pressing one first. */
export function attentionOf({ state, reason, card, cardNeeded }: Standing): Attention | null {
  if (state === 'open' || state === 'failed') {
    if (!card) return 'card_needed';
    return reason === CONFIRM ? 'confirm_payment' : 'charge_failed';
  }
  if (state === 'uncollectible') return 'uncollectible';
  if (!card) return cardNeeded ? 'card_needed' : null;
  return card.expiring ? 'card_expiring' : null;
}
