import { defineCommand } from '#define/define-command.ts';
import { printPlan } from '../plan/print-plan.ts';

export const accountPlan = defineCommand({
  path: 'account plan',
  summary: 'Show your plan and this month’s usage',
  operations: ['getMyPlan', 'getMyUsage'],
  fields: ['plan', 'usage'],
  examples: ['tonerow account plan'],
  run: ({ context }) => printPlan(context),
});
