export { Activation, SigningKey } from './licensing.entity.ts';
export { jwksRoutes, licensingRoutes } from './licensing.routes.ts';
export { Licensing } from './licensing.service.ts';
