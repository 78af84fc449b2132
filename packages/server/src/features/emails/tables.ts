import type { InferKyselyDB } from '@mikro-orm/postgresql';
import { ownTables } from '#platform/db/work.ts';
import { AccountClosing, Announcement, SentEmail } from './emails.entity.ts';

const entities = [SentEmail, Announcement, AccountClosing] as const;

interface Own extends InferKyselyDB<(typeof entities)[number]> {}

declare module '#platform/db/tables.ts' {
  interface Tables extends Own {}
}

export const tables = ownTables('emails', entities);
export type EmailsDb = ReturnType<typeof tables.of>;
export type EmailsHandle = ReturnType<typeof tables.in>;
