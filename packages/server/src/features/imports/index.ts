export { Import } from './imports.entity.ts';
export { importRoutes } from './imports.routes.ts';
export { ImportEvent } from './imports.schemas.ts';
export { Imports } from './imports.service.ts';
