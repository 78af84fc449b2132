import type { InferKyselyDB } from '@mikro-orm/postgresql';
import { ownTables } from '#platform/db/work.ts';
import { LicenseDeviceCode, LicenseSeatCode } from './device-codes/device-codes.entity.ts';
import {
  Activation,
  ExpansionSecret,
  LicenseRefusalDay,
  LicenseRefusalNote,
  OfflineRelease,
  ProductKey,
  SigningKey,
  Trial,
} from './licensing.entity.ts';
import { MachineSum, SeatChange, SeatCount, SeatMachine, SeatSum } from './seats/sums.entity.ts';
import { ProductUnlock } from './unlocks/unlocks.entity.ts';

const entities = [
  SigningKey,
  Activation,
  OfflineRelease,
  ProductKey,
  ExpansionSecret,
  ProductUnlock,
  Trial,
  LicenseRefusalNote,
  LicenseRefusalDay,
  LicenseDeviceCode,
  LicenseSeatCode,
  SeatChange,
  SeatSum,
  SeatMachine,
  MachineSum,
  SeatCount,
] as const;

interface Own extends InferKyselyDB<(typeof entities)[number]> {}

declare module '#platform/db/tables.ts' {
  interface Tables extends Own {}
}

export const tables = ownTables('licensing', entities);
export type LicensingDb = ReturnType<typeof tables.of>;
export type LicensingHandle = ReturnType<typeof tables.in>;
