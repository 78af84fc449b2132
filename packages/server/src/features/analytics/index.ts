import type { Base } from '#platform/feature.ts';
import { analyticsRoutes } from './analytics.routes.ts';
import { AnalyticsService } from './analytics.service.ts';
import { reportRoutes } from './reports/reports.routes.ts';
import { Reports } from './reports/reports.service.ts';
import { tables } from './tables.ts';

export const analytics = {
  create(platform: Base) {
    const base = { ...platform, db: tables.of(platform.db) };
    return { routes: [analyticsRoutes(new AnalyticsService(base)), reportRoutes(new Reports(base))] };
  },
};
