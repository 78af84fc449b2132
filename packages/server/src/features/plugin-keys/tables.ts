import type { InferKyselyDB } from '@mikro-orm/postgresql';
import { ownTables } from '#platform/db/work.ts';
import { PluginKey, PluginKeyDay, PluginKeyReveal } from './plugin-keys.entity.ts';

const entities = [PluginKey, PluginKeyReveal, PluginKeyDay] as const;

interface Own extends InferKyselyDB<(typeof entities)[number]> {}

declare module '#platform/db/tables.ts' {
  interface Tables extends Own {}
}

export const tables = ownTables('plugin-keys', entities);
export type PluginKeysDb = ReturnType<typeof tables.of>;
export type PluginKeysHandle = ReturnType<typeof tables.in>;
