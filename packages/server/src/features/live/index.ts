export { liveRoutes } from './live.routes.ts';
export { PublishedEvent } from './live.schemas.ts';
