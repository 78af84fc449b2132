import type { InferKyselyDB } from '@mikro-orm/postgresql';
import { ownTables } from '#platform/db/work.ts';
import { LedgerCountry, LedgerDay } from './ledger/ledger.entity.ts';
import { LedgerPlace, LedgerPlaceCount } from './ledger/ledger-places.entity.ts';
import { PartnerCalendar, PartnerDay, PartnerMonth, PartnerTotal } from './ledger/partnership-sums.entity.ts';
import { RedeemTicket, Redemption } from './redemption.entity.ts';
import { LedgerAdjustment } from './refunds/adjustments.entity.ts';

const entities = [
  Redemption,
  LedgerDay,
  LedgerCountry,
  LedgerPlace,
  LedgerPlaceCount,
  LedgerAdjustment,
  PartnerTotal,
  PartnerMonth,
  PartnerDay,
  PartnerCalendar,
  RedeemTicket,
] as const;

interface Own extends InferKyselyDB<(typeof entities)[number]> {}

declare module '#platform/db/tables.ts' {
  interface Tables extends Own {}
}

export const tables = ownTables('redemption', entities);
export type RedemptionDb = ReturnType<typeof tables.of>;
export type RedemptionHandle = ReturnType<typeof tables.in>;
