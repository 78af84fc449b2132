import { defineCommand } from '#define/define-command.ts';
import { printPlans } from './plan/print-plans.ts';

export const plansCommand = defineCommand({
  path: 'plans',
  summary: 'List plans and prices',
  operations: ['listPlans'],
  examples: ['tonerow plans'],
  run: ({ context }) => printPlans(context),
});
