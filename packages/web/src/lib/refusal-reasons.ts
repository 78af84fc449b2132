import type { Refused } from './refusal-statuses.ts';
import type { Refusal } from './types.ts';

/** The place where a refusal can be fixed. */
type Remedy = 'serial' | 'product' | 'plan' | 'code';

interface Reason {
  tone: 'bad' | 'warn' | 'plain';
  /** Describes what happened. */
  means: string;
  /** Describes what to do about it, and where. */
  todo: string;
  at?: Remedy;
}

const reasons: Record<Refused, Reason> = {
  seat_limit: {
    tone: 'warn',
    means: 'All seats are taken.',
    todo: "Release a seat or raise this serial's seats.",
    at: 'serial',
  },
  quota_blocked: {
    tone: 'bad',
    means: "Your plan's redemptions for this month are used up.",
    todo: 'Upgrade your plan; then the customer can try again.',
    at: 'plan',
  },
  churn_limit: {
    tone: 'warn',
    means: 'Too many new machines in 30 days; the serial may be shared. Known machines keep working.',
    todo: 'Look at its machines.',
    at: 'serial',
  },
  product_mismatch: {
    tone: 'warn',
    means: 'The serial is for another product than this plugin.',
    todo: "Check the product id in the plugin's code.",
    at: 'code',
  },
  revoked: {
    tone: 'bad',
    means: 'The serial is revoked, or its product is deleted.',
    todo: 'Reassign it if that was a mistake.',
    at: 'serial',
  },
  expired: {
    tone: 'plain',
    means: 'The serial was not redeemed before its last day.',
    todo: 'Extend its batch, or give the customer another one.',
    at: 'serial',
  },
  not_yet_valid: {
    tone: 'plain',
    means: 'The serial can only be redeemed once its promo has started.',
    todo: 'See or change the start.',
    at: 'serial',
  },
  draft: {
    tone: 'warn',
    means: 'Its product is a draft, whose serials cannot be redeemed.',
    todo: 'Submit the product.',
    at: 'product',
  },
  email_required: {
    tone: 'plain',
    means: "The first activation requires the customer's email address, and none was sent.",
    todo: 'Ask for it in the plugin.',
    at: 'code',
  },
  email_mismatch: {
    tone: 'plain',
    means: 'This serial was redeemed with another email address.',
    todo: 'See whose it is.',
    at: 'serial',
  },
  not_activated: {
    tone: 'plain',
    means: 'This machine has no seat.',
    todo: 'It gets one when the customer activates again.',
  },
  leased: {
    tone: 'plain',
    means: 'The seat is reserved by an offline license until it expires.',
    todo: 'Release the machine to free it now.',
    at: 'serial',
  },
  invalid_token: {
    tone: 'warn',
    means: 'The token that was sent is not for this serial and machine, or is too old.',
    todo: 'Activating again gives a new one.',
  },
  no_trial: {
    tone: 'plain',
    means: 'This product has no trial.',
    todo: 'Give it trial days if it should.',
    at: 'product',
  },
  trial_expired: {
    tone: 'plain',
    means: 'The trial on this machine is over.',
    todo: 'The customer needs a serial now.',
  },
  invalid_request: {
    tone: 'plain',
    means: 'Something in the request is not valid, such as the email address.',
    todo: 'Check what the plugin sends.',
    at: 'code',
  },
  unauthorized: {
    tone: 'warn',
    means: 'The plugin key is unknown or inactive.',
    todo: 'Check your plugin keys.',
    at: 'code',
  },
  not_found: { tone: 'plain', means: 'This serial does not exist.', todo: 'Ask the customer to type it again.' },
  rate_limited: { tone: 'plain', means: 'Too many calls came at once.', todo: 'The plugin can try again later.' },
  server_error: { tone: 'bad', means: 'Something went wrong on the server.', todo: 'The plugin can try again.' },
  unavailable: {
    tone: 'bad',
    means: 'The license server was not available for a moment.',
    todo: 'The plugin can try again.',
  },
};

const known: Record<string, Reason | undefined> = reasons;

/** A trial has no serial, so its refusals need other wording. */
const trialNotStarted: Reason = {
  tone: 'plain',
  means: 'No trial was started on this machine.',
  todo: 'The plugin must start a trial before it can check it.',
};

export function reasonOf({ status, serial_id }: Pick<Refusal, 'status' | 'serial_id'>): Reason {
  if (status === 'not_activated' && serial_id === null) return trialNotStarted;
  // a status that this version doesn't know is shown by its raw name
  return known[status] ?? { tone: 'plain', means: 'It was refused.', todo: '' };
}

/** `Seat limit`. */
export function statusWords(status: string): string {
  const words = status.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
