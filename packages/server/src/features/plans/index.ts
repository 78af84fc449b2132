export { UsageMonth } from './plans.entity.ts';
export { capOf, type Plan, planOf, plans } from './plans.ts';
export { monthOf, takeRedemption } from './usage.ts';
