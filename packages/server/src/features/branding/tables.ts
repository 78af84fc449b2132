import type { InferKyselyDB } from '@mikro-orm/postgresql';
import { ownTables } from '#platform/db/work.ts';
import { CustomDomain } from './branding.entity.ts';

const entities = [CustomDomain] as const;

interface Own extends InferKyselyDB<(typeof entities)[number]> {}

declare module '#platform/db/tables.ts' {
  interface Tables extends Own {}
}

export const tables = ownTables('branding', entities);
export type BrandingDb = ReturnType<typeof tables.of>;
export type BrandingHandle = ReturnType<typeof tables.in>;
