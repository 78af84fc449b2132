export { searchRoutes } from './search.routes.ts';
export { Search } from './search.service.ts';
