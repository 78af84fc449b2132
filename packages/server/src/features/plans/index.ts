export { RefreshCharge, UsageMonth } from './plans.entity.ts';
export { takeRedemption } from './usage.ts';
