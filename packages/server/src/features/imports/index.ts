export { Import } from './imports.entity.ts';
