import type { InputOf } from '@tonerow/sdk';
import { listWebhookDeliveriesState } from '@tonerow/sdk/values';
import { PAGE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { choice, text } from '#define/option-types.ts';
import { printRows } from '#output/rows.ts';
import { withNames } from './event-names.ts';
import { momentOf, WHICH, webhookOf } from './options.ts';
import { outcomeOf } from './state.ts';

type Query = NonNullable<InputOf<'listWebhookDeliveries'>['query']>;

export const webhooksDeliveries = defineCommand({
  path: 'webhooks deliveries',
  summary: 'List what was sent to a webhook, newest first',
  operations: ['listWebhookDeliveries', 'listWebhookEventTypes'],
  shows: ['listWebhookDeliveries'],
  args: [...WHICH],
  options: {
    state: choice('<state>', 'only deliveries in this state', {
      values: listWebhookDeliveriesState,
    }),
    type: text('<type>', 'only events of this type'),
    from: text('<moment>', 'only events from then on: a date, a moment, or a time ago such as 2h'),
    ...PAGE,
  },
  examples: ['tonerow webhooks deliveries https://example.com/hooks --state failed'],
  async run({ context, args: [which], options }) {
    const query = {
      state: options.state,
      type: options.type as Query['type'],
      from: options.from === undefined ? undefined : momentOf(options.from, '--from'),
    };
    const { api, id } = await webhookOf(context, which);
    const rows = api.paginate.listWebhookDeliveries({ path: { id }, query }, context.call);
    await withNames(context, api, [options.type ?? ''], () =>
      printRows(context, rows, options, {
        head: ['ID', 'TYPE', 'STATE', 'ATTEMPTS', 'CREATED', 'NEXT ATTEMPT'],
        cells: (row) => [row.id, row.type, outcomeOf(row), row.attempts, row.created_at, row.next_attempt_at],
        none: 'No deliveries found\n',
      }),
    );
  },
});
