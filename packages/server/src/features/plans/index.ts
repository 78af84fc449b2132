import type { Base } from '../../platform/feature.ts';
import { RefreshCharge, UsageMonth } from './plans.entity.ts';
import { planRoutes } from './plans.routes.ts';
import { Plans } from './plans.service.ts';

export { chargeRefresh } from './refresh-charge.ts';
export {
  closeMonth,
  countOpen,
  expectClose,
  holdMonth,
  monthOf,
  type OpenMonth,
  openMonths,
  openMonthsOf,
  takeRedemption,
} from './usage.ts';

export const plans = {
  entities: [UsageMonth, RefreshCharge],

  create(base: Base) {
    return { routes: [planRoutes(new Plans(base))] };
  },
};
