export { liveRoutes } from './live.routes.ts';
