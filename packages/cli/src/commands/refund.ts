import { refundSerialKind } from '@tonerow/sdk/values';
import { defineCommand } from '#define/define-command.ts';
import { amount, choice, flag, text } from '#define/option-types.ts';
import { UsageError } from '#exit.ts';
import { findSerialId } from '#input/find-by-name.ts';
import { list, money } from '#output/table.ts';

export const refundCommand = defineCommand({
  path: 'refund',
  summary: 'Record that a customer got the money for a serial back',
  operations: ['refundSerial', 'reinstateSerial'],
  once: true,
  args: [['<serial>', 'code or id']],
  options: {
    amount: amount('<amount>', 'dollars; without it, all that has not been refunded yet'),
    reason: text('<text>', 'why; the reseller reads it too'),
    kind: choice('<kind>', 'refund, or chargeback when the bank took it back', {
      values: refundSerialKind,
      fallback: 'refund',
    }),
    revoke: flag('revoke the serial too'),
    undo: flag('take all refunds of the serial back'),
    reassign: flag('with --undo: undo the revocation of the serial too'),
  },
  examples: [
    'tonerow refund ABCD-EFGH-2345-6789 --reason "Bought twice" --revoke',
    'tonerow refund ABCD-EFGH-2345-6789 --amount 5 --reason "Late update"',
    'tonerow refund ABCD-EFGH-2345-6789 --undo --reason "Paid again"',
  ],
  async run({ context, args: [serial], options }) {
    if (options.amount === null) throw new UsageError('--amount takes dollars, such as 9.99.');
    if (options.undo && (options.amount !== undefined || options.revoke))
      throw new UsageError('--undo takes everything back: leave --amount and --revoke out.');
    if (options.reassign && !options.undo) throw new UsageError('--reassign needs --undo.');
    const reason = options.reason ?? (await context.ask({ text: 'Reason: ', instead: '--reason' }));
    const api = await context.api();
    const id = await findSerialId(api, serial, context.io.signal);
    const made = options.undo
      ? await api.reinstateSerial({ path: { id }, body: { reason, reassign: options.reassign } }, context.call)
      : await api.refundSerial(
          { path: { id }, body: { amount: options.amount, reason, kind: options.kind, revoke: options.revoke } },
          context.call,
        );
    const facts = list([
      ['Kind', made.kind],
      ['Amount', money(made.amount)],
      ['Commission', money(made.commission)],
      ['Month (UTC)', made.month],
      ['Refunded in all', money(made.refunded)],
      ['Can still be refunded', money(made.refundable)],
    ]);
    await context.print(made, facts);
  },
});
