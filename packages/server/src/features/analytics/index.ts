import type { Base } from '#platform/feature.ts';
import { analyticsRoutes } from './analytics.routes.ts';
import { AnalyticsService } from './analytics.service.ts';
import { reportRoutes } from './reports/reports.routes.ts';
import { Reports } from './reports/reports.service.ts';

export const analytics = {
  create(base: Base) {
    return { routes: [analyticsRoutes(new AnalyticsService(base)), reportRoutes(new Reports(base))] };
  },
};
