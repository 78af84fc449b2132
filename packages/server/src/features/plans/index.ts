import type { Base } from '../../platform/feature.ts';
import { PlanChange, RefreshCharge, UsageDay, UsageMonth } from './plans.entity.ts';
import { planRoutes } from './plans.routes.ts';
import { Plans } from './plans.service.ts';

export {
  billOf,
  isBilled,
  type MonthBill,
  type UsedDay,
  usageDays,
  usageMonth,
  usageMonths,
} from './bills.ts';
export { dearestPlan, type PlanMonth, planAtStart, planMonths } from './fees.ts';
export { capOf, planOf, unitCentsOf } from './plans.ts';
export { chargeRefresh, takeRedemption } from './rating.ts';
export { switchPlan } from './switch-plan.ts';
export {
  closeMonth,
  countOpen,
  expectClose,
  holdMonth,
  monthOf,
  type OpenMonth,
  openMonths,
  openMonthsOf,
} from './usage.ts';

export const plans = {
  entities: [UsageMonth, UsageDay, RefreshCharge, PlanChange],

  create(base: Base) {
    return { routes: [planRoutes(new Plans(base))] };
  },
};
