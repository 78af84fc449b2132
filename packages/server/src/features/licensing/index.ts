export * from './licensing.entity.ts';
