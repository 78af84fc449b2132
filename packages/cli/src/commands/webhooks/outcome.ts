import { setTimeout as pause } from 'node:timers/promises';
import type { WebhookDeliveryDetail } from '@tonerow/sdk';
import type { OperationClient } from '@tonerow/sdk/operations';
import { PartialError } from '#exit.ts';
import { counted, list } from '#output/table.ts';
import type { Context } from '#run/context.ts';
import { outcomeOf } from './state.ts';

/** Longer than an attempt takes. */
const PATIENCE_MS = 20_000;
const EVERY_MS = 250;

/**
 * Waits until a delivery was attempted once more than so many times, and prints it as it is then.
 * @param patience for how many milliseconds.
 * @throws {PartialError} when that attempt failed, or did not come.
 */
export async function printAttempt(
  context: Context,
  api: OperationClient,
  id: string,
  before = 0,
  patience = PATIENCE_MS,
): Promise<void> {
  const delivery = await attempted(context, api, id, before, patience);
  await context.print(delivery, textOf(delivery));
  if (delivery.attempts <= before) throw new PartialError('The event has not been sent yet.');
  if (delivery.last_error !== null)
    throw new PartialError(`${delivery.url} did not take the event (${delivery.last_error}).`);
}

async function attempted(context: Context, api: OperationClient, id: string, before: number, patience: number) {
  const end = performance.now() + patience;
  for (;;) {
    const delivery = await api.getWebhookDelivery({ path: { id } }, context.call);
    if (delivery.attempts > before || delivery.state === 'skipped' || performance.now() > end) return delivery;
    await pause(EVERY_MS, undefined, { signal: context.io.signal });
  }
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
