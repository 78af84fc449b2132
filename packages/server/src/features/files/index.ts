export { StoredFile } from './files.entity.ts';
