import { type RawBuilder, sql } from 'kysely';
import { asksFor, patternsFor, RECORDED, recordParts } from '#features/webhooks';
import { DAY } from '#platform/clock.ts';
import type { Columns } from '#platform/db/tables.ts';
import { joinOwn, ownJoin } from '#platform/db/tenant.ts';
import { folded, MACHINE_SHOWN } from '../rules/machine-ids.ts';
import { tables } from '../tables.ts';
import { noted, notedOf, notedSeen, seenColumns } from './noted.ts';

// Statements that run all day long: each is compiled once, and planned once per connection.

/**
 * How many new machines a serial may see within `CHURN_DAYS`: twice its seats, and this many more. A key file without an
 * end stays good on a machine that gave its seat back, so this is how many a serial can spread.
 */
const CHURN = 3;
const CHURN_DAYS = 30;

/** A machine with its seat. */
export interface Machine {
  /** The id for the machine's row, if one has to be created. */
  id: string;
  developerId: string;
  serialId: string;
  machineId: string;
  version: string | null;
  label: string | null;
  os: string | null;
  tokenHash: Buffer;
  now: Date;
}

/** A machine's row, in the order of {@link rowOf}. */
type MachineRow = [
  id: string,
  developerId: string,
  serialId: string,
  machineId: string,
  version: string | null,
  label: string | null,
  os: string | null,
  /** As text, because it is sent for many places: the driver would write a date anew for each. */
  at: string,
  tokenHash: Buffer,
];

export function rowOf(machine: Machine): MachineRow {
  const { id, developerId, serialId, machineId, version, label, os, now, tokenHash } = machine;
  return [id, developerId, serialId, machineId, version, label, os, now.toISOString(), tokenHash];
}

/** @param from whether the row of its serial `own` is to have a machine: made of it, it is made where the account is on many machines */
const inserted = (
  [id, developerId, serialId, machineId, version, label, os, at, tokenHash]: MachineRow,
  from: RawBuilder<unknown>,
) => sql`
  insert into activations as a
    (id, developer_id, serial_id, machine_id, version, label, os, created_at, last_seen_at, token_hash)
  select ${id}::uuid, own.developer_id, own.id, ${machineId}::text, ${version}::text, ${label}::text, ${os}::text,
    ${at}::timestamptz, ${at}::timestamptz, ${tokenHash}::bytea
  from ${from} where own.developer_id = ${developerId}::uuid and own.id = ${serialId}::uuid`;

export const churnSince = ({ now }: Machine) => new Date(now.getTime() - CHURN_DAYS * DAY);

/** A machine that had a seat before. One that still has it is left unchanged. */
const again = sql`on conflict (developer_id, serial_id, machine_id) do update set released_at = null,
    last_seen_at = excluded.last_seen_at, version = coalesce(excluded.version, a.version),
    label = coalesce(excluded.label, a.label), os = coalesce(excluded.os, a.os), token_hash = excluded.token_hash
  where a.released_at is not null`;

/** Machine rows remain after their seats are freed, so recently created rows are machines never seen before. */
const settled = ([, developerId, serialId, machineId]: MachineRow, since: Date, seats: RawBuilder<number>) => sql`
  select count(*) filter (where created_at > ${since}::timestamptz) < ${sql.lit(CHURN)} + 2 * ${seats}
    or coalesce(bool_or(machine_id = ${machineId}::text), false)
  from activations where developer_id = ${developerId}::uuid and serial_id = ${serialId}::uuid`;

const ACTIVATED = 'license.activated';

const eventParts = (event: string, [, developerId, serialId, machineId, version, , , at]: MachineRow) =>
  recordParts(sql`(select serial.product_id from taken cross join serial)`, {
    id: sql`${event}`,
    account: sql`${developerId}`,
    type: sql.lit(ACTIVATED),
    patterns: sql`${patternsFor(ACTIVATED)}`,
    at: sql`${at}`,
    data: sql`json_build_object('serial_id', ${serialId}::uuid, 'product_id', given.product_id,
      'machine', left(${machineId}::text, ${sql.lit(MACHINE_SHOWN)}), 'version', ${version}::text)`,
    personal: sql`null`,
    objects: sql`array[${serialId}::uuid, given.product_id]`,
  });

interface AtOnce extends Columns<'serials', 'seats_used'> {
  max_activations: number;
}

/**
 * Every statement that gives or frees a seat also writes the serial's row. As long as that row is unchanged since this
 * statement started, everything it read is still true when it writes.
 */
const taking = (since: Date, fold: string, row: MachineRow, only: RawBuilder<unknown>) => {
  const [, developerId, serialId, , , , , at] = row;
  return sql`
    serial as (
      select s.id, s.xmin as row, b.product_id, coalesce(s.max_activations, p.max_activations) as seats
      from serials s ${ownJoin('batches as b', 'b.id', 's.batch_id')}
        ${ownJoin('products as p', 'p.id', 'b.product_id')}
      where s.developer_id = ${developerId}::uuid and s.id = ${serialId}::uuid and s.revoked_at is null
        and not exists (select from activations where developer_id = ${developerId}::uuid and serial_id = ${serialId}::uuid
          and ${folded('machine_id')} = ${fold}::text and released_at is null)
    ), taken as (
      update serials s set seats_used = s.seats_used + 1, activated_at = coalesce(s.activated_at, ${at}::timestamptz) from serial
      where s.developer_id = ${developerId}::uuid and s.id = serial.id and s.xmin = serial.row and s.seats_used < serial.seats
        and ${only} and (${settled(row, since, sql`serial.seats`)})
      returning s.seats_used, serial.seats as max_activations
    ), machine as (
      ${inserted(row, sql`taken cross join serials own`)} ${again} returning machine_id, version, os, last_seen_at
    ), ${notedOf(sql`${developerId}`, 'machine', 'serial')}`;
};

