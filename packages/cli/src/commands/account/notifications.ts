import { listNotificationsKind } from '@tonerow/sdk/values';
import { PAGE } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { choice, flag } from '#define/option-types.ts';
import { printRows } from '#output/rows.ts';

/** The server counts no further. */
const MOST_UNREAD = 100;

/** Both numbers, in the words of the dashboard. */
function countWords({ pending, unread }: { pending: number; unread: number }): string {
  const words = [
    ...(pending > 0 ? [`${pending} pending`] : []),
    ...(unread > 0 ? [unread < MOST_UNREAD ? `${unread} unread` : `${MOST_UNREAD} or more unread`] : []),
  ];
  return words.join(', ') || 'Nothing pending or unread';
}

export const accountNotifications = defineCommand({
  path: 'account notifications',
  summary: 'List your notifications, and how many are pending or unread; --read marks them as read',
  operations: ['listNotifications', 'readNotifications'],
  fields: ['pending', 'unread'],
  options: {
    count: flag('only how many are pending and unread, as the bell of the dashboard shows them'),
    kind: choice('<kind>', 'low_serials, import, usage, billing, card, webhook or payout', {
      values: listNotificationsKind,
    }),
    unread: flag('only those that were not read yet'),
    read: flag('mark all of them as read afterwards'),
    ...PAGE,
  },
  examples: [
    'tonerow account notifications --unread',
    'tonerow account notifications --read',
    'tonerow account notifications --count --json',
  ],
  async run({ context, options }) {
    const api = await context.api();
    const query = { kind: options.kind, unread: options.unread };
    // the newest of any kind, taken before the list is shown: what comes meanwhile stays unread
    const { rows, pending, unread } = await api.listNotifications({ query: { limit: 1 } }, context.call);
    const words = countWords({ pending, unread });
    if (options.count) return context.print({ pending, unread }, `${words}\n`);
    await printRows(context, api.paginate.listNotifications({ query }, context.call), options, {
      head: ['AT', 'KIND', 'WHAT', 'DETAIL', 'READ'],
      cells: (row) => [row.at, row.kind, row.title, row.detail, row.read],
      none: 'No notifications.\n',
    });
    context.note(words);
    const until = rows[0]?.id;
    if (options.read && until) await api.readNotifications({ body: { until } }, context.call);
  },
});
