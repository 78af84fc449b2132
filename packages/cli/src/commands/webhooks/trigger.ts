import type { InputOf } from '@tonerow/sdk';
import type { OperationClient } from '@tonerow/sdk/operations';
import { defineCommand } from '#define/define-command.ts';
import { texts } from '#define/option-types.ts';
import { UsageError } from '#exit.ts';
import { counted } from '#output/table.ts';
import type { Context } from '#run/context.ts';
import { noSuchType, withNames } from './event-names.ts';

type Type = InputOf<'triggerWebhookEvent'>['body']['type'];

export const webhooksTrigger = defineCommand({
  path: 'webhooks trigger',
  summary: 'Send a sample event, marked as a test, to all webhooks that ask for it',
  operations: ['triggerWebhookEvent', 'getWebhookDelivery', 'listWebhookEventTypes'],
  shows: ['triggerWebhookEvent'],
  args: [['<type>', 'as "tonerow webhooks types" shows it']],
  options: {
    set: texts(
      '<data.field=value>',
      'a field that differs from the sample, such as data.refusals.0.count=3; may be repeated',
    ),
  },
  examples: ['tonerow webhooks trigger serial.redeemed', 'tonerow webhooks trigger stock.low --set data.available=3'],
  async run({ context, args: [type], options }) {
    const fields = options.set.map(fieldOf);
    const api = await context.api();
    const sent = await withNames(context, api, [type], async () => {
      const data = merged(fields, fields.some(({ path }) => path.length > 1) ? await sampleOf(context, api, type) : {});
      return api.triggerWebhookEvent({ body: { type: type as Type, data } }, context.call);
    });
    await context.print(sent, `Event ${sent.event_id} ${await whereTo(context, api, sent.delivery_ids)}.\n`);
  },
});

/** Webhooks that are off get it when it is replayed. Those who listen have no delivery. */
async function whereTo(context: Context, api: OperationClient, ids: readonly string[]): Promise<string> {
  if (ids.length === 0) return 'goes to whoever listens';
  // it was sent, so that nothing may fail any more: what cannot be looked up counts as sent
  const look = (id: string) => api.getWebhookDelivery({ path: { id } }, context.call).catch(() => null);
  const deliveries = await Promise.all(ids.map(look));
  const off = deliveries.filter((each) => each?.state === 'skipped').length;
  const on = ids.length - off;
  if (off === 0) return `goes to ${counted(on, 'webhook')}`;
  return `goes to ${on === 0 ? 'no webhook' : counted(on, 'webhook')}, and waits for a replay to ${off} more that ${off === 1 ? 'is' : 'are'} off`;
}

interface Field {
  path: [string, ...string[]];
  value: unknown;
}

/** `data.available=3`: JSON where it is JSON, text where it is not. */
function fieldOf(text: string): Field {
  const [, path, value] = /^(?:data\.)?([a-z_]+(?:\.(?:[a-z_]+|\d+))*)=(.*)$/s.exec(text) ?? [];
  if (path === undefined || value === undefined)
    throw new UsageError(
      `--set takes a field and its value, such as data.available=3 or data.refusals.0.count=3, not "${text}".`,
    );
  const parsed = () => {
    try {
      return JSON.parse(value) as unknown;
    } catch {
      return value;
    }
  };
  return { path: path.split('.') as Field['path'], value: parsed() };
}

/** The fields that differ: whole where they are set whole, else as in the sample but for what is set within them. */
function merged(fields: readonly Field[], sample: Record<string, unknown>): Record<string, unknown> {
  const data = new Map<string, unknown>();
  for (const { path, value } of fields) {
    const [name, ...within] = path;
    const last = within.pop();
    if (last === undefined) {
      data.set(name, value);
      continue;
    }
    if (!data.has(name)) data.set(name, Object.hasOwn(sample, name) ? structuredClone(sample[name]) : undefined);
    const holder = within.reduce((at, step) => child(at, step, path), data.get(name));
    child(holder, last, path);
    (holder as Record<string, unknown>)[last] = value;
  }
  return Object.fromEntries(data);
}

function child(at: unknown, step: string, path: Field['path']): unknown {
  if (at !== null && typeof at === 'object' && Object.hasOwn(at, step)) return (at as Record<string, unknown>)[step];
  throw new UsageError(`--set: the sample has no data.${path.join('.')}. "tonerow webhooks types --json" shows it.`);
}

async function sampleOf(context: Context, api: OperationClient, type: string): Promise<Record<string, unknown>> {
  const { types } = await api.listWebhookEventTypes({}, context.call);
  const found = types.find((each) => each.type === type);
  if (!found)
    throw noSuchType(
      type,
      types.map((each) => each.type),
    );
  return found.sample;
}
