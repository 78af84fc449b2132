export { readyAnswer } from './health.ts';
export { systemRoutes } from './system.routes.ts';
