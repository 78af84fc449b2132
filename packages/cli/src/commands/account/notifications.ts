import type { InputOf } from '@tonerow/sdk';
import { PAGE } from '../../common-options.ts';
import { defineCommand } from '../../define-command.ts';
import { choice, everyOf, flag } from '../../option-types.ts';
import { printRows } from '../../output/rows.ts';

type Kind = NonNullable<NonNullable<InputOf<'listNotifications'>['query']>['kind']>;

export const accountNotifications = defineCommand({
  path: 'account notifications',
  summary: 'List the notices of your account; --read marks them as read',
  operations: ['listNotifications', 'readNotifications'],
  options: {
    kind: choice('<kind>', 'low_serials, import, usage, billing, card, webhook or payout', {
      values: everyOf<Kind>({ low_serials: 0, import: 0, usage: 0, billing: 0, card: 0, webhook: 0, payout: 0 }),
    }),
    unread: flag('only those that were not read yet'),
    read: flag('mark all of them as read afterwards'),
    ...PAGE,
  },
  examples: ['tonerow account notifications --unread', 'tonerow account notifications --read'],
  async run({ context, options }) {
    const api = await context.api();
    const query = { kind: options.kind, unread: options.unread };
    // of any kind, and taken before the list is shown: what comes meanwhile stays unread
    const newest = options.read ? await api.listNotifications({ query: { limit: 1 } }, context.call) : undefined;
    await printRows(context, api.paginate.listNotifications({ query }, context.call), options, {
      head: ['AT', 'KIND', 'WHAT', 'DETAIL', 'READ'],
      cells: (row) => [row.at, row.kind, row.title, row.detail, row.read],
      none: 'No notices.\n',
    });
    const until = newest?.rows[0]?.id;
    if (until) await api.readNotifications({ body: { until } }, context.call);
  },
});
