import type { PlanSwitch } from '@tonerow/sdk';
import { YES } from '#define/common-options.ts';
import { defineCommand } from '#define/define-command.ts';
import { list, money } from '#output/table.ts';

export const planSwitch = defineCommand({
  path: 'plan switch',
  summary: 'Switch your plan at once, after showing what that means',
  operations: ['subscribe'],
  args: [['<plan>', 'free, creator, pro or elite', ['free', 'creator', 'pro', 'elite']]],
  options: YES,
  examples: ['tonerow plan switch pro', 'tonerow plan switch pro --yes'],
  async run({ context, args: [plan_id], options }) {
    const api = await context.api();
    const before = await api.subscribe({ body: { plan_id, dry_run: true } }, context.call);
    if (before.changed) {
      context.note(meaningOf(before));
      await context.confirm(options.yes, `Switch to ${before.label}?`);
    }
    const done = before.changed ? await api.subscribe({ body: { plan_id } }, context.call) : before;
    await context.print(done, '');
    context.note(done.changed ? `Your plan is now ${done.label}.` : `You are on ${done.label} already.`);
  },
});

function meaningOf(after: PlanSwitch): string {
  const facts = list([
    ['Free redemptions', `${after.redemption_quota} a month; ${after.redemptions} used in this one`],
    ['Above that', after.overage_price === null ? 'they stop' : `${money(after.overage_price)} each`],
    ['Fee of this month', `${money(after.subscription_fee)}, that of the dearest plan held in it`],
    ['Fee from the next one on', money(after.next_subscription_fee)],
  ]);
  if (!after.resumes_at) return facts;
  return `${facts}\nThis month has used that up: no serial can be redeemed until ${after.resumes_at.slice(0, 10)} (UTC).\n`;
}
