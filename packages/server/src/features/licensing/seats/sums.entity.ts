import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Account } from '#features/accounts';

/**
 * A seat that was taken, seen on another day or by another version, or given up: +1 as it is now, -1 as it was. The statement that
 * does so adds them (`noted.ts`); they wait here until they are counted, so that no call waits for another one's sum.
 */
export const SeatChange = defineEntity({
  name: 'SeatChange',
  tableName: 'seat_changes',
  properties: {
    developerId: p.uuid().primary(),
    id: p.uuid().primary(),
    productId: p.uuid(),
    /** 64 bits of the machine's id. */
    machine: p.bigint('bigint'),
    version: p.text(),
    os: p.text(),
    seenOn: p.date(),
    seats: p.integer(),
  },
});
export type SeatChange = InferEntity<typeof SeatChange>;

/** Seats that are taken, by the day (UTC) on which they were last seen, version and system; unknown is the empty text. */
export const SeatSum = defineEntity({
  name: 'SeatSum',
  tableName: 'seat_sums',
  properties: {
    developerId: () => p.manyToOne(Account).mapToPk().primary().fieldName('developer_id').updateRule('no action'),
    seenOn: p.date().primary(),
    productId: p.uuid().primary(),
    version: p.text().primary(),
    os: p.text().primary(),
    seats: p.integer(),
  },
});
export type SeatSum = InferEntity<typeof SeatSum>;

/** The seats of each machine, so that one with several plugins is counted once. */
export const SeatMachine = defineEntity({
  name: 'SeatMachine',
  tableName: 'seat_machines',
  properties: {
    developerId: () => p.manyToOne(Account).mapToPk().primary().fieldName('developer_id').updateRule('no action'),
    machine: p.bigint('bigint').primary(),
    productId: p.uuid().primary(),
    seenOn: p.date().primary(),
    seats: p.integer(),
  },
});
export type SeatMachine = InferEntity<typeof SeatMachine>;

/** Machines that hold a seat, by the day (UTC) on which they were last seen: of each product, and of all together. */
export const MachineSum = defineEntity({
  name: 'MachineSum',
  tableName: 'machine_sums',
  properties: {
    developerId: () => p.manyToOne(Account).mapToPk().primary().fieldName('developer_id').updateRule('no action'),
    productId: p.uuid().primary(),
    seenOn: p.date().primary(),
    machines: p.integer(),
  },
});
export type MachineSum = InferEntity<typeof MachineSum>;

/** The moment since which an account's seats have sums. Without a row or a date, readers count the seats themselves. */
export const SeatCount = defineEntity({
  name: 'SeatCount',
  tableName: 'seat_counts',
  properties: {
    developerId: () => p.manyToOne(Account).mapToPk().primary().fieldName('developer_id').updateRule('no action'),
    countedAt: p.datetime(3).nullable(),
  },
});
export type SeatCount = InferEntity<typeof SeatCount>;
