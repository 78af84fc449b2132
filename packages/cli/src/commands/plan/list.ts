import { defineCommand } from '#define/define-command.ts';
import { printPlans } from './print-plans.ts';

export const planList = defineCommand({
  path: 'plan list',
  summary: 'List plans and prices',
  operations: ['listPlans'],
  examples: ['tonerow plan list'],
  run: ({ context }) => printPlans(context),
});