/** This statement alone can notify nobody. If a webhook wants the event, it takes no seat and answers `asks`. */
export const takeAtOnce = tables.named('take_seat', (_, since: Date, fold: string, ...row: MachineRow) => {
  const [, developerId] = row;
  return sql<(AtOnce | Record<keyof AtOnce, null>) & { asks: boolean }>`
    with asked as (
      select ${asksFor(sql`${developerId}::uuid`, ACTIVATED)} as asks
    ), ${taking(since, fold, row, sql`not (select asks from asked)`)}
    select taken.seats_used, taken.max_activations, asked.asks from asked left join taken on true`;
});

/** Runs in a transaction, which notifies the webhooks that ask for the event in `told`. */
export const takeAndRecord = tables.named(
  'take_and_tell',
  (_, event: string, since: Date, fold: string, ...row: MachineRow) => sql<AtOnce & { told: string | null }>`
    with ${taking(since, fold, row, sql`true`)}, ${eventParts(event, row)}
    select taken.seats_used, taken.max_activations, ${RECORDED} as told from taken`,
);

export const takeOne = tables.named(
  'take_one',
  (_, developerId: string, serialId: string, seats: number, now: Date) => sql<Columns<'serials', 'seats_used'>>`
    update serials set seats_used = seats_used + 1, activated_at = coalesce(activated_at, ${now})
    where developer_id = ${developerId} and id = ${serialId} and seats_used < ${seats} returning seats_used`,
);

export const returnSeats = tables.named(
  'give_back',
  (_, developerId: string, serialId: string, seats: number) => sql<Columns<'serials', 'seats_used'>>`
    update serials set seats_used = seats_used - ${seats}
    where developer_id = ${developerId} and id = ${serialId} returning seats_used`,
);

export const holdSerial = tables.named('hold_serial', (begin, developerId: string, serialId: string) =>
  begin
    .selectFrom('serials')
    .select('id')
    .where('developer_id', '=', developerId)
    .where('id', '=', serialId)
    .forUpdate(),
);

export const lockWithSeats = tables.named('lock_serial', (begin, developerId: string, serialId: string) =>
  begin
    .selectFrom('serials as s')
    .$call(joinOwn('batches as b', 'b.id', 's.batch_id'))
    .$call(joinOwn('products as p', 'p.id', 'b.product_id'))
    .select((eb) => [
      's.seats_used',
      's.revoked_at',
      eb.fn.coalesce('s.max_activations', 'p.max_activations').as('seats'),
    ])
    .where('s.developer_id', '=', developerId)
    .where('s.id', '=', serialId)
    .forUpdate('s'),
);

export const productOf = tables.named('product_of_serial', (begin, developerId: string, serialId: string) =>
  begin
    .selectFrom('serials as s')
    .$call(joinOwn('batches as b', 'b.id', 's.batch_id'))
    .select('b.product_id')
    .where('s.developer_id', '=', developerId)
    .where('s.id', '=', serialId),
);

export const leasedBeyond = tables.named(
  'leased_beyond',
  (begin, developerId: string, serialId: string, machineId: string, now: Date) =>
    begin
      .selectFrom('activations')
      .select('id')
      .where('developer_id', '=', developerId)
      .where('serial_id', '=', serialId)
      .where('machine_id', '=', machineId)
      .where('released_at', 'is', null)
      .where('leased_until', '>', now),
);

type MachineId = Columns<'activations', 'machine_id'>;

export const releaseAny = tables.named(
  'release',
  (_, developerId: string, serialId: string, machineIds: readonly string[], now: Date) => sql<MachineId>`
    with gone as (
      update activations set released_at = ${now}, token_hash = null, leased_until = null
      where developer_id = ${developerId} and serial_id = ${serialId} and machine_id = any(${machineIds}) and released_at is null
      returning serial_id, machine_id, version, os, last_seen_at
    ), ${noted(sql`${developerId}`, 'gone', 'freed')}
    select machine_id from gone`,
);

export const keepMachine = tables.named('keep_seat', (_, keepsLease: boolean, ...row: MachineRow) => {
  const [, developerId, serialId, machineId, version, label, os, at, tokenHash] = row;
  return sql<MachineId>`
    with known as materialized (select * from (
      select id, version, os, last_seen_at from activations
      where developer_id = ${developerId}::uuid and serial_id = ${serialId}::uuid and machine_id = ${machineId}::text
        and released_at is null
      for no key update) locked
    ), kept as (
      update activations a set last_seen_at = ${at}::timestamptz, version = coalesce(${version}::text, a.version),
        label = coalesce(${label}::text, a.label), os = coalesce(${os}::text, a.os), token_hash = ${tokenHash}::bytea,
        leased_until = case when ${keepsLease}::boolean then a.leased_until end
      from known k where a.developer_id = ${developerId}::uuid and a.id = k.id returning ${seenColumns}
    ), ${notedSeen(sql`${developerId}`, 'kept')}
    select machine_id from kept`;
});

export const addMachine = tables.named('add_machine', (_, since: Date, seats: number, ...row: MachineRow) => {
  const [, developerId] = row;
  return sql<MachineId>`
    with added as (
      ${inserted(row, sql`serials own`)} and (${settled(row, since, sql`${seats}::int`)}) ${again}
      returning serial_id, machine_id, version, os, last_seen_at
    ), ${noted(sql`${developerId}`, 'added', 'given')}
    select machine_id from added`;
});
