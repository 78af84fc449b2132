import type { Webhook, WebhookDelivery } from '#lib/types.ts';
import type { BadgeTone } from '#ui/badge.tsx';
import type { DeliveryState } from './delivery-states.ts';

export const stateWords: Record<DeliveryState, string> = {
  waiting: 'Waiting',
  delivered: 'Delivered',
  failed: 'Failed',
  skipped: 'Skipped',
};

export const stateTones: Record<DeliveryState, BadgeTone> = {
  waiting: 'warn',
  delivered: 'good',
  failed: 'bad',
  skipped: 'plain',
};

/** Why each state, for those who meet it for the first time. */
const stateReasons: Record<DeliveryState, string> = {
  waiting: 'The next attempt is planned.',
  delivered: 'The webhook answered with success.',
  failed: 'All ten attempts failed. Send it again, or replay what failed.',
  skipped: 'The webhook was off when it happened. Replay it within 30 days.',
};

const GONE = 410;

/** Why a delivery is in its state: one that is refused for good is not tried ten times. */
export function reasonOf({ state, last_status }: Pick<WebhookDelivery, 'state' | 'last_status'>): string {
  if (state === 'failed' && last_status === GONE)
    return 'It answered 410 Gone, which asks for no more events. Switch the webhook on, then send this again.';
  return stateReasons[state];
}

/** The events that an endpoint asks for. Beside "All events", only the events that it leaves out are named. */
export function eventWords(events: readonly string[]): string {
  if (!events.includes('*')) return events.join(', ');
  return ['All events', ...events.filter((event) => event === 'license.refused')].join(', ');
}

interface Health {
  tone: BadgeTone;
  word: string;
  /** Explains what it means, and what helps. */
  detail: string;
}

const off: Record<NonNullable<Webhook['disabled_reason']>, Omit<Health, 'tone'>> = {
  owner: { word: 'Paused', detail: 'Events are recorded. Switch it on and replay them within 30 days.' },
  failing: { word: 'Off', detail: 'It was switched off after five days of failures. Fix it, then switch it on.' },
  gone: {
    word: 'Off',
    detail: 'It answered 410 Gone, which asks for no more events. If it should get them, switch it on again.',
  },
  secret: { word: 'Off', detail: 'Its secret can’t be read on this server. Rotate it, then switch the webhook on.' },
};

export function healthOf({ enabled, disabled_reason, first_failure_at, is_slow, last_success_at }: Webhook): Health {
  if (!enabled) return { ...off[disabled_reason ?? 'owner'], tone: disabled_reason === 'owner' ? 'plain' : 'bad' };
  if (first_failure_at)
    return { tone: 'bad', word: 'Failing', detail: 'The last attempt failed. It is tried again for three days.' };
  if (is_slow)
    return { tone: 'warn', word: 'Slow', detail: 'It takes more than five seconds, and gets one request at a time.' };
  if (last_success_at) return { tone: 'good', word: 'Working', detail: 'The last attempt succeeded.' };
  return { tone: 'plain', word: 'Not used yet', detail: 'Nothing was sent yet. Send a test.' };
}

/** The hint beside actions that are not possible while an endpoint is off. */
export const offHint = 'The webhook is off. Switch it on first.';

const errors: Record<string, string> = {
  address: 'Address not allowed',
  dns: 'Its name was not found',
  connect: 'No connection',
  tls: 'Its certificate or encryption was not accepted',
  timeout: 'No answer within 15 seconds',
  closed: 'It closed the connection',
  malformed: 'Its answer could not be read',
  redirect: 'It answered with a redirect, which is never followed',
  status: 'It did not answer with 2xx',
  proxy: 'The proxy refused it',
};

/** How the last attempt ended, in a few words. */
export function outcomeOf({ last_status, last_error }: Pick<WebhookDelivery, 'last_status' | 'last_error'>): string {
  if (last_status !== null) return `HTTP ${last_status}`;
  return last_error === null ? 'None yet' : explainError(last_error);
}

export const explainError = (error: string) => errors[error] ?? error;
