import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Account } from '#features/accounts';

/**
 * A seat that was taken, seen on another day or by another version, or given up: +1 as it is now, -1 as it was. A trigger of
 * `activations` adds them; they wait here until they are counted, so that no call waits for another one's sum.
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

/** Since when an account's seats have sums. Without a row or a date, whoever reads them counts the seats themselves. */
export const SeatCount = defineEntity({
  name: 'SeatCount',
  tableName: 'seat_counts',
  properties: {
    developerId: () => p.manyToOne(Account).mapToPk().primary().fieldName('developer_id').updateRule('no action'),
    countedAt: p.datetime(3).nullable(),
  },
});
export type SeatCount = InferEntity<typeof SeatCount>;

const seenOn = (row: 'old' | 'new') => `(${row}.last_seen_at at time zone 'UTC')::date`;

/** What is counted of a seat; nothing of one that was given up. */
const countedOf = (row: 'old' | 'new') =>
  `select ${row}.developer_id, ${row}.serial_id, hashtextextended(${row}.machine_id, 0), coalesce(${row}.version, ''), coalesce(${row}.os, ''), ${seenOn(row)}`;

/**
 * Notes every change of a seat, whichever statement and release of the server makes it. A serial that is deleted together
 * with its seats no longer shows its product: then the account's seats are counted again.
 */
export const notingSeats = {
  name: 'activations_noted',
  timing: 'after' as const,
  events: ['insert' as const, 'update' as const, 'delete' as const],
  forEach: 'row' as const,
  body: `if tg_op = 'UPDATE' and (old.released_at is null, old.version, old.os, ${seenOn('old')})
    is not distinct from (new.released_at is null, new.version, new.os, ${seenOn('new')}) then return null; end if;
  insert into seat_changes (developer_id, id, product_id, machine, version, os, seen_on, seats)
  select n.developer_id, gen_random_uuid(), b.product_id, n.machine, n.version, n.os, n.seen_on, n.seats
  from (${countedOf('old')}, -1 where tg_op <> 'INSERT' and old.released_at is null
    union all ${countedOf('new')}, 1 where tg_op <> 'DELETE' and new.released_at is null
  ) n (developer_id, serial_id, machine, version, os, seen_on, seats)
    join serials s on (s.developer_id, s.id) = (n.developer_id, n.serial_id)
    join batches b on (b.developer_id, b.id) = (s.developer_id, s.batch_id);
  if not found and tg_op = 'DELETE' and old.released_at is null then
    update seat_counts set counted_at = null where developer_id = old.developer_id;
  end if;
  return null`,
};
