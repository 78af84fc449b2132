import type { OperationClient } from '@tonerow/sdk/operations';
import { UsageError } from '#exit.ts';
import { findWebhookId } from '#input/find-by-name.ts';
import type { Context } from '#run/context.ts';
import { secondsOf } from '../keys/duration.ts';

export const WHICH = [['<webhook>', 'id or address']] as const;

/** A client, and the webhook that is meant. */
export async function webhookOf(context: Context, which: string): Promise<{ api: OperationClient; id: string }> {
  const api = await context.api();
  return { api, id: await findWebhookId(api, which, context.io.signal) };
}

/** `serial.redeemed,stock.low` as the API takes it. */
export function eventsOf<Name extends string>(text: string): Name[] {
  return text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '') as Name[];
}

/** A date, which the server reads in the account's time zone, or a time ago such as `2h`. */
export function momentOf(text: string, flag: string): string {
  if (/^\d+[smhd]$/.test(text)) return new Date(Date.now() - secondsOf(text, flag) * 1000).toISOString();
  if (!/^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}.*)?$/.test(text))
    throw new UsageError(`${flag} takes a date, a moment, or a time ago such as 2h.`);
  return text;
}
