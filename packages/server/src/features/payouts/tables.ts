import type { InferKyselyDB } from '@mikro-orm/postgresql';
import { ownTables } from '#platform/db/work.ts';
import { Payout, PayoutMessage, PayoutNumber, PayoutPayment } from './payouts.entity.ts';

const entities = [Payout, PayoutNumber, PayoutPayment, PayoutMessage] as const;

interface Own extends InferKyselyDB<(typeof entities)[number]> {}

declare module '#platform/db/tables.ts' {
  interface Tables extends Own {}
}

export const tables = ownTables('payouts', entities);
export type PayoutsDb = ReturnType<typeof tables.of>;
export type PayoutsHandle = ReturnType<typeof tables.in>;
