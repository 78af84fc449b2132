import { setTimeout as pause } from 'node:timers/promises';
import type { WebhookDeliveryDetail } from '@tonerow/sdk';
import type { OperationClient } from '@tonerow/sdk/operations';
import type { Context } from '../../context.ts';
import { PartialError } from '../../exit.ts';
import { counted, list } from '../../output/table.ts';
import { outcomeOf } from './state.ts';

/** Longer than an attempt takes. */
const PATIENCE_MS = 20_000;
const EVERY_MS = 250;

/** Waits until a delivery was attempted once more than so many times, and returns it as it is then. */
export async function attempted(
  context: Context,
  api: OperationClient,
  id: string,
  before = 0,
): Promise<WebhookDeliveryDetail> {
  const end = performance.now() + PATIENCE_MS;
  for (;;) {
    const delivery = await api.getWebhookDelivery({ path: { id } }, context.call);
    if (delivery.attempts > before || delivery.state === 'skipped' || performance.now() > end) return delivery;
    await pause(EVERY_MS, undefined, { signal: context.io.signal });
  }
}

/** @throws {PartialError} when its last attempt failed. */
export async function printOutcome(context: Context, delivery: WebhookDeliveryDetail): Promise<void> {
  await context.print(delivery, textOf(delivery));
  if (delivery.last_error !== null)
    throw new PartialError(`${delivery.url} did not take the event (${delivery.last_error}).`);
  if (delivery.attempts === 0) throw new PartialError('The event has not been sent yet.');
}

export function textOf(delivery: WebhookDeliveryDetail): string {
  const [last] = delivery.history;
  return list([
    ['Delivery', delivery.id],
    ['Event', delivery.event_id],
    ['Type', delivery.type],
    ['Address', delivery.url],
    ['State', outcomeOf(delivery)],
    ['Attempts', counted(delivery.attempts, 'attempt')],
    ['Took', last ? `${last.duration_ms} ms` : null],
    ['Next attempt', delivery.next_attempt_at],
    ['Answer', last?.response_text],
  ]);
}
