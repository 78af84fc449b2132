export { RefreshCharge, UsageMonth } from './plans.entity.ts';
export { planRoutes } from './plans.routes.ts';
export { Plans } from './plans.service.ts';
export { chargeRefresh } from './refresh-charge.ts';
export { takeRedemption } from './usage.ts';
