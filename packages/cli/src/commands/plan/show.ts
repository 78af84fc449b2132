import { defineCommand } from '#define/define-command.ts';
import { printPlan } from './print-plan.ts';

export const planShow = defineCommand({
  path: 'plan show',
  summary: 'Show your plan and this month’s usage',
  operations: ['getMyPlan', 'getMyUsage'],
  fields: ['plan', 'usage'],
  examples: ['tonerow plan show'],
  run: ({ context }) => printPlan(context),
});
