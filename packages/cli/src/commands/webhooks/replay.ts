import { replayWebhookState } from '@tonerow/sdk/values';
import { defineCommand } from '#define/define-command.ts';
import { choice, required, text } from '#define/option-types.ts';
import { UsageError } from '#exit.ts';
import { counted } from '#output/table.ts';
import { momentOf, WHICH, webhookOf } from './options.ts';

export const webhooksReplay = defineCommand({
  path: 'webhooks replay',
  summary: 'Send again what a webhook missed; at most 10,000 deliveries',
  operations: ['replayWebhook'],
  args: [...WHICH],
  options: {
    since: required(
      text('<moment>', 'only events from then on: a date, a moment, or a time ago such as 2h'),
      'Give --since, such as --since 2h.',
    ),
    until: text('<moment>', 'only events before then, which must be after --since'),
    state: choice('<state>', 'undelivered: all but the delivered; waiting: they get their next attempt now', {
      values: replayWebhookState,
      fallback: 'undelivered',
    }),
  },
  examples: ['tonerow webhooks replay https://example.com/hooks --since 2h'],
  async run({ context, args: [which], options }) {
    const body = {
      since: momentOf(options.since, '--since'),
      until: options.until === undefined ? undefined : momentOf(options.until, '--until'),
      state: options.state,
    };
    // days are read by the server, on the account's clock
    if (body.until?.endsWith('Z') && body.since.endsWith('Z') && body.until <= body.since)
      throw new UsageError(`--until (${body.until}) must be after --since (${body.since}).`);
    const { api, id } = await webhookOf(context, which);
    const replay = await api.replayWebhook({ path: { id }, body }, context.call);
    await context.print(replay, `Sending ${counted(replay.matching, 'delivery', 'deliveries')} again.\n`);
    if (replay.more) context.note('There are more: run it again once these are through.');
  },
});
