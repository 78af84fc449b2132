import type { InferKyselyDB } from '@mikro-orm/postgresql';
import { ownTables } from '#platform/db/work.ts';
import { Invite } from './invites/invites.entity.ts';
import { Partnership, PartnershipEvent, ResellerDeveloper } from './partnerships.entity.ts';

const entities = [ResellerDeveloper, Partnership, PartnershipEvent, Invite] as const;

interface Own extends InferKyselyDB<(typeof entities)[number]> {}

declare module '#platform/db/tables.ts' {
  interface Tables extends Own {}
}

export const tables = ownTables('partnerships', entities);
export type PartnershipsDb = ReturnType<typeof tables.of>;
export type PartnershipsHandle = ReturnType<typeof tables.in>;
