export { type Readiness, systemRoutes } from './system.routes.ts';
