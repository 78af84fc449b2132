export { StoredFile } from './files.entity.ts';
export { fileRoutes } from './files.routes.ts';
export { Files } from './files.service.ts';
