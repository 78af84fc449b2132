import type { InferKyselyDB } from '@mikro-orm/postgresql';
import { ownTables } from '#platform/db/work.ts';
import { AuditEvent } from './audit.entity.ts';
import { ApiRequest } from './requests/requests.entity.ts';

const entities = [AuditEvent, ApiRequest] as const;

interface Own extends InferKyselyDB<(typeof entities)[number]> {}

declare module '#platform/db/tables.ts' {
  interface Tables extends Own {}
}

export const tables = ownTables('audit', entities);
export type AuditDb = ReturnType<typeof tables.of>;
