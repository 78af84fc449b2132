import type { InferKyselyDB } from '@mikro-orm/postgresql';
import { ownTables } from '#platform/db/work.ts';
import { KeptNotice, NoticeMark } from './notifications.entity.ts';

const entities = [KeptNotice, NoticeMark] as const;

interface Own extends InferKyselyDB<(typeof entities)[number]> {}

declare module '#platform/db/tables.ts' {
  interface Tables extends Own {}
}

export const tables = ownTables('notifications', entities);
export type NotificationsDb = ReturnType<typeof tables.of>;
