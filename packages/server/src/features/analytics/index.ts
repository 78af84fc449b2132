export { analyticsRoutes } from './analytics.routes.ts';
export { AnalyticsService } from './analytics.service.ts';
