import type { InputOf, WebhookEvent } from '@tonerow/sdk';
import type { OperationClient } from '@tonerow/sdk/operations';
import { PAGE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { flag, text } from '#define/option-types.ts';
import { printRows } from '#output/rows.ts';
import type { Context } from '#run/context.ts';
import { withNames } from './event-names.ts';

type Query = NonNullable<InputOf<'listWebhookEvents'>['query']>;

export const webhooksEvents = defineCommand({
  path: 'webhooks events',
  summary: 'List the events of the last 30 days, oldest first',
  operations: ['listWebhookEvents', 'listWebhookEventTypes'],
  shows: ['listWebhookEvents'],
  options: {
    after: text('<event>', 'only events after this one'),
    type: text('<type>', 'only events of this type'),
    about: text('<id>', 'only events about this serial, product or customer'),
    personal: flag('with names and email addresses of customers'),
    ...PAGE,
  },
  examples: ['tonerow webhooks events --type serial.redeemed --json'],
  async run({ context, options }) {
    const query = {
      after: options.after,
      type: options.type as Query['type'],
      object_id: options.about,
      include_personal: options.personal,
    };
    const api = await context.api();
    await withNames(context, api, [options.type ?? ''], () =>
      printRows(context, eventsOf(context, api, query), options, {
        head: ['ID', 'TYPE', 'TIME', 'DATA'],
        cells: (row) => [row.id, row.type, row.timestamp, JSON.stringify(row.data)],
        none: 'No events found. They are recorded while a webhook asks for them.\n',
      }),
    );
  },
});

/** All events, page by page. */
async function* eventsOf(context: Context, api: OperationClient, query: Query): AsyncGenerator<WebhookEvent, void> {
  let after = query.after;
  for (;;) {
    const page = await api.listWebhookEvents(
      { query: { ...query, after, limit: context.paging.pageSize } },
      context.call,
    );
    yield* page.events;
    if (!page.has_more || page.next_after === null) return;
    after = page.next_after;
  }
}
