export { imageForms, mediaRoutes } from './media.routes.ts';
export { Media } from './media.service.ts';
