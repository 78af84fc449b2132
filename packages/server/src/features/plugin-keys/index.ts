export * from './plugin-keys.entity.ts';
